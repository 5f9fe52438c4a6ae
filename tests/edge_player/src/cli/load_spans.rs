//! `--load-spans`: the spans in which `cpu-load` is to keep a processor busy while steps are made,
//! so that the kernel's interrupt threads on that processor run late.

use super::args::Target;
use super::lines::Step;
use super::{Doing, Result};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;

/// How long before its step a span begins, in nanoseconds: `cpu-load` must have woken up by then.
const EARLY: u64 = 300_000;
/// The shortest time from a step to the end of its span, in nanoseconds.
const SHORTEST: u64 = 200_000;

/// The file for the spans, if they are wanted.
pub struct LoadSpans {
    file: Option<File>,
    /// The longest time from a step to the end of its span, in nanoseconds.
    longest: u64,
    /// How many steps were announced.
    steps: u64,
}

impl LoadSpans {
    /// Opens the file, which may be a named pipe.
    pub fn open(target: &Target) -> Result<LoadSpans> {
        let open = |path| File::options().write(true).create(true).truncate(true).open(path);
        let file = target.load_spans.as_ref().map(|path| {
            open(path).doing(|| format!("write the spans of the load to {}", path.display()))
        });
        Ok(LoadSpans { file: file.transpose()?, longest: target.longest_load, steps: 0 })
    }

    /// Writes the spans for these steps.
    pub fn announce(&mut self, steps: &[Step]) -> Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let text = spans(steps, self.steps, self.longest);
        self.steps += steps.len() as u64;
        file.write_all(text.as_bytes()).doing(|| "write the spans of the load".to_owned())
    }
}

/// A line `FROM_NS UNTIL_NS` for each span. Spans that overlap are merged.
fn spans(steps: &[Step], first: u64, longest: u64) -> String {
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (number, step) in (first..).zip(steps) {
        let from = step.at.saturating_sub(EARLY);
        let until = step.at.saturating_add(length(number, longest));
        match merged.last_mut() {
            Some((_, end)) if *end >= from => *end = until.max(*end),
            _ => merged.push((from, until)),
        }
    }
    let mut text = String::new();
    for (from, until) in merged {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{from} {until}");
    }
    text
}

/// How long after its step a span ends, from [`SHORTEST`] to `longest`. Each length is greater than
/// the one before by 0.618 of this range, modulo the range. So any number of lengths fills the
/// range evenly.
fn length(number: u64, longest: u64) -> u64 {
    let range = longest.saturating_sub(SHORTEST) + 1;
    SHORTEST + number.wrapping_mul(range * 618_034 / 1_000_000) % range
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: u64 = 3_000_000;

    #[test]
    fn every_step_is_in_a_span_and_overlapping_spans_are_one() {
        let steps = [5_000_000, 5_100_000, 20_000_000, 40_000_000];
        let steps = steps.map(|at| Step { at, line: 0, level: true });
        let text = spans(&steps, 0, LONGEST);
        let spans: Vec<(u64, u64)> = text
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(from, until)| (from.parse().expect("ns"), until.parse().expect("ns")))
            .collect();
        assert_eq!(spans.len(), 3, "{text}");
        assert!(spans.windows(2).all(|two| two[0].1 < two[1].0), "{text}");
        for step in steps {
            let covers = |(from, until): &&(u64, u64)| {
                step.at - EARLY >= *from && step.at + SHORTEST <= *until
            };
            assert!(spans.iter().any(|span| covers(&span)), "{step:?} in {text}");
        }
        assert_eq!(spans[0], (4_700_000, 5_100_000 + length(1, LONGEST)));
    }

    #[test]
    fn lengths_fill_the_range() {
        let lengths: Vec<u64> = (0..1000).map(|number| length(number, LONGEST)).collect();
        assert!(lengths.iter().all(|length| (SHORTEST..=LONGEST).contains(length)));
        for part in 0..10 {
            let from = SHORTEST + part * (LONGEST - SHORTEST) / 10;
            let to = from + (LONGEST - SHORTEST) / 10;
            let inside = lengths.iter().filter(|length| (from..to).contains(*length)).count();
            assert!((90..=110).contains(&inside), "{inside} from {from} to {to}");
        }
    }
}
