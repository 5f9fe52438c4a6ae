//! Wakes the thread that reads the rings, without ever waiting for it.

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

/// Wakes the reader. It can be cloned for several writers.
#[derive(Clone)]
pub struct Waker(Arc<OwnedFd>);

/// What the reader waits for.
pub struct Wakeups(Arc<OwnedFd>);

/// Both ends.
pub(super) fn wakeups() -> io::Result<(Waker, Wakeups)> {
    let eventfd = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
    Ok((Waker(Arc::clone(&eventfd)), Wakeups(eventfd)))
}

impl Waker {
    /// Wakes the reader. One call is enough for any number of frames. Never blocks.
    pub fn wake(&self) {
        // This fails only after 2^64 - 1 calls without a wait. The reader is woken anyway.
        let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }
}

impl Wakeups {
    /// Waits for a call of [`Waker::wake`] since the last wait, at most this long. A reader reads
    /// the rings after it, until nothing is left in them. Returns whether there was such a call.
    pub fn wait(&self, at_most: Option<Duration>) -> io::Result<bool> {
        let at_most = at_most.map(Timespec::try_from).transpose().map_err(io::Error::other)?;
        let mut waited_for = [PollFd::new(&self.0, PollFlags::IN)];
        match poll(&mut waited_for, at_most.as_ref()) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(false),
            Ok(_) => {}
            Err(errno) => return Err(errno.into()),
        }
        Ok(rustix::io::read(&self.0, &mut [0_u8; 8]).is_ok())
    }
}
