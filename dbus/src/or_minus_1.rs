//! Numbers that can be absent: an `Option` in Rust, -1 on the wire.
//!
//! On the wire such a number is an `i64`; in JSON it is null. The value of a property or of an argument is written and
//! read as an [`OrMinus1`]. A field with `#[serde(with = "or_minus_1")]` is written and read by
//! [`serialize`] and [`deserialize`].

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
        serialize(&self.0, serializer)
    }
}

impl<'de, N: TryFrom<i64> + Deserialize<'de>> Deserialize<'de> for OrMinus1<Option<N>> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer).map(OrMinus1)
    }
}

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
