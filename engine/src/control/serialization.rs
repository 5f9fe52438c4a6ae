//! The serialised form of a time control: its periods and its terms, checked when they are read.

use super::{Control, MAX_PERIODS, Period, Terms};
use core::fmt;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

#[derive(serde::Serialize)]
#[serde(rename = "Control")]
struct Serialized<'a> {
    periods: &'a [Period],
    terms: &'a Terms,
}

#[derive(serde::Deserialize)]
#[serde(rename = "Control", deny_unknown_fields)]
struct Deserialized {
    periods: Periods,
    terms: Terms,
}

/// A list of at most [`MAX_PERIODS`] periods.
struct Periods {
    all: [Period; MAX_PERIODS],
    len: usize,
}

impl<'de> Deserialize<'de> for Periods {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Periods, D::Error> {
        from.deserialize_seq(PeriodList)
    }
}

struct PeriodList;

impl<'de> Visitor<'de> for PeriodList {
    type Value = Periods;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of 1 to {MAX_PERIODS} periods")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Periods, A::Error> {
        let mut read = Periods { all: [Period::default(); MAX_PERIODS], len: 0 };
        while let Some(period) = list.next_element()? {
            let Some(place) = read.all.get_mut(read.len) else {
                return Err(A::Error::invalid_length(MAX_PERIODS + 1, &self));
            };
            *place = period;
            read.len += 1;
        }
        Ok(read)
    }
}

impl Serialize for Control {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Serialized { periods: self.periods(), terms: &self.terms }.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Control {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Control, D::Error> {
        let Deserialized { periods, terms } = Deserialized::deserialize(from)?;
        Control::new(&periods.all[..periods.len], terms).map_err(D::Error::custom)
    }
}
