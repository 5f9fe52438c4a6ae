//! A ring and an eventfd as the channels of the clock loop use them.

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The counter of an eventfd, which the kernel changes under a lock. Waiting for the eventfd is not
/// modelled.
#[derive(Default)]
pub struct Eventfd(AtomicU64);

impl Eventfd {
    pub fn notify(&self) {
        self.add(1);
    }

    pub fn add(&self, number: u64) {
        self.0.fetch_add(number, Ordering::AcqRel);
    }

    pub fn clear(&self) {
        self.0.swap(0, Ordering::AcqRel);
    }

    /// Reads the counter without clearing it. In the kernel, this takes the lock under which the
    /// counter is changed.
    pub fn number(&self) -> u64 {
        self.0.fetch_add(0, Ordering::AcqRel)
    }

    /// Whether `poll` and `epoll` find the eventfd readable.
    pub fn is_readable(&self) -> bool {
        self.number() > 0
    }
}

const SLOTS: usize = 2;

/// A ring with one writer and one reader. loom reports it if both may access a slot at the same
/// time.
pub struct Ring<T> {
    slots: [UnsafeCell<Option<T>>; SLOTS],
    pushed: AtomicUsize,
    popped: AtomicUsize,
}

impl<T> Default for Ring<T> {
    fn default() -> Ring<T> {
        Ring {
            slots: [UnsafeCell::new(None), UnsafeCell::new(None)],
            pushed: AtomicUsize::new(0),
            popped: AtomicUsize::new(0),
        }
    }
}

// SAFETY: `pushed` and `popped` say whether a slot belongs to the writer or to the reader. loom
// checks that.
unsafe impl<T: Send> Sync for Ring<T> {}

impl<T> Ring<T> {
    /// Pushes a value; returns it as the error if the ring is full. Only one thread may call this.
    pub fn push(&self, value: T) -> Result<(), T> {
        let pushed = self.pushed.load(Ordering::Relaxed);
        if pushed - self.popped.load(Ordering::Acquire) == SLOTS {
            return Err(value);
        }
        // SAFETY: the reader does not access this slot before `pushed` has been stored.
        self.slots[pushed % SLOTS].with_mut(|slot| unsafe { *slot = Some(value) });
        self.pushed.store(pushed + 1, Ordering::Release);
        Ok(())
    }

    /// Only one thread may call it.
    pub fn pop(&self) -> Option<T> {
        let popped = self.popped.load(Ordering::Relaxed);
        if self.pushed.load(Ordering::Acquire) == popped {
            return None;
        }
        // SAFETY: the writer does not access this slot before `popped` has been stored.
        let value = self.slots[popped % SLOTS].with_mut(|slot| unsafe { (*slot).take() });
        self.popped.store(popped + 1, Ordering::Release);
        value
    }
}
