//! Words that can be absent: an `Option` in Rust, null in JSON, an empty text on the wire.

use clock_engine::Word;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the word, or an empty text for `None`.
pub fn serialize<T: Word + Serialize, S: Serializer>(
    word: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return word.serialize(serializer);
    }
    serializer.serialize_str(word.map_or("", Word::as_str))
}

/// Reads a word; an empty text is `None`.
pub fn deserialize<'de, T: Word + Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    if deserializer.is_human_readable() {
        return Option::deserialize(deserializer);
    }
    match <&str>::deserialize(deserializer)? {
        "" => Ok(None),
        word => {
            T::from_word(word).map(Some).ok_or_else(|| Error::custom(format!("no word {word:?}")))
        }
    }
}
