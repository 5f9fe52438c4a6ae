//! Entries and games of the record, as texts and numbers.

use super::info::GameText;
pub use clock_record::EntryLine;
use clock_record::{Digest, RecordError, Summary};

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
    /// The identity of the game.
    pub id: u64,
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
    /// Why not all of its file can be read; `None` if all of it can. The values above are then those before
    /// the damage.
    pub damage: Option<String>,
}

impl Game {
    /// The game of this file, of which a part may be damaged. `latest` is the number of the latest game on
    /// record.
    pub fn of(summary: Summary, damage: Option<&RecordError>, latest: u64) -> Game {
        let summary_is_empty = summary.entries == 0;
        let Summary { game, last_entry, started_wall_ns, ended, adjourned, .. } = summary;
        let ended = match (ended, game.number < latest) {
            (true, _) => Some(Ended::Result),
            (false, true) => Some(Ended::Replaced),
            (false, false) => None,
        };
        Game {
            game: game.number,
            id: game.id,
            first_entry: game.first_entry.max(1),
            entries: (last_entry + 1).saturating_sub(game.first_entry.max(1)),
            started_wall_ns,
            info: if summary_is_empty { without_info() } else { game.info },
            ended,
            adjourned,
            chain_before: game.before,
            damage: damage.map(ToString::to_string),
        }
    }
}

/// The information on a game of which nothing can be read.
fn without_info() -> String {
    let mut info = serde_json::to_value(GameText::default()).unwrap_or_default();
    for key in ["machine", "result"] {
        info[key] = "".into();
    }
    info.to_string()
}
