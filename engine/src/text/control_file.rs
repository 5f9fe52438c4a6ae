//! Control files (`configs/controls/*.toml`).

mod values;

use super::FileError;
use super::file_error::title;
use crate::{AfterFlag, Control, ControlError, Period, PeriodEnd, Side, Terms};
use std::ops::Range;
use toml::Spanned;
use values::{RawPeriod, ReadPeriod};

/// A time control with its name, as a control file gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlFile {
    /// The title for people.
    pub name: String,
    /// The time control.
    pub control: Control,
}

impl ControlFile {
    /// The longest text of a control file, in bytes. The largest shipped control file has less than
    /// 1 KiB. Parsing takes a time in proportion to the length, and an arbiter's program can send
    /// the text again and again.
    pub const LIMIT: usize = 16 * 1024;

    /// Reads the text of a control file.
    ///
    /// ```
    /// use clock_engine::text::ControlFile;
    /// let file = ControlFile::parse(
    ///     "name = 'Blitz 5+3'\n[[period]]\ntime = '0:05:00'\nincrement = '3s'\n",
    /// )?;
    /// assert_eq!(file.control.count(), 1);
    ///
    /// let error = ControlFile::parse("name = 'x'\n[[period]]\ntime = '-5m'\n").unwrap_err();
    /// assert_eq!(error.place.line, 3);
    /// # Ok::<(), clock_engine::text::FileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first fault with its place: the text has more than [`ControlFile::LIMIT`] bytes or is not
    /// TOML, a key is unknown or missing, a value has another form, or the periods are not a time
    /// control ([`ControlError`](crate::ControlError)).
    pub fn parse(text: &str) -> Result<ControlFile, FileError> {
        if text.len() > ControlFile::LIMIT {
            let (size, limit) = (text.len(), ControlFile::LIMIT / 1024);
            let message = format!("{size} bytes; a control file has at most {limit} KiB");
            return Err(FileError::new(text, 0..0, message));
        }
        let raw: RawFile =
            toml::from_str(text).map_err(|error| FileError::of_toml(text, &error))?;
        raw.build().map_err(|(span, message)| FileError::new(text, span, message))
    }
}

/// A place in the text and a message: what is wrong there.
type Wrong = (Range<usize>, String);

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    name: Option<Spanned<String>>,
    period_end: Option<Spanned<String>>,
    after_flag: Option<Spanned<String>>,
    first_move_increment: Option<bool>,
    set_back_pause: Option<Spanned<bool>>,
    draw_odds: Option<Spanned<String>>,
    period: Option<Spanned<Vec<Spanned<RawPeriod>>>>,
}

impl RawFile {
    fn build(self) -> Result<ControlFile, Wrong> {
        let name = self.name.as_ref().map(|name| (name.get_ref().as_str(), name.span()));
        let name = title(name, "Blitz 5+3")?;
        let mut terms = Terms {
            period_end: period_end(self.period_end.as_ref(), self.set_back_pause.as_ref())?,
            repeat: false,
            after_flag: after_flag(self.after_flag.as_ref())?,
            first_move_increment: self.first_move_increment.unwrap_or(true),
            draw_odds: draw_odds(self.draw_odds.as_ref())?,
        };
        let Some(raw) = self.period else {
            let message = "no period; expected [[period]] and below it `time`, a duration such as \
                           \"1:30:00\"";
            return Err((0..0, message.into()));
        };
        let whole = raw.span();
        let raw = raw.into_inner();
        let read = raw.into_iter().map(RawPeriod::build).collect::<Result<Vec<_>, Wrong>>()?;
        terms.repeat = repeat(&read)?;
        let periods: Vec<Period> = read.iter().map(|read| read.period).collect();
        let control = Control::new(&periods, terms).map_err(|error| {
            let after_flag = self.after_flag.as_ref().map(Spanned::span);
            (place(error, &read, after_flag).unwrap_or(whole.clone()), error.to_string())
        })?;
        if let Some(message) = super::without_time(&control) {
            return Err((
                read.first().and_then(|first| first.place("time")).unwrap_or(whole),
                message,
            ));
        }
        Ok(ControlFile { name, control })
    }
}

fn period_end(
    given: Option<&Spanned<String>>,
    pause: Option<&Spanned<bool>>,
) -> Result<PeriodEnd, Wrong> {
    let period_end = match given.map(|given| (given.get_ref().as_str(), given.span())) {
        None | Some(("moves", _)) => PeriodEnd::Moves,
        Some(("zero", _)) => PeriodEnd::Zero,
        Some(("moves-at-zero", _)) => PeriodEnd::MovesAtZero,
        Some(("black-completes", _)) => {
            let pause = pause.is_some_and(|pause| *pause.get_ref());
            return Ok(PeriodEnd::BlackCompletes { pause });
        }
        Some((other, span)) => {
            let message = format!(
                "`period_end = \"{other}\"`; expected \"moves\", \"zero\", \"moves-at-zero\" or \
                 \"black-completes\""
            );
            return Err((span, message));
        }
    };
    match pause.filter(|pause| *pause.get_ref()) {
        None => Ok(period_end),
        Some(pause) => {
            let message = format!(
                "`set_back_pause` with `period_end = \"{}\"`; expected it only with \
                 `period_end = \"black-completes\"`",
                period_end.as_str()
            );
            Err((pause.span(), message))
        }
    }
}

fn after_flag(given: Option<&Spanned<String>>) -> Result<Option<AfterFlag>, Wrong> {
    let Some(given) = given else { return Ok(None) };
    match given.get_ref().as_str() {
        "halt" => Ok(Some(AfterFlag::Halt)),
        "run" => Ok(Some(AfterFlag::Run)),
        other => {
            Err((given.span(), format!("`after_flag = \"{other}\"`; expected \"halt\" or \"run\"")))
        }
    }
}

fn draw_odds(given: Option<&Spanned<String>>) -> Result<Option<Side>, Wrong> {
    let Some(given) = given else { return Ok(None) };
    let side = Side::BOTH.into_iter().find(|side| side.as_str() == given.get_ref());
    side.map(Some).ok_or_else(|| {
        let message =
            format!("`draw_odds = \"{}\"`; expected \"white\" or \"black\"", given.get_ref());
        (given.span(), message)
    })
}

/// Whether the last period repeats.
fn repeat(periods: &[ReadPeriod]) -> Result<bool, Wrong> {
    for (number, period) in (1..).zip(periods) {
        if let Some(span) = period.place("repeat") {
            if number == periods.len() {
                return Ok(true);
            }
            let count = periods.len();
            let message = format!(
                "`repeat = true` in period {number} of {count}; expected it only in the last"
            );
            return Err((span, message));
        }
    }
    Ok(false)
}

/// The place of an error of [`Control::new`]: the key that it is about, otherwise its period,
/// otherwise the last period.
fn place(
    error: ControlError,
    periods: &[ReadPeriod],
    after_flag: Option<Range<usize>>,
) -> Option<Range<usize>> {
    let number = error.period().unwrap_or(periods.len());
    let period = periods.get(number.checked_sub(1)?)?;
    let key = match error {
        ControlError::CannotRun(_) => after_flag,
        ControlError::NotAlone(key) => periods.iter().find_map(|period| period.place(key)),
        ControlError::TooShort(_) => period.place("gong").or_else(|| period.place("overtime")),
        ControlError::OvertimeNotLast(_) => period.place("overtime"),
        ControlError::RepeatPeriodEnd | ControlError::RepeatWithoutMoves => period.place("repeat"),
        _ => None,
    };
    Some(key.unwrap_or_else(|| period.whole.clone()))
}

#[cfg(test)]
mod tests;
