//! Lets the writers of the rings wake the thread that reads them, without waiting for that thread.

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

/// Wakes the reader. Each writer has a clone.
#[derive(Clone)]
pub struct Waker(Arc<OwnedFd>);

/// The end at which the reader waits.
pub struct Wakeups(Arc<OwnedFd>);

/// Makes a waker, and the end at which the reader waits.
pub(super) fn wakeups() -> io::Result<(Waker, Wakeups)> {
    let eventfd = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
    Ok((Waker(Arc::clone(&eventfd)), Wakeups(eventfd)))
}

impl Waker {
    /// Wakes the reader. One call is enough for any number of frames. Never blocks.
    pub fn wake(&self) {
        // The write fails only if the counter is at its maximum, after 2^64 - 2 calls without a
        // wait. In that case the reader is woken anyway.
        let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }
}

impl Wakeups {
    /// Waits until [`Waker::wake`] is called. If it was already called since the last wait, returns
    /// at once. The wait ends after `at_most`; if that is `None`, the wait has no limit. A signal
    /// to the process can end the wait earlier. Returns whether `wake` has been called. After each
    /// wait, the reader must read the rings until they are empty.
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
