//! The entries that belong to the moves of a side.

use super::super::*;

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
