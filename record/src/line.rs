//! The lines of a file, and the digests that tie each line to the one before it.

use crate::TEXT_LIMIT;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest.
pub type Digest = [u8; 32];

/// The digest before the first line of a file.
pub const NO_DIGEST: Digest = [0; 32];
/// The kind of an entry that has the whole state of the clock. Entries before it can be missing.
pub const STATE: &str = "state";

/// JSON writes a character of one byte as six bytes at most, such as `\u0001`.
pub const ESCAPE: usize = 6;
/// More than the bytes of an exported entry without its JSON texts: keys, numbers, boot, kind and chain.
const EXPORTED: usize = 400;

/// What is before the digest of a line, and what is after it.
const BEFORE: &[u8] = b",\"sha256\":\"";
const AFTER: &[u8] = b"\"}";
/// The number of hexadecimal digits of a digest.
const DIGITS: usize = 64;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// The first line: the game as it was set up.
    Game(GameLine),
    /// An entry of the game.
    Entry(EntryLine),
    /// A change of the game without an entry of its own.
    Change(Change),
}

/// The game as it was set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameLine {
    /// The number of the game, from 1. It is also the name of the file.
    pub number: u64,
    /// The identity of the game: a random number of at most 53 bits. A game that goes on in another file
    /// keeps it.
    pub id: u64,
    /// The number of its first entry.
    pub first_entry: u64,
    /// The chain of the last entry of the game before; zeros if there is none, or if it is not known.
    #[serde(with = "digits")]
    pub before: Digest,
    /// The names, the texts and the clock right after the first entry, as JSON.
    #[serde(with = "json")]
    pub info: String,
}

impl GameLine {
    /// A game of which only the number is known.
    pub(crate) fn unknown(number: u64) -> GameLine {
        GameLine { number, id: 0, first_entry: 0, before: NO_DIGEST, info: "{}".to_owned() }
    }
}

/// An input of the clock, and what followed from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryLine {
    /// The number of the entry. Numbers are consecutive over all games; entries can be missing only
    /// right before an entry of the kind [`STATE`].
    pub number: u64,
    /// The identifier of the boot.
    pub boot: String,
    /// The instant of the input on CLOCK_MONOTONIC of that boot, in nanoseconds.
    pub at_ns: u64,
    /// The same instant on CLOCK_MONOTONIC_RAW.
    pub raw_ns: u64,
    /// The same instant on CLOCK_REALTIME, in nanoseconds since 1970; `None` if the wall clock had not
    /// been set.
    pub wall_ns: Option<i64>,
    /// The kind of the entry: one word, such as `press` or `command`.
    pub kind: String,
    /// The input, as JSON.
    #[serde(with = "json")]
    pub input: String,
    /// What the input caused, as a JSON array.
    #[serde(with = "json")]
    pub events: String,
    /// Who gave which command and why, as JSON; `None` if the input is not a command.
    #[serde(default, with = "optional_json", skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The state after the entry, as JSON.
    #[serde(with = "json")]
    pub state: String,
    /// What the entry changed of the game; `None` if nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Change>,
}

impl EntryLine {
    /// Whether entries before this one can be missing.
    pub fn is_state(&self) -> bool {
        self.kind == STATE
    }

    /// At least the number of bytes that the entry has in an exported file. There an unsafe character of a
    /// command, whose texts users give, is an escape of at most [`ESCAPE`] bytes for each of its bytes.
    pub fn exported_bytes(&self) -> usize {
        let command = self.command.as_ref().map_or(0, String::len);
        EXPORTED + self.input.len() + self.events.len() + self.state.len() + ESCAPE * command
    }
}

/// What changed of a game. `None` leaves a value as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The whole new information on the game, as JSON.
    #[serde(default, with = "optional_json", skip_serializing_if = "Option::is_none")]
    pub info: Option<String>,
    /// Whether the game has a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<bool>,
    /// Whether the game is adjourned. It is no longer adjourned when another game goes on with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjourned: Option<bool>,
}

impl Line {
    /// The bytes of the line, with the line feed, and its digest. `before` is the digest of the line
    /// before.
    ///
    /// # Errors
    ///
    /// A text is not valid JSON although it must be, or a text is longer than [`TEXT_LIMIT`].
    pub fn encode(&self, before: &Digest) -> Result<(Vec<u8>, Digest), String> {
        for text in self.texts().into_iter().flatten() {
            if text.len() > TEXT_LIMIT {
                return Err(format!("a text of {} bytes; at most {TEXT_LIMIT}", text.len()));
            }
        }
        let mut line = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        line.pop();
        let digest = digest(before, &line);
        line.extend_from_slice(BEFORE);
        line.extend_from_slice(hexadecimal(&digest).as_bytes());
        line.extend_from_slice(AFTER);
        line.push(b'\n');
        Ok((line, digest))
    }

