//! The kinds of values that parameters have in a rule file.

use super::Wrong;
use crate::rules::{
    Authority, AwardChoice, BothAbsent, BothFlags, ClaimStops, DisplayClaims, FlagCaller,
    FlagDrawTest, HandlingPenalty, KnownOrder, LateFrom, PenaltyKind, PerRate, RateOfPlay,
    Referral, Set, Source,
};
use crate::text::{hms, parse_duration};
use crate::{AfterFlag, Span};
use std::marker::PhantomData;
use toml::Spanned;
use toml::de::DeValue;

/// The largest number of moves that a parameter takes.
const MOST_MOVES: u32 = 10_000;
/// The largest number of half points that a game can be worth.
const MOST_HALF_POINTS: u32 = 2_000;

/// How the values of a parameter are read and written.
pub(super) trait Kind {
    /// The value in the profile.
    type Value: Copy + PartialEq;

    /// What is accepted, for messages and for the documentation.
    fn accepted() -> String;

    /// The value that is given, or what is wrong with it. An empty message means that it is not of
    /// this kind at all.
    fn read(given: &Spanned<DeValue<'_>>) -> Result<Self::Value, Wrong>;

    /// The value as TOML.
    fn write(value: Self::Value) -> String;

    /// Some values that differ from this one.
    fn others(value: Self::Value) -> Vec<Self::Value>;
}

/// The error for a value that is not of the kind at all.
fn other_kind<T>(given: &Spanned<DeValue<'_>>) -> Result<T, Wrong> {
    Err((given.span(), String::new()))
}

/// An enumeration that has a word for each value.
pub(super) trait Word: Copy + PartialEq + 'static {
    /// All values.
    const ALL: &'static [Self];
    /// The word of this value.
    fn as_str(self) -> &'static str;
}

macro_rules! words {
    ($($name:ident),+ $(,)?) => { $(
        impl Word for $name {
            const ALL: &'static [$name] = $name::ALL;
            fn as_str(self) -> &'static str {
                $name::as_str(self)
            }
        }
    )+ };
}
words![
    Source,
    Authority,
    FlagCaller,
    FlagDrawTest,
    BothFlags,
    KnownOrder,
    LateFrom,
    BothAbsent,
    HandlingPenalty,
    DisplayClaims,
    ClaimStops,
    AwardChoice,
    Referral,
    PenaltyKind,
    RateOfPlay,
];

/// The words in quotation marks, with commas and this word before the last.
fn listed<T: Word>(conjunction: &str) -> String {
    let words: Vec<String> = T::ALL.iter().map(|value| format!("\"{}\"", value.as_str())).collect();
    match words.as_slice() {
        [several @ .., last] if !several.is_empty() => {
            format!("{} {conjunction} {last}", several.join(", "))
        }
        _ => words.concat(),
    }
}

/// One of the words of an enumeration.
pub(super) struct OneOf<T>(PhantomData<T>);

impl<T: Word> Kind for OneOf<T> {
    type Value = T;

    fn accepted() -> String {
        listed::<T>("or")
    }

    fn read(given: &Spanned<DeValue<'_>>) -> Result<T, Wrong> {
        let word = given.get_ref().as_str();
        let found = T::ALL.iter().copied().find(|value| Some(value.as_str()) == word);
        found.map_or_else(|| other_kind(given), Ok)
    }

    fn write(value: T) -> String {
        format!("\"{}\"", value.as_str())
    }

    fn others(value: T) -> Vec<T> {
        T::ALL.iter().copied().filter(|other| *other != value).collect()
    }
}

/// Several words of an enumeration.
pub(super) struct Several<T>(PhantomData<T>);

/// An enumeration of which [`Set`]s are made.
pub(super) trait Member: Word {
    fn set(values: &[Self]) -> Set;
    fn is_member(self, set: Set) -> bool;
}

macro_rules! members {
    ($($name:ident),+) => { $(
        impl Member for $name {
            fn set(values: &[$name]) -> Set {
                values.into()
            }
            fn is_member(self, set: Set) -> bool {
                self.is_in(set)
            }
        }
    )+ };
}
members!(PenaltyKind, RateOfPlay);

impl<T: Member> Several<T> {
    fn members(set: Set) -> Vec<T> {
        T::ALL.iter().copied().filter(|value| value.is_member(set)).collect()
    }
}

impl<T: Member> Kind for Several<T> {
    type Value = Set;

    fn accepted() -> String {
        format!("a list of at least one of {}", listed::<T>("and"))
    }

    fn read(given: &Spanned<DeValue<'_>>) -> Result<Set, Wrong> {
        let Some(list) = given.get_ref().as_array().filter(|list| !list.is_empty()) else {
            return other_kind(given);
        };
        let mut values = Vec::new();
        for item in list {
            let value: T = OneOf::read(item)?;
            if values.contains(&value) {
                let message = format!("\"{}\" is given twice", value.as_str());
                return Err((item.span(), message));
            }
            values.push(value);
        }
        Ok(T::set(&values))
    }

