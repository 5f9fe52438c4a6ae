//! Waiting for something to come true.

use std::time::{Duration, Instant};

/// What has not come true by then never will: far longer than anything here takes on a slow and
/// busy machine.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// Waits until `look` finds something; panics with `what` after [`DEADLINE`].
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < DEADLINE, "never came true: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
