//! What an append can write besides entries: changes of the table of games, and a checkpoint. The
//! limits on the lengths of the texts are here, too.

use crate::game::Ended;

/// The longest text of one column (an input, a state, the information on a game): 1 MiB. A
/// compile-time check of the recorder ensures that the information on a game with the longest texts
/// that the bus accepts is not longer than this.
pub const MAX_TEXT: usize = 1024 * 1024;
/// The largest number of bytes in the identifier of a boot, and in the kind of an entry.
pub const MAX_NAME: usize = 64;

/// A change of the table of games. It is made in the same transaction as the entries.
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
    /// The information on the game changed, for example a player's name.
    Info {
        /// The game.
        game: u64,
        /// The complete new information on the game, as JSON.
        info: String,
    },
    /// The game ended, or it was continued after its end (`None`).
    Ended {
        /// The game.
        game: u64,
        /// How the game ended; `None` if it was continued.
        ended: Option<Ended>,
    },
    /// Another game begins with the state of this adjourned game, which is then no longer
    /// adjourned. Nothing changes if this game is not on record, or if the game on record with the
    /// number `game` has another `chain`.
    TakenUp {
        /// The adjourned game.
        game: u64,
        /// The chain of the last entry of that game, in hexadecimal digits.
        chain: String,
    },
    /// The game was adjourned, or was continued after that. `Store::retain` does not delete a game
    /// that is adjourned.
    Adjourned {
        /// The game.
        game: u64,
        /// Whether the game is adjourned now.
        adjourned: bool,
    },
}

/// An instant at which the clock is known to have run. The record has one checkpoint; a new one
/// replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The identifier of the boot.
    pub boot: String,
    /// The instant: CLOCK_MONOTONIC, in nanoseconds.
    pub at_ns: u64,
    /// The same instant on CLOCK_MONOTONIC_RAW.
    pub raw_ns: u64,
    /// The same instant on the wall clock; `None` if the wall clock had not been set.
    pub wall_ns: Option<i64>,
    /// The number of the last entry before `at_ns`. This entry must be on record.
    pub entry: u64,
}
