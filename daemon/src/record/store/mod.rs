//! The record of the games: rows in one SQLite file. This module knows only texts and numbers; it
//! does not know the clock or D-Bus.
//!
//! [`Store`] is the only writer. Every call of [`Store::append`] is one transaction that is on disk
//! when the call returns (`synchronous=FULL`). [`Reader`] reads in another thread at the same time.
//!
//! Damage is found by comparison: [`chain`] ties each entry to the one before it, [`wal`]
//! distinguishes a damaged write-ahead log from one that a power cut left unfinished, and SQLite's
//! `quick_check` compares the pages with each other. A damaged or foreign file is renamed, never
//! deleted or changed. An error that may pass, such as a full disk, changes nothing.
//!
//! Nothing is ordered by wall time, which can be wrong or missing: a Raspberry Pi has no battery
//! for its clock.

mod append;
mod chain;
mod connection;
mod current;
mod error;
mod limits;
mod open;
mod read;
mod reader;
mod retain;
mod schema;
#[cfg(test)]
mod tests;
mod wal;

use crate::game::Ended;
pub use chain::NO_CHAIN;
#[cfg(test)]
use chain::entry_chain;
pub use connection::Check;
#[cfg(test)]
pub use current::CurrentGame;
pub use error::StoreError;
pub use open::{Opened, Store};
#[cfg(test)]
use reader::MAX_PAGE_BYTES;
pub use reader::Reader;
#[cfg(test)]
use retain::Retained;

/// The longest text of one column (an input, a state, the information of a game): 1 MiB. A
/// compile-time check of the recorder ensures that the longest texts which the bus accepts are
/// shorter.
pub const MAX_TEXT: usize = 1024 * 1024;
/// The longest name of a boot, and of the kind of an entry.
pub const MAX_NAME: usize = 64;

/// A change of the table of games, made in the same transaction as the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameChange {
    /// A new game begins with the entry `first_entry`, which must be among the appended ones.
    Begin {
        /// The number of the game, higher than that of every earlier game.
        game: u64,
        /// The number of the first entry of the game.
        first_entry: u64,
        /// The information on the game, as JSON.
        info: String,
    },
    /// The information changed, for example a player's name.
    Info {
        /// The game.
        game: u64,
        /// The complete new information on the game, as JSON.
        info: String,
    },
    /// The game ended, or is played on after its end (`None`).
    Ended {
        /// The game.
        game: u64,
        /// How the game ended.
        ended: Option<Ended>,
    },
    /// The game was adjourned, or is played on. An adjourned game is not deleted.
    Adjourned {
        /// The game.
        game: u64,
        /// Whether the game is adjourned now.
        adjourned: bool,
    },
}

/// An instant up to which the clock is known to have run. The record has one checkpoint; a new one
/// replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The identifier of the boot.
    pub boot: String,
    /// The instant: CLOCK_MONOTONIC, in nanoseconds.
    pub at_ns: u64,
    /// The same instant on CLOCK_MONOTONIC_RAW.
    pub raw_ns: u64,
    /// The same instant on the wall clock, if there is one.
    pub wall_ns: Option<i64>,
    /// The last entry before that instant. It must be on record.
    pub entry: u64,
}
