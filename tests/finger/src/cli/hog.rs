//! `hog`: takes a processor away, to see what still works.

use super::{Result, say, sys};

/// Burns a processor at that priority.
pub fn run(fifo: u8, millis: u64) -> Result<()> {
    sys::enter_fifo(fifo)?;
    let began = sys::now();
    // Told before: nobody may be able to read it while it lasts.
    say(&format!("began {began}"))?;
    let end = began + millis * 1_000_000;
    while sys::now() < end {
        std::hint::spin_loop();
    }
    say(&format!("ended {}", sys::now()))
}
