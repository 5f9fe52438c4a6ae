//! Words that can be absent: an `Option` in Rust, null in JSON, an empty text on the wire. A word that
//! this version does not know is read as `None`.

use clock_engine::Word;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

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

/// Reads a word; `None` if it is empty or not known.
pub fn deserialize<'de, T: Word, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let word = match deserializer.is_human_readable() {
        true => Option::<Cow<'_, str>>::deserialize(deserializer)?,
        false => Some(Cow::deserialize(deserializer)?),
    };
    Ok(word.and_then(|word| T::from_word(&word)))
}
