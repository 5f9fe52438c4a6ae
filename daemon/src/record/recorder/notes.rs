//! The notes that wait for their entries. A note on a command says who gave the command and why. A
//! note on a game has the names and texts of a game that the configuration has set up.

use super::replay;
use crate::game::{CommandNote, GameText};
use clockd_rt::Entry;
use std::collections::BTreeMap;

/// The notes that wait for their entries.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// The notes on commands, with the numbers of their requests.
    commands: BTreeMap<u64, CommandNote>,
    /// The games that the configuration has set up, with the numbers of their first entries.
    set_up: BTreeMap<u64, GameText>,
}

impl Notes {
    /// Keeps a note until the entry of its command is read. If `note` says who the caller is, it
    /// completes the earlier note of that command.
    pub fn add(&mut self, note: CommandNote) {
        match note {
            CommandNote::Given { request, .. } => {
                self.commands.insert(request, note);
            }
            CommandNote::Caller { request, uid: known, capacity: of } => {
                if let Some(CommandNote::Given { uid, caller_pending, capacity, .. }) =
                    self.commands.get_mut(&request)
                {
                    (*uid, *caller_pending, *capacity) = (known, false, of);
                }
            }
            CommandNote::SetUp { first_entry, game } => {
                self.set_up.insert(first_entry, *game);
            }
        }
    }

    /// Whether this entry is a command whose caller is not known yet.
    pub fn awaits_caller(&self, entry: &Entry) -> bool {
        let note = replay::request(entry).and_then(|request| self.commands.get(&request.id));
        matches!(note, Some(CommandNote::Given { caller_pending: true, .. }))
    }

    /// Whether no note waits for its entry.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.set_up.is_empty()
    }

    /// The first entry of the latest game that the configuration has set up with an entry after
    /// `last`, up to the entry `number`.
    pub fn latest_set_up(&self, last: u64, number: u64) -> Option<u64> {
        self.set_up.range(..=number).next_back().map(|(first, _)| *first).filter(|it| *it > last)
    }

    /// Takes the names and texts of the game that the configuration has set up with the entry
    /// `first_entry`, and drops those up to the entry `number`.
    pub fn take_set_up(&mut self, first_entry: Option<u64>, number: u64) -> Option<GameText> {
        let text = first_entry.and_then(|first| self.set_up.remove(&first));
        self.set_up = self.set_up.split_off(&(number + 1));
        text
    }

    /// Takes the note of this command. Drops the notes of earlier requests, because the entries of
    /// their commands were lost.
    pub fn take(&mut self, request: u64) -> Option<CommandNote> {
        let note = self.commands.remove(&request);
        self.commands = self.commands.split_off(&request);
        note
    }
}
