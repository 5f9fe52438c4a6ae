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

#[cfg(test)]
use chain::entry_chain;
pub use chain::{Digest, NO_CHAIN};
pub use connection::Check;
#[cfg(test)]
pub use current::CurrentGame;
pub use error::StoreError;
pub use open::{Opened, Store};
pub use read::{Game, Row};
#[cfg(test)]
use reader::MAX_PAGE_BYTES;
pub use reader::Reader;
#[cfg(test)]
use retain::Retained;

/// The longest text of one column (an input, a state, the information of a game): 1 MiB. The recorder checks when
/// it is compiled that the longest texts which the bus accepts find room.
pub const MAX_TEXT: usize = 1024 * 1024;
/// The longest name of a boot or of a kind.
pub const MAX_NAME: usize = 64;

/// One entry that is to be appended: an input of the clock and what it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRow {
    /// The number of the entry. Numbers are consecutive for ever, over all games. Only before an entry of the
    /// kind `state` can some be missing, which were lost.
    pub number: u64,
    /// The game, which must be the latest.
    pub game: u64,
    /// The identifier of the boot (`/proc/sys/kernel/random/boot_id`).
    pub boot: String,
    /// When the input happened: CLOCK_MONOTONIC of that boot, in nanoseconds.
    pub at_ns: u64,
    /// The same instant on CLOCK_MONOTONIC_RAW.
    pub raw_ns: u64,
    /// The same instant on the wall clock, if there is one.
    pub wall_ns: Option<i64>,
    /// One word, such as `press` or `command`.
    pub kind: String,
    /// The input, as JSON.
    pub input: String,
    /// What happened because of it, as a JSON array.
    pub events: String,
    /// Who gave which command and why, as JSON.
    pub command: Option<String>,
    /// The state after it, as JSON.
    pub state: String,
}

impl NewRow {
    /// Whether it holds the whole clock. Entries before it can be missing, because it does not depend on them.
    pub fn is_state(&self) -> bool {
        self.kind == append::STATE
    }
}

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

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With a result.
    Result,
    /// Another game was begun.
    Replaced,
}

impl Ended {
    /// The word of the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Ended::Result => "result",
            Ended::Replaced => "replaced",
        }
    }

    fn from_word(word: &str) -> rusqlite::Result<Ended> {
        [Ended::Result, Ended::Replaced]
            .into_iter()
            .find(|ended| ended.as_str() == word)
            .ok_or_else(|| {
                let why = format!("a game cannot have ended by {word:?}");
                rusqlite::Error::FromSqlConversionFailure(
                    3,
                    rusqlite::types::Type::Text,
                    why.into(),
                )
            })
    }
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
