//! The brightness of the backlight at each time of day. Nothing here reads a clock.

use std::fmt;

use serde::Deserialize;

/// A brightness from 1 to 100 percent. It is never 0, because many panels show nothing at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "i64")]
pub struct Percent(u8);

impl Percent {
    /// The default of the key `brightness`.
    pub const FULL: Percent = Percent(100);
    /// The default of the key `dimmed`. If `brightness` is lower, the default is `brightness`.
    pub const DIMMED: Percent = Percent(30);

    /// The percentage, from 1 to 100.
    pub fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<i64> for Percent {
    type Error = String;

    fn try_from(value: i64) -> Result<Percent, String> {
        match u8::try_from(value) {
            Ok(percent @ 1..=100) => Ok(Percent(percent)),
            _ => Err(format!("a brightness of {value} percent; expected 1 to 100")),
        }
    }
}

/// A time of day, in minutes since midnight: 0 to 1439.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "Text")]
pub struct TimeOfDay(u16);

/// A time of day as a TOML string. TOML also has a type for times, which are written without
/// quotation marks. A value of that type is refused with an error that shows the form with
/// quotation marks.
#[derive(Deserialize)]
#[serde(untagged, expecting = "no time of day; expected one from \"00:00\" to \"23:59\"")]
enum Text {
    Text(String),
}

impl TimeOfDay {
    /// The time of day; `None` if `hour` is above 23 or `minute` above 59.
    pub fn new(hour: u8, minute: u8) -> Option<TimeOfDay> {
        (hour < 24 && minute < 60).then(|| TimeOfDay(u16::from(hour) * 60 + u16::from(minute)))
    }

    /// Parses a time of day such as `22:30`. The hour and the minute must have exactly two digits.
    fn parse(text: &str) -> Option<TimeOfDay> {
        let two_digits = |text: &str| {
            let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse().ok())?
        };
        let (hour, minute) = text.split_once(':')?;
        TimeOfDay::new(two_digits(hour)?, two_digits(minute)?)
    }
}

impl TryFrom<Text> for TimeOfDay {
    type Error = String;

    fn try_from(Text::Text(text): Text) -> Result<TimeOfDay, String> {
        TimeOfDay::parse(&text).ok_or_else(|| {
            format!("`{text}` is no time of day; expected one from \"00:00\" to \"23:59\"")
        })
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

/// The brightness of the backlight over the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The brightness while the backlight is not dimmed.
    pub brightness: Percent,
    pub dim: Option<Dim>,
}

/// The part of the day during which the backlight is dimmed, and the brightness during it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim {
    pub brightness: Percent,
    /// The first minute that is dimmed.
    pub from: TimeOfDay,
    /// The first minute that is not dimmed any more. If `to` is before `from`, it is on the next
    /// day.
    pub to: TimeOfDay,
}

impl Schedule {
    /// The brightness at the local time of day `now`. The backlight is not dimmed while a game is
    /// in progress, nor if `now` is `None` because the machine does not know the time.
    pub fn percent(&self, now: Option<TimeOfDay>, game_in_progress: bool) -> Percent {
        match (self.dim, now) {
            (Some(dim), Some(now)) if dim.has(now) && !game_in_progress => dim.brightness,
            _ => self.brightness,
        }
    }
}

impl Dim {
    fn has(self, now: TimeOfDay) -> bool {
        if self.from < self.to {
            (self.from..self.to).contains(&now)
        } else {
            now >= self.from || now < self.to
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> TimeOfDay {
        TimeOfDay::parse(text).unwrap()
    }

    fn schedule(from: &str, to: &str) -> Schedule {
        let dim = Dim { brightness: Percent(20), from: time(from), to: time(to) };
        Schedule { brightness: Percent(90), dim: Some(dim) }
    }

    #[test]
    fn it_is_dimmed_from_the_first_time_until_the_second() {
        for (from, to, now, wanted) in [
            ("22:00", "07:00", "21:59", 90),
            ("22:00", "07:00", "22:00", 20),
            ("22:00", "07:00", "23:59", 20),
            ("22:00", "07:00", "00:00", 20),
            ("22:00", "07:00", "06:59", 20),
            ("22:00", "07:00", "07:00", 90),
            ("22:00", "07:00", "12:00", 90),
            ("01:00", "05:30", "00:59", 90),
            ("01:00", "05:30", "01:00", 20),
            ("01:00", "05:30", "05:29", 20),
            ("01:00", "05:30", "05:30", 90),
            ("00:00", "23:59", "23:58", 20),
            ("00:00", "23:59", "23:59", 90),
            ("20:00", "00:00", "23:59", 20),
            ("20:00", "00:00", "00:00", 90),
        ] {
            let percent = schedule(from, to).percent(Some(time(now)), false);
            assert_eq!(percent, Percent(wanted), "{from} to {to} at {now}");
        }
    }

    #[test]
    fn it_is_not_dimmed_in_a_game_or_without_a_time_of_day() {
        let night = Some(time("23:00"));
        let schedule = schedule("22:00", "07:00");
        assert_eq!(schedule.percent(night, false), Percent(20));
        assert_eq!(schedule.percent(night, true), Percent(90));
        assert_eq!(schedule.percent(None, false), Percent(90));
        assert_eq!(Schedule { dim: None, ..schedule }.percent(night, false), Percent(90));
    }

    #[test]
    fn a_time_of_day_has_four_digits() {
        for (text, minutes) in [("00:00", 0), ("07:05", 425), ("23:59", 1439)] {
            assert_eq!(TimeOfDay::parse(text), Some(TimeOfDay(minutes)));
            assert_eq!(TimeOfDay(minutes).to_string(), text);
        }
        for text in
            ["", "7:00", "24:00", "12:60", "12:0", "+1:00", "12:+1", "12:00:00", "noon", "１２:00"]
        {
            assert_eq!(TimeOfDay::parse(text), None, "{text}");
        }
    }
}
