//! Reads the entries of the clock loop from the retained memory.

use super::noted_entry::NotedEntry;
use crate::game::Identity;
use clockd_rt::retained::{Frame, Included, RingReader, SnapshotReader};

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
