//! Control files (`configs/controls/*.toml`).

use super::{FileError, parse_duration};
use crate::{AfterFlag, Control, Method, PerSide, Period, Span, Terms};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// A time control with its name, as a control file gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlFile {
    /// The title for people.
    pub name: String,
    /// The time control.
    pub control: Control,
}

impl ControlFile {
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
    /// assert_eq!(error.line, 3);
    /// # Ok::<(), clock_engine::text::FileError>(())
    /// ```
    pub fn parse(text: &str) -> Result<ControlFile, FileError> {
        let raw: RawFile =
            toml::from_str(text).map_err(|error| FileError::of_toml(text, &error))?;
        raw.build().map_err(|(span, message)| FileError::new(text, span, message))
    }
}

type Wrong = (Range<usize>, String);

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    name: Option<Spanned<String>>,
    advance: Option<Spanned<String>>,
    after_flag: Option<Spanned<String>>,
    first_move_increment: Option<bool>,
    set_back_pause: Option<Spanned<toml::Value>>,
    draw_odds: Option<Spanned<toml::Value>>,
    period: Option<Spanned<Vec<Spanned<RawPeriod>>>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPeriod {
    moves: Option<Moves>,
    time: Option<Sides>,
    increment: Option<Sides>,
    delay: Option<Sides>,
    bronstein: Option<Sides>,
    hourglass: Option<Spanned<toml::Value>>,
    gong: Option<Spanned<toml::Value>>,
    count_up: Option<Spanned<toml::Value>>,
    limit: Option<Spanned<toml::Value>>,
    overtime: Option<Spanned<toml::Value>>,
    repeat: Option<Spanned<toml::Value>>,
}

impl RawFile {
    fn build(self) -> Result<ControlFile, Wrong> {
        let name = title(self.name)?;
        not_yet("set_back_pause", self.set_back_pause.as_ref())?;
        not_yet("draw_odds", self.draw_odds.as_ref())?;
        check_advance(self.advance.as_ref())?;
        let after_flag = after_flag(self.after_flag.as_ref())?;
        let Some(periods) = self.period else {
            let message = "no period; expected [[period]] and below it `time`, a duration such as \
                           \"1:30:00\"";
            return Err((0..0, message.into()));
        };
        let whole = periods.span();
        let periods = periods.into_inner();
        let spans: Vec<_> = periods.iter().map(Spanned::span).collect();
        let periods =
            periods.into_iter().map(RawPeriod::build).collect::<Result<Vec<Period>, Wrong>>()?;
        let terms = Terms {
            after_flag,
            first_move_increment: self.first_move_increment.unwrap_or(true),
            ..Terms::default()
        };
        let control = Control::new(&periods, terms).map_err(|error| {
            let number = error.period().unwrap_or(spans.len());
            let span = spans.get(number.wrapping_sub(1)).cloned().unwrap_or(whole);
            (span, error.to_string())
        })?;
        Ok(ControlFile { name, control })
    }
}

impl RawPeriod {
    fn build(raw: Spanned<RawPeriod>) -> Result<Period, Wrong> {
        let span = raw.span();
        let raw = raw.into_inner();
        for (key, value) in [
            ("hourglass", &raw.hourglass),
            ("gong", &raw.gong),
            ("count_up", &raw.count_up),
            ("limit", &raw.limit),
            ("overtime", &raw.overtime),
            ("repeat", &raw.repeat),
        ] {
            not_yet(key, value.as_ref())?;
        }
        let Some(Sides(time)) = raw.time else {
            return Err((span, "a period needs `time`, a duration such as \"1:30:00\"".into()));
        };
        let method = match (raw.increment, raw.delay, raw.bronstein) {
            (None, None, None) => PerSide::both(Method::None),
            (Some(Sides(spans)), None, None) => spans.map(Method::Increment),
            (None, Some(Sides(spans)), None) => spans.map(Method::Delay),
            (None, None, Some(Sides(spans))) => spans.map(Method::Bronstein),
            _ => {
                let message = "two methods in one period; expected at most one of `increment`, \
                               `delay`, `bronstein`";
                return Err((span, message.into()));
            }
        };
        Ok(Period { moves: raw.moves.map(|Moves(moves)| moves), time, method })
    }
}

fn title(name: Option<Spanned<String>>) -> Result<String, Wrong> {
    let expected = "expected a title such as \"Blitz 5+3\"";
    match name {
        None => Err((0..0, format!("no `name`; {expected}"))),
        Some(name) if name.get_ref().trim().is_empty() => {
            Err((name.span(), format!("`name` is empty; {expected}")))
        }
        Some(name) => Ok(name.into_inner()),
    }
}

/// What a later version will know is refused by its name, never guessed.
fn not_yet(key: &str, value: Option<&Spanned<toml::Value>>) -> Result<(), Wrong> {
    match value {
        None => Ok(()),
        Some(value) => {
            Err((value.span(), format!("`{key}` is not available in this version of the clock")))
        }
    }
}

fn check_advance(advance: Option<&Spanned<String>>) -> Result<(), Wrong> {
    let Some(advance) = advance else {
        return Ok(());
    };
    let message = match advance.get_ref().as_str() {
        "moves" => return Ok(()),
        later @ ("zero" | "moves-at-zero" | "black-completes") => {
            format!("`advance = \"{later}\"` is not available in this version of the clock")
        }
        other => format!(
            "`advance = \"{other}\"`; expected \"moves\", \"zero\", \"moves-at-zero\" or \
             \"black-completes\""
        ),
    };
    Err((advance.span(), message))
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

/// A duration for both sides, or `{ white = …, black = … }`.
struct Sides(PerSide<Span>);

impl<'de> Deserialize<'de> for Sides {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sides, D::Error> {
        deserializer.deserialize_any(SidesVisitor)
    }
}

struct SidesVisitor;

impl<'de> Visitor<'de> for SidesVisitor {
    type Value = Sides;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a duration such as \"1:30:00\", \"90m\" or \"30s\", or { white = …, black = … }",
        )
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Sides, E> {
        parse_duration(text).map(|span| Sides(PerSide::both(span))).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Sides, A::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Both {
            white: One,
            black: One,
        }
        let both = Both::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(Sides(PerSide { white: both.white.0, black: both.black.0 }))
    }
}

struct One(Span);

impl<'de> Deserialize<'de> for One {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<One, D::Error> {
        deserializer.deserialize_any(OneVisitor)
    }
}

struct OneVisitor;

impl Visitor<'_> for OneVisitor {
    type Value = One;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration such as \"1:30:00\", \"90m\" or \"30s\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<One, E> {
        parse_duration(text).map(One).map_err(E::custom)
    }
}

/// The moves of a period. Zero is refused here too, where the line is known.
struct Moves(u32);

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Moves, D::Error> {
        deserializer.deserialize_any(MovesVisitor)
    }
}

struct MovesVisitor;

impl Visitor<'_> for MovesVisitor {
    type Value = Moves;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number of moves from 1 to {}", u32::MAX)
    }

    fn visit_i64<E: de::Error>(self, given: i64) -> Result<Moves, E> {
        match u32::try_from(given) {
            Ok(moves) if moves > 0 => Ok(Moves(moves)),
            _ => Err(E::invalid_value(de::Unexpected::Signed(given), &self)),
        }
    }
}

#[cfg(test)]
mod tests;
