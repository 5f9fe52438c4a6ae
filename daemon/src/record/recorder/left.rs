//! What an earlier process of this boot left in the retained memory.

use super::noted_entry::NotedEntry;
use super::replay::{Replay, request};
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
    games: Vec<u64>,
    /// Whether the entry with which the game of `clock` begins is still in the memory.
    has_begin: bool,
    pub alive: Option<Instant>,
    /// The number of the first entry that is still in the memory, less one.
    pub before: Option<u64>,
    /// The number of the last entry that the recorder has not released.
    pub last: Option<u64>,
    /// Which part of the memory is damaged, besides the names and texts.
    pub damage: Option<&'static str>,
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
            Origin::Damaged => return Left { damage: Some("all of it"), ..Left::default() },
        }
        let snapshot = memory.snapshot();
        let mut id = snapshot.as_ref().map_or(0, |kept| kept.game);
        let clock = snapshot.and_then(|kept| postcard::from_bytes(&kept.bytes).ok());
        let mut replay = Replay::of(clock);
        let entries = memory.left_entries();
        let mut damage = memory.snapshot_is_damaged().then_some("the clock");
        damage = damage.or(entries.damaged.then_some("the entries"));
        let identity_is_damaged = memory.identity_is_damaged();
        let before = entries.frames.first().map(|(number, _)| number.saturating_sub(1));
        let last = entries.frames.last().map(|(number, _)| *number);
        let (mut games, mut noted) = (Vec::new(), None);
        let mut begun = Vec::new();
        for (number, bytes) in entries.frames {
            let Ok(entry) = NotedEntry::read(&bytes) else {
                damage = Some("an entry");
                break;
            };
            begun.extend(begins(&entry));
            if !games.contains(&entry.game) {
                games.push(entry.game);
            }
            let is_included = number <= replay.last();
            if !is_included {
                let Ok(replayed) = replay.apply(number, &entry.entry) else {
                    damage = Some("the clock or an entry, which do not fit together");
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
        if replay.last() < memory.included() {
            damage = Some("the clock, which lacks entries");
        }
        let alive = memory.last_alive().unwrap_or_else(|_| {
            damage = Some("the time at which the clock was alive");
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
        Left {
            clock,
            id,
            identity,
            identity_is_damaged,
            games,
            alive,
            has_begin: begun.contains(&id),
            before,
            last,
            damage,
        }
    }

    /// The identities of the games that have entries or a clock in the memory. The list is empty if the memory
    /// has no clock, or if a part of the memory is damaged.
    pub fn games(&self) -> Vec<u64> {
        match self.clock {
            Some(_) if self.damage.is_none() => [&[self.id], &*self.games].concat(),
            _ => Vec::new(),
        }
    }

    /// The identity of the clock's game, and the number of its latest entry, if this game must be on record.
    /// It must be if its first entry is no longer in the memory, because the recorder frees an entry only after
    /// it has written it, or if no record is kept. `None` in every other case, and if the memory is damaged.
    pub fn expected(&self) -> Option<(u64, u64)> {
        let clock = self.clock.as_ref().filter(|_| self.damage.is_none() && !self.has_begin)?;
        Some((self.id, clock.entry()))
    }

    /// How many entries of the clock follow the latest entry that is on record or in the retained memory. These
    /// are lost. Returns 0 if no record is kept, or if neither of them has an entry.
    pub fn lost(&self, recorder: &Recorder) -> u64 {
        let Some(clock) = self.clock.as_ref().filter(|_| recorder.settings.path.is_some()) else {
            return 0;
        };
        // An entry that is still in the memory is not lost: it waits for the storage, or for the
        // caller of its command.
        let on_record = recorder.ledger.last().max(recorder.done);
        match on_record.max(self.last.unwrap_or_default()) {
            0 => 0,
            reached => clock.entry().saturating_sub(reached),
        }
    }
}

/// The identity of the game that begins with this entry. If the entry is a command, it is not known whether
/// the clock has refused it.
fn begins(entry: &NotedEntry) -> Option<u64> {
    match request(&entry.entry) {
        Some(request) => entry.given().filter(|_| sets_up(&request.command)).map(|given| given.id),
        // A restart also adds a state, and its clock can be new, too. That state follows lost entries.
        None => {
            let is_first = matches!(entry.entry, Entry::State { lost: 0, .. });
            (is_first && entry.is_set_up()).then_some(entry.game)
        }
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
