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
    /// The queued record: the stamp of the latest of the changes, and the level after it.
    edge: Edge,
}

fn records(changes: &[Edge], mut delay: impl FnMut() -> u64) -> Vec<Record> {
    let mut records = Vec::new();
    let mut rest = changes;
    while let Some(first) = rest.first() {
        let runs = first.at + delay();
        let count = rest.partition_point(|change| change.at <= runs);
        let (merged, later) = rest.split_at(count);
        let edge = *merged.last().unwrap_or(first);
        records.push(Record { first: first.at, edge });
        rest = later;
    }
    records
}

/// The records that the kernel makes of one line's changes, which are in order. `delay` returns how
/// long after the first hard interrupt of a record the interrupt's thread runs.
pub fn kernel_records(changes: &[Edge], delay: impl FnMut() -> u64) -> Vec<Edge> {
    records(changes, delay).into_iter().map(|record| record.edge).collect()
}

/// Replaces the changes of one line by the kernel's records, and dates the expected outcomes
/// accordingly: a change has the stamp of the record that contains it.
pub fn merge_into_records(
    changes: &[Edge],
    line: usize,
    expected: &mut [Outcome],
    delay: impl FnMut() -> u64,
) -> Vec<Edge> {
    let records = records(changes, delay);
    for outcome in expected.iter_mut().filter(|outcome| outcome.line == line) {
        let span = |record: &&Record| (record.first..=record.edge.at).contains(&outcome.at);
        if let Some(record) = records.iter().find(span) {
            outcome.at = record.edge.at;
        }
    }
    records.into_iter().map(|record| record.edge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    /// The records of changes at these instants, with these delays. The first change is a closing.
    fn records_of(changes: &[u64], delays: &[u64]) -> Vec<(u64, bool)> {
        let edge = |(place, at): (usize, &u64)| Edge { at: *at, line: 0, active: place % 2 == 0 };
        let changes: Vec<Edge> = changes.iter().enumerate().map(edge).collect();
        let mut delays = delays.iter().copied();
        let records = kernel_records(&changes, || delays.next().expect("a delay for each record"));
        records.into_iter().map(|edge| (edge.at, edge.active)).collect()
    }

    #[test]
    fn changes_before_the_thread_has_run_become_one_record() {
        // A contact longer than the delay has a record for each of its edges.
        assert_eq!(records_of(&[100, 200], &[99, 99]), [(100, true), (200, false)]);
        // A shorter contact has a record of its end only, and so has a short opening.
        assert_eq!(records_of(&[100, 130], &[40]), [(130, false)]);
        assert_eq!(records_of(&[100, 900, 930], &[40, 40]), [(100, true), (930, true)]);
        // The delay counts from the first change, and a change at the instant at which the thread
        // runs is part of the record.
        assert_eq!(records_of(&[100, 130, 160], &[40, 40]), [(130, false), (160, true)]);
        assert_eq!(records_of(&[100, 130, 160], &[60]), [(160, true)]);
        // Without a delay every change has a record.
        assert_eq!(records_of(&[100, 101], &[0, 0]), [(100, true), (101, false)]);
    }

    #[test]
    fn what_is_expected_is_dated_by_the_record_of_its_change() {
        let edge = |at, active| Edge { at, line: 1, active };
        let changes = [edge(100, true), edge(130, false), edge(500, true)];
        let press = |at, line| Outcome { at, line, verdict: Verdict::Press };
        let mut expected = [press(100, 1), press(500, 1), press(100, 0)];
        let records = merge_into_records(&changes, 1, &mut expected, || 40);
        assert_eq!(records, [edge(130, false), edge(500, true)]);
        assert_eq!(expected, [press(130, 1), press(500, 1), press(100, 0)]);
    }
}
