//! The reports of the recorder: to the clock loop, to the callers of commands, and in the log.

use crate::game::{OnRecord, RecordStatus};
use clock_record::RecordError;
use clockd_rt::Health;
use clockd_rt::channel::Notifier;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::watch;

/// Sets the faults of the record and notifies the clock loop, which publishes them.
pub struct Reports {
    health: Arc<Health>,
    /// What the recorder reports about itself.
    pub(super) status: Arc<RecordStatus>,
    /// Which entries are on record. The answers to commands wait for changes of this value.
    pub(super) committed: watch::Sender<OnRecord>,
    /// The highest number of an entry for which [`Reports::ask_for_state`] has asked the clock loop
    /// for its state.
    asked_at: u64,
    /// Whether the storage works again, but the clock loop has not been notified of it yet.
    has_recovered: bool,
    /// Wakes the clock loop; `None` before the recorder's thread is started.
    clock_loop: Option<Notifier>,
}

impl Reports {
    pub fn new(
        health: Arc<Health>,
        status: Arc<RecordStatus>,
        committed: watch::Sender<OnRecord>,
    ) -> Reports {
        Reports { health, status, committed, asked_at: 0, has_recovered: false, clock_loop: None }
    }

    /// Sets the clock loop that is notified from now on.
    pub fn notify_from_now_on(&mut self, clock_loop: Notifier) {
        self.clock_loop = Some(clock_loop);
    }

    fn notify(&self) {
        if let Some(clock_loop) = &self.clock_loop {
            clock_loop.notify();
        }
    }

    /// Sets the latest entry on record and the number of its game. If that gives the game on the clock
    /// another number, notifies the clock loop, which makes an update. Before the recorder's thread is
    /// started, no number has been published.
    pub fn set_game(&self, entry: u64, game: u64) {
        if self.status.set_game(entry, game)
            && let Some(clock_loop) = &self.clock_loop
        {
            self.health.renumbered.store(true, Ordering::Release);
            clock_loop.notify();
        }
    }

    /// Reports that a replay of the record does not give the state of the clock.
    pub fn mismatch(&self) {
        self.health.record_mismatch.store(true, Ordering::Relaxed);
    }

    /// Reports that the latest game on record is not the game on the clock, so that the game on the
    /// clock is recorded as another game.
    pub fn another_game(&self) {
        tracing::error!(
            "the latest game on record is not the running one, which is recorded as another game"
        );
        self.mismatch();
        self.notify();
    }

    /// Reports that the record could not be used and that another record was begun.
    pub fn moved_aside(&self) {
        self.health.record_moved_aside.store(true, Ordering::Relaxed);
        self.notify();
    }

    /// Asks the clock loop to add its state as an entry, because the entries no longer lead to the
    /// state of the clock. `number` is the entry at fault, and `why` is written to the log. The
    /// loop is asked only if `number` is higher than at the previous request. If the loop were
    /// always asked and the added state could not be read either, it would be asked without end.
    pub fn ask_for_state(&mut self, number: u64, why: &str) {
        tracing::error!("the record: {why}");
        self.mismatch();
        if number > self.asked_at {
            self.asked_at = number;
            self.health.state_wanted.store(true, Ordering::Relaxed);
        }
        self.notify();
    }

    /// Reports that this many entries will never be on record.
    pub fn lost(&self, entries: u64) {
        if entries > 0 {
            tracing::error!(lost = entries, "entries are not recorded");
            self.health.lost_entries.fetch_add(entries, Ordering::Relaxed);
            self.notify();
        }
    }

    /// Reports that this many entries of the latest game on record were lost before the record was
    /// opened, in the present boot. The states on record that follow them have their number, so the
    /// fault outlives the process that found the loss.
    pub fn lost_in_game(&self, entries: u64) {
        if entries > 0 {
            tracing::warn!(lost = entries, "the game on record lacks entries");
            self.health.lost_entries.fetch_add(entries, Ordering::Relaxed);
            self.notify();
        }
    }

    /// How many entries have been reported as lost.
    pub fn lost_so_far(&self) -> u64 {
        self.health.lost_entries.load(Ordering::Relaxed)
    }

    /// Reports that an earlier process has lost this number of entries, besides the `known` ones
    /// that were reported first. Some of them may have been reported already.
    pub fn lost_before(&self, known: u64, entries: u64) {
        let all = known + entries;
        if self.health.lost_entries.fetch_max(all, Ordering::Relaxed) < all {
            tracing::error!(
                lost = entries,
                "entries of the process before this one are not recorded"
            );
        }
    }

    /// Reports that a part of the retained memory is damaged.
    pub fn memory_damaged(&self, part: &str) {
        tracing::error!(
            part,
            "the memory of the process before this one is damaged: presses can be missing"
        );
        self.health.memory_damaged.store(true, Ordering::Relaxed);
    }

    /// Reports that the storage has failed.
    pub fn failed(&self, error: &RecordError) {
        if self.status.set_error(Some(error.to_string())) {
            tracing::error!(%error, "nothing can be recorded; the clock goes on");
        }
        if !self.health.storage_failed.swap(true, Ordering::Relaxed) {
            self.notify();
        }
    }

    /// Reports that the storage works. The caller must call [`Reports::tell_of_recovery`] after it
    /// has freed memory for new entries.
    pub fn succeeded(&mut self) {
        if self.status.set_error(None) {
            tracing::info!("the record is written again");
        }
        self.has_recovered |= self.health.storage_failed.swap(false, Ordering::Relaxed);
    }

    /// Notifies the clock loop that the storage works again, if it has not been notified yet. The
    /// loop publishes the end of the fault. If entries were lost, it also adds its state as an
    /// entry.
    pub fn tell_of_recovery(&mut self) {
        if std::mem::take(&mut self.has_recovered) {
            self.notify();
        }
    }
}
