//! A process that is killed, and the next one with the same retained memory.

use super::*;
use std::os::fd::{AsFd, OwnedFd};

/// The retained memory, which systemd keeps when a process is killed.
pub struct Kept(OwnedFd);

const BOOT: [u8; 16] = [0; 16];

impl Kept {
    /// Keeps this memory.
    pub fn of(memory: &RetainedMemory) -> Kept {
        Kept(memory.as_fd().try_clone_to_owned().unwrap())
    }

    /// The retained memory, and the first process, which sets up a new clock.
    pub fn new(path: &Path) -> (Kept, Rig) {
        let memory = RetainedMemory::create(BOOT, FORMAT).unwrap();
        let kept = Kept::of(&memory);
        (kept, begin(set_up_with(Some(path), "boot-1", memory, Origin::New)))
    }

    /// The memory, opened as another process would open it.
    pub fn memory(&self) -> RetainedMemory {
        RetainedMemory::adopt(self.0.try_clone().unwrap(), BOOT, FORMAT).unwrap()
    }

    /// What the next process finds.
    pub fn next(&self, path: Option<&Path>) -> (Started, Arc<Health>) {
        set_up_with(path, "boot-1", self.memory(), Origin::Earlier)
    }

    /// Ends the process `killed`, and starts the next one, which continues its game.
    pub fn kill(&self, killed: Rig, path: &Path) -> Rig {
        let Rig { mut clock, now, .. } = killed;
        let (started, health) = self.next(Some(path));
        let found = started.kept.unwrap();
        assert_eq!(*found.clock, clock);
        let Since::Restart(since) = found.since else { panic!("{:?}", found.since) };
        let Started { recorder, mut entries, notes, .. } = started;
        // In the service, the clock loop does this after a restart.
        if !found.is_recorded {
            clock.set_entry(clock.entry() + 1);
            entries.state(&clock);
            entries.keep(&clock);
        }
        let mut rig = Rig { recorder, entries, notes, health, clock, now };
        let at = rig.at();
        rig.input(Input::Restarted { since, at, closed: Some([false; 2]) });
        rig
    }
}

impl Rig {
    /// Calls `pass` with an instant at which the recorder tries again after a failure.
    pub fn pass_later(&mut self) {
        self.recorder.pass(std::time::Instant::now() + Duration::from_secs(2));
    }

    /// Closes the file of the record, as the kernel does when a process is killed.
    pub fn close_record(&mut self) {
        drop(self.recorder.store.take());
    }
}
