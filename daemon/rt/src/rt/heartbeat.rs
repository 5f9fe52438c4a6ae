//! Shows another thread whether the clock loop is alive, without waking the loop up.
//!
//! The loop publishes how often it has woken up, whether it works or waits, and until when it
//! waits. A loop whose thread has ended is not alive. A loop that has woken up since the previous
//! observation is alive. Any other loop counts as hanging in these cases:
//!
//! - It works.
//! - It waits, and its deadline passed more than 50 ms ago.
//! - It waits, and something that it waits for has been unread for more than 200 ms.

mod progress;

#[cfg(test)]
pub use progress::LoopState;
pub use progress::{LivenessCheck, LoopObservation};

use crate::clock::monotonic_now;
use clock_engine::Instant;
use clockd_core::EDGE_DELIVERY_WINDOW;
use progress::Progress;
use rustix::event::{Timespec, epoll};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// The progress of the loop. The clock loop writes it; the thread that feeds the watchdog reads it.
pub struct Heartbeat {
    progress: Progress,
    /// A second epoll with all descriptors that the loop waits for. Polling an epoll takes a lock
    /// in the kernel. The loop polls another epoll, so that it never has to wait for this lock.
    waited_for: OwnedFd,
}

impl Heartbeat {
    /// The heartbeat of a loop that has not started.
    pub(super) fn new() -> io::Result<Heartbeat> {
        let waited_for = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        Ok(Heartbeat { progress: Progress::default(), waited_for })
    }

    /// The second epoll, to which each descriptor that the loop waits for must be added.
    pub(super) fn waited_for(&self) -> &OwnedFd {
        &self.waited_for
    }

    /// Notes the stamp of the earliest input that the loop has read and not decided; `None` if
    /// there is none. The loop must call this before each wait.
    pub(super) fn leaves_undecided(&self, since: Option<Instant>) {
        self.progress.leaves_undecided(since);
    }

    /// Notes that the loop now waits, and until when; `None` if it waits without a deadline. Before
    /// that instant the loop does nothing unless something arrives.
    pub(super) fn waits(&self, until: Option<Instant>) {
        self.progress.waits(until);
    }

    /// Notes that the loop has woken up.
    pub(super) fn works(&self) {
        self.progress.works();
    }

    /// Notes that the loop's thread has ended.
    pub(super) fn end(&self) {
        self.progress.end();
    }

    /// The state of the loop now, seen from outside.
    pub fn observe(&self) -> io::Result<LoopObservation> {
        // The time is read first, so a deadline that passes during the observation does not count
        // as passed.
        let mut seen = self.progress.observe(monotonic_now(), || is_readable(&self.waited_for))?;
        // An edge can reach the line's queue up to `EDGE_DELIVERY_WINDOW` after its stamp. So
        // nothing with a stamp within that time before `now` counts as decided.
        let arrived = seen.now.as_nanos().saturating_sub(EDGE_DELIVERY_WINDOW.as_nanos());
        seen.decided_until =
            seen.decided_until.map(|until| until.min(Instant::from_nanos(arrived)));
        Ok(seen)
    }
}

fn is_readable(waited_for: impl AsFd) -> io::Result<bool> {
    let mut events =
        [epoll::Event { flags: epoll::EventFlags::empty(), data: epoll::EventData::new_u64(0) }];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    match epoll::wait(waited_for, &mut events, Some(&at_once)) {
        Ok(count) => Ok(count > 0),
        // A signal interrupted the call; the next observation asks again.
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

#[cfg(test)]
mod tests;
