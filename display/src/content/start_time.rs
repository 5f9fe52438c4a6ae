//! The time of a scheduled start, in the time zone of this machine, and how long it is until then.

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::SECOND;

/// The local time of the start at `realtime_nsec`, which is in nanoseconds since 1970: `19:30`, or
/// `19:30:15` if the start is not at a full minute. If the start is not today, the date comes
/// first: `2026-11-24 19:30`.
pub(super) fn shown(realtime_nsec: u64) -> String {
    text(realtime_nsec, &Timestamp::now().to_zoned(TimeZone::system()))
}

fn text(realtime_nsec: u64, now: &Zoned) -> String {
    let start = Timestamp::from_nanosecond(i128::from(realtime_nsec))
        .expect("nanoseconds in 64 bits end in the year 2554, and a timestamp in 9999");
    let start = start.to_zoned(now.time_zone().clone());
    let mut text = match start.date() == now.date() {
        true => String::new(),
        false => format!("{} ", start.date()),
    };
    text.push_str(&format!("{:02}:{:02}", start.hour(), start.minute()));
    if start.second() != 0 {
        text.push_str(&format!(":{:02}", start.second()));
    }
    text
}

/// How long it is until the start at `realtime_nsec`, in nanoseconds; 0 once it has come.
pub(super) fn left(realtime_nsec: u64) -> u64 {
    let now = u64::try_from(Timestamp::now().as_nanosecond()).unwrap_or(0);
    realtime_nsec.saturating_sub(now)
}

/// The text of the time until a start: `2 h 05 min`, and below an hour `59:59`. It is rounded up,
/// so that zero is reached only at the start, and then there is no text.
pub(super) fn countdown(left: u64) -> Option<String> {
    let seconds = left.div_ceil(SECOND);
    match (seconds, seconds.div_ceil(60)) {
        (0, _) => None,
        (1..3600, _) => Some(format!("{}:{:02}", seconds / 60, seconds % 60)),
        (_, minutes) => Some(format!("{} h {:02} min", minutes / 60, minutes % 60)),
    }
}

/// How long the text of [`countdown`] stays the same; `None` once the start has come.
pub(super) fn countdown_change(left: u64) -> Option<u64> {
    let unit = if left.div_ceil(SECOND) < 3600 { SECOND } else { 60 * SECOND };
    let below = left.checked_sub(1)? / unit * unit;
    // At 1:00:00 the text is `1 h 00 min`, the last one in minutes. It stays until `59:59` takes
    // its place.
    let below = if unit > SECOND { below.max(3599 * SECOND) } else { below };
    Some(left - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_local_and_another_day_is_named() {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a zone");
        // 2026-11-22 12:00:00 in this zone.
        let noon = 1_795_345_200;
        let now = Timestamp::from_second(noon).expect("an instant").to_zoned(zone);
        let at = |seconds: i64| {
            let seconds = u64::try_from(noon + seconds).expect("after 1970");
            text(seconds * 1_000_000_000, &now)
        };
        assert_eq!(at(7 * 3600 + 1800), "19:30");
        assert_eq!(at(7 * 3600 + 1815), "19:30:15");
        assert_eq!(at(31 * 3600 + 1800), "2026-11-23 19:30");
        assert!(text(u64::MAX, &now).starts_with("2554-"));
    }

    #[test]
    fn the_countdown_changes_exactly_at_its_unit() {
        let minute = 60 * SECOND;
        for (left, text, span) in [
            (125 * minute, "2 h 05 min", minute),
            (125 * minute - 1, "2 h 05 min", minute - 1),
            (61 * minute, "1 h 01 min", minute),
            (60 * minute, "1 h 00 min", SECOND),
            (60 * minute - SECOND + 1, "1 h 00 min", 1),
            (60 * minute - SECOND, "59:59", SECOND),
            (61 * SECOND, "1:01", SECOND),
            (1, "0:01", 1),
        ] {
            assert_eq!(countdown(left).as_deref(), Some(text), "{left}");
            assert_eq!(countdown_change(left), Some(span), "{left}");
            assert_eq!(countdown(left - (span - 1)).as_deref(), Some(text), "{left}");
            assert_ne!(countdown(left - span).as_deref(), Some(text), "{left}");
        }
        assert_eq!((countdown(0), countdown_change(0)), (None, None));
    }
}
