//! Which operation fails and how, and the list of the operations that were carried out.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A kind of operation that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Opening or creating a file.
    Open,
    /// Reading.
    Read,
    /// Writing.
    Write,
    /// Waiting until what was written is on the disk.
    Sync,
    /// Shortening a file.
    Truncate,
    /// Deleting a file.
    Delete,
    /// Locking a file, or a part of the index of the write-ahead log.
    Lock,
}

const KINDS: usize = 7;

/// What happens in place of an operation, or before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing is done and this code of SQLite is returned.
    Fail(i32),
    /// The first half of the bytes is written and this code is returned. Other operations than
    /// writes fail as a whole.
    ShortWrite(i32),
    /// The operation succeeds after this time.
    Delay(Duration),
    /// The operation succeeds after [`FaultyDisk::heal`](crate::FaultyDisk::heal).
    Hold,
}

/// A fault of the disk.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The kind of operations that the fault happens to.
    pub kind: Kind,
    /// How many operations of this kind succeed before the fault.
    pub after: u64,
    /// What the fault does to an operation.
    pub action: Action,
    /// Whether the fault also happens to all later operations of this kind, and not only once.
    pub lasting: bool,
}

/// An operation that changed a file or made a change permanent. Files are named without their
/// folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The file was opened, and created if it was not there.
    Open {
        /// The file.
        file: Arc<str>,
    },
    /// Bytes were written. After a short write, only the bytes that were written are here.
    Write {
        /// The file.
        file: Arc<str>,
        /// The place of the first byte in the file.
        at: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The file was made shorter.
    Truncate {
        /// The file.
        file: Arc<str>,
        /// Its new length.
        length: u64,
    },
    /// Everything that was written to the file is on the disk.
    Sync {
        /// The file.
        file: Arc<str>,
    },
    /// The file was deleted.
    Delete {
        /// The file.
        file: Arc<str>,
        /// Whether the folder was synced, so that the file cannot come back.
        synced: bool,
    },
}

#[derive(Default)]
struct State {
    faults: Vec<Fault>,
    met: u64,
    held: u64,
    counts: [u64; KINDS],
    record: Option<Vec<Operation>>,
}

/// The state of one disk, shared by all files on it.
#[derive(Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    healed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, fault: Fault) {
        self.lock().faults.push(fault);
    }

    pub(crate) fn heal(&self) {
        let mut state = self.lock();
        state.faults.clear();
        state.met = 0;
        self.healed.notify_all();
    }

    pub(crate) fn faults_met(&self) -> u64 {
        self.lock().met
    }

    pub(crate) fn held(&self) -> u64 {
        self.lock().held
    }

    pub(crate) fn count(&self, kind: Kind) -> u64 {
        self.lock().counts[kind as usize]
    }

    pub(crate) fn record(&self) {
        self.lock().record = Some(Vec::new());
    }

    pub(crate) fn recorded(&self) -> usize {
        self.lock().record.as_ref().map_or(0, Vec::len)
    }

    pub(crate) fn take_record(&self) -> Vec<Operation> {
        self.lock().record.take().unwrap_or_default()
    }

    /// Notes an operation that was carried out.
    pub(crate) fn done(&self, operation: impl FnOnce() -> Operation) {
        if let Some(record) = &mut self.lock().record {
            record.push(operation());
        }
    }

    /// Counts an operation that begins. Returns how the operation must fail; `None` if it must not
    /// fail. If a fault delays or holds the operation, this function waits until the delay or the
    /// hold is over.
    pub(crate) fn begin(&self, kind: Kind) -> Option<Failure> {
        let mut state = self.lock();
        state.counts[kind as usize] += 1;
        match state.due(kind)? {
            Action::Fail(code) => Some(Failure { code, half: false }),
            Action::ShortWrite(code) => Some(Failure { code, half: true }),
            Action::Delay(time) => {
                drop(state);
                std::thread::sleep(time);
                None
            }
            Action::Hold => {
                state.held += 1;
                while state.met > 0 {
                    state = self.healed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                state.held -= 1;
                None
            }
        }
    }
}

impl State {
    fn due(&mut self, kind: Kind) -> Option<Action> {
        let mut action = None;
        self.faults.retain_mut(|fault| {
            if fault.kind != kind {
                return true;
            }
            if fault.after > 0 {
                fault.after -= 1;
                return true;
            }
            action = Some(fault.action);
            fault.lasting
        });
        self.met += u64::from(action.is_some());
        action
    }
}

/// How an operation fails.
pub(crate) struct Failure {
    /// What SQLite is told.
    pub code: i32,
    /// Whether the first half of a write is carried out.
    pub half: bool,
}
