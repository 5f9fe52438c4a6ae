//! The scheduled start of a game: a time of day on the machine of the arbiter.

use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A time of day, as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeOfDay(String);

impl std::fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl TimeOfDay {
    /// Reads `19:30` or `19:30:15`.
    pub fn parse(text: &str) -> Result<TimeOfDay, String> {
        let mut parts = text.split(':');
        let mut part = |most: u32| {
            let digits = parts.next().filter(|digits| (1..=2).contains(&digits.len()))?;
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse().ok()).flatten().filter(|value| *value <= most)
        };
        let (hour, minute) = (part(23), part(59));
        let second = if text.matches(':').count() > 1 { part(59) } else { Some(0) };
        match (hour, minute, second, parts.next()) {
            (Some(hour), Some(minute), Some(second), None) => {
                Ok(TimeOfDay(format!("{hour:02}:{minute:02}:{second:02}")))
            }
            _ => Err("expected a time of day from 0:00 to 23:59, such as 19:30".to_owned()),
        }
    }

    /// This time today, in nanoseconds of CLOCK_REALTIME. The program `date` knows the time zone, of which
    /// the standard library knows nothing; coreutils and busybox take the same arguments.
    pub fn today(&self) -> Result<u64, String> {
        let mut date = Command::new("date");
        date.args(["-d", &self.0, "+%s"]).stdin(Stdio::null());
        let output = date.output().map_err(|error| format!("cannot run `date`: {error}"))?;
        let printed = String::from_utf8_lossy(&output.stdout);
        let seconds: u64 = match printed.trim().parse() {
            Ok(seconds) if output.status.success() => seconds,
            _ => return Err(format!("`date` does not say when {} is", self.0)),
        };
        self.not_passed(Duration::from_secs(seconds))
    }

    /// Refuses a time that has passed: it is a mistyped one or that of another day.
    fn not_passed(&self, start: Duration) -> Result<u64, String> {
        // Before 1970 nothing has passed.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        if start <= now {
            return Err(format!("--start-at {}: this time has passed today", self.0));
        }
        u64::try_from(start.as_nanos()).map_err(|_| format!("{} is too far away", self.0))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
            let expected = expected.map(|text| TimeOfDay(text.to_owned()));
            assert_eq!(TimeOfDay::parse(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn a_time_that_has_passed_is_refused() {
        let time = TimeOfDay::parse("12:00").unwrap();
        assert!(time.not_passed(Duration::from_secs(1)).unwrap_err().contains("has passed"));
        // In the year 2200.
        let nsec = 7_258_118_400_000_000_000;
        assert_eq!(time.not_passed(Duration::from_nanos(nsec)), Ok(nsec));
    }

    #[test]
    fn the_last_second_of_today_is_known() {
        match TimeOfDay::parse("23:59:59").unwrap().today() {
            Ok(nsec) => assert_eq!(nsec % 1_000_000_000, 0),
            // Within that very second.
            Err(message) => assert!(message.contains("has passed"), "{message}"),
        }
    }
}
