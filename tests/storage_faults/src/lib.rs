//! A disk for SQLite that fails on request, and that notes what is written to it.
//!
//! [`FaultyDisk`] registers a VFS (SQLite's access to files) that passes everything on to a VFS of
//! SQLite. It can fail, shorten, delay or hold up an operation, and it notes every operation that
//! changes a file. [`CrashDisk`] carries out the noted operations in memory, and gives the contents
//! that the files can have after a power cut at any point. Nothing here knows the chess clock.

mod crash;
mod file;
mod state;
mod vfs;

pub use crash::{CrashDisk, Files, Random, SECTOR, Survival};
pub use state::{Action, Fault, Kind, Operation};

use state::Shared;

/// The VFS that a `FaultyDisk` passes the operations on to. The shipped program uses the same one.
const BASE: &std::ffi::CStr = c"unix-excl";

/// A registered VFS. It stays registered until the process ends.
pub struct FaultyDisk {
    name: String,
    shared: &'static Shared,
}

impl FaultyDisk {
    /// Registers a disk under a name of its own. It works without a fault and records nothing.
    #[expect(clippy::new_without_default, reason = "it registers something each time")]
    pub fn new() -> FaultyDisk {
        let (name, shared) = vfs::register(BASE);
        FaultyDisk { name, shared }
    }

    /// The name to open a database with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds a fault. The operations that come before the fault (`Fault::after`) are counted from
    /// now on.
    pub fn fail(&self, fault: Fault) {
        self.shared.add(fault);
    }

    /// Takes all faults away, and lets the operations that are held up go on.
    pub fn heal(&self) {
        self.shared.heal();
    }

    /// How many faults have happened since the last [`FaultyDisk::heal`].
    pub fn faults_met(&self) -> u64 {
        self.shared.faults_met()
    }

    /// How many operations of this kind were begun so far.
    pub fn count(&self, kind: Kind) -> u64 {
        self.shared.count(kind)
    }

    /// How many operations are held up by [`Action::Hold`] at this moment.
    pub fn held(&self) -> u64 {
        self.shared.held()
    }

    /// Records the operations from now on.
    pub fn record(&self) {
        self.shared.record();
    }

    /// How many operations are recorded.
    pub fn recorded(&self) -> usize {
        self.shared.recorded()
    }

    /// Ends the recording. Returns the recorded operations.
    pub fn take_record(&self) -> Vec<Operation> {
        self.shared.take_record()
    }
}
