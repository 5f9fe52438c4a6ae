//! Real-time priority and locked memory.

use rustix::mm::{MlockAllFlags, mlockall};
use std::io;

/// Below the kernel's interrupt threads (FIFO 50): above them the loop would starve the thread
/// that queues its own edges, and edges merge with wrong stamps.
const PRIORITY: libc::c_int = 40;

/// Keeps the pages the process uses in memory, each from its first use on.
///
/// Locking everything at once would cost many times the memory, most of it never touched.
pub fn lock_memory() -> io::Result<()> {
    mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT)?;
    Ok(())
}

/// Puts the calling thread under SCHED_FIFO; what it might start would be ordinary again.
pub fn enter_realtime() -> io::Result<()> {
    let param = libc::sched_param { sched_priority: PRIORITY };
    let policy = libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK;
    // SAFETY: the parameter is a live sched_param for the time of the call; 0 is this thread.
    let result = unsafe { libc::sched_setscheduler(0, policy, &raw const param) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
