//! The scheduled start of a game: a time of day on the machine of the arbiter.

use jiff::Zoned;
use jiff::civil::Time;
use jiff::tz::AmbiguousOffset;

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOfDay(Time);

impl std::fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let time = self.0;
        write!(f, "{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
    }
}

impl TimeOfDay {
    /// Reads `19:30` or `19:30:15`.
    pub fn parse(text: &str) -> Result<TimeOfDay, String> {
        let mut parts = text.split(':');
        let mut part = || {
            let digits = parts.next().filter(|digits| (1..=2).contains(&digits.len()))?;
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse::<i8>().ok()).flatten()
        };
        let (hour, minute) = (part(), part());
        let second = if text.matches(':').count() > 1 { part() } else { Some(0) };
        match (hour, minute, second, parts.next()) {
            (Some(hour), Some(minute), Some(second), None) => {
                Time::new(hour, minute, second, 0).ok().map(TimeOfDay)
            }
            _ => None,
        }
        .ok_or_else(|| "expected a time of day from 0:00 to 23:59, such as 19:30".to_owned())
    }

    /// This time today, in nanoseconds of CLOCK_REALTIME. Today is the day in the zone of this
    /// machine.
    pub fn today(&self) -> Result<u64, String> {
        self.on_the_day_of(&Zoned::now())
    }

    /// This time on the day of `now`. A time that has passed is refused, because it was mistyped or
    /// belongs to another day.
    fn on_the_day_of(&self, now: &Zoned) -> Result<u64, String> {
        let start = now.time_zone().to_ambiguous_zoned(now.date().to_datetime(self.0));
        if let AmbiguousOffset::Gap { .. } = start.offset() {
            return Err(format!(
                "--start-at {self}: today has no such time, because summer time begins"
            ));
        }
        // If the time comes twice, because summer time ends, the first of the two is taken.
        let too_far = |_| format!("{self} is too far away");
        let start = start.compatible().map_err(too_far)?.timestamp();
        if start <= now.timestamp() {
            return Err(format!(
                "--start-at {self}: this time has passed today; it is {} now: give a later time, or leave \
                 --start-at out and start White's clock with clockctl start",
                now.strftime("%H:%M:%S")
            ));
        }
        u64::try_from(start.as_nanosecond()).map_err(|_| format!("{self} is before 1970"))
    }
}

#[cfg(test)]
mod tests {
    use jiff::Zoned;
    use jiff::tz::TimeZone;

    use super::TimeOfDay;

    #[test]
    fn a_time_of_day_has_hours_and_minutes() {
        for (text, expected) in [
            ("19:30", Some("19:30:00")),
            ("9:05", Some("09:05:00")),
            ("0:00", Some("00:00:00")),
            ("23:59:59", Some("23:59:59")),
            ("24:00", None),
            ("19:60", None),
            ("19:30:60", None),
            ("19", None),
            ("19:30:00:00", None),
            ("-1:30", None),
            ("+1:30", None),
            ("19:3 0", None),
            ("7.30", None),
            ("", None),
        ] {
            let read = TimeOfDay::parse(text).ok().map(|time| time.to_string());
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }

    /// The instant `seconds` after the beginning of 1970, in the zone of central Europe.
    fn now(seconds: i64) -> Zoned {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        jiff::Timestamp::from_second(seconds).unwrap().to_zoned(zone)
    }

    fn seconds(time: &str, now: &Zoned) -> Result<u64, String> {
        let found = TimeOfDay::parse(time).unwrap().on_the_day_of(now)?;
        assert_eq!(found % 1_000_000_000, 0);
        Ok(found / 1_000_000_000)
    }

    #[test]
    fn a_time_that_has_passed_is_refused() {
        // 2026-11-22 12:00:00.
        let noon = now(1_795_345_200);
        for time in ["0:00", "11:59:59", "12:00"] {
            let refused = seconds(time, &noon).unwrap_err();
            let way_out = "has passed today; it is 12:00:00 now: give a later time, or leave --start-at out \
                           and start White's clock with clockctl start";
            assert!(refused.ends_with(way_out), "{refused}");
        }
        assert_eq!(seconds("12:00:01", &noon), Ok(1_795_345_201));
        assert_eq!(seconds("23:59:59", &noon), Ok(1_795_388_399));
    }

    #[test]
    fn summer_time_begins_and_ends() {
        // It is 2026-03-29 00:00. On this day the time goes from 2:00 to 3:00 at once.
        let spring = now(1_774_738_800);
        assert_eq!(seconds("1:59:59", &spring), Ok(1_774_745_999));
        assert!(seconds("2:30", &spring).unwrap_err().contains("no such time"));
        assert_eq!(seconds("3:00", &spring), Ok(1_774_746_000));
        // It is 2026-10-25 00:00. On this day the time goes back from 3:00 to 2:00.
        let autumn = now(1_792_879_200);
        assert_eq!(seconds("2:30", &autumn), Ok(1_792_888_200));
        assert_eq!(seconds("3:00", &autumn), Ok(1_792_893_600));
    }

    #[test]
    fn the_last_second_of_today_is_known() {
        match TimeOfDay::parse("23:59:59").unwrap().today() {
            Ok(nsec) => assert_eq!(nsec % 1_000_000_000, 0),
            // It is 23:59:59 now.
            Err(message) => assert!(message.contains("has passed"), "{message}"),
        }
    }
}
