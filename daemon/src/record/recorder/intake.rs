//! Reads from the retained memory the entries of the clock loop and the notes on commands (who gave
//! a command, and why).

use super::ledger::Ledger;
use crate::game::CommandNote;
use clockd_rt::Entry;
use clockd_rt::retained::{Frame, Included, RingReader};
use std::time::{Duration, Instant};

/// The longest time for which the entry of a command waits until the user id of its caller is
/// known. The bus usually gives this id within milliseconds.
const CALLER_TIMEOUT: Duration = Duration::from_millis(250);
/// How often the recorder checks whether the caller of a waiting entry is known.
const CALLER_POLL: Duration = Duration::from_millis(10);

/// The result of reading the next entry.
#[expect(clippy::large_enum_variant, reason = "there is one of it at a time, on the stack")]
pub enum Next {
    /// An entry with its number.
    Entry(u64, Entry),
    /// There is no new entry, or the next entry waits until the caller of its command is known.
    Nothing,
    /// Some entries in the memory are damaged.
    Damaged,
    /// The entry with this number cannot be read. The text says why.
    Unreadable(u64, String),
}

/// Reads the entries and the notes from the retained memory.
pub struct Intake {
    entries: RingReader,
    commands: RingReader,
    included: Included,
    /// Holds the number of the request whose game the main thread has stored in the retained
    /// memory.
    identified: Included,
    /// An entry that was read and waits until the caller of its command is known, and since when it
    /// waits.
    waiting: Option<(u64, Entry, Instant)>,
    /// The number of the latest note that was read.
    last_note: u64,
}

impl Intake {
    pub fn new(
        entries: RingReader,
        commands: RingReader,
        included: Included,
        identified: Included,
    ) -> Intake {
        Intake { entries, commands, included, identified, waiting: None, last_note: 0 }
    }

    /// The number of the latest entry that the snapshot of the clock includes.
    pub fn included(&self) -> u64 {
        self.included.entry()
    }

    /// When the memory must be read again even if nothing wakes the recorder; `None` if no entry
    /// waits for its caller.
    pub fn look_again(&self, now: Instant) -> Option<Instant> {
        self.waiting.as_ref().map(|_| now + CALLER_POLL)
    }

    /// Passes all new notes to the ledger.
    pub fn read_notes(&mut self, ledger: &mut Ledger) {
        while let Some(frame) = self.commands.next() {
            let Ok(Frame { number, bytes }) = frame else { continue };
            self.last_note = number;
            match CommandNote::read(bytes) {
                Ok(note) => ledger.notes.add(note),
                Err(error) => tracing::error!(%error, "a note of a command cannot be read"),
            }
        }
    }

    /// Reads the next entry whose number is higher than that of the latest entry in the ledger. The
    /// entry of a command whose caller is not known yet is held back for 250 ms at most.
    pub fn next(&mut self, ledger: &mut Ledger, now: Instant) -> Next {
        let (number, entry, since) = match self.waiting.take() {
            Some(waiting) => waiting,
            None => match self.read_entry(ledger.last()) {
                Next::Entry(number, entry) => (number, entry, now),
                other => return other,
            },
        };
        // The note of a command is written into the memory before the command is sent. The note of
        // this entry can have been written after the notes were last read, so they are read again.
        self.read_notes(ledger);
        if ledger.notes.awaits_caller(&entry) && now.duration_since(since) < CALLER_TIMEOUT {
            self.waiting = Some((number, entry, since));
            return Next::Nothing;
        }
        Next::Entry(number, entry)
    }

    /// Reads the next entry whose number is higher than `last`.
    fn read_entry(&mut self, last: u64) -> Next {
        loop {
            match self.entries.next() {
                None => return Next::Nothing,
                Some(Err(_)) => return Next::Damaged,
                Some(Ok(Frame { number, .. })) if number <= last => {}
                Some(Ok(Frame { number, bytes })) => {
                    return match Entry::read(bytes) {
                        Ok(entry) => Next::Entry(number, entry),
                        Err(error) => Next::Unreadable(number, error.to_string()),
                    };
                }
            }
        }
    }

    /// Frees the entries up to `done`, which the recorder no longer needs. An entry is freed only
    /// after a snapshot of the clock that includes it has been stored.
    ///
    /// Also frees the notes if three conditions hold: `frees_notes` is `true`, no entry waits for
    /// its caller, and the main thread has stored the game that the request `game` has set.
    pub fn release(&mut self, done: u64, frees_notes: bool, game: u64) {
        self.entries.release_through(done.min(self.included.entry()));
        if frees_notes && self.waiting.is_none() && self.identified.entry() >= game {
            self.commands.release_through(self.last_note);
        }
    }
}
