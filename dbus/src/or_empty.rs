//! Reads and writes a word that can be absent. The absent word is `None` in Rust, null in JSON, and an
//! empty text on the wire. A word that this version does not know is also read as `None`.

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

/// Reads a word. The result is `None` if the word is empty or if this version does not know it.
pub fn deserialize<'de, T: Word, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let word = match deserializer.is_human_readable() {
        true => Option::<Cow<'_, str>>::deserialize(deserializer)?,
        false => Some(Cow::deserialize(deserializer)?),
    };
    Ok(word.and_then(|word| T::from_word(&word)))
}
