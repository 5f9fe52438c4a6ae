//! An allocator for the tests, which counts the calls of each thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct CountingAllocator;

thread_local! {
    // The initial value is a constant and has no destructor, so the first access allocates nothing.
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// How many times the calling thread has allocated, reallocated or freed memory so far.
pub fn calls() -> u64 {
    CALLS.get()
}

// SAFETY: every call is passed to the system's allocator with unchanged arguments, so its
// guarantees hold here too. Counting touches no memory except a thread-local cell.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: the caller fulfils the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: the caller fulfils the contract of `dealloc`, and the block came from the
        // system's allocator.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: as for `dealloc`; the caller has also checked the new size.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;
