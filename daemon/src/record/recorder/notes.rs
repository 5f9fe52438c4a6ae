//! The notes on commands that wait for the entries of their commands.

use super::replay;
use crate::game::CommandNote;
use clockd_rt::Entry;
use std::collections::BTreeMap;

/// The notes, with the numbers of their requests.
#[derive(Clone, Debug, Default)]
pub struct Notes(BTreeMap<u64, CommandNote>);

impl Notes {
    /// Keeps a note until the entry of its command is read. If `note` says who the caller is, it
    /// completes the earlier note of that command. If `note` says that the command was not sent,
    /// the earlier note is removed.
    pub fn add(&mut self, note: CommandNote) {
        match note {
            CommandNote::Given { request, .. } => {
                self.0.insert(request, note);
            }
            CommandNote::Caller { request, uid: known, capacity: of } => {
                if let Some(CommandNote::Given { uid, caller_pending, capacity, .. }) =
                    self.0.get_mut(&request)
                {
                    (*uid, *caller_pending, *capacity) = (known, false, of);
                }
            }
            CommandNote::Withdrawn { request } => {
                self.0.remove(&request);
            }
        }
    }

    /// Whether this entry is a command whose caller is not known yet.
    pub fn awaits_caller(&self, entry: &Entry) -> bool {
        let note = replay::request(entry).and_then(|request| self.0.get(&request.id));
        matches!(note, Some(CommandNote::Given { caller_pending: true, .. }))
    }

    /// Whether no note waits for the entry of its command.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes the note of this command. Drops the notes of earlier requests, because the entries of
    /// their commands were lost.
    pub fn take(&mut self, request: u64) -> Option<CommandNote> {
        let note = self.0.remove(&request);
        self.0 = self.0.split_off(&request);
        note
    }
}
