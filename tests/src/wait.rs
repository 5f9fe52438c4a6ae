//! Waiting for a condition.

use std::time::{Duration, Instant};

/// How long a test waits for a condition: far longer than anything here takes on a slow and busy
/// machine.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// Waits until `look` returns a value. Panics with `what` after [`DEADLINE`].
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < DEADLINE, "not within {} s: {what}", DEADLINE.as_secs());
        std::thread::sleep(Duration::from_millis(10));
    }
}
