//! What the record keeps with an entry, and the clock loop does not need: who gave a command and why, and
//! the names and texts of a game that begins. It lies beside its entry in the retained memory.

use super::info::{GameInfo, GameText};
use clock_controls::FILE_LIMIT;
use clock_engine::text::ControlFile;
use clockd_rt::Note;
use clockd_rt::retained::ENTRIES_BYTES;
use serde::{Deserialize, Serialize};

/// What is noted with a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandNote {
    /// The name of the command.
    pub verb: String,
    /// The user id of the caller; `None` if the bus has not given it.
    pub uid: Option<u32>,
    /// The unique name of the caller's connection to the bus.
    pub sender: String,
    /// The capacity in which the command was given.
    pub capacity: String,
    /// The reason that the caller gave.
    pub reason: String,
    /// What the record keeps beside the reason: an attachment, a sealed move, the name of a rule profile
    /// or of a time control, a description of what is set up or rewound, or the names that change. Empty
    /// for other commands.
    pub text: String,
    /// The game after a `New`, an `Import`, a `SetRules`, a `ChangeTimeControl` or a `SetNames`; `None`
    /// for other commands.
    pub game: Option<Box<NotedGame>>,
}

/// A game with its identity, its names and its texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedGame {
    /// The identity: a random number.
    pub id: u64,
    /// The names of the game, and the texts of its files.
    pub text: GameText,
}

/// What is noted with an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EntryNote {
    /// With a command.
    Command(CommandNote),
    /// With the state of a game that the configuration has set up.
    SetUp(Box<GameText>),
}

/// The largest size of a note in bytes: a control file and a rule file, and room for names, reason
/// and numbers.
const MAX_NOTE: usize = ControlFile::LIMIT + FILE_LIMIT + 8 * 1024;
const _: () = assert!(MAX_NOTE < ENTRIES_BYTES / 2, "the largest note has no room in the memory");

impl EntryNote {
    /// The note for the clock loop. `game` is the identity of the game that begins; 0 if none does.
    pub fn encode(&self, game: u64) -> Note {
        // JSON is not used, because its escapes could make the texts six times as long.
        let bytes = postcard::to_extend(self, Vec::new()).unwrap_or_default();
        Note { game, bytes: bytes.into_boxed_slice() }
    }

    /// Reads a note. `None` if nothing is noted, or if the bytes are not a note of this version.
    pub fn read(bytes: &[u8]) -> Option<EntryNote> {
        postcard::from_bytes(bytes).ok()
    }
}

impl From<&GameInfo> for NotedGame {
    fn from(game: &GameInfo) -> NotedGame {
        NotedGame { id: game.id, text: GameText::from(game) }
    }
}