    fn write(set: Set) -> String {
        let words: Vec<String> = Self::members(set).into_iter().map(OneOf::write).collect();
        format!("[{}]", words.join(", "))
    }

    /// The set without one of its members, or with one more.
    fn others(set: Set) -> Vec<Set> {
        let members = Self::members(set);
        let changed = |value: &T| {
            let mut other: Vec<T> = members.iter().copied().filter(|kept| kept != value).collect();
            if other.len() == members.len() {
                other.push(*value);
            }
            other
        };
        let others = T::ALL.iter().map(changed).filter(|other| !other.is_empty());
        others.map(|other| T::set(&other)).collect()
    }
}

/// `true` or `false`.
pub(super) struct Switch;

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

    fn others(value: bool) -> Vec<bool> {
        vec![!value]
    }
}

/// A duration, which can be 0.
pub(super) struct Duration;

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

    fn others(value: Span) -> Vec<Span> {
        let half = Span::from_nanos(value.as_nanos() / 2);
        let mut others = vec![Span::ZERO, half, value.plus(Span::from_secs(60))];
        others.dedup();
        others.retain(|other| *other != value);
        others
    }
}

/// A duration above 0.
pub(super) struct Positive;

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

    fn others(value: Span) -> Vec<Span> {
        Duration::others(value).into_iter().filter(|span| !span.is_zero()).collect()
    }
}

/// A number from 0.
pub(super) struct Count;

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

    fn others(value: u32) -> Vec<u32> {
        let mut others = vec![0, value.saturating_sub(1), value + 1];
        others.dedup();
        others.retain(|other| *other != value && *other <= MOST_MOVES);
        others
    }
}

/// Half points, written as points: `"1"`, `"0.5"`.
pub(super) struct Points;

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

    fn others(value: u32) -> Vec<u32> {
        vec![value + 2, value.saturating_sub(1).max(1)]
            .into_iter()
            .filter(|o| *o != value)
            .collect()
    }
}

/// A value, or `"never"` for none.
pub(super) struct OrNever<K>(PhantomData<K>);

const NEVER: &str = "never";

impl<K: Kind> Kind for OrNever<K>
where
    K::Value: Example,
{
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

    fn others(value: Self::Value) -> Vec<Self::Value> {
        let Some(value) = value else { return vec![Some(K::Value::EXAMPLE)] };
        K::others(value).into_iter().map(Some).chain([None]).collect()
    }
}

/// A value to try where there is none.
pub(super) trait Example {
    const EXAMPLE: Self;
}

impl Example for Span {
    const EXAMPLE: Span = Span::from_secs(120);
}

impl Example for u32 {
    const EXAMPLE: u32 = 1;
}

/// `"halt"` or `"run"`, or `"default"` for the control's own default.
pub(super) struct AfterFlagOrDefault;

impl AfterFlagOrDefault {
    const ALL: [Option<AfterFlag>; 3] = [None, Some(AfterFlag::Halt), Some(AfterFlag::Run)];

    fn word(value: Option<AfterFlag>) -> &'static str {
        value.map_or("default", AfterFlag::as_str)
    }
}

impl Kind for AfterFlagOrDefault {
    type Value = Option<AfterFlag>;

    fn accepted() -> String {
        "\"default\", \"halt\" or \"run\"".into()
    }

    fn read(given: &Spanned<DeValue<'_>>) -> Result<Self::Value, Wrong> {
        let word = given.get_ref().as_str();
        let found = Self::ALL.into_iter().find(|value| Some(Self::word(*value)) == word);
        found.map_or_else(|| other_kind(given), Ok)
    }

    fn write(value: Self::Value) -> String {
        format!("\"{}\"", Self::word(value))
    }

    fn others(value: Self::Value) -> Vec<Self::Value> {
        Self::ALL.into_iter().filter(|other| *other != value).collect()
    }
}

/// A duration for each rate of play, or one for all.
pub(super) struct DurationPerRate;

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
            return other_kind_at(key);
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

    /// Other durations for one rate of play at a time.
    fn others(value: Self::Value) -> Vec<Self::Value> {
        let others = |of: Span| Duration::others(of).into_iter();
        let standard = others(value.standard).map(|standard| PerRate { standard, ..value });
        let rapid = others(value.rapid).map(|rapid| PerRate { rapid, ..value });
        let blitz = others(value.blitz).map(|blitz| PerRate { blitz, ..value });
        standard.chain(rapid).chain(blitz).collect()
    }
}

fn other_kind_at<T, K: AsRef<str>>(key: &Spanned<K>) -> Result<T, Wrong> {
    Err((key.span(), format!("unknown key `{}`", key.get_ref().as_ref().escape_debug())))
}
