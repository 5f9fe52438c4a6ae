//! Real-time priority and locked memory.

use rustix::mm::{MlockAllFlags, mlockall};
use std::io;

/// A priority under SCHED_FIFO. LimitRTPRIO= of the systemd unit must allow the highest of the
/// constants below.
#[derive(Clone, Copy, Debug)]
pub struct Priority(libc::c_int);

impl Priority {
    /// The priority of the clock loop. It is below the priority of the kernel's interrupt threads
    /// (FIFO 50; 55 for those of the lines, which the unit raises). With a higher priority, the
    /// loop would starve the threads that queue its own edges, and edges would be merged with wrong
    /// stamps.
    pub(super) const CLOCK_LOOP: Priority = Priority(40);
    /// The priority of the thread that feeds the watchdog: the lowest one. It is above every
    /// ordinary program, so that a busy machine cannot delay this thread, and below the loop, so
    /// that this thread never delays a decision.
    pub const WATCHDOG: Priority = Priority(1);
}

/// Locks all mappings that exist now: each of their pages stays in memory from its first use on
/// (`MCL_ONFAULT`).
///
/// Without `MCL_ONFAULT`, all pages would be loaded at once, which needs many times the memory,
/// most of it never used. `MCL_FUTURE` is not set. It would also lock later mappings, which do not
/// belong to the loop. They would count against the limit (RLIMIT_MEMLOCK), so the stack of the
/// next thread or a growing heap would be refused.
pub fn lock_memory() -> io::Result<()> {
    mlockall(MlockAllFlags::CURRENT | MlockAllFlags::ONFAULT)?;
    Ok(())
}

/// Makes all threads share one arena for their allocations. A separate arena would reserve 64 MB of
/// addresses for each thread. These addresses count against the limit on locked memory although
/// they are not used.
pub fn keep_mappings_small() {
    // SAFETY: mallopt only sets a number, and is called before any other thread is started.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
}

/// Puts the calling thread under SCHED_FIFO. Threads that it starts later have no real-time
/// priority.
pub fn enter_realtime(priority: Priority) -> io::Result<()> {
    let param = libc::sched_param { sched_priority: priority.0 };
    let policy = libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK;
    // SAFETY: the parameter is a sched_param that lives for the whole call; 0 is this thread.
    let result = unsafe { libc::sched_setscheduler(0, policy, &raw const param) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
