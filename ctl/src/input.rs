//! What the readers of files have in common: a text that can be a number, and plain words for wrong
//! JSON.

use std::fmt;

use clock_engine::text::{Format, plain_message};
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

/// A text. The file can also have a whole number: 7 means "7".
pub struct Text(pub String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct TextVisitor;
        impl Visitor<'_> for TextVisitor {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number such as 12, or text such as \"A3\"")
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Text, E> {
                Ok(Text(number.to_string()))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }
        }
        deserializer.deserialize_any(TextVisitor)
    }
}

/// What is wrong with a JSON text, in plain words and without the place. The words can repeat values
/// of the text, which can be long, so they are cut to 200 characters.
pub fn json_words(error: &serde_json::Error) -> String {
    words_of(error, None)
}

/// As [`json_words`], with the key whose value is wrong, if the text shows it.
pub fn json_words_in(text: &str, error: &serde_json::Error) -> String {
    words_of(error, key_before(text, error.line(), error.column()))
}

/// The last key before this place of a JSON text.
fn key_before(text: &str, line: usize, column: usize) -> Option<&str> {
    let line = text.split('\n').nth(line.checked_sub(1)?)?;
    let (before, _) = line.get(..column).unwrap_or(line).rsplit_once("\":")?;
    let (_, key) = before.rsplit_once('"')?;
    let is_key = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    (!key.is_empty() && key.len() <= 60 && key.chars().all(is_key)).then_some(key)
}

fn words_of(error: &serde_json::Error, key: Option<&str>) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&place).unwrap_or(&message);
    // A mistake of the notation itself is not one of a key.
    let key = key.filter(|_| error.is_data());
    let words = plain_message(message, key, Format::Json);
    // The keys that are accepted are names of the engine, which help nobody.
    let words = match words.split_once(", expected ") {
        Some((key, _)) if key.starts_with("unknown key ") => key,
        _ => &words,
    };
    shortened(words)
}

/// Cuts a text to 200 characters.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
