//! `bounce`: plays traces of the corpus, and prints what the clock must find in them.

use super::args::{Bounce, Target};
use super::lines::{Bracket, Lines, Step};
use super::load_spans::LoadSpans;
use super::{Result, say, sys};
use edge_player::{Pace, Trace, Verdict, playable};
use std::fmt::Write as _;

/// The pause between two traces, in nanoseconds: longer than R and G (see the documentation of the
/// crate), with time to print the report.
const REST: u64 = 150_000_000;

/// Plays as many traces as asked for, and prints a line of JSON for each.
pub fn run(target: &Target, bounce: Bounce) -> Result<()> {
    play(target, bounce, say)
}

fn play(target: &Target, bounce: Bounce, mut print: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let lines = Lines::open(target, bounce.lines)?;
    let mut load_spans = LoadSpans::open(target)?;
    sys::enter_fifo(target.fifo)?;
    // All buttons are up at first.
    lines.play(&bounce.lines.map(|line| Step { at: 0, line, level: false }), bounce.spacing)?;
    let traces = (0..).filter_map(|index| {
        playable(bounce.seed, index, bounce.spacing).map(|trace| (index, trace))
    });
    let count = usize::try_from(bounce.count).unwrap_or(usize::MAX);
    for (index, trace) in traces.take(count) {
        let steps = plan(&trace, sys::now() + REST, bounce.lines);
        load_spans.announce(&steps)?;
        let made = lines.play(&steps, bounce.spacing)?;
        print(&report(index, &trace, &steps, &made, bounce))?;
    }
    Ok(())
}

/// The greatest lateness of an edge in a trace that is `kept`, in nanoseconds. Noise and a press
/// after it last up to 46 ms and must be decided before they are 50 ms old, so less than 4 ms are
/// left for lateness.
const MOST_LATE: u64 = 2_000_000;

/// By how many nanoseconds the edge with the greatest delay came after its planned instant.
fn late(steps: &[Step], made: &[Bracket]) -> u64 {
    let late = steps.iter().zip(made).map(|(step, made)| made.after.saturating_sub(step.at));
    late.max().unwrap_or(0)
}

/// The most by which a contact or a gap may have been longer or shorter than planned, in
/// nanoseconds. The clock decides by the lengths of contacts and gaps.
fn off(steps: &[Step], made: &[Bracket]) -> u64 {
    let mut worst = 0;
    for (place, (step, now)) in steps.iter().zip(made).enumerate() {
        let mut earlier = steps[..place].iter().zip(made).rev();
        if let Some((before, then)) = earlier.find(|(before, _)| before.line == step.line) {
            let planned = step.at - before.at;
            let longest = now.after - then.before;
            let shortest = now.before.saturating_sub(then.after);
            worst = worst.max(longest.saturating_sub(planned));
            worst = worst.max(planned.saturating_sub(shortest));
        }
    }
    worst
}

fn plan(trace: &Trace, start: u64, lines: [u32; edge_player::LINES]) -> Vec<Step> {
    let first = trace.edges.first().map_or(0, |edge| edge.at);
    let step = |edge: &edge_player::Edge| Step {
        at: start + (edge.at - first),
        line: lines[edge.line],
        level: edge.active,
    };
    trace.edges.iter().map(step).collect()
}

