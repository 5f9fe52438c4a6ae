//! What an earlier process of this boot left in the retained memory.

use super::join::entries_up_to;
use super::noted_entry::NotedEntry;
use super::replay::{Replay, is_new, request};
use super::writer::Recorder;
use crate::game::{EntryNote, GameText, Identity, sets_up};
use clock_engine::Instant;
use clockd_rt::retained::{Origin, RetainedMemory};
use clockd_rt::{Entry, VersionedClock};

/// What an earlier process of this boot left in the retained memory.
#[derive(Default)]
pub struct Left {
    pub clock: Option<Box<VersionedClock>>,
    /// The identity of the game of `clock`.
    pub id: u64,
    /// The names and texts of this game. The game may not be on record yet.
    pub identity: Option<Identity>,
    /// Whether the part of the memory with the names and texts is damaged. The clock can be used
    /// nevertheless.
    pub identity_is_damaged: bool,
    /// The identities of the games of the entries that are still in the memory.
    pub games: Vec<u64>,
    pub alive: Option<Instant>,
    /// The number of the first entry that is still in the memory, less one.
    pub before: Option<u64>,
    /// Whether the first entry that is still in the memory is the first entry of the clock, so that
    /// no entry of the clock has left the memory.
    pub has_first: bool,
    /// The number of the last entry that the recorder has not released.
    pub last: Option<u64>,
    /// Whether a part of the memory is damaged.
    pub is_damaged: bool,
}

/// The game that entries in the memory have set up or changed.
#[derive(Default)]
struct NotedText {
    id: u64,
    text: GameText,
    is_configured: bool,
    /// Whether the entry is in the snapshot of the clock. Then the names and texts that the main thread has
    /// kept can be later ones.
    is_included: bool,
}

impl Left {
    pub fn of(memory: &RetainedMemory, origin: Origin) -> Left {
        match origin {
            Origin::Earlier => {}
            Origin::New => return Left::default(),
            Origin::Damaged => return Left { is_damaged: true, ..Left::default() },
        }
        let snapshot = memory.snapshot();
        let mut id = snapshot.as_ref().map_or(0, |kept| kept.game);
        let clock = snapshot.and_then(|kept| postcard::from_bytes(&kept.bytes).ok());
        let mut replay = Replay::of(clock);
        let entries = memory.left_entries();
        let mut is_damaged = entries.damaged || memory.snapshot_is_damaged();
        let identity_is_damaged = memory.identity_is_damaged();
        let before = entries.frames.first().map(|(number, _)| number.saturating_sub(1));
        let last = entries.frames.last().map(|(number, _)| *number);
        let (mut games, mut noted) = (Vec::new(), None);
        let mut has_first = None;
        for (number, bytes) in entries.frames {
            let Ok(entry) = NotedEntry::read(&bytes) else {
                is_damaged = true;
                break;
            };
            // The state that a restart adds can be that of a new clock, too. If entries were lost
            // before it, it is not the first entry.
            let is_first = matches!(entry.entry, Entry::State { lost: 0, .. });
            has_first.get_or_insert(is_first && is_new(&entry.entry));
            if !games.contains(&entry.game) {
                games.push(entry.game);
            }
            let is_included = number <= replay.last();
            if !is_included {
                let Ok(replayed) = replay.apply(number, &entry.entry) else {
                    is_damaged = true;
                    break;
                };
                id = entry.game;
                if replayed.updates.iter().any(clockd_rt::begins_game) {
                    id = entry.given().map_or(0, |given| given.id);
                }
                if !replayed.is_done() && entry.command().is_some() {
                    continue;
                }
            }
            noted = NotedText::of(&entry, is_included).or(noted);
        }
        is_damaged |= replay.last() < memory.included();
        let alive = memory.last_alive().unwrap_or_else(|_| {
            is_damaged = true;
            None
        });
        let kept = memory.identity().and_then(|kept| Identity::read(&kept, id));
        let noted = noted.filter(|noted: &NotedText| noted.id == id);
        // If the main thread was killed before it kept the names and texts, the entry has them.
        let identity = match (kept, noted) {
            (Some(kept), Some(noted)) if !noted.is_included => {
                Identity { text: noted.text, is_configured: noted.is_configured, ..kept }
            }
            (Some(kept), _) => kept,
            (None, Some(NotedText { text, is_configured, .. })) => {
                Identity { text, is_configured, ..Identity::default() }
            }
            // The game gets the name of the time control that is on the clock.
            (None, None) => Identity::default(),
        };
        let clock = replay.clock().cloned().map(Box::new);
        let identity = clock.is_some().then_some(identity);
        let has_first = has_first.unwrap_or_default();
        Left {
            clock,
            id,
            identity,
            identity_is_damaged,
            games,
            alive,
            before,
            has_first,
            last,
            is_damaged,
        }
    }

    /// The number of the latest entry of the clock; 0 if there is none.
    pub fn last_entry(&self) -> u64 {
        self.clock.as_ref().map_or(0, |clock| clock.entry())
    }

    /// How many entries of the clock are neither on record nor in the retained memory. `is_gone`
    /// says whether the record had no entry of the clock when it was opened. 0 if no record is
    /// kept.
    pub fn lost(&self, recorder: &Recorder, is_gone: bool) -> u64 {
        let Some(clock) = self.clock.as_ref().filter(|_| recorder.settings.path.is_some()) else {
            return 0;
        };
        let latest = clock.entry();
        let ledger = &recorder.ledger;
        if is_gone {
            let all = entries_up_to(latest);
            let before = match self.before.filter(|_| self.has_first) {
                Some(before) => before,
                None if all == latest => 0,
                None => return all,
            };
            // An entry that was in the memory may have become the first one on record.
            let Some(first) = ledger.first_entry() else { return latest.saturating_sub(before) };
            let reached = ledger.last().max(self.last.unwrap_or_default());
            return (first - 1).saturating_sub(before) + latest.saturating_sub(reached);
        }
        // An entry that is still in the memory is not lost: it waits for the storage, or for the
        // caller of its command.
        let reached = match (ledger.last().max(recorder.done), self.last) {
            (0, last) => last.unwrap_or(latest),
            (on_record, last) => on_record.max(last.unwrap_or_default()),
        };
        latest.saturating_sub(reached)
    }
}

impl NotedText {
    /// What this entry notes of its game. If the entry `is_included` in the snapshot, it is not known
    /// whether a command was carried out; one that begins the game on the clock was.
    fn of(entry: &NotedEntry, is_included: bool) -> Option<NotedText> {
        if let Some(EntryNote::SetUp(text)) = &entry.note {
            let (id, text) = (entry.game, (**text).clone());
            return Some(NotedText { id, text, is_configured: true, is_included });
        }
        let request = request(&entry.entry)?;
        let given = entry.given().filter(|_| !is_included || sets_up(&request.command))?;
        let (id, text) = (given.id, given.text.clone());
        Some(NotedText { id, text, is_configured: false, is_included })
    }
}
