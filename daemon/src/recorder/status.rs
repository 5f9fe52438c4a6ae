//! What the recorder tells of itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The recorder's thread writes it; any thread reads it.
#[derive(Debug, Default)]
pub struct RecordStatus {
    /// Why nothing is written at present.
    error: Mutex<Option<String>>,
    /// The number of the latest entry that is on record.
    committed: AtomicU64,
    /// The number of the latest entry that the recorder knows of.
    known: AtomicU64,
    /// The number of the entry before those that are known to be missing. It counts until an entry is committed.
    before: AtomicU64,
    /// The size of the record, in bytes.
    bytes: AtomicU64,
}

impl RecordStatus {
    fn lock(&self) -> MutexGuard<'_, Option<String>> {
        self.error.lock().expect("nothing panics while it holds the lock")
    }

    /// Why nothing is written at present, if that is so.
    pub fn error(&self) -> Option<String> {
        self.lock().clone()
    }

    /// Returns whether that is a change.
    pub(super) fn set_error(&self, error: Option<String>) -> bool {
        let mut present = self.lock();
        let changes = *present != error;
        *present = error;
        changes
    }

    /// The number of the latest entry that is on record.
    pub fn committed(&self) -> u64 {
        self.committed.load(Ordering::Relaxed)
    }

    /// How many entries are not on record yet.
    pub fn uncommitted(&self) -> u64 {
        let committed = self.committed().max(self.before.load(Ordering::Relaxed));
        self.known.load(Ordering::Relaxed).saturating_sub(committed)
    }

    /// The size of the record, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(super) fn set_committed(&self, entry: u64, bytes: u64) {
        self.committed.store(entry, Ordering::Relaxed);
        self.known.fetch_max(entry, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// The record cannot be read yet: the entries after this one are to be recorded.
    pub(super) fn count_after(&self, entry: u64) {
        self.before.store(entry, Ordering::Relaxed);
    }

    pub(super) fn set_known(&self, entry: u64) {
        self.known.fetch_max(entry, Ordering::Relaxed);
    }
}
