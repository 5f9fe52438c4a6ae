//! What the record has to know of a command beside the command itself: who gave it, and why.
//!
//! A note is put into memory that outlives the daemon before the command is sent to the clock loop,
//! so it is there whenever the command was carried out.

use super::info::GameText;
use crate::clock::monotonic_now;
use crate::retained::{COMMANDS_BYTES, RingWriter, Waker};
use clock_controls::FILE_LIMIT;
use serde::{Deserialize, Serialize};
use std::sync::Mutex;

/// What the record is told of one command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CommandNote {
    /// A command is about to be sent.
    Given {
        /// The number of the request.
        request: u64,
        /// The name of the command.
        verb: String,
        /// The user id of the caller; `None` if the bus has not said it.
        uid: Option<u32>,
        /// Whether a [`CommandNote::Caller`] follows.
        caller_pending: bool,
        /// The caller's name on the bus.
        sender: String,
        /// The capacity in which the command was given.
        capacity: String,
        /// The reason that the caller gave.
        reason: String,
        /// A text beside the reason: an attachment, a sealed move, what is set up.
        text: String,
        /// The game that a `New` or `SetRules` sets up.
        game: Option<Box<GameText>>,
    },
    /// Who gave a command that was noted before; `None` if that cannot be known any more.
    Caller {
        /// The number of the request.
        request: u64,
        /// The user id of the caller.
        uid: Option<u32>,
        /// The capacity in which the command was given.
        capacity: String,
    },
    /// A command that was noted was not sent.
    Withdrawn {
        /// The number of the request.
        request: u64,
    },
}

impl CommandNote {
    /// Reads a note.
    pub fn read(bytes: &[u8]) -> Result<CommandNote, postcard::Error> {
        postcard::from_bytes(bytes)
    }
}

/// The most bytes of a note: those of both texts, and room for names, reason and numbers.
const MAX_NOTE: usize = 2 * FILE_LIMIT + 8 * 1024;
const _: () = assert!(MAX_NOTE < COMMANDS_BYTES, "the largest note has no room in the memory");

/// Where notes are put; `None` if no record is kept.
pub struct CommandNotes(Option<Mutex<Writer>>);

struct Writer {
    ring: RingWriter,
    recorder: Waker,
    /// The number of the latest note. It starts with the present instant, so that it is higher than
    /// the numbers of the notes that an earlier process left.
    number: u64,
}

impl CommandNotes {
    /// Notes for the recorder.
    pub fn new(ring: RingWriter, recorder: Waker) -> CommandNotes {
        let number = monotonic_now().as_nanos();
        CommandNotes(Some(Mutex::new(Writer { ring, recorder, number })))
    }

    /// Notes that are discarded, because no record is kept.
    #[cfg(test)]
    pub fn none() -> CommandNotes {
        CommandNotes(None)
    }

    /// Adds a note. If there is no room, because the record has not been written for long, the
    /// command is recorded without it.
    pub fn add(&self, note: &CommandNote) {
        let Some(writer) = &self.0 else { return };
        // JSON would escape the texts and could become six times as long as they are.
        let Ok(bytes) = postcard::to_extend(note, Vec::new()) else { return };
        let mut writer = writer.lock().expect("nothing panics while it holds the lock");
        writer.number += 1;
        let number = writer.number;
        match writer.ring.push(number, &bytes) {
            Ok(()) => writer.recorder.wake(),
            Err(_) => tracing::error!(
                "there is no room to note who gives a command: it is recorded without that"
            ),
        }
    }
}