/// The report on a trace, as one JSON object. It contains only numbers, booleans and names without
/// special characters, so nothing in it must be escaped.
fn report(index: u64, trace: &Trace, steps: &[Step], made: &[Bracket], bounce: Bounce) -> String {
    let (late, off) = (late(steps, made), off(steps, made));
    let kept = off <= Pace::kernel(bounce.spacing).tolerance() && late <= MOST_LATE;
    let count = |verdict| trace.expected.iter().filter(|found| found.verdict == verdict).count();
    let (rejected, noise) = (count(Verdict::Rejected), count(Verdict::Noise));
    let start = steps.first().map_or(0, |step| step.at);
    let mut line = format!(
        r#"{{"index":{index},"class":"{}","start_ns":{start},"edges":{},"late_ns":{late},"off_ns":{off},"kept":{kept},"#,
        trace.class,
        trace.edges.len(),
    );
    // Writing to a String cannot fail.
    let _ = write!(line, r#""rejected":{rejected},"noise":{noise},"presses":["#);
    let comma = |place| if place == 0 { "" } else { "," };
    for (place, (button, made)) in presses(trace, made).into_iter().enumerate() {
        let (comma, button) = (comma(place), bounce.lines[button]);
        let Bracket { before, after } = made;
        let _ =
            write!(line, r#"{comma}{{"line":{button},"before_ns":{before},"after_ns":{after}}}"#);
    }
    line + "]}"
}

/// The line of each expected press, with the two instants between which the edge of its first
/// contact was made.
fn presses(trace: &Trace, made: &[Bracket]) -> Vec<(usize, Bracket)> {
    let contact = |press: &edge_player::Outcome| {
        let mut edges = trace.edges.iter().zip(made);
        let found =
            edges.find(|(edge, _)| edge.active && (edge.at, edge.line) == (press.at, press.line));
        found.map(|(edge, made)| (edge.line, *made))
    };
    trace.presses().filter_map(contact).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lines::tests::Chip;
    use super::*;

    const BOUNCE: Bounce = Bounce { seed: 3, count: 1, lines: [4, 2], spacing: 60_000 };

    #[test]
    fn every_playable_press_has_its_contact() {
        for (trace, index) in
            (0..2000).filter_map(|index| Some((playable(1, index, 60_000)?, index)))
        {
            let steps = plan(&trace, 1000, BOUNCE.lines);
            let made: Vec<Bracket> =
                steps.iter().map(|step| Bracket { before: step.at, after: step.at + 9 }).collect();
            let presses = presses(&trace, &made);
            assert_eq!(presses.len(), trace.presses().count(), "{trace:?}");
            let first = trace.edges[0].at;
            for ((_, made), press) in presses.iter().zip(trace.presses()) {
                assert_eq!(made.before, 1000 + press.at - first);
            }
            let line = report(index, &trace, &steps, &made, BOUNCE);
            assert!(line.contains(r#""late_ns":9,"off_ns":9,"kept":true"#), "{line}");
        }
    }

    #[test]
    fn a_report_is_one_json_object() {
        let edge = |at, line, active| edge_player::Edge { at, line, active };
        let press = |at, line| edge_player::Outcome { at, line, verdict: Verdict::Press };
        let trace = Trace {
            class: edge_player::Class::TwoAtOnce,
            edges: vec![edge(5, 0, true), edge(6, 1, true), edge(70, 0, false), edge(80, 1, false)],
            expected: vec![press(5, 0), press(6, 1)],
        };
        let steps = plan(&trace, 100, BOUNCE.lines);
        // The second line's contact is 390 µs too long.
        let made =
            [10, 11, 75, 390_085].map(|late| Bracket { before: 100 + late, after: 110 + late });
        assert_eq!(
            report(9, &trace, &steps, &made, BOUNCE),
            r#"{"index":9,"class":"two-at-once","start_ns":100,"edges":4,"late_ns":390020,"off_ns":390010,"kept":false,"#
                .to_owned()
                + r#""rejected":0,"noise":0,"presses":[{"line":4,"before_ns":110,"after_ns":120},"#
                + r#"{"line":2,"before_ns":111,"after_ns":121}]}"#
        );
    }

    #[test]
    fn traces_are_played() {
        let chip = Chip::new("bounce", 5);
        let mut printed = Vec::new();
        let bounce = Bounce { count: 3, ..BOUNCE };
        let print = |line: &str| {
            printed.push(line.to_owned());
            Ok(())
        };
        play(&chip.target(false), bounce, print).expect("plays");
        assert_eq!(printed.len(), 3, "{printed:?}");
    }
}
