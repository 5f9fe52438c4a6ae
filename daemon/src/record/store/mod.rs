//! The record of the games: rows in one SQLite file. This module knows texts and numbers only, no
//! clock, no D-Bus.
//!
//! [`Store`] is the one writer. Every call of [`Store::append`] is one transaction that is on disk
//! when the call returns (`synchronous=FULL`). [`Reader`] reads in another thread meanwhile.
//!
//! What is not as it was written is found, not guessed: [`chain`] ties each entry to the one before
//! it, [`wal`] tells a damaged write-ahead log from one that a power cut left unfinished, SQLite's
//! `quick_check` compares the pages with each other. A damaged or foreign file is renamed, never
//! deleted or changed; an error that may pass (a full disk) changes nothing.
//!
//! Wall time can be wrong or missing, since a Raspberry Pi has no clock battery: nothing here is
//! ordered by it.

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

/// The longest text of one column (an input, a state, the information of a game): 1 MiB. The
/// recorder checks when it is compiled that the longest texts which the bus accepts find room.
pub const MAX_TEXT: usize = 1024 * 1024;
/// The longest name of a boot or of a kind.
pub const MAX_NAME: usize = 64;

/// A change of the table of games, made in the same transaction as the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameChange {
    /// A new game begins with the entry `first_entry`, which must be among the appended ones.
    Begin {
        /// Its number, higher than that of every game before.
        game: u64,
        /// Its first entry.
        first_entry: u64,
        /// Its information, as JSON.
        info: String,
    },
    /// The information changed, for example a player's name.
    Info {
        /// The game.
        game: u64,
        /// All of its information, as JSON.
        info: String,
    },
    /// The game ended, or (`None`) is not ended after all.
    Ended {
        /// The game.
        game: u64,
        /// How it ended.
        ended: Option<Ended>,
    },
    /// The game was adjourned (it is then kept until this is taken back), or is played on.
    Adjourned {
        /// The game.
        game: u64,
        /// Whether it is adjourned now.
        adjourned: bool,
    },
}

/// An instant up to which the clock is known to have run. There is one; each replaces the last.
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
    /// The last entry before it, which must be on record.
    pub entry: u64,
}
