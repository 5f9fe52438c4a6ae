//! Entries and games of the record, as texts and numbers.

use clock_record::Summary;
pub use clock_record::{Digest, EntryLine};

/// How a game ended in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The game has a result.
    Result,
    /// Another game was begun before the game had a result.
    Replaced,
}

impl Ended {
    /// The word in the interface `History`.
    pub fn as_str(self) -> &'static str {
        match self {
            Ended::Result => "result",
            Ended::Replaced => "replaced",
        }
    }
}

/// One entry, as it is on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the game.
    pub game: u64,
    /// What was appended.
    pub row: EntryLine,
    /// The digest of this entry and of the `chain` of the entry before it.
    pub chain: Digest,
}

/// One game, as it is on record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The number of the game.
    pub game: u64,
    /// The number of the first entry of the game.
    pub first_entry: u64,
    /// How many numbers its entries take, from the first to the last one.
    pub entries: u64,
    /// The wall time of the first entry; `None` if it is not known.
    pub started_wall_ns: Option<i64>,
    /// The names, the texts, the result of the game, and the clock right after its first entry, as
    /// JSON.
    pub info: String,
    /// How the game ended; `None` if it has not ended.
    pub ended: Option<Ended>,
    /// Whether the game is adjourned.
    pub adjourned: bool,
    /// The `chain` of the last entry before this game; 32 zero bytes for the first game.
    pub chain_before: Digest,
}

impl Game {
    /// The game of this file. `latest` is the number of the latest game on record.
    pub fn of(summary: Summary, latest: u64) -> Game {
        let Summary { game, last_entry, started_wall_ns, ended, adjourned, .. } = summary;
        let ended = match (ended, game.number < latest) {
            (true, _) => Some(Ended::Result),
            (false, true) => Some(Ended::Replaced),
            (false, false) => None,
        };
        Game {
            game: game.number,
            first_entry: game.first_entry,
            entries: last_entry + 1 - game.first_entry,
            started_wall_ns,
            info: game.info,
            ended,
            adjourned,
            chain_before: game.before,
        }
    }
}
