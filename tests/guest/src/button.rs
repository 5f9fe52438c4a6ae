//! A button of the simulated chip that is pressed at chosen instants, and the priority of the
//! thread that presses it.

use anyhow::{Context, Result};
use rustix::thread::{ClockId, clock_nanosleep_absolute};
use rustix::time::{Timespec, clock_gettime};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// How long before an aimed press the thread asks to be woken, in nanoseconds. No wake-up takes
/// longer than this.
const EARLY: u64 = 300_000;

/// A button that connects its line to ground.
pub struct Button {
    pull: File,
}

/// CLOCK_MONOTONIC in nanoseconds before and after a line was changed. The stamp of the edge lies
/// between the two.
#[derive(Clone, Copy, Debug)]
pub struct Bracket {
    pub before: u64,
    pub after: u64,
}

impl Button {
    /// The button at a line of the chip whose lines are in this folder of sysfs.
    pub fn new(chip: &Path, line: u32) -> Result<Button> {
        let path = chip.join(format!("sim_gpio{line}/pull"));
        let pull = OpenOptions::new().write(true).open(&path);
        Ok(Button { pull: pull.with_context(|| path.display().to_string())? })
    }

    /// Closes the contact now.
    pub fn press(&self) -> Result<Bracket> {
        self.write(b"pull-down")
    }

    /// Opens the contact now.
    pub fn release(&self) -> Result<Bracket> {
        self.write(b"pull-up")
    }

    /// Closes the contact as soon as `at` is reached. The thread first sleeps, so that the kernel's
    /// own threads can run. From `EARLY` nanoseconds before `at` on, it polls the clock without a
    /// pause.
    pub fn press_at(&self, at: u64) -> Result<Bracket> {
        sleep_until(at.saturating_sub(EARLY));
        while now() < at {}
        self.press()
    }

    fn write(&self, pull: &[u8]) -> Result<Bracket> {
        let before = now();
        self.pull.write_all_at(pull, 0)?;
        Ok(Bracket { before, after: now() })
    }
}

/// CLOCK_MONOTONIC in nanoseconds.
pub fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000
        + u64::try_from(time.tv_nsec).unwrap_or(0)
}

/// Sleeps until CLOCK_MONOTONIC has reached `at`.
pub fn sleep_until(at: u64) {
    let parts = |nanos: u64| i64::try_from(nanos).unwrap_or(i64::MAX);
    let until = Timespec { tv_sec: parts(at / 1_000_000_000), tv_nsec: parts(at % 1_000_000_000) };
    // Only a signal ends it early.
    while clock_nanosleep_absolute(ClockId::Monotonic, &until).is_err() {}
}

/// Puts this thread under SCHED_FIFO with a priority, or with 0 under SCHED_OTHER.
pub fn schedule(priority: i32) -> Result<()> {
    let policy = if priority > 0 { libc::SCHED_FIFO } else { libc::SCHED_OTHER };
    let parameter = libc::sched_param { sched_priority: priority };
    // SAFETY: the parameter is a live sched_param for the time of the call; 0 is this thread.
    let done = unsafe { libc::sched_setscheduler(0, policy, &raw const parameter) };
    anyhow::ensure!(done == 0, "SCHED_FIFO {priority}: {}", std::io::Error::last_os_error());
    Ok(())
}
