//! Values whose default says that there is nothing, such as an empty text: null in JSON. On the wire
//! they are written and read as they are.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the value, or null in JSON if it is the default.
pub fn serialize<T, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
where
    T: Default + PartialEq + Serialize,
{
    if serializer.is_human_readable() && *value == T::default() {
        return serializer.serialize_none();
    }
    value.serialize(serializer)
}

/// Reads a value; null in JSON is the default.
pub fn deserialize<'de, T, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
{
    if deserializer.is_human_readable() {
        return Ok(Option::deserialize(deserializer)?.unwrap_or_default());
    }
    T::deserialize(deserializer)
}
