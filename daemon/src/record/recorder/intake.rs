//! Reads the entries of the clock loop from the retained memory.

use super::replay::is_new;
use crate::game::{CommandNote, EntryNote, Identity, NotedGame};
use clockd_rt::retained::{Frame, Included, RingReader, SnapshotReader};
use clockd_rt::{Entry, EntryFrame};

/// The result of reading the next entry.
#[expect(clippy::large_enum_variant, reason = "there is one of it at a time, on the stack")]
pub enum Next {
    /// An entry with its number.
    Entry(u64, NotedEntry),
    /// There is no new entry.
    Nothing,
    /// Some entries in the memory are damaged.
    Damaged,
    /// The entry with this number cannot be read. The text says why.
    Unreadable(u64, String),
}

/// Reads the entries from the retained memory.
pub struct Intake {
    entries: RingReader,
    included: Included,
    identities: SnapshotReader,
}

impl Intake {
    pub fn new(entries: RingReader, included: Included, identities: SnapshotReader) -> Intake {
        Intake { entries, included, identities }
    }

    /// The names and texts that the main thread has kept of the game with the identity `game`; `None` if it
    /// has kept another one.
    pub fn kept(&self, game: u64) -> Option<Identity> {
        Identity::read(&self.identities.latest()?, game)
    }

    /// The number of the latest entry that the snapshot of the clock includes.
    pub fn included(&self) -> u64 {
        self.included.entry()
    }

    /// Reads the next entry whose number is higher than `last`.
    pub fn next(&mut self, last: u64) -> Next {
        loop {
            match self.entries.next() {
                None => return Next::Nothing,
                Some(Err(_)) => return Next::Damaged,
                Some(Ok(Frame { number, .. })) if number <= last => {}
                Some(Ok(Frame { number, bytes })) => {
                    return match NotedEntry::read(bytes) {
                        Ok(entry) => Next::Entry(number, entry),
                        Err(error) => Next::Unreadable(number, error.to_string()),
                    };
                }
            }
        }
    }

    /// Frees the entries up to `done`, which the recorder no longer needs. An entry is freed only
    /// after a snapshot of the clock that includes it has been stored.
    pub fn release(&mut self, done: u64) {
        self.entries.release_through(done.min(self.included.entry()));
    }
}

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
