//! Notes for the record. A note on a command says who gave it and why. A note on a game says which
//! game the configuration has set up.
//!
//! A [`CommandNote::Given`] is written into the retained memory before its command is sent to the
//! clock loop. So each command that was carried out has this note, unless the ring of the notes was
//! full, which is the fault `record-lost`. [`CommandNotes`] writes the notes, and the recorder reads them.

use super::info::GameText;
use clock_controls::FILE_LIMIT;
use clock_engine::text::ControlFile;
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
const MAX_NOTE: usize = ControlFile::LIMIT + FILE_LIMIT + 8 * 1024;
const _: () = assert!(MAX_NOTE < COMMANDS_BYTES, "the largest note has no room in the memory");

/// Writes notes for the recorder. If the field is `None`, which is so only in tests, the notes are
/// discarded.
pub struct CommandNotes(Option<Mutex<Writer>>);

struct Writer {
    ring: RingWriter,
    recorder: Waker,
    health: Arc<Health>,
    /// Requests whose [`CommandNote::Given`] found no room and whose [`CommandNote::Caller`] has not
    /// come yet. That `Caller` is dropped, so each command is counted once.
    without_given: BTreeSet<u64>,
    /// The number of the latest note. The count begins with the time on CLOCK_MONOTONIC at the
    /// start, in nanoseconds, which is higher than the numbers of all notes that an earlier process
    /// left.
    number: u64,
}

impl CommandNotes {
    /// Writes the notes into `ring`, and wakes the recorder after each note. `health` gets the
    /// number of the commands whose notes found no room, also in earlier processes: the ring keeps
    /// that number.
    pub fn new(ring: RingWriter, recorder: Waker, health: Arc<Health>) -> CommandNotes {
        let number = monotonic_now().as_nanos();
        let writer = Writer { ring, recorder, health, without_given: BTreeSet::new(), number };
        writer.publish_lost();
        CommandNotes(Some(Mutex::new(writer)))
    }

    /// Discards all notes.
    #[cfg(test)]
    pub fn none() -> CommandNotes {
        CommandNotes(None)
    }

    /// Writes a note into the ring. If the ring has no room for the note, because the record has
    /// not been written for a long time, the note is dropped, and what it is about is recorded
    /// without it. [`Health::unnoted_commands`] counts the command, if the note is about one.
    /// Returns `false` if this changed the count, so that the caller can wake the clock loop, which
    /// publishes the fault.
    pub fn add(&self, note: &CommandNote) -> bool {
        let Some(writer) = &self.0 else { return true };
        writer.lock().expect("nothing panics while it holds the lock").add(note)
    }
}

impl Writer {
    fn add(&mut self, note: &CommandNote) -> bool {
        if let CommandNote::Caller { request, .. } = note
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
        match note {
            CommandNote::Given { request, caller_pending: true, .. } => {
                self.without_given.insert(*request);
            }
            CommandNote::Given { .. } | CommandNote::Caller { uid: Some(_), .. } => {}
            // Without this note, the record lacks no user id: the bus could not give it.
            CommandNote::Caller { uid: None, .. } => return true,
            CommandNote::SetUp { .. } => {
                tracing::error!("there is no room to note which game is set up");
                return true;
            }
        }
        self.ring.count_lost();
        self.publish_lost();
        tracing::error!(
            "there is no room to note who gives a command: it is recorded without that"
        );
        false
    }

    fn publish_lost(&self) {
        self.health.unnoted_commands.store(self.ring.lost(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clockd_rt::retained::RetainedMemory;

    fn given(request: u64, reason: usize) -> CommandNote {
        CommandNote::Given {
            request,
            verb: String::new(),
            uid: None,
            caller_pending: true,
            sender: String::new(),
            capacity: String::new(),
            reason: "r".repeat(reason),
            text: String::new(),
            game: None,
        }
    }

    #[test]
    fn each_command_whose_caller_has_no_room_is_counted_once() {
        let parts = RetainedMemory::create([0; 16], 1).unwrap().split().unwrap();
        let health = Arc::new(Health::default());
        let notes = CommandNotes::new(parts.commands.0, parts.wakeups.0, Arc::clone(&health));
        let mut request = 0;
        // Fills the ring until not even the shortest note has room.
        for reason in [4096, 64, 0] {
            request += 1;
            while notes.add(&given(request, reason)) {
                request += 1;
            }
        }
        let counted = || health.unnoted_commands.load(Ordering::Relaxed);
        assert_eq!(counted(), 3, "the first note of each length that had no room");
        let add_caller = |request, uid| {
            notes.add(&CommandNote::Caller { request, uid, capacity: "arbiter".to_owned() })
        };
        // The command has been counted.
        assert!(add_caller(request, Some(1000)));
        // The first two commands have their notes. The bus could not give the caller of the second.
        assert!(!add_caller(1, Some(1000)));
        assert!(add_caller(2, None));
        assert_eq!(counted(), 4);
    }
}