    /// All texts of the line whose length is not fixed.
    fn texts(&self) -> [Option<&str>; 7] {
        match self {
            Line::Game(game) => [Some(&*game.info), None, None, None, None, None, None],
            Line::Change(change) => [change.info.as_deref(), None, None, None, None, None, None],
            Line::Entry(entry) => [
                Some(&*entry.boot),
                Some(&*entry.kind),
                Some(&*entry.input),
                Some(&*entry.events),
                entry.command.as_deref(),
                Some(&*entry.state),
                entry.game.as_ref().and_then(|change| change.info.as_deref()),
            ],
        }
    }

    /// Reads a line without its line feed. `before` is the digest of the line before.
    ///
    /// # Errors
    ///
    /// What is wrong with the line.
    pub fn decode(line: &[u8], before: &Digest) -> Result<(Line, Digest), String> {
        let end = BEFORE.len() + DIGITS + AFTER.len();
        let (body, end) = line.split_at_checked(line.len().saturating_sub(end)).unwrap_or_default();
        let digits = end.strip_prefix(BEFORE).and_then(|end| end.strip_suffix(AFTER));
        let digits = digits.ok_or("it does not end with its digest")?;
        let digest = digest(before, body);
        if digits != hexadecimal(&digest).as_bytes() {
            return Err("its digest is another".to_owned());
        }
        let json = [body, b"}"].concat();
        let line = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
        Ok((line, digest))
    }
}

fn digest(before: &Digest, line: &[u8]) -> Digest {
    Sha256::new().chain_update(before).chain_update(line).finalize().into()
}

/// The bytes as hexadecimal digits, two lower-case digits for each byte.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads 64 hexadecimal digits.
pub fn parse_digest(digits: &str) -> Option<Digest> {
    let mut digest = NO_DIGEST;
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    if pairs.len() != digest.len() || !rest.is_empty() {
        return None;
    }
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|it| u8::try_from(it).ok());
    for (byte, [high, low]) in digest.iter_mut().zip(pairs) {
        *byte = value(*high)? * 16 + value(*low)?;
    }
    Some(digest)
}

/// A digest as hexadecimal digits.
mod digits {
    use super::Digest;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de};

    pub fn serialize<S: Serializer>(digest: &Digest, serializer: S) -> Result<S::Ok, S::Error> {
        super::hexadecimal(digest).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let digits = String::deserialize(deserializer)?;
        super::parse_digest(&digits).ok_or_else(|| de::Error::custom("expected 64 digits"))
    }
}

/// A text that is JSON itself. It is in the line as it is.
mod json {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de, ser};
    use serde_json::value::RawValue;

    pub fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
        let text = RawValue::from_string(text.to_owned()).map_err(ser::Error::custom)?;
        // A line feed between two values is white space in JSON, but would begin another line.
        if text.get().contains('\n') {
            return Err(ser::Error::custom("the JSON has more than one line"));
        }
        text.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer).map_err(de::Error::custom)?;
        Ok(Box::<str>::from(text).into())
    }
}

/// As `json`, for a text that can be absent.
mod optional_json {
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(text: &Option<String>, to: S) -> Result<S::Ok, S::Error> {
        match text {
            Some(text) => super::json::serialize(text, to),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
        super::json::deserialize(from).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> EntryLine {
        EntryLine {
            number: 7,
            boot: "boot".to_owned(),
            at_ns: 5,
            raw_ns: 6,
            wall_ns: None,
            kind: "press".to_owned(),
            input: r#"{"b": 1.50}"#.to_owned(),
            events: "[]".to_owned(),
            command: None,
            state: "{}".to_owned(),
            game: Some(Change { ended: Some(true), ..Change::default() }),
        }
    }

    #[test]
    fn a_line_is_one_json_object_and_is_read_back_byte_by_byte() {
        let line = Line::Entry(entry());
        let (bytes, digest) = line.encode(&NO_DIGEST).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["entry"]["number"], 7);
        assert_eq!(json["sha256"].as_str().unwrap(), hexadecimal(&digest));
        assert!(text.contains(r#""input":{"b": 1.50},"#) && text.ends_with("\"}\n"), "{text}");
        assert_eq!(Line::decode(&bytes[..bytes.len() - 1], &NO_DIGEST), Ok((line, digest)));
        assert!(Line::decode(&bytes[..bytes.len() - 1], &digest).is_err());
    }

    #[test]
    fn a_text_that_would_break_the_line_is_refused() {
        for input in ["{\n}", "{", "", "1 2"] {
            let line = Line::Entry(EntryLine { input: input.to_owned(), ..entry() });
            assert!(line.encode(&NO_DIGEST).is_err(), "{input:?}");
        }
        let long = format!("\"{}\"", "x".repeat(TEXT_LIMIT));
        assert!(Line::Entry(EntryLine { state: long, ..entry() }).encode(&NO_DIGEST).is_err());
    }

    #[test]
    fn no_short_text_is_a_line() {
        let (bytes, _) = Line::Entry(entry()).encode(&NO_DIGEST).unwrap();
        for length in 0..bytes.len() - 1 {
            assert!(Line::decode(&bytes[..length], &NO_DIGEST).is_err(), "{length}");
        }
    }
}
