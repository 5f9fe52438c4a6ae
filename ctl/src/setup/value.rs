//! Reads the values of the set-up file that can have two forms, and the table whose keys are the
//! names of the arbiters. Also checks values.

use clock_wiring::WiringTable;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// Where something is wrong in the text, and what is expected there.
pub(super) type Wrong = (Range<usize>, String);

/// Returns what `check` makes of the value, or `None` if the key is missing. An error of `check`
/// gets the position of the value.
pub(super) fn checked<T, U>(
    value: Option<Spanned<T>>,
    check: impl FnOnce(T) -> Result<U, String>,
) -> Result<Option<U>, Wrong> {
    let Some(value) = value else { return Ok(None) };
    let span = value.span();
    check(value.into_inner()).map(Some).map_err(|message| (span, message))
}

/// As [`checked`], with the position of the value.
pub(super) fn spanned<U>(
    value: Option<Spanned<String>>,
    check: impl FnOnce(&str) -> Result<U, String>,
) -> Result<Option<Spanned<U>>, Wrong> {
    let span = value.as_ref().map(Spanned::span).unwrap_or_default();
    Ok(checked(value, |text| check(&text))?.map(|checked| Spanned::new(span, checked)))
}

/// The words as a list that ends with "or".
pub(super) fn one_of(words: &[String]) -> String {
    match words {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// The name of a wiring file, or its keys as a table.
pub(super) enum WiringValue {
    Named(String),
    Table(Box<WiringTable>),
}

impl<'de> Deserialize<'de> for WiringValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WiringValue, D::Error> {
        struct WiringVisitor;
        impl<'de> Visitor<'de> for WiringVisitor {
            type Value = WiringValue;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "the name of a wiring file such as \"raspberry-pi\", or a table [wiring]",
                )
            }
            fn visit_str<E: Error>(self, name: &str) -> Result<WiringValue, E> {
                Ok(WiringValue::Named(name.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WiringValue, A::Error> {
                let table = WiringTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(WiringValue::Table(Box::new(table)))
            }
        }
        deserializer.deserialize_any(WiringVisitor)
    }
}

/// A passphrase. No error message repeats it, because error messages are shown on the face.
pub(super) struct Passphrase(pub String);

impl<'de> Deserialize<'de> for Passphrase {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Passphrase, D::Error> {
        let text = toml::Value::deserialize(deserializer).ok();
        let text = text.and_then(|value| value.as_str().map(str::to_owned));
        text.map(Passphrase).ok_or_else(|| {
            D::Error::custom(
                "a passphrase without quotation marks; expected them, as in \"long and secret\"",
            )
        })
    }
}

/// The table `[arbiters]`: names with keys, in the order of the file.
pub(super) struct Arbiters(pub Vec<(String, Spanned<String>)>);

impl<'de> Deserialize<'de> for Arbiters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Arbiters, D::Error> {
        struct ArbitersVisitor;
        impl<'de> Visitor<'de> for ArbitersVisitor {
            type Value = Arbiters;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a table of names with keys, such as \"Vera Menchik\" = \"ssh-ed25519 AAAA…\"",
                )
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Arbiters, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Arbiters(entries))
            }
        }
        deserializer.deserialize_map(ArbitersVisitor)
    }
}
