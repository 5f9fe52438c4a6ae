//! A wait-free ring with an eventfd, over which the clock loop exchanges values with the rest of
//! the daemon.

use rustix::event::{EventfdFlags, eventfd};
use std::hint::black_box;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// The writing end.
pub struct Sender<T> {
    ring: rtrb::Producer<T>,
    notifier: Notifier,
}

/// The reading end. Its file descriptor is readable from [`Notifier::notify`] until
/// [`Receiver::clear_notification`].
pub struct Receiver<T> {
    ring: rtrb::Consumer<T>,
    eventfd: Arc<OwnedFd>,
}

/// Wakes the reader, even if the ring is empty.
#[derive(Clone)]
pub struct Notifier(Arc<OwnedFd>);

impl Notifier {
    /// Wakes the reader. One call is enough for any number of values.
    pub fn notify(&self) {
        // The write fails only if the counter is at its maximum, after 2^64 - 2 calls without a
        // read. In that case the descriptor is readable anyway.
        let _ = rustix::io::write(&self.0, &1_u64.to_ne_bytes());
    }
}

/// Makes a ring for `capacity` values, and touches its memory, so that no `push` causes a page
/// fault.
pub fn channel<T>(capacity: usize) -> io::Result<(Sender<T>, Receiver<T>)> {
    let (mut producer, consumer) = rtrb::RingBuffer::new(capacity);
    touch(&mut producer);
    let eventfd = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
    Ok((
        Sender { ring: producer, notifier: Notifier(Arc::clone(&eventfd)) },
        Receiver { ring: consumer, eventfd },
    ))
}

fn touch<T>(ring: &mut rtrb::Producer<T>) {
    if let Ok(mut free) = ring.write_chunk_uninit(ring.slots()) {
        let (first, second) = free.as_mut_slices();
        first.iter_mut().chain(second).for_each(|slot| *slot = MaybeUninit::zeroed());
        // The chunk is not committed, so the ring is still empty.
        black_box(free);
    }
}

impl<T> Sender<T> {
    /// Puts a value into the ring, or returns it if the ring is full. Never blocks.
    pub fn push(&mut self, value: T) -> Result<(), T> {
        self.ring.push(value).map_err(|rtrb::PushError::Full(value)| value)
    }

    /// Copies a value into the ring, in one step. Returns `false` if the ring is full. Never blocks.
    /// [`Sender::push`] moves a large value several times.
    pub(super) fn push_copy(&mut self, value: &T) -> bool
    where
        T: Copy,
    {
        let Ok(mut free) = self.ring.write_chunk_uninit(1) else { return false };
        let (slots, _) = free.as_mut_slices();
        let [slot] = slots else { return false };
        slot.write(*value);
        // SAFETY: the chunk has one slot, which was written.
        unsafe { free.commit_all() };
        true
    }

    /// Wakes the reader. One call is enough for any number of values.
    pub fn notify(&self) {
        self.notifier.notify();
    }

    /// A handle with which other parts of the daemon wake the reader.
    pub fn notifier(&self) -> Notifier {
        self.notifier.clone()
    }
}

impl<T> Receiver<T> {
    /// Clears the notification. Call this before the last `pop`. Otherwise a value that arrives
    /// after the last `pop` and before this call stays in the ring without a notification.
    pub fn clear_notification(&self) {
        // The read fails only if there is no notification.
        let _ = rustix::io::read(&self.eventfd, &mut [0_u8; 8]);
    }

    /// Takes the oldest value; `None` if the ring is empty.
    pub fn pop(&mut self) -> Option<T> {
        self.ring.pop().ok()
    }
}

/// Registers the reading end with tokio, for a task that waits for notifications.
pub fn listen<T>(receiver: Receiver<T>) -> io::Result<AsyncFd<Receiver<T>>> {
    // SAFETY: the receiver owns its eventfd and always gives the same one, until it is dropped.
    let listening = unsafe { AsyncFd::register_with_interest(receiver, Interest::READABLE) };
    listening.map_err(io::Error::from)
}

impl<T> AsFd for Receiver<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.eventfd.as_fd()
    }
}

impl<T> std::os::fd::AsRawFd for Receiver<T> {
    fn as_raw_fd(&self) -> std::os::fd::RawFd {
        self.eventfd.as_fd().as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residency;

    #[test]
    fn a_ring_that_is_new_is_in_memory() {
        let (mut sender, _receiver) = channel::<[u8; 4096]>(64).unwrap();
        let mut free = sender.ring.write_chunk_uninit(64).unwrap();
        let (slots, _) = free.as_mut_slices();
        let slots = slots.as_ptr_range();
        let (pages, in_memory) =
            residency::pages(slots.start.expose_provenance()..slots.end.expose_provenance());
        assert!(pages >= 15);
        assert_eq!(in_memory, pages);
    }
}
