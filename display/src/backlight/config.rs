//! The table of `display.toml` about the backlight.

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::schedule::{Dim, Percent, Schedule, TimeOfDay};
use crate::config::ConfigError;

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
