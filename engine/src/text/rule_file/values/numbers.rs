//! Switches, durations, numbers and points.

use super::{Kind, other_kind};
use crate::Span;
use crate::rules::{PerRate, RateOfPlay};
use crate::text::rule_file::Wrong;
use crate::text::{hms, parse_duration};
use std::marker::PhantomData;
use toml::Spanned;
use toml::de::DeValue;

/// The largest number of moves that a parameter takes.
const MOST_MOVES: u32 = 10_000;
/// The largest number of half points that a game can be worth.
const MOST_HALF_POINTS: u32 = 2_000;

/// `true` or `false`.
pub(in crate::text::rule_file) struct Switch;

impl Kind for Switch {
    type Value = bool;

    fn accepted() -> String {
        "true or false".into()
    }

    fn read(given: &Spanned<DeValue<'_>>) -> Result<bool, Wrong> {
        given.get_ref().as_bool().map_or_else(|| other_kind(given), Ok)
    }

    fn write(value: bool) -> String {
        value.to_string()
    }
}

/// A duration, which can be 0.
pub(in crate::text::rule_file) struct Duration;

impl Kind for Duration {
    type Value = Span;

    fn accepted() -> String {
        "a duration such as \"0:02:00\" or \"2m\"".into()
    }

    fn read(given: &Spanned<DeValue<'_>>) -> Result<Span, Wrong> {
        let Some(text) = given.get_ref().as_str() else { return other_kind(given) };
        parse_duration(text).map_err(|error| (given.span(), error.to_string()))
    }

    fn write(value: Span) -> String {
        format!("\"{}\"", hms(value))
    }
}

/// A duration above 0.
pub(in crate::text::rule_file) struct Positive;

impl Kind for Positive {
    type Value = Span;

    fn accepted() -> String {
        "a duration above 0 such as \"0:02:00\" or \"2m\"".into()
    }

    fn read(given: &Spanned<DeValue<'_>>) -> Result<Span, Wrong> {
        let span = Duration::read(given)?;
        if span.is_zero() { other_kind(given) } else { Ok(span) }
    }

    fn write(value: Span) -> String {
        Duration::write(value)
    }
}

/// A whole number, 0 or more.
pub(in crate::text::rule_file) struct Count;

impl Kind for Count {
    type Value = u32;

    fn accepted() -> String {
        format!("a number from 0 to {MOST_MOVES}")
    }

    fn read(given: &Spanned<DeValue<'_>>) -> Result<u32, Wrong> {
        let number = given.get_ref().as_integer();
        let number =
            number.and_then(|number| u32::from_str_radix(number.as_str(), number.radix()).ok());
        number.filter(|number| *number <= MOST_MOVES).map_or_else(|| other_kind(given), Ok)
    }

    fn write(value: u32) -> String {
        value.to_string()
    }
}

/// Half points, written as points: `"1"`, `"0.5"`.
pub(in crate::text::rule_file) struct Points;

/// The half points of a text such as `1`, `0.5` or `1.5`.
pub fn parse_points(text: &str) -> Option<u32> {
    let (whole, half) = match text.split_once('.') {
        None => (text, 0),
        Some((whole, "0")) => (whole, 0),
        Some((whole, "5")) => (whole, 1),
        Some(_) => return None,
    };
    let digits = (1..=4).contains(&whole.len()) && whole.bytes().all(|byte| byte.is_ascii_digit());
    let points: u32 = digits.then(|| whole.parse().ok()).flatten()?;
    Some(2 * points + half).filter(|half_points| *half_points <= MOST_HALF_POINTS)
}

/// Half points as points: `1`, `0.5`. [`parse_points`] reads them back.
pub fn points(half_points: u32) -> String {
    let half = if half_points % 2 == 1 { ".5" } else { "" };
    format!("{}{half}", half_points / 2)
}

impl Kind for Points {
    type Value = u32;

    fn accepted() -> String {
        format!("points from \"0.5\" to \"{}\", in steps of a half", points(MOST_HALF_POINTS))
    }

    fn read(given: &Spanned<DeValue<'_>>) -> Result<u32, Wrong> {
        let half_points = given.get_ref().as_str().and_then(parse_points);
        half_points.filter(|given| *given > 0).map_or_else(|| other_kind(given), Ok)
    }

    fn write(value: u32) -> String {
        format!("\"{}\"", points(value))
    }
}

/// A value, or `"never"` for none.
pub(in crate::text::rule_file) struct OrNever<K>(PhantomData<K>);

const NEVER: &str = "never";

impl<K: Kind> Kind for OrNever<K> {
    type Value = Option<K::Value>;

    fn accepted() -> String {
        format!("{}, or \"{NEVER}\"", K::accepted())
    }

    fn read(given: &Spanned<DeValue<'_>>) -> Result<Self::Value, Wrong> {
        if given.get_ref().as_str() == Some(NEVER) {
            return Ok(None);
        }
        K::read(given).map(Some)
    }

    fn write(value: Self::Value) -> String {
        value.map_or_else(|| format!("\"{NEVER}\""), K::write)
    }
}

/// A duration for each rate of play, or one for all.
pub(in crate::text::rule_file) struct DurationPerRate;

impl Kind for DurationPerRate {
    type Value = PerRate<Span>;

    fn accepted() -> String {
        "a duration such as \"0:02:00\", or one for each rate of play: \
         { standard = \"0:02:00\", rapid = \"0:01:00\", blitz = \"0:01:00\" }"
            .into()
    }

    fn read(given: &Spanned<DeValue<'_>>) -> Result<Self::Value, Wrong> {
        let Some(table) = given.get_ref().as_table() else {
            return Duration::read(given).map(PerRate::all);
        };
        let known = |key: &str| RateOfPlay::ALL.iter().any(|rate| rate.as_str() == key);
        if let Some((key, _)) = table.iter().find(|(key, _)| !known(key.get_ref())) {
            let key_text = key.get_ref().escape_debug();
            return Err((key.span(), format!("unknown key `{key_text}`")));
        }
        let of = |rate: RateOfPlay| match table.get(rate.as_str()) {
            Some(given) => Duration::read(given),
            None => Err((given.span(), format!("`{rate}` is missing"))),
        };
        Ok(PerRate {
            standard: of(RateOfPlay::Standard)?,
            rapid: of(RateOfPlay::Rapid)?,
            blitz: of(RateOfPlay::Blitz)?,
        })
    }

    fn write(value: Self::Value) -> String {
        if value == PerRate::all(value.standard) {
            return Duration::write(value.standard);
        }
        let of = |rate: RateOfPlay| format!("{rate} = {}", Duration::write(value.of(rate)));
        let each: Vec<String> = RateOfPlay::ALL.iter().copied().map(of).collect();
        format!("{{ {} }}", each.join(", "))
    }
}
