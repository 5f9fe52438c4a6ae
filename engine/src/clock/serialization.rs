//! The serialised form of a clock. What is read is checked, so that every later call finds a state
//! that the clock could be in.

use super::Clock;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

impl Serialize for Clock {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Clock::serialize(self, to)
    }
}

impl<'de> Deserialize<'de> for Clock {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Clock, D::Error> {
        let clock = Clock::deserialize(from)?;
        clock.check().map_err(D::Error::custom)?;
        Ok(clock)
    }
}
