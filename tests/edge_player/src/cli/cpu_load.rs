//! `cpu-load`: keeps a processor busy at a real-time priority, so that a test can see what still works.

use super::{Result, say, sys};

/// Runs at that priority without a pause until `CLOCK_MONOTONIC` has reached `until`, in nanoseconds.
/// Prints when it began and when it ended.
pub fn run(fifo: u8, until: u64) -> Result<()> {
    sys::enter_fifo(fifo)?;
    // Printed first: while it runs, no other program may get the processor to read it.
    say(&format!("began {}", sys::now()))?;
    while sys::now() < until {
        std::hint::spin_loop();
    }
    say(&format!("ended {}", sys::now()))
}
