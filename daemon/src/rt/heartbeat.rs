//! Whether the clock loop is alive, seen from outside and without waking it up.
//!
//! The loop publishes how often it has woken up and until when it waits. A loop that waits is alive
//! as long as its deadline has not passed and nothing that it waits for stays unread.

mod liveness;
mod progress;

#[cfg(test)]
pub use liveness::LoopState;
pub use liveness::{LivenessCheck, LoopObservation};

use crate::clock::monotonic_now;
use clock_engine::Instant;
use progress::Progress;
use rustix::event::{Timespec, epoll};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// The clock loop writes it; the thread that feeds the watchdog reads it.
pub struct Heartbeat {
    progress: Progress,
    /// Everything that the loop waits for, in a separate epoll. Polling an epoll takes a lock in
    /// the kernel, and the loop must never have to wait for that lock.
    waited_for: OwnedFd,
}

impl Heartbeat {
    /// The heartbeat of a loop that has not started.
    pub(super) fn new() -> io::Result<Heartbeat> {
        let waited_for = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        Ok(Heartbeat { progress: Progress::default(), waited_for })
    }

    /// The epoll with everything the loop waits for.
    pub(super) fn waited_for(&self) -> &OwnedFd {
        &self.waited_for
    }

    /// The loop does nothing before this instant unless something arrives.
    pub(super) fn waits(&self, until: Option<Instant>) {
        self.progress.waits(until);
    }

    /// The loop has woken up.
    pub(super) fn works(&self) {
        self.progress.works();
    }

    /// The loop's thread has ended.
    pub(super) fn end(&self) {
        self.progress.end();
    }

    /// The state of the loop now, seen from outside.
    pub fn observe(&self) -> io::Result<LoopObservation> {
        // The time is read first: a deadline that passes during the observation does not count as
        // passed.
        self.progress.observe(monotonic_now(), || is_readable(&self.waited_for))
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
