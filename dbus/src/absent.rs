//! Values that can be absent, which D-Bus cannot say: how they are written on the wire and in JSON.
//!
//! A field with `#[serde(with = "or_empty")]`, `"or_null"` or `"or_minus_1"` is written and read by the
//! functions of that module.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zbus::Type;
use zbus::wire::Signature;

/// A number that can be absent, as the value of a property or an argument: `None` is -1 on the
/// wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrMinus1<T>(pub T);

impl<N> Type for OrMinus1<Option<N>> {
    const SIGNATURE: &'static Signature = i64::SIGNATURE;
}

impl<N: Copy + Serialize> Serialize for OrMinus1<Option<N>>
where
    i64: TryFrom<N>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        or_minus_1::serialize(&self.0, serializer)
    }
}

impl<'de, N: TryFrom<i64> + Deserialize<'de>> Deserialize<'de> for OrMinus1<Option<N>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        or_minus_1::deserialize(deserializer).map(OrMinus1)
    }
}

/// A number that can be absent: an `Option` in Rust, null in JSON, and -1 in an `i64` on the wire.
pub mod or_minus_1 {
    use super::*;

    /// Writes the number, or -1 for `None`. A number that an `i64` cannot hold is written as
    /// [`i64::MAX`].
    pub fn serialize<N: Copy + Serialize, S: Serializer>(
        number: &Option<N>,
        serializer: S,
    ) -> Result<S::Ok, S::Error>
    where
        i64: TryFrom<N>,
    {
        if serializer.is_human_readable() {
            return number.serialize(serializer);
        }
        let number = number.map_or(-1, |number| i64::try_from(number).unwrap_or(i64::MAX));
        serializer.serialize_i64(number)
    }

    /// Reads a number. A number that `N` cannot hold is read as `None`: one that is too large or, if
    /// `N` is unsigned, any negative one.
    pub fn deserialize<'de, N: TryFrom<i64> + Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<N>, D::Error> {
        if deserializer.is_human_readable() {
            return Option::deserialize(deserializer);
        }
        Ok(N::try_from(i64::deserialize(deserializer)?).ok())
    }
}

/// A word that can be absent: `None` in Rust, null in JSON, and an empty text on the wire. A word that
/// this version does not know is also read as `None`.
pub mod or_empty {
    use super::*;
    use clock_engine::Word;
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
}

/// A value whose default says that there is nothing, such as an empty text: null in JSON. On the wire it
/// is written and read as it is.
pub mod or_null {
    use super::*;

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
}

#[cfg(test)]
mod tests {
    use super::*;
    use zbus::wire::serialized::Context;
    use zbus::wire::{NATIVE_ENDIAN, to_bytes};

    #[test]
    fn an_absent_number_is_minus_1_on_the_wire() {
        for (number, on_wire) in
            [(None, -1), (Some(0), 0), (Some(7), 7), (Some(u64::MAX), i64::MAX)]
        {
            let encoded = to_bytes(Context::new(NATIVE_ENDIAN, 0), &OrMinus1(number)).unwrap();
            assert_eq!(encoded.deserialize::<i64>().unwrap().0, on_wire, "{number:?}");
            let read: OrMinus1<Option<u64>> = encoded.deserialize().unwrap().0;
            assert_eq!(read.0, number.map(|number| number.min(i64::MAX.cast_unsigned())));
        }
        for (on_wire, number) in [(-2, None), (i64::MIN, None), (i64::MAX, None), (3, Some(3))] {
            let encoded = to_bytes(Context::new(NATIVE_ENDIAN, 0), &on_wire).unwrap();
            let read: OrMinus1<Option<u32>> = encoded.deserialize().unwrap().0;
            assert_eq!(read.0, number, "{on_wire}");
        }
    }
}
