//! Waiting for a condition.

use std::fmt::Display;
use std::time::{Duration, Instant};

/// How long a test waits for a condition: far longer than anything here takes on a slow and busy
/// machine.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// Waits until `look` returns a value. Panics with `what` after [`DEADLINE`].
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    eventually_ok(what, || look().ok_or("it was not there"))
}

/// As [`eventually`], and the panic names the last error.
#[track_caller]
pub fn eventually_ok<T, E: Display>(what: &str, mut look: impl FnMut() -> Result<T, E>) -> T {
    let start = Instant::now();
    loop {
        match look() {
            Ok(found) => return found,
            Err(error) if start.elapsed() >= DEADLINE => {
                panic!("not within {} s: {what}: {error}", DEADLINE.as_secs())
            }
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}
