//! A wait-free ring with a bell: how the clock loop talks to the rest of the daemon.

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
    bell: Arc<OwnedFd>,
}

/// The reading end; its file descriptor is readable once the bell has rung.
pub struct Receiver<T> {
    ring: rtrb::Consumer<T>,
    bell: Arc<OwnedFd>,
}

/// A ring for `capacity` values. Its memory is touched here, so that no push has a page fault.
pub fn channel<T>(capacity: usize) -> io::Result<(Sender<T>, Receiver<T>)> {
    let (mut producer, consumer) = rtrb::RingBuffer::new(capacity);
    touch(&mut producer);
    let bell = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
    Ok((Sender { ring: producer, bell: Arc::clone(&bell) }, Receiver { ring: consumer, bell }))
}

fn touch<T>(ring: &mut rtrb::Producer<T>) {
    if let Ok(mut free) = ring.write_chunk_uninit(ring.slots()) {
        let (first, second) = free.as_mut_slices();
        first.iter_mut().chain(second).for_each(|slot| *slot = MaybeUninit::zeroed());
        // Given back uncommitted: the ring is still empty.
        black_box(free);
    }
}

impl<T> Sender<T> {
    /// Puts a value in; gives it back if the ring is full. Never blocks.
    pub fn push(&mut self, value: T) -> Result<(), T> {
        self.ring.push(value).map_err(|rtrb::PushError::Full(value)| value)
    }

    /// Wakes the reader. Once for many values is enough.
    pub fn ring_bell(&self) {
        // It fails only when it has been rung 2^64 times unheard: the reader wakes anyway.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }
}

impl<T> Receiver<T> {
    /// Silences the bell. Do this before the last `pop`, or a value may lie unseen.
    pub fn hush_bell(&self) {
        // Nothing to read means that it did not ring.
        let _ = rustix::io::read(&self.bell, &mut [0_u8; 8]);
    }

    /// The oldest value.
    pub fn pop(&mut self) -> Option<T> {
        self.ring.pop().ok()
    }
}

/// The reading end for a task that waits for the bell.
pub fn listen<T>(receiver: Receiver<T>) -> io::Result<AsyncFd<Receiver<T>>> {
    // SAFETY: the receiver owns its eventfd and always gives the same one, until it is dropped.
    let listening = unsafe { AsyncFd::register_with_interest(receiver, Interest::READABLE) };
    listening.map_err(io::Error::from)
}

impl<T> AsFd for Receiver<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }
}

impl<T> std::os::fd::AsRawFd for Receiver<T> {
    fn as_raw_fd(&self) -> std::os::fd::RawFd {
        self.bell.as_fd().as_raw_fd()
    }
}
