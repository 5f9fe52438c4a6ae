//! What the recorder reports about itself and about the storage, for `….Health`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The most bytes of the reason of a failure.
const REASON_LIMIT: usize = 200;

/// Written by the recorder's thread, read by the bus.
#[derive(Debug, Default)]
pub struct StorageStatus {
    /// Why the record is not written; empty while it is.
    failure: Mutex<String>,
    /// The number of the latest entry that is written.
    recorded: AtomicU64,
    /// How many entries are in memory and not written.
    uncommitted: AtomicU64,
    /// How many entries were lost since the service started.
    lost: AtomicU64,
    /// The size of the record, in bytes.
    bytes: AtomicU64,
}

impl StorageStatus {
    /// The record is not written, for this reason.
    pub fn failing(reason: &str) -> StorageStatus {
        let status = StorageStatus::default();
        status.set_failure(reason);
        status
    }

    /// The record is not written, for this reason; with an empty reason it is. Of a longer reason the
    /// first 200 bytes are kept.
    pub fn set_failure(&self, reason: &str) {
        let end = reason.floor_char_boundary(REASON_LIMIT);
        reason[..end].clone_into(&mut self.lock());
    }

    /// Entries were written, the latest of which has this number, and so many wait.
    pub fn set_written(&self, recorded: u64, uncommitted: u64, bytes: u64) {
        self.recorded.store(recorded, Ordering::Relaxed);
        self.uncommitted.store(uncommitted, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// So many entries wait.
    pub fn set_uncommitted(&self, uncommitted: u64) {
        self.uncommitted.store(uncommitted, Ordering::Relaxed);
    }

    /// So many entries were lost since the service started.
    pub fn set_lost(&self, lost: u64) {
        self.lost.store(lost, Ordering::Relaxed);
    }

    /// Why the record is not written; empty while it is.
    pub fn failure(&self) -> String {
        self.lock().clone()
    }

    /// The number of the latest entry that is written.
    pub fn recorded(&self) -> u64 {
        self.recorded.load(Ordering::Relaxed)
    }

    /// How many entries are in memory and not written.
    pub fn uncommitted(&self) -> u64 {
        self.uncommitted.load(Ordering::Relaxed)
    }

    /// How many entries were lost since the service started.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// The size of the record, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, String> {
        self.failure.lock().expect("nothing panics while it holds the lock")
    }
}
