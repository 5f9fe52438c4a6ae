//! What the test of the buttons shows.

use clock_engine::words;
use serde::{Deserialize, Serialize};
use zbus::Type;

words! {
    /// A button of the clock, by its wiring.
    TestedButton {
        /// The button that is wired as White's.
        White = "white",
        /// The button that is wired as Black's.
        Black = "black",
        /// The call button.
        Call = "call",
    }
}

words! {
    /// Why a test of the buttons has ended.
    TestEnd {
        /// The program that began it has ended it or has left the bus.
        Asked = "asked",
        /// A command was carried out.
        Command = "command",
        /// A clock was started.
        ClockRuns = "clock-runs",
        /// The button board is gone.
        BoardGone = "board-gone",
        /// The program has not read for 30 s.
        TimedOut = "timed-out",
    }
}

/// The board whose buttons are tested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct TestedBoard {
    /// Whether the players share a rocker, whose throws stay down, instead of two buttons.
    pub is_rocker: bool,
    /// The buttons of the board.
    pub buttons: Vec<TestedButton>,
    /// How long a contact must stay closed to be a press.
    pub settle_nsec: u64,
    /// A contact that is open for this long before it has settled is no press.
    pub longest_bounce_nsec: u64,
    /// How long a contact must stay open before the next press.
    pub release_nsec: u64,
}

/// An edge of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct TestedEdge {
    /// The button of the line.
    pub button: TestedButton,
    /// The kernel's stamp.
    pub at_nsec: u64,
    /// Whether the contact is closed after it.
    pub closed: bool,
}

/// A press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct TestedPress {
    /// The button.
    pub button: TestedButton,
    /// The stamp of its first edge.
    pub at_nsec: u64,
    /// When the clock had decided that it is a press.
    pub decided_nsec: u64,
}

/// What was seen since the last call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, Serialize, Deserialize)]
#[zbus(signature = "(a(stb)a(stt)ts)")]
pub struct TestReadings {
    /// The edges, each line's in their order.
    pub edges: Vec<TestedEdge>,
    /// The presses.
    pub presses: Vec<TestedPress>,
    /// How many edges and presses of this test are missing, because nobody read them in time.
    pub untraced: u64,
    /// Why the test has ended; `None`, which is an empty word on the wire, while it is on.
    #[serde(with = "or_empty")]
    pub ended: Option<TestEnd>,
}

/// Writes `None` as an empty word.
mod or_empty {
    use super::TestEnd;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub fn serialize<S: Serializer>(end: &Option<TestEnd>, to: S) -> Result<S::Ok, S::Error> {
        end.map_or("", TestEnd::as_str).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TestEnd>, D::Error> {
        let word = String::deserialize(from)?;
        if word.is_empty() {
            return Ok(None);
        }
        let known = TestEnd::ALL.iter().find(|end| end.as_str() == word).copied();
        known.map(Some).ok_or_else(|| D::Error::custom(format!("unknown end of a test: {word}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zbus::wire::serialized::Context;
    use zbus::wire::{NATIVE_ENDIAN, to_bytes};

    #[test]
    fn readings_are_read_as_they_were_written_and_none_is_an_empty_word() {
        let edge = TestedEdge { button: TestedButton::Black, at_nsec: 7, closed: true };
        let press = TestedPress { button: TestedButton::Call, at_nsec: 7, decided_nsec: 9 };
        for ended in TestEnd::ALL.iter().copied().map(Some).chain([None]) {
            let readings =
                TestReadings { edges: vec![edge], presses: vec![press], untraced: 3, ended };
            let encoded = to_bytes(Context::new(NATIVE_ENDIAN, 0), &readings).unwrap();
            assert_eq!(encoded.deserialize::<TestReadings>().unwrap().0, readings);
            type Wire = (Vec<(String, u64, bool)>, Vec<(String, u64, u64)>, u64, String);
            let wire: Wire = encoded.deserialize().unwrap().0;
            assert_eq!(wire.3, ended.map_or("", TestEnd::as_str));
        }
    }
}
