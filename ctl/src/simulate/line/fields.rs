//! The fields of a line. Reading a field removes it, so a field that is left at the end does not
//! belong to the event.

use crate::input::json_words;
use clock_engine::rules::Claimant;
use clock_engine::text::{parse_notation, parse_points, points, preset};
use clock_engine::{Control, Side, Span, Word};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// A JSON object in which every key occurs once. A repeated key is refused.
struct Object(Map<String, Value>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object such as {\"at_ns\": 0, \"event\": \"show\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Object, A::Error> {
        let mut map = Map::new();
        while let Some((key, value)) = pairs.next_entry::<String, Value>()? {
            if map.contains_key(&key) {
                let key = key.escape_debug();
                return Err(de::Error::custom(format_args!("`{key}` is given twice")));
            }
            map.insert(key, value);
        }
        Ok(Object(map))
    }
}

/// The fields of a line that have not been read yet.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    /// The fields of a line, which is one JSON object.
    pub fn parse(line: &[u8]) -> Result<Fields, String> {
        serde_json::from_slice(line)
            .map(|Object(map)| Fields(map))
            .map_err(|error| wrong_json(&error))
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null())
    }

    /// Gives a field its present name, and its word the present one. A line that has the field with
    /// both names stays as it is, so that the earlier name is refused.
    pub fn rename(&mut self, earlier: &str, name: &str, words: &[(&str, &str)]) {
        if self.has(name) || !self.has(earlier) {
            return;
        }
        let Some(mut value) = self.0.remove(earlier) else { return };
        if let Some((_, word)) = words.iter().find(|(word, _)| value == *word) {
            value = Value::from(*word);
        }
        self.0.insert(name.to_owned(), value);
    }

    pub fn take<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<T, String> {
        match self.0.remove(name) {
            Some(value) => read(&value)
                .ok_or_else(|| format!("`{name}` is {}; expected {expected}", truncated(&value))),
            None => Err(format!("`{name}` is missing; expected {expected}")),
        }
    }

    pub fn number(&mut self, name: &str) -> Result<u64, String> {
        self.take(name, "an integer of nanoseconds, 0 or more", Value::as_u64)
    }

    pub fn text(&mut self, name: &str) -> Result<String, String> {
        self.take(name, "a string", |value| value.as_str().map(str::to_owned))
    }

    /// Reads the field `control`, which has the name of a shipped time control or a notation.
    pub fn control(&mut self) -> Result<Control, String> {
        let text = self.text("control")?;
        if let Some(preset) = preset(&text) {
            return Ok(preset.read().control);
        }
        parse_notation(&text).map_err(|error| {
            let given = truncated(&Value::String(text.clone()));
            format!(
                "`control` is {given}; expected the name of a shipped one or a notation: {error}"
            )
        })
    }

    /// A text that is not empty.
    pub fn words(&mut self, name: &str) -> Result<String, String> {
        self.take(name, "a text that is not empty", |value| {
            value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
        })
    }

    /// Reads a field that has the word of a value.
    pub fn word<T: Word>(&mut self, name: &str) -> Result<T, String> {
        self.one_of(name, T::ALL)
    }

    /// Reads a field that has the word of one of the values `all`.
    pub fn one_of<T: Word>(&mut self, name: &str, all: &[T]) -> Result<T, String> {
        let words: Vec<&str> = all.iter().map(|value| value.as_str()).collect();
        let expected = match words[..] {
            [one, other] => format!("\"{one}\" or \"{other}\""),
            _ => format!("one of \"{}\"", words.join("\", \"")),
        };
        self.take(name, &expected, |given| {
            let given = given.as_str()?;
            all.iter().copied().find(|value| value.as_str() == given)
        })
    }

    /// Returns `None` if the field is absent or null; otherwise what `read` returns for the field.
    pub fn optional<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Fields, &str) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        if self.has(name) {
            return read(self, name).map(Some);
        }
        self.0.remove(name);
        Ok(None)
    }

    pub fn yes_or_no(&mut self, name: &str) -> Result<bool, String> {
        self.take(name, "true or false", Value::as_bool)
    }

    /// Reads a field that is `true` or `false`; `false` if it is absent or null.
    pub fn flag(&mut self, name: &str) -> Result<bool, String> {
        Ok(self.optional(name, Fields::yes_or_no)?.unwrap_or_default())
    }

    pub fn span(&mut self, name: &str) -> Result<Span, String> {
        self.number(name).map(Span::from_nanos)
    }

    /// Reads points, which are decimal text in steps of a half, and returns half points.
    pub fn half_points(&mut self, name: &str) -> Result<u32, String> {
        let expected = format!("points as text, such as \"{}\" or \"{}\"", points(1), points(2));
        self.take(name, &expected, |value| parse_points(value.as_str()?))
    }

    /// Whether `by` names somebody who is neither a player nor the arbiter.
    pub fn is_by_bystander(&self) -> bool {
        let by = self.0.get("by").and_then(Value::as_str);
        by.is_some_and(|by| !["white", "black", "arbiter"].contains(&by))
    }

    /// Who claims. A word other than those of the players and the arbiter stands for a bystander,
    /// whose claim the rules refuse.
    pub fn claimant(&mut self) -> Result<Claimant, String> {
        self.take("by", "\"white\", \"black\" or \"arbiter\"", |value| {
            Some(match value.as_str()? {
                "white" => Claimant::Player(Side::White),
                "black" => Claimant::Player(Side::Black),
                "arbiter" => Claimant::Arbiter,
                _ => Claimant::Bystander,
            })
        })
    }

    pub fn optional_text(&mut self, name: &str) -> Result<Option<String>, String> {
        self.optional(name, Fields::text)
    }

    pub fn counter(&mut self, name: &str) -> Result<u32, String> {
        let expected = "an integer from 0 to 4294967295";
        self.take(name, expected, |value| value.as_u64().and_then(|n| u32::try_from(n).ok()))
    }

    pub fn optional_counter(&mut self, name: &str) -> Result<Option<u32>, String> {
        self.optional(name, Fields::counter)
    }

    /// Refuses fields that do not belong to the event.
    pub fn finish(&self, event: &str) -> Result<(), String> {
        match self.0.iter().find(|(_, value)| !value.is_null()) {
            Some((name, _)) => {
                Err(format!("`{}` does not belong to the event {event}", name.escape_debug()))
            }
            None => Ok(()),
        }
    }
}

/// A value as it was given, cut to 40 characters.
fn truncated(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 {
        return text;
    }
    text.chars().take(40).chain(['…']).collect()
}

/// What is wrong with the JSON of a line, with the column.
fn wrong_json(error: &serde_json::Error) -> String {
    match error.column() {
        0 => json_words(error),
        column => format!("{} at column {column}", json_words(error)),
    }
}
