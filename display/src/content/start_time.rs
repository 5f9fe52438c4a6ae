//! The time of a scheduled start, in the time zone of this machine.

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

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
}
