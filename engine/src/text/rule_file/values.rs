//! The kinds of values that parameters have in a rule file.

mod numbers;

use super::Wrong;
use crate::rules::{PenaltyKind, RateOfPlay, Set};
use crate::{AfterFlag, Word};
use std::marker::PhantomData;
use toml::Spanned;
use toml::de::DeValue;

pub(super) use numbers::{Count, Duration, DurationPerRate, OrNever, Points, Positive, Switch};
pub use numbers::{parse_points, points};

/// How the values of a parameter are read and written.
pub(super) trait Kind {
    /// The value in the profile.
    type Value: Copy + PartialEq;

    /// What is accepted, for messages and for the documentation.
    fn accepted() -> String;

    /// Reads the given value, or says what is wrong with it. An empty message means that the value
    /// is not of this kind at all.
    fn read(given: &Spanned<DeValue<'_>>) -> Result<Self::Value, Wrong>;

    /// The value as TOML.
    fn write(value: Self::Value) -> String;
}

/// The error for a value that is not of the expected kind at all.
fn other_kind<T>(given: &Spanned<DeValue<'_>>) -> Result<T, Wrong> {
    Err((given.span(), String::new()))
}

/// Lists the words of an enumeration in quotation marks, with commas, and with `conjunction` before
/// the last word.
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
}

/// Several words of an enumeration.
pub(super) struct Several<T>(PhantomData<T>);

/// An enumeration whose values can be the members of a [`Set`].
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
}
