//! The monotonic clock and real-time priorities.

use super::{Doing, Result};
use rustix::mm::{MlockAllFlags, mlockall};
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::io;

const SECOND: u64 = 1_000_000_000;

/// `CLOCK_MONOTONIC`, in nanoseconds, which is the clock of the kernel's edge stamps.
pub fn now() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    // `CLOCK_MONOTONIC` is never negative: it starts at zero when the machine boots.
    u64::try_from(now.tv_sec).unwrap_or(0) * SECOND + u64::try_from(now.tv_nsec).unwrap_or(0)
}

/// Sleeps until that instant; returns at once if it is past.
pub fn sleep_until(at: u64) -> Result<()> {
    let until = Timespec {
        tv_sec: i64::try_from(at / SECOND).unwrap_or(i64::MAX),
        tv_nsec: i64::try_from(at % SECOND).unwrap_or(0),
    };
    loop {
        match clock_nanosleep_absolute(ClockId::Monotonic, &until) {
            Ok(()) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(errno).doing(|| format!("sleep until {at} ns")),
        }
    }
}

/// Puts this thread under `SCHED_FIFO` and locks the memory of the process. A priority of 0 changes
/// nothing.
pub fn enter_fifo(priority: u8) -> Result<()> {
    if priority == 0 {
        return Ok(());
    }
    mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE)
        .doing(|| "lock memory (run as root, or with --fifo 0)".to_owned())?;
    let param = libc::sched_param { sched_priority: priority.into() };
    // SAFETY: the parameter is a live sched_param for the time of the call; 0 is this thread.
    let result = unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const param) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
        .doing(|| format!("take SCHED_FIFO {priority} (run as root, or with --fifo 0)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeps_until_and_not_for() {
        let start = now();
        sleep_until(start).expect("sleeps");
        sleep_until(start + 2_000_000).expect("sleeps");
        assert!(now() >= start + 2_000_000);
    }
}
