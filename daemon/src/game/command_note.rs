//! Notes for the record that say who gave a command, and why, and which game the configuration has
//! set up.
//!
//! A [`CommandNote::Given`] is written into the retained memory before its command is sent to the
//! clock loop. So each command that was carried out has this note, unless the ring of the notes was
//! full, which is the fault `record-lost`. [`CommandNotes`] writes the notes, and the recorder reads them.

use super::info::GameText;
use clock_controls::FILE_LIMIT;
use clockd_rt::Health;
use clockd_rt::clock::monotonic_now;
use clockd_rt::retained::{COMMANDS_BYTES, RingWriter, Waker};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// A note for the record about one command, or about the game of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CommandNote {
    /// A command is about to be sent.
    Given {
        /// The number of the request.
        request: u64,
        /// The name of the command.
        verb: String,
        /// The user id of the caller; `None` if the bus has not given it yet.
        uid: Option<u32>,
        /// Whether a [`CommandNote::Caller`] for this request follows.
        caller_pending: bool,
        /// The unique name of the caller's connection to the bus.
        sender: String,
        /// The capacity in which the command was given.
        capacity: String,
        /// The reason that the caller gave.
        reason: String,
        /// What the record keeps beside the reason: an attachment, a sealed move, the name of a
        /// rule profile or of a time control, a description of what is set up or rewound, or the
        /// names that change. Empty for other commands.
        text: String,
        /// The names and texts of the game after a `New`, an `Import`, a `SetRules`, a
        /// `ChangeTimeControl` or a `SetNames`; `None` for other commands.
        game: Option<Box<GameText>>,
    },
    /// Who gave the command of an earlier [`CommandNote::Given`] whose `caller_pending` is `true`.
    Caller {
        /// The number of the request.
        request: u64,
        /// The user id of the caller; `None` if the bus could not give it.
        uid: Option<u32>,
        /// The capacity in which the command was given.
        capacity: String,
    },
    /// The command of an earlier [`CommandNote::Given`] was not sent to the clock loop.
    Withdrawn {
        /// The number of the request.
        request: u64,
    },
    /// The game of the configuration is set up, without a command.
    SetUp {
        /// The number of the entry with which the game begins.
        first_entry: u64,
        /// The names and texts of the game.
        game: Box<GameText>,
    },
}

impl CommandNote {
    /// Reads a note from its bytes.
    ///
    /// # Errors
    ///
    /// The bytes are not a note of this version.
    pub fn read(bytes: &[u8]) -> Result<CommandNote, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}

/// The largest size of a note in bytes: a control file and a rule file, and room for names, reason
/// and numbers.
const MAX_NOTE: usize = 2 * FILE_LIMIT + 8 * 1024;
const _: () = assert!(MAX_NOTE < COMMANDS_BYTES, "the largest note has no room in the memory");

/// Writes notes for the recorder. If the field is `None`, which is so only in tests, the notes are
/// discarded.
pub struct CommandNotes(Option<Mutex<Writer>>);

struct Writer {
    ring: RingWriter,
    recorder: Waker,
    health: Arc<Health>,
    /// The requests whose [`CommandNote::Given`] found no room, and of which a
    /// [`CommandNote::Caller`] follows. It is not written, so that each command is counted once.
    without_given: BTreeSet<u64>,
    /// The number of the latest note. The count begins with the time on CLOCK_MONOTONIC at the
    /// start, in nanoseconds, which is higher than the numbers of all notes that an earlier process
    /// left.
    number: u64,
}

impl CommandNotes {
    /// Writes the notes into `ring`, and wakes the recorder after each note. `health` gets the
    /// number of the notes that found no room, also in earlier processes: the ring counts them.
    pub fn new(ring: RingWriter, recorder: Waker, health: Arc<Health>) -> CommandNotes {
        let number = monotonic_now().as_nanos();
        let writer = Writer { ring, recorder, health, without_given: BTreeSet::new(), number };
        writer.publish_refused();
        CommandNotes(Some(Mutex::new(writer)))
    }

    /// Discards all notes.
    #[cfg(test)]
    pub fn none() -> CommandNotes {
        CommandNotes(None)
    }

    /// Writes a note into the ring. If the ring has no room for the note, because the record has
    /// not been written for a long time, the note is dropped, the command is recorded without it,
    /// and [`Health::unnoted_commands`] counts it. Returns `false` in this case, so that the caller
    /// can wake the clock loop, which publishes the fault.
    pub fn add(&self, note: &CommandNote) -> bool {
        let Some(writer) = &self.0 else { return true };
        writer.lock().expect("nothing panics while it holds the lock").add(note)
    }
}

impl Writer {
    fn add(&mut self, note: &CommandNote) -> bool {
        if let CommandNote::Caller { request, .. } | CommandNote::Withdrawn { request } = note
            && self.without_given.remove(request)
        {
            return true;
        }
        // JSON is not used, because its escapes could make the texts six times as long.
        let Ok(bytes) = postcard::to_extend(note, Vec::new()) else { return true };
        self.number += 1;
        if self.ring.push(self.number, &bytes).is_ok() {
            self.recorder.wake();
            return true;
        }
        if let CommandNote::Given { request, caller_pending: true, .. } = note {
            self.without_given.insert(*request);
        }
        self.publish_refused();
        tracing::error!(
            "there is no room to note who gives a command: it is recorded without that"
        );
        false
    }

    fn publish_refused(&self) {
        self.health.unnoted_commands.store(self.ring.refused(), Ordering::Relaxed);
    }
}
