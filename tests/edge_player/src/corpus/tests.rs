use super::*;
use crate::{Edge, Verdict};

const TRACES: u64 = 40 * Class::COUNT as u64;

fn traces() -> impl Iterator<Item = Trace> {
    (0..TRACES).map(|index| trace(1, index, Pace::EXACT))
}

fn of_line(trace: &Trace, line: usize) -> Vec<Edge> {
    trace.edges.iter().filter(|edge| edge.line == line).copied().collect()
}

#[test]
fn the_same_seed_makes_the_same_traces_and_another_makes_others() {
    for index in 0..TRACES {
        assert_eq!(trace(7, index, Pace::EXACT), trace(7, index, Pace::EXACT));
    }
    let same = (0..TRACES).filter(|i| trace(7, *i, Pace::EXACT) == trace(8, *i, Pace::EXACT));
    assert_eq!(same.count(), 0);
}

#[test]
fn edges_are_in_order_and_alternate_unless_some_are_lost() {
    let mut repeated = 0;
    for trace in traces() {
        let class = trace.class;
        assert!(trace.edges.is_sorted_by_key(|edge| edge.at), "{class}");
        for line in 0..LINES {
            let edges = of_line(&trace, line);
            for pair in edges.windows(2) {
                assert!(pair[0].at < pair[1].at, "{class}: {pair:?}");
                let alternates = pair[0].active != pair[1].active;
                let may_repeat = class.loses_edges() || class == Class::Merged;
                assert!(alternates || may_repeat, "{class}: {pair:?}");
                repeated += u64::from(!alternates);
            }
            let first = edges.first().is_none_or(|edge| edge.active);
            let may_open_first = matches!(class, Class::LostFirst | Class::Merged);
            assert!(first || may_open_first, "{class} starts with an opening");
            assert!(edges.last().is_none_or(|edge| !edge.active), "{class} ends closed");
        }
    }
    assert!(repeated > 100, "lost edges leave two of a direction: {repeated}");
}

/// Compares the same contacts with and without an interrupt thread that runs up to 100 µs late. No
/// outcome is dated later by more than that delay, and more than a tenth of the presses are dated
/// later. The delay does not change the traces of `merged` and of the classes that lose edges.
#[test]
fn a_late_interrupt_thread_delays_a_stamp_by_its_delay_at_most() {
    let at_once = Pace { thread_delay: 0, ..Pace::THREADED };
    let (mut presses, mut late, mut openings_first) = (0, 0, 0);
    for index in 0..TRACES {
        let merged = trace(1, index, Pace::THREADED);
        let made = trace(1, index, at_once);
        if merged.class.loses_edges() || merged.class == Class::Merged {
            assert_eq!(merged, made);
            continue;
        }
        for line in 0..LINES {
            let of_line = |trace: &Trace| {
                let outcomes = trace.expected.iter().filter(|found| found.line == line);
                outcomes.copied().collect::<Vec<_>>()
            };
            let (merged_of, made_of) = (of_line(&merged), of_line(&made));
            assert_eq!(merged_of.len(), made_of.len());
            for (merged, made) in merged_of.iter().zip(&made_of) {
                assert_eq!(merged.verdict, made.verdict);
                assert!((made.at..=made.at + 100_000).contains(&merged.at), "{merged:?} {made:?}");
                presses += u64::from(made.verdict == Verdict::Press);
                late += u64::from(made.verdict == Verdict::Press && merged.at > made.at);
            }
            let first = merged.edges.iter().find(|edge| edge.line == line);
            openings_first += u64::from(first.is_some_and(|edge| !edge.active));
        }
    }
    assert!(late * 10 > presses && openings_first > 50, "{late} of {presses}, {openings_first}");
}

#[test]
fn every_class_comes_as_often_and_expects_something() {
    let mut counts = [0; Class::COUNT];
    for trace in traces() {
        counts[trace.class as usize] += 1;
        assert!(!trace.expected.is_empty(), "{}", trace.class);
    }
    assert_eq!(counts, [40; Class::COUNT]);
}

#[test]
fn noise_is_no_press_and_everything_else_is_one() {
    for trace in traces() {
        let verdicts: Vec<Verdict> = trace.expected.iter().map(|found| found.verdict).collect();
        match trace.class {
            Class::Glitch | Class::LightTouch | Class::Burst | Class::SettleShort => {
                assert!(verdicts.contains(&Verdict::Rejected), "{trace:?}");
            }
            Class::LongBurst => assert!(verdicts.contains(&Verdict::Noise), "{trace:?}"),
            _ => assert!(trace.presses().count() > 0, "{trace:?}"),
        }
    }
}

#[test]
fn a_kernel_gets_what_it_can_take() {
    let spacing = 60_000;
    let mut counts = [0; Class::COUNT];
    for trace in (0..TRACES).filter_map(|index| playable(1, index, spacing)) {
        counts[trace.class as usize] += 1;
        assert!(trace.class.is_playable());
        assert!(trace.duration() < LONGEST_PLAYED);
        assert!(trace.closest().is_none_or(|closest| closest >= spacing), "{trace:?}");
    }
    for class in Class::all().filter(|class| class.is_playable()) {
        assert!(counts[class as usize] >= 35, "{class}: {counts:?}");
    }
}
