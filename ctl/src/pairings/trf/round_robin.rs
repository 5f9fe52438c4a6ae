//! The order of the boards of a round robin, by the Berger tables (FIDE Handbook C.05, annex 1).
//!
//! With an even number `n` of players, one player of the round meets player `n` on board 1. The
//! others sit around a table of `n - 1` places: those one place to either side of that player meet
//! on board 2, those two places away on board 3, and so on.

/// The place of each pair in the order of the boards. With an odd number of players, the one who
/// would meet player `n` has a bye, and the other games move up. `None` if the pairs are not those
/// of one round of the tables, or if the numbers of the players are not 1 to their count.
pub(super) fn order(numbers: &[u32], pairs: &[(u32, u32)]) -> Option<Vec<u32>> {
    let count = u32::try_from(numbers.len()).ok()?;
    if numbers.iter().zip(1..).any(|(number, expected)| *number != expected) {
        return None;
    }
    let last = count + count % 2;
    let places = pairs.iter().map(|pair| place(*pair, last)).collect::<Option<Vec<_>>>()?;
    let (first, _) = places.first()?;
    let is_one_round = places.iter().all(|(middle, _)| middle == first);
    is_one_round.then(|| places.into_iter().map(|(_, board)| board).collect())
}

/// The player who meets the last one in the round of this pair, and the pair's board from 0.
fn place((one, other): (u32, u32), last: u32) -> Option<(u32, u32)> {
    let seats = last.checked_sub(1).filter(|seats| *seats > 0)?;
    if one == last || other == last {
        return Some((one.min(other) % seats, 0));
    }
    // The middle of both: half of their sum, where half of 1 is `last / 2` seats.
    let middle =
        u32::try_from(u64::from(one + other) * u64::from(last / 2) % u64::from(seats)).ok()?;
    let distance = (one + seats - middle) % seats;
    Some((middle, distance.min(seats - distance)))
}

#[cfg(test)]
mod tests {
    use super::order;

    /// The rounds of FIDE's table for five and six players.
    const SIX: [[(u32, u32); 3]; 5] = [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ];
    /// Rounds 1, 2 and 9 of the table for nine and ten players.
    const TEN: [[(u32, u32); 5]; 3] = [
        [(1, 10), (2, 9), (3, 8), (4, 7), (5, 6)],
        [(10, 6), (7, 5), (8, 4), (9, 3), (1, 2)],
        [(5, 10), (6, 4), (7, 3), (8, 2), (9, 1)],
    ];

    #[test]
    fn the_boards_are_those_of_the_tables() {
        for round in SIX {
            assert_eq!(order(&[1, 2, 3, 4, 5, 6], &round), Some(vec![0, 1, 2]), "{round:?}");
            // The colours are exchanged in the second half of a double round robin.
            let exchanged = round.map(|(white, black)| (black, white));
            assert_eq!(order(&[1, 2, 3, 4, 5, 6], &exchanged), Some(vec![0, 1, 2]));
            // Of five players, the one who would meet number 6 has a bye.
            assert_eq!(order(&[1, 2, 3, 4, 5], &round[1..]), Some(vec![1, 2]), "{round:?}");
        }
        for round in TEN {
            let numbers: Vec<u32> = (1..=10).collect();
            assert_eq!(order(&numbers, &round), Some(vec![0, 1, 2, 3, 4]), "{round:?}");
        }
    }

    #[test]
    fn other_rounds_have_no_order() {
        assert_eq!(order(&[1, 2, 3, 4, 5, 6], &[(1, 6), (2, 4), (3, 5)]), None);
        assert_eq!(order(&[1, 2, 3, 7], &[(1, 7), (2, 3)]), None);
    }
}
