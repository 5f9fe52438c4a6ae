//! What the recorder reports: to the clock loop, to the callers of commands, and in the log.

use crate::game::{OnRecord, RecordStatus};
use crate::record::store::StoreError;
use crate::rt::Health;
use crate::rt::channel::Notifier;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::watch;

/// Sets the faults of the record and notifies the clock loop, which publishes them.
pub struct Reports {
    health: Arc<Health>,
    /// What the recorder reports about itself.
    pub(super) status: Arc<RecordStatus>,
    /// Which entries are on record.
    pub(super) committed: watch::Sender<OnRecord>,
    /// The latest entry for which the clock loop was asked to add its state.
    asked_at: u64,
    /// Whether the storage works again, and the clock loop does not know it.
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

    /// From now on the clock loop is notified.
    pub fn notify_from_now_on(&mut self, clock_loop: Notifier) {
        self.clock_loop = Some(clock_loop);
    }

    fn notify(&self) {
        if let Some(clock_loop) = &self.clock_loop {
            clock_loop.notify();
        }
    }

    /// Replaying the record does not give the state of the clock.
    pub fn mismatch(&self) {
        self.health.record_mismatch.store(true, Ordering::Relaxed);
    }

    /// The record could not be used, and another one was begun.
    pub fn moved_aside(&self) {
        self.health.record_moved_aside.store(true, Ordering::Relaxed);
        self.notify();
    }

    /// The entries do not lead to the clock's state any more, so the clock loop is to add that
    /// state. It is asked once for each number: a state that cannot be read either would otherwise
    /// be asked for without end.
    pub fn ask_for_state(&mut self, number: u64, why: &str) {
        tracing::error!("the record: {why}");
        self.mismatch();
        if number > self.asked_at {
            self.asked_at = number;
            self.health.state_wanted.store(true, Ordering::Relaxed);
        }
        self.notify();
    }

    /// These inputs will not be on record.
    pub fn lost(&self, entries: u64) {
        if entries > 0 {
            tracing::error!(lost = entries, "entries are not recorded");
            self.health.lost_entries.fetch_add(entries, Ordering::Relaxed);
            self.notify();
        }
    }

    /// The storage has failed.
    pub fn failed(&self, error: &StoreError) {
        if self.status.set_error(Some(error.to_string())) {
            tracing::error!(%error, "nothing can be recorded; the clock goes on");
        }
        if !self.health.storage_failed.swap(true, Ordering::Relaxed) {
            self.notify();
        }
    }

    /// The storage works. [`Reports::tell_of_recovery`] is to follow once there is room again.
    pub fn succeeded(&mut self) {
        if self.status.set_error(None) {
            tracing::info!("the record is written again");
        }
        self.has_recovered |= self.health.storage_failed.swap(false, Ordering::Relaxed);
    }

    /// Wakes the clock loop once there is room again: it publishes that the fault is gone, and adds
    /// its state if entries were lost.
    pub fn tell_of_recovery(&mut self) {
        if std::mem::take(&mut self.has_recovered) {
            self.notify();
        }
    }
}
