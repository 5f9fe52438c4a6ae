//! `play` and `at`: steps from standard input.

use super::args::Target;
use super::lines::{Lines, Step};
use super::load_spans::LoadSpans;
use super::{Doing, Failure, Result, say, sys};
use std::fmt::Write as _;

/// How long the program waits after the last edge, so that the clock can read it, in nanoseconds.
const REST: u64 = 1_000_000;

/// What the first column means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Microseconds since the step before, as planned.
    Wait,
    /// Nanoseconds of `CLOCK_MONOTONIC`.
    Instant,
}

/// Plays the steps of standard input and prints when each was made.
pub fn run(target: &Target, column: Column) -> Result<()> {
    let text = std::io::read_to_string(std::io::stdin()).doing(|| "read the steps".to_owned())?;
    let mut steps = read(&text, column)?;
    let lines = Lines::open(target, steps.iter().map(|step| step.line))?;
    let mut load_spans = LoadSpans::open(target)?;
    sys::enter_fifo(target.fifo)?;
    if column == Column::Wait {
        let start = sys::now();
        steps.iter_mut().for_each(|step| step.at = step.at.saturating_add(start));
    }
    load_spans.announce(&steps)?;
    let made = lines.play(&steps, 0)?;
    // The clock has a lower priority than this thread, so it runs during this sleep.
    sys::sleep_until(sys::now() + REST)?;
    let mut report = String::new();
    for (step, made) in steps.iter().zip(made) {
        let (line, level) = (step.line, u8::from(step.level));
        // Writing to a String cannot fail.
        let _ = writeln!(report, "{line} {level} {} {}", made.before, made.after);
    }
    if report.is_empty() { Ok(()) } else { say(report.trim_end()) }
}

/// Reads the steps. With [`Column::Wait`], the instant of a step is the sum of all waits up to it.
fn read(text: &str, column: Column) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut planned: u64 = 0;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let (first, step) = step(line).ok_or_else(|| {
            let first = if column == Column::Wait { "WAIT_US" } else { "MONOTONIC_NS" };
            Failure::new(format!("line {}: `{line}` is not {first} LINE 0|1", number + 1))
        })?;
        planned = match column {
            Column::Wait => planned.saturating_add(first.saturating_mul(1000)),
            Column::Instant => first,
        };
        steps.push(Step { at: planned, ..step });
    }
    Ok(steps)
}

fn step(line: &str) -> Option<(u64, Step)> {
    let mut words = line.split_whitespace();
    let at = words.next()?.parse().ok()?;
    let line = words.next()?.parse().ok()?;
    let level = match words.next()? {
        "0" => false,
        "1" => true,
        _ => return None,
    };
    words.next().is_none().then_some((at, Step { at, line, level }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_add_up_and_instants_do_not() {
        let steps = |column| {
            let steps = read("100 0 1\n\n 50 3 0\n", column).expect("well formed");
            steps.iter().map(|step| (step.at, step.line, step.level)).collect::<Vec<_>>()
        };
        assert_eq!(steps(Column::Wait), [(100_000, 0, true), (150_000, 3, false)]);
        assert_eq!(steps(Column::Instant), [(100, 0, true), (50, 3, false)]);
    }

    #[test]
    fn a_malformed_step_is_named() {
        for (text, wrong) in [
            ("1 0 1\n1 0 2", "line 2: `1 0 2` is not WAIT_US LINE 0|1"),
            ("1 0", "line 1: `1 0` is not WAIT_US LINE 0|1"),
            ("-1 0 1", "line 1: `-1 0 1` is not WAIT_US LINE 0|1"),
            ("1 0 1 1", "line 1: `1 0 1 1` is not WAIT_US LINE 0|1"),
        ] {
            let failure = read(text, Column::Wait).expect_err(text).to_string();
            assert_eq!(failure, wrong);
        }
    }
}
