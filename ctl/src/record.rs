//! One game of the record, as the service's interface `History` returns it and as `clockctl export`
//! writes it.
//!
//! docs/dbus.rst describes the keys of the JSON. Nothing here reads a bus or a terminal, so tests
//! and fuzzers can call all of it.

pub mod arbiter_report;
pub mod chain;
pub mod csv;
pub mod file;
pub mod joined;
pub mod json_text;
pub mod pgn;
pub mod proposal;
pub mod wall_time;
pub mod words;

use clock_dbus::{ImportedFrom, RecordedEvent as Event, RecordedState, Side};
use serde::{Deserialize, Serialize};

/// One game with all its entries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub game: Game,
    pub entries: Vec<Entry>,
}

/// What is known of a game as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    pub game: u64,
    pub first_entry: u64,
    pub entries: u64,
    pub started_wall_ns: Option<i64>,
    pub control: String,
    pub control_text: String,
    pub rules: String,
    pub rules_text: String,
    pub white: String,
    pub black: String,
    #[serde(default)]
    pub board: String,
    #[serde(default)]
    pub round: String,
    #[serde(default)]
    pub event: String,
    #[serde(default)]
    pub captain_plays: String,
    #[serde(default)]
    pub present_arbiter: String,
    pub result: String,
    pub ended: Option<String>,
    pub adjourned: bool,
    pub imported_from: Option<ImportedFrom>,
    pub machine: String,
    /// The digest that the `chain` of the first entry continues, in hexadecimal digits.
    #[serde(default)]
    pub chain_before: Option<String>,
    /// Why not all of the game can be read; `None` if all of it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damaged: Option<String>,
}

/// One input of the clock, and the state of the clock right after it. The key `input` of the JSON
/// is left out, because its form can change between versions. Only `chain.rs`, which computes the
/// sum of an entry, reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub entry: u64,
    pub game: u64,
    pub boot: String,
    pub at_ns: u64,
    pub raw_ns: u64,
    pub wall_ns: Option<i64>,
    pub kind: String,
    pub events: Vec<Event>,
    pub command: Option<Command>,
    pub state: RecordedState,
    pub chain: String,
}

/// A command, with who gave it and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    pub verb: String,
    pub uid: Option<u32>,
    #[serde(default)]
    pub sender: Option<String>,
    #[serde(default)]
    pub capacity: Option<String>,
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub report: String,
    pub refused: Option<String>,
}

impl Entry {
    /// The command of this entry, if it has one and the clock carried it out.
    pub fn carried_out(&self) -> Option<&Command> {
        self.command.as_ref().filter(|command| command.refused.is_none())
    }

    /// The side whose press completed a move with this entry; `None` if no move was completed.
    pub fn completed_by(&self) -> Option<Side> {
        let counted = |event: &&Event| event.kind == "press" && event.accepted == Some(true);
        self.events.iter().find(counted).and_then(|event| event.side?.side())
    }
}
