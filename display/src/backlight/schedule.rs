//! The table of `display.toml` about the backlight, and its brightness at each time of day. Nothing here reads a clock.

use std::fmt;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::config::ConfigError;

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

/// The table `[backlight]`. If it is empty or missing, the face does not set the backlight.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table such as [backlight]")]
pub struct BacklightConfig {
    /// The brightness while not dimmed, in percent. If this key is missing and another key of the
    /// table is given, the brightness is 100.
    brightness: Option<Percent>,
    /// The brightness while dimmed, in percent. The default is 30. If `brightness` is lower than
    /// 30, the default is `brightness`.
    dimmed: Option<Spanned<Percent>>,
    /// When dimming begins, in local time. It is an error to give only one of `dim_from` and
    /// `dim_to`.
    dim_from: Option<Spanned<TimeOfDay>>,
    /// When dimming ends, in local time.
    dim_to: Option<Spanned<TimeOfDay>>,
}

impl BacklightConfig {
    /// Checks the table and converts it to a schedule; `None` if the face does not set the
    /// backlight. `path` and `text` are the path and the contents of the configuration file; the
    /// messages of errors are made from them.
    pub(crate) fn schedule(
        &self,
        path: &Path,
        text: &str,
    ) -> Result<Option<Schedule>, ConfigError> {
        let wrong = |at: usize, message: String| Err(ConfigError::wrong(path, text, at, message));
        let brightness = self.brightness.unwrap_or(Percent::FULL);
        let (from, to) = match (&self.dim_from, &self.dim_to, &self.dimmed) {
            (Some(from), Some(to), _) => (from, to),
            (Some(from), None, _) => {
                return wrong(
                    from.span().start,
                    "`dim_from` without `dim_to`; expected both".into(),
                );
            }
            (None, Some(to), _) => {
                return wrong(to.span().start, "`dim_to` without `dim_from`; expected both".into());
            }
            (None, None, Some(dimmed)) => {
                let message =
                    "`dimmed` without `dim_from` and `dim_to`, so never; expected all three";
                return wrong(dimmed.span().start, message.into());
            }
            (None, None, None) => {
                return Ok(self.brightness.map(|brightness| Schedule { brightness, dim: None }));
            }
        };
        if from == to {
            let message =
                format!("`dim_to` is {}, as `dim_from` is; expected another time", to.as_ref());
            return wrong(to.span().start, message);
        }
        let dimmed =
            self.dimmed.as_ref().map_or(Percent::DIMMED.min(brightness), |dimmed| *dimmed.as_ref());
        if let Some(given) = self.dimmed.as_ref().filter(|_| dimmed > brightness) {
            let message = format!(
                "a dimmed brightness of {} percent; expected at most that of `brightness`, {}",
                dimmed.get(),
                brightness.get()
            );
            return wrong(given.span().start, message);
        }
        let dim = Dim { brightness: dimmed, from: *from.as_ref(), to: *to.as_ref() };
        Ok(Some(Schedule { brightness, dim: Some(dim) }))
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

#[cfg(test)]
mod config_tests {
    use super::*;

    fn schedule(table: &str) -> Result<Option<Schedule>, String> {
        let path = Path::new("d.toml");
        let text = format!("[backlight]\n{table}");
        let config: crate::config::Config =
            crate::config::parse(path, &text).map_err(|error| error.to_string())?;
        config.backlight.schedule(path, &text).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_not_said_has_its_default() {
        let percent = |value| Percent::try_from(value).unwrap();
        let time = |hour| TimeOfDay::new(hour, 0).unwrap();
        let dim = |value| Some(Dim { brightness: percent(value), from: time(22), to: time(7) });
        let times = "dim_from = '22:00'\ndim_to = '07:00'\n";
        for (table, wanted) in [
            (String::new(), None),
            ("brightness = 60".into(), Some(Schedule { brightness: percent(60), dim: None })),
            (times.into(), Some(Schedule { brightness: percent(100), dim: dim(30) })),
            (
                format!("{times}brightness = 80\ndimmed = 1"),
                Some(Schedule { brightness: percent(80), dim: dim(1) }),
            ),
            // The default of `dimmed` is 30, but never higher than `brightness`.
            (
                format!("{times}brightness = 20"),
                Some(Schedule { brightness: percent(20), dim: dim(20) }),
            ),
        ] {
            assert_eq!(schedule(&table), Ok(wanted), "{table}");
        }
    }

    #[test]
    fn an_error_names_the_place_and_what_is_accepted() {
        for (table, wanted) in [
            ("brightness = 0", "2:14: `brightness`: a brightness of 0 percent; expected 1 to 100"),
            (
                "brightness = 101",
                "2:14: `brightness`: a brightness of 101 percent; expected 1 to 100",
            ),
            ("dimmed = -1", "2:10: `dimmed`: a brightness of -1 percent; expected 1 to 100"),
            ("brightness = '50'", "2:14: `brightness` is \"50\"; expected a whole number"),
            (
                "dim_from = '7:00'",
                "2:12: `dim_from`: `7:00` is no time of day; expected one from \"00:00\" to \"23:59\"",
            ),
            (
                "dim_from = '22:00'\ndim_to = '24:00'",
                "3:10: `dim_to`: `24:00` is no time of day; expected one from \"00:00\" to \"23:59\"",
            ),
            (
                "dim_from = 22:00:00\n",
                "2:12: `dim_from`: no time of day; expected one from \"00:00\" to \"23:59\"",
            ),
            ("dim_from = '22:00'", "2:12: `dim_from` without `dim_to`; expected both"),
            ("dim_to = '07:00'\ndimmed = 9", "2:10: `dim_to` without `dim_from`; expected both"),
            (
                "brightness = 50\ndimmed = 9",
                "3:10: `dimmed` without `dim_from` and `dim_to`, so never; expected all three",
            ),
            (
                "dim_from = '22:00'\ndim_to = '22:00'",
                "3:10: `dim_to` is 22:00, as `dim_from` is; expected another time",
            ),
            (
                "dim_from = '22:00'\ndim_to = '07:00'\nbrightness = 50\ndimmed = 60",
                "5:10: `dimmed`: a dimmed brightness of 60 percent; expected at most that of `brightness`, 50",
            ),
            (
                "dim = 3",
                "2:1: unknown key `dim`, expected one of `brightness`, `dimmed`, `dim_from`, `dim_to`",
            ),
        ] {
            assert_eq!(schedule(table).unwrap_err(), format!("d.toml:{wanted}"), "{table}");
        }
    }
}
