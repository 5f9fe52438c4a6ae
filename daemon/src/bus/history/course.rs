//! Finds the entry that belongs to a move of a side.

use std::collections::BTreeMap;

/// Maps the numbers of one side's press counter to entries, up to the number that the counter shows
/// now. The entry of a number is the earliest one after which the counter showed that number and
/// has not been lower since. A number that a correction skipped, or that is below the first one of
/// an imported game, has no entry.
///
/// For example, after the entries 5, 6, 7 and 8 the counter shows 22, 23, 22 and 23, because a
/// press was taken back. Then 22 belongs to entry 5, and 23 to entry 8.
#[derive(Debug, Default)]
pub struct Course(BTreeMap<u32, u64>);

impl Course {
    /// Adds an entry after which the counter shows `count`. Entries are added in their order.
    pub fn add(&mut self, entry: u64, count: u32) {
        while self.0.last_key_value().is_some_and(|(last, _)| *last > count) {
            self.0.pop_last();
        }
        self.0.entry(count).or_insert(entry);
    }

    /// The entry that belongs to this number of the counter; `None` if the number has no entry.
    pub fn entry(&self, count: u32) -> Option<u64> {
        self.0.get(&count).copied()
    }

    /// The number that the counter shows after the last entry; `None` if no entry was added.
    pub fn count(&self) -> Option<u32> {
        self.0.last_key_value().map(|(count, _)| *count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_back_is_not_part_of_the_course() {
        let numbers = |counts: &[u32]| {
            let mut course = Course::default();
            for (entry, count) in (1..).zip(counts) {
                course.add(entry, *count);
            }
            course.0.into_iter().collect::<Vec<_>>()
        };
        for (counts, expected) in [
            (&[][..], &[][..]),
            // The other side's moves, and commands, do not change the counter.
            (&[0, 0, 1, 1, 1, 2], &[(0, 1), (1, 3), (2, 6)]),
            // A press is taken back and made again.
            (&[0, 1, 2, 1], &[(0, 1), (1, 2)]),
            (&[0, 1, 2, 1, 2], &[(0, 1), (1, 2), (2, 5)]),
            // The counter is corrected upwards and downwards.
            (&[0, 1, 9, 10], &[(0, 1), (1, 2), (9, 3), (10, 4)]),
            (&[0, 1, 2, 3, 2, 3], &[(0, 1), (1, 2), (2, 3), (3, 6)]),
            (&[0, 5, 3], &[(0, 1), (3, 3)]),
            // The game is rewound to the side's first move, and continues from there.
            (&[0, 1, 2, 3, 1, 2], &[(0, 1), (1, 2), (2, 6)]),
            // A game that was imported from another clock begins at 23.
            (&[23, 24], &[(23, 1), (24, 2)]),
        ] {
            assert_eq!(numbers(counts), expected, "{counts:?}");
        }
    }

    #[test]
    fn the_last_number_is_that_of_the_counter() {
        let mut course = Course::default();
        assert_eq!(course.count(), None);
        for (entry, count) in [(1, 0), (2, 7), (3, 4)] {
            course.add(entry, count);
            assert_eq!((course.count(), course.entry(count)), (Some(count), Some(entry)));
        }
        assert_eq!(course.entry(7), None);
    }
}
