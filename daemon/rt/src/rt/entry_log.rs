//! Writes the inputs and the state of the clock loop into the retained memory, which outlives the
//! daemon.

use super::entry::{Entry, EntryFrame, FRAME_HEADER, MAX_ENTRY};
use super::health::Health;
use crate::retained::{RingWriter, SnapshotWriter, Waker};
use clockd_core::{Input, VersionedClock};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Why a snapshot is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// The latest snapshot does not include all entries. The others are in the ring, so replaying
    /// them gives the state.
    HasInputs,
    /// Entries were lost, or the recorder needs the whole clock.
    NeedsState,
}

/// Writes entries and snapshots. It allocates nothing and never blocks.
pub struct EntryLog {
    entries: RingWriter,
    snapshot: SnapshotWriter,
    recorder: Waker,
    health: Arc<Health>,
    buffer: Box<[u8; FRAME_HEADER + MAX_ENTRY]>,
    /// The identity of the game on the clock.
    game: u64,
    /// The number of the latest entry that the latest snapshot includes, and the checksum of that
    /// snapshot. The snapshot contains the clock as it was after this entry.
    sum: Option<(u64, u32)>,
    /// How many entries were lost since an entry last found room. The number includes the entries
    /// that an earlier process lost (`after_lost`).
    lost: u64,
    /// Whether the latest snapshot does not include the latest entry. That entry can have been
    /// lost.
    is_behind: bool,
}

impl EntryLog {
    /// A log that writes into these ends of the retained memory, and has lost no entry.
    pub fn new(
        entries: RingWriter,
        snapshot: SnapshotWriter,
        recorder: Waker,
        health: Arc<Health>,
    ) -> EntryLog {
        let buffer = Box::new([0xFF; FRAME_HEADER + MAX_ENTRY]);
        EntryLog {
            entries,
            snapshot,
            recorder,
            health,
            buffer,
            game: 0,
            sum: None,
            lost: 0,
            is_behind: false,
        }
    }

    /// Makes the log count `lost` entries, which an earlier process has lost. The next
    /// [`Entry::State`] contains this number.
    #[must_use]
    pub fn after_lost(self, lost: u64) -> EntryLog {
        EntryLog { lost, ..self }
    }

    /// Sets the identity of the game on the clock. All later frames and snapshots have it.
    pub fn set_game(&mut self, game: u64) {
        self.game = game;
        self.snapshot.set_game(game);
    }

    /// Adds an input as an entry, before the clock handles it. `clock` is the clock before the
    /// input. If entries were lost before, or the recorder needs the whole clock, the whole clock
    /// is added first. If the ring has no room for the whole clock or for the input, the input is
    /// lost; older entries stay in the ring. `note` is what the program that gave a command notes for
    /// the record; empty for other inputs.
    pub fn input(&mut self, clock: &VersionedClock, input: &Input, note: &[u8]) {
        self.is_behind = true;
        let lost = self.lost;
        let is_wanted = self.health.state_wanted.swap(false, Ordering::Relaxed);
        if (lost > 0 || is_wanted)
            && !self.put(clock.entry(), &[], |buffer| Entry::write_state(clock, lost, buffer))
        {
            self.count_lost();
            return;
        }
        self.lost = 0;
        let sum = self.sum.filter(|(entry, _)| *entry == clock.entry()).map(|(_, sum)| sum);
        if !self.put(clock.entry() + 1, note, |buffer| Entry::write_input(input, sum, buffer)) {
            self.count_lost();
        }
    }

    /// Adds the whole clock as the entry with the number [`VersionedClock::entry`]. `note` is what the
    /// program that has set the game up notes for the record; empty if the clock is that of an earlier game.
    pub fn state(&mut self, clock: &VersionedClock, note: &[u8]) {
        self.is_behind = true;
        let lost = self.lost;
        if self.put(clock.entry(), note, |buffer| Entry::write_state(clock, lost, buffer)) {
            self.lost = 0;
        } else {
            self.count_lost();
        }
    }

    /// Why [`EntryLog::keep`] must be called; `None` if it would do nothing.
    pub(super) fn is_behind(&self) -> Option<Behind> {
        if self.lost > 0 || self.health.state_wanted.load(Ordering::Relaxed) {
            Some(Behind::NeedsState)
        } else {
            self.is_behind.then_some(Behind::HasInputs)
        }
    }

    /// If the latest snapshot does not include the latest entry, takes a snapshot and then wakes
    /// the recorder. The recorder may release an entry only when a snapshot includes it.
    ///
    /// If entries were lost, or the recorder needs the whole clock, the whole clock is added first,
    /// as soon as there is room.
    pub fn keep(&mut self, clock: &VersionedClock) {
        let is_wanted = self.health.state_wanted.swap(false, Ordering::Relaxed);
        let lost = self.lost;
        if lost > 0 || is_wanted {
            if self.put(clock.entry(), &[], |buffer| Entry::write_state(clock, lost, buffer)) {
                self.lost = 0;
                self.is_behind = true;
            } else if is_wanted {
                self.health.state_wanted.store(true, Ordering::Relaxed);
            }
        }
        if !std::mem::take(&mut self.is_behind) {
            return;
        }
        // The buffer has room for the largest clock; a test checks this.
        if let Ok(written) = postcard::to_slice(clock, self.snapshot.buffer()) {
            let length = written.len();
            self.sum = Some((clock.entry(), crc32fast::hash(written)));
            self.snapshot.commit(length, clock.entry());
        }
        self.recorder.wake();
    }

    /// Uses the memory and the code of the entry log once, so that no page fault delays a later
    /// input. The entries that are encoded here are not added; the snapshot is written as after an
    /// input.
    pub(super) fn prefault(&mut self, clock: &VersionedClock) {
        let buffer = self.buffer.as_mut_slice();
        std::hint::black_box(Entry::write_state(clock, 0, buffer).map(crc32fast::hash));
        let input = Input::Time(clock.last());
        std::hint::black_box(Entry::write_input(&input, None, buffer).map(crc32fast::hash));
        self.is_behind = true;
        self.keep(clock);
    }

    fn put(
        &mut self,
        number: u64,
        note: &[u8],
        write: impl FnOnce(&mut [u8]) -> Option<&[u8]>,
    ) -> bool {
        let buffer = self.buffer.as_mut_slice();
        let Some(length) = write(&mut buffer[FRAME_HEADER..]).map(<[u8]>::len) else {
            return false;
        };
        let first = EntryFrame::write_header(self.game, length, buffer);
        let is_added = self.entries.push_parts(number, [&buffer[..first], note]).is_ok();
        if is_added {
            self.health.latest_entry.store(number, Ordering::Release);
        }
        is_added
    }

    fn count_lost(&mut self) {
        self.lost += 1;
        self.health.lost_entries.fetch_add(1, Ordering::Relaxed);
    }
}
