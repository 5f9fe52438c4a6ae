//! `cpu-load`: keeps a processor busy at a real-time priority, so that a test can see what still
//! works.

use super::{Doing, Failure, Result, say, sys};
use std::io::BufRead as _;

/// Runs without a pause at the real-time priority `fifo` until `CLOCK_MONOTONIC` has reached
/// `until`, in nanoseconds, and prints when it began and when it ended. If `until` is `None`, it
/// reads spans from standard input, runs during each span, and prints after each when it began and
/// ended.
pub fn run(fifo: u8, until: Option<u64>) -> Result<()> {
    sys::enter_fifo(fifo)?;
    if let Some(until) = until {
        // This line is printed before the load begins: during the load, the program that reads the
        // line may not get the processor.
        say(&format!("began {}", sys::now()))?;
        spin_until(until);
        return say(&format!("ended {}", sys::now()));
    }
    for line in std::io::stdin().lock().lines() {
        let (from, until) = span(&line.doing(|| "read the spans".to_owned())?)?;
        sys::sleep_until(from)?;
        let began = sys::now();
        spin_until(until);
        say(&format!("{began} {}", sys::now()))?;
    }
    Ok(())
}

fn spin_until(until: u64) {
    while sys::now() < until {
        std::hint::spin_loop();
    }
}

fn span(line: &str) -> Result<(u64, u64)> {
    let two = line.split_once(' ').map(|(from, until)| (from.parse(), until.parse()));
    match two {
        Some((Ok(from), Ok(until))) if from <= until => Ok((from, until)),
        _ => Err(Failure::new(format!("`{line}` is not FROM_NS UNTIL_NS"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malformed_span_is_named() {
        assert_eq!(span("3 9").expect("well formed"), (3, 9));
        for line in ["", "3", "3 x", "9 3", "3 9 1"] {
            let failure = span(line).expect_err(line).to_string();
            assert_eq!(failure, format!("`{line}` is not FROM_NS UNTIL_NS"));
        }
    }
}
