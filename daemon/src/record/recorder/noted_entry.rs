//! An entry as it is in the retained memory, with what is noted beside it.

use super::replay::is_new;
use crate::game::{CommandNote, EntryNote, NotedGame};
use clockd_rt::{Entry, EntryFrame};

/// An entry with what is noted beside it.
#[derive(Clone, Debug)]
pub struct NotedEntry {
    /// The identity of the game to which the clock belonged before the entry; of a state, the game of its
    /// clock.
    pub game: u64,
    /// The entry.
    pub entry: Entry,
    /// What is noted; `None` if nothing.
    pub note: Option<EntryNote>,
}

impl NotedEntry {
    /// An entry of which nothing is noted.
    pub fn new(game: u64, entry: Entry) -> NotedEntry {
        NotedEntry { game, entry, note: None }
    }

    /// Reads the bytes of a frame.
    ///
    /// # Errors
    ///
    /// The bytes are not an entry of this version.
    pub fn read(bytes: &[u8]) -> Result<NotedEntry, postcard::Error> {
        let EntryFrame { game, entry, note } = EntryFrame::read(bytes)?;
        Ok(NotedEntry { game, entry, note: EntryNote::read(note) })
    }

    /// What is noted with a command.
    pub fn command(&self) -> Option<&CommandNote> {
        match &self.note {
            Some(EntryNote::Command(note)) => Some(note),
            _ => None,
        }
    }

    /// The game that a command gives, if it is carried out.
    pub fn given(&self) -> Option<&NotedGame> {
        self.command()?.game.as_deref()
    }

    /// Whether the game begins with this entry, if it is a state.
    pub fn is_set_up(&self) -> bool {
        matches!(self.note, Some(EntryNote::SetUp(_))) || is_new(&self.entry)
    }
}
