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
    /// The number after which the entries begin that are to be on record.
    begins_after: AtomicU64,
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

    /// How many entries are not on record yet, if `latest` is the number of the latest one.
    ///
    /// The recorder does not know of all of them: it reads none while it waits for the storage, and only a batch
    /// while that fails.
    pub fn uncommitted(&self, latest: u64) -> u64 {
        let done = self.committed().max(self.begins_after.load(Ordering::Relaxed));
        self.known.load(Ordering::Relaxed).max(latest).saturating_sub(done)
    }

    /// Entries up to this number are not counted as missing from the record. Where the record cannot be read, numbers
    /// begin with a high one.
    pub(super) fn set_begins_after(&self, entry: u64) {
        self.begins_after.store(entry, Ordering::Relaxed);
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

    pub(super) fn set_known(&self, entry: u64) {
        self.known.fetch_max(entry, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_the_recorder_has_not_read_are_counted_too() {
        let status = RecordStatus::default();
        status.set_begins_after(1_000);
        assert_eq!(status.uncommitted(1_000), 0);
        status.set_known(1_064);
        assert_eq!((status.uncommitted(1_001), status.uncommitted(1_100)), (64, 100));
        status.set_committed(1_099, 1);
        assert_eq!(status.uncommitted(1_100), 1);
    }
}
