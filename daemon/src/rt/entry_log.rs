//! Keeps what the clock loop decides in memory that outlives the daemon.

use super::entry::{Entry, MAX_ENTRY};
use super::health::Health;
use crate::retained::{RingWriter, SnapshotWriter, Waker};
use clockd_core::{Input, VersionedClock};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Writes entries and snapshots. It allocates nothing and never blocks.
pub struct EntryLog {
    entries: RingWriter,
    snapshot: SnapshotWriter,
    recorder: Waker,
    health: Arc<Health>,
    buffer: Box<[u8; MAX_ENTRY]>,
    /// The number of the latest entry that the snapshot has, and the checksum of the clock after
    /// it.
    sum: Option<(u64, u32)>,
    /// The entries that found no room since one did.
    lost: u64,
    /// Whether there is something that the snapshot does not have yet.
    is_behind: bool,
}

impl EntryLog {
    pub fn new(
        entries: RingWriter,
        snapshot: SnapshotWriter,
        recorder: Waker,
        health: Arc<Health>,
    ) -> EntryLog {
        let buffer = Box::new([0xFF; MAX_ENTRY]);
        EntryLog {
            entries,
            snapshot,
            recorder,
            health,
            buffer,
            sum: None,
            lost: 0,
            is_behind: false,
        }
    }

    /// Keeps an input of this clock before it is decided. If there is no room, the entry is lost:
    /// those that are there already stay.
    pub fn input(&mut self, clock: &VersionedClock, input: &Input) {
        self.is_behind = true;
        let lost = self.lost;
        let is_wanted = self.health.state_wanted.swap(false, Ordering::Relaxed);
        if (lost > 0 || is_wanted)
            && !self.put(clock.entry(), |buffer| Entry::write_state(clock, lost, buffer))
        {
            self.count_lost();
            return;
        }
        self.lost = 0;
        let sum = self.sum.filter(|(entry, _)| *entry == clock.entry()).map(|(_, sum)| sum);
        if !self.put(clock.entry() + 1, |buffer| Entry::write_input(input, sum, buffer)) {
            self.count_lost();
        }
    }

    /// Keeps the whole clock as the entry that has the clock's number.
    pub fn state(&mut self, clock: &VersionedClock) {
        self.is_behind = true;
        if !self.put(clock.entry(), |buffer| Entry::write_state(clock, 0, buffer)) {
            self.count_lost();
        }
    }

    /// Takes a snapshot if something has happened since the one before, and then wakes the
    /// recorder: an entry may be released only when a snapshot has it.
    ///
    /// If entries were lost, or the recorder needs the whole clock, that is kept as soon as there
    /// is room.
    pub fn keep(&mut self, clock: &VersionedClock) {
        let is_wanted = self.health.state_wanted.swap(false, Ordering::Relaxed);
        let lost = self.lost;
        if (lost > 0 || is_wanted)
            && self.put(clock.entry(), |buffer| Entry::write_state(clock, lost, buffer))
        {
            self.lost = 0;
            self.is_behind = true;
        }
        if !std::mem::take(&mut self.is_behind) {
            return;
        }
        // There is room for the largest clock; a test has it.
        if let Ok(written) = postcard::to_slice(clock, self.snapshot.buffer()) {
            let length = written.len();
            self.sum = Some((clock.entry(), crc32fast::hash(written)));
            self.snapshot.commit(length, clock.entry());
        }
        self.recorder.wake();
    }

    /// Uses all of its memory and code once, without a trace: what is written is not added to the
    /// entries.
    pub fn prefault(&mut self, clock: &VersionedClock) {
        let buffer = self.buffer.as_mut_slice();
        std::hint::black_box(Entry::write_state(clock, 0, buffer).map(crc32fast::hash));
        let input = Input::Time(clock.last());
        std::hint::black_box(Entry::write_input(&input, None, buffer).map(crc32fast::hash));
        self.is_behind = true;
        self.keep(clock);
    }

    fn put<'a>(
        &'a mut self,
        number: u64,
        write: impl FnOnce(&'a mut [u8]) -> Option<&'a [u8]>,
    ) -> bool {
        let written = write(self.buffer.as_mut_slice());
        written.is_some_and(|bytes| self.entries.push(number, bytes).is_ok())
    }

    fn count_lost(&mut self) {
        self.lost += 1;
        self.health.lost_entries.fetch_add(1, Ordering::Relaxed);
    }
}
