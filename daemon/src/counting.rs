//! An allocator that counts, a thread at a time; for the tests.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    // A constant without a destructor: reading it allocates nothing.
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// What the calling thread has allocated and freed so far, in calls.
pub fn calls() -> u64 {
    CALLS.get()
}

// SAFETY: every call goes on to the system's allocator with its arguments as they are, so its
// guarantees are this one's; counting touches no memory but a cell of the thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: the caller keeps to what `alloc` asks of it.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: the caller keeps to what `dealloc` asks of it, and the block is the system's.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.set(CALLS.get() + 1);
        // SAFETY: as for `dealloc`, and the caller has seen to the size.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
