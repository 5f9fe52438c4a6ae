//! What the record has to know of a command beside the command itself: who gave it, and why.
//!
//! A note is put into memory that outlives the daemon before the command is sent to the clock loop, so it is
//! there whenever the command was carried out.

use super::convert::{GameInfo, ImportedFrom};
use super::scheduled_start::ScheduledStart;
use crate::clock::monotonic_now;
use crate::retained::{COMMANDS_BYTES, RingWriter, Waker};
use clock_controls::{FILE_LIMIT, NamedRules, RuleLibrary};
use clock_engine::{PerSide, Side};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};

/// One note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CommandNote {
    /// A command is about to be sent.
    Given {
        /// The number of the request.
        request: u64,
        /// The name of the command.
        verb: String,
        /// The caller, if the bus has said who it is.
        uid: Option<u32>,
        /// Whether a [`CommandNote::Caller`] follows.
        caller_pending: bool,
        /// The caller's name on the bus.
        sender: String,
        /// In which capacity it was given.
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
        /// The caller.
        uid: Option<u32>,
        /// In which capacity.
        capacity: String,
    },
    /// A command that was noted was not sent.
    Withdrawn {
        /// The number of the request.
        request: u64,
    },
}

/// What belongs to a game and is not in the engine, as texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameText {
    /// The name of the time control.
    pub control: String,
    /// The text of its control file.
    pub control_text: String,
    /// The name of the rule profile, or empty.
    pub rules: String,
    /// The text of its rule file.
    pub rules_text: String,
    /// The player of the white pieces, or empty.
    pub white: String,
    /// The player of the black pieces, or empty.
    pub black: String,
    /// The side whose captain plays at this board: `white`, `black` or empty.
    pub captain_plays: String,
    /// The name of a qualified arbiter who is present, or empty.
    pub present_arbiter: String,
    /// When White's clock is to be started, in nanoseconds of CLOCK_REALTIME, if that is scheduled.
    pub start_realtime_ns: Option<u64>,
    /// The clock and the game that this game was taken over from.
    pub imported_from: Option<ImportedFrom>,
}

impl From<&GameInfo> for GameText {
    fn from(game: &GameInfo) -> GameText {
        let rules = game.rules.as_ref();
        GameText {
            control: game.control.clone(),
            control_text: game.control_text.clone(),
            rules: rules.map(|rules| rules.name.clone()).unwrap_or_default(),
            rules_text: rules.map(|rules| rules.text.clone()).unwrap_or_default(),
            white: game.players.white.clone(),
            black: game.players.black.clone(),
            captain_plays: game.captain_plays.map_or("", Side::as_str).to_owned(),
            present_arbiter: game.present_arbiter.clone(),
            start_realtime_ns: game.start.map(|start| start.realtime_nsec),
            imported_from: game.imported_from.clone(),
        }
    }
}

impl GameText {
    /// The game with these texts. Rules that this version cannot read any more are left out: the clock itself
    /// has the profile, and only its text is missing then. `now` decides whether a scheduled start is still
    /// to come.
    pub fn info(self, library: &RuleLibrary, now: u64) -> GameInfo {
        let file = format!("{}.toml", self.rules);
        let rules = NamedRules::parse(library, &self.rules, self.rules_text, &file).ok();
        let start = self.start_realtime_ns.map(|realtime_nsec| ScheduledStart {
            realtime_nsec,
            starts_clock: realtime_nsec > now,
        });
        GameInfo {
            rules: rules.filter(|rules| !rules.name.is_empty()).map(Arc::new),
            captain_plays: Side::BOTH.into_iter().find(|side| side.as_str() == self.captain_plays),
            present_arbiter: self.present_arbiter,
            start,
            control: self.control,
            control_text: self.control_text,
            players: PerSide { white: self.white, black: self.black },
            imported_from: self.imported_from,
        }
    }
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

/// Where notes are put. Without a record there is nowhere.
pub struct CommandNotes(Option<Mutex<Writer>>);

struct Writer {
    ring: RingWriter,
    recorder: Waker,
    /// The number of the latest note. It starts with the present instant, so that it is higher than the
    /// numbers of the notes that an earlier process left.
    number: u64,
}

impl CommandNotes {
    /// Notes for the recorder.
    pub fn new(ring: RingWriter, recorder: Waker) -> CommandNotes {
        let number = monotonic_now().as_nanos();
        CommandNotes(Some(Mutex::new(Writer { ring, recorder, number })))
    }

    /// Nobody keeps a record.
    #[cfg(test)]
    pub fn none() -> CommandNotes {
        CommandNotes(None)
    }

    /// Adds a note. If there is no room, because the record has not been written for long, the command is
    /// recorded without it.
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
