//! How the kernel turns changes of a line into records, as far as the debounce can notice it.
//!
//! The hard interrupt of a change takes the stamp and wakes the interrupt's thread. The thread runs
//! some time later, reads the level, and queues one record: the stamp of the latest hard interrupt
//! and the level it has read. Changes that come before the thread has run overwrite the stamp, so
//! all changes from the first one to the thread's run become one record.

use crate::{Edge, Outcome};

/// A record, and the changes it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Record {
    /// The first of the changes.
    first: u64,
    /// As told: the latest of the changes, and the level after it.
    told: Edge,
}

fn records(changes: &[Edge], mut delay: impl FnMut() -> u64) -> Vec<Record> {
    let mut records = Vec::new();
    let mut rest = changes;
    while let Some(first) = rest.first() {
        let runs = first.at + delay();
        let count = rest.partition_point(|change| change.at <= runs);
        let (merged, later) = rest.split_at(count);
        let told = *merged.last().unwrap_or(first);
        records.push(Record { first: first.at, told });
        rest = later;
    }
    records
}

/// What the kernel tells of one line's changes, which are in order. `delay` says how long after the
/// first hard interrupt of a record the interrupt's thread runs.
pub fn told_by_kernel(changes: &[Edge], delay: impl FnMut() -> u64) -> Vec<Edge> {
    records(changes, delay).into_iter().map(|record| record.told).collect()
}

/// Replaces the changes of one line by the kernel's records, and dates what is expected of them
/// accordingly: a change is known by the stamp of the record it went into.
pub fn tell(
    changes: &[Edge],
    line: usize,
    expected: &mut [Outcome],
    delay: impl FnMut() -> u64,
) -> Vec<Edge> {
    let records = records(changes, delay);
    for outcome in expected.iter_mut().filter(|outcome| outcome.line == line) {
        let span = |record: &&Record| (record.first..=record.told.at).contains(&outcome.at);
        if let Some(record) = records.iter().find(span) {
            outcome.at = record.told.at;
        }
    }
    records.into_iter().map(|record| record.told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    /// Changes at these instants, the first one a closing; what is told of them with these delays.
    fn told(changes: &[u64], delays: &[u64]) -> Vec<(u64, bool)> {
        let edge = |(place, at): (usize, &u64)| Edge { at: *at, line: 0, active: place % 2 == 0 };
        let changes: Vec<Edge> = changes.iter().enumerate().map(edge).collect();
        let mut delays = delays.iter().copied();
        let told = told_by_kernel(&changes, || delays.next().expect("a delay for each record"));
        told.into_iter().map(|edge| (edge.at, edge.active)).collect()
    }

    #[test]
    fn changes_before_the_thread_has_run_become_one_record() {
        // A contact longer than the delay is told by both its edges.
        assert_eq!(told(&[100, 200], &[99, 99]), [(100, true), (200, false)]);
        // A shorter one by its end only, and a short opening by its end only.
        assert_eq!(told(&[100, 130], &[40]), [(130, false)]);
        assert_eq!(told(&[100, 900, 930], &[40, 40]), [(100, true), (930, true)]);
        // The delay counts from the first of them, and a change at the thread's instant is read.
        assert_eq!(told(&[100, 130, 160], &[40, 40]), [(130, false), (160, true)]);
        assert_eq!(told(&[100, 130, 160], &[60]), [(160, true)]);
        // At once: nothing is lost.
        assert_eq!(told(&[100, 101], &[0, 0]), [(100, true), (101, false)]);
    }

    #[test]
    fn what_is_expected_is_dated_by_the_record_of_its_change() {
        let edge = |at, active| Edge { at, line: 1, active };
        let changes = [edge(100, true), edge(130, false), edge(500, true)];
        let press = |at, line| Outcome { at, line, verdict: Verdict::Press };
        let mut expected = [press(100, 1), press(500, 1), press(100, 0)];
        let told = tell(&changes, 1, &mut expected, || 40);
        assert_eq!(told, [edge(130, false), edge(500, true)]);
        assert_eq!(expected, [press(130, 1), press(500, 1), press(100, 0)]);
    }
}
