//! The serialised form of the two sets in a profile, `penalties` and `rates`. Each is a list of
//! words.

use super::{PenaltyKind, RateOfPlay, Set};
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Deserialize, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};

/// An enumeration whose values can be in a [`Set`].
trait Member: Copy + 'static {
    const ALL: &'static [Self];
    const NAME: &'static str;
    fn is_in(self, set: Set) -> bool;
    fn bit(self) -> u16;
}

fn serialize<T: Member + Serialize, S: Serializer>(set: Set, to: S) -> Result<S::Ok, S::Error> {
    let members = || T::ALL.iter().filter(|value| value.is_in(set));
    let mut list = to.serialize_seq(Some(members().count()))?;
    for value in members() {
        list.serialize_element(value)?;
    }
    list.end()
}

struct Members<T>(PhantomData<T>);

impl<'de, T: Member + Deserialize<'de>> Visitor<'de> for Members<T> {
    type Value = Set;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}", T::NAME)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Set, A::Error> {
        let mut set = Set::default();
        while let Some(value) = list.next_element::<T>()? {
            set.0 |= value.bit();
        }
        Ok(set)
    }
}

macro_rules! sets_of {
    ($($member:ident $module:ident $name:literal),+) => { $(
        impl Member for $member {
            const ALL: &'static [$member] = $member::ALL;
            const NAME: &'static str = $name;

            fn is_in(self, set: Set) -> bool {
                $member::is_in(self, set)
            }

            fn bit(self) -> u16 {
                1 << self as u16
            }
        }

        pub(super) mod $module {
            use super::{Members, PhantomData, Set, $member};
            use serde::{Deserializer, Serializer};

            pub fn serialize<S: Serializer>(set: &Set, to: S) -> Result<S::Ok, S::Error> {
                super::serialize::<$member, S>(*set, to)
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Set, D::Error> {
                from.deserialize_seq(Members::<$member>(PhantomData))
            }
        }
    )+ };
}
sets_of!(PenaltyKind penalties "penalties", RateOfPlay rates "rates of play");

/// The value of a switch that earlier versions did not have and obeyed as `true`.
pub(super) fn yes() -> bool {
    true
}
