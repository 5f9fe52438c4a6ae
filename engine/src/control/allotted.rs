//! What a time control has given to a side by a certain move.

use super::{Control, PeriodEnd};
use crate::{PerSide, Side};

impl Control {
    /// The number of the period, from 1, in which a side is after this many moves, if the moves
    /// alone decide it. With [`PeriodEnd::BlackCompletes`] the moves of Black decide for both
    /// sides.
    pub(crate) fn period_after(&self, moves: u32) -> u32 {
        let moves = u64::from(moves);
        let is_made = |number: &u32| self.moves_due(*number).is_some_and(|due| due <= moves);
        let listed = (1..=self.count()).take_while(is_made).count();
        let listed = u32::try_from(listed).unwrap_or(u32::MAX);
        if listed < self.count() || !self.terms().repeat {
            return 1 + listed;
        }
        // The moves of all listed periods are made. From here on, the last period repeats.
        let beyond = moves - self.moves_due(self.count()).unwrap_or(moves);
        let of_last = u64::from(self.period(self.count()).moves.unwrap_or(1));
        let repeated = u32::try_from(beyond / of_last).unwrap_or(u32::MAX);
        repeated.saturating_add(1 + listed)
    }

    /// Whether the moves alone decide in which period a side is.
    pub(crate) fn goes_by_moves(&self) -> bool {
        let by_moves =
            matches!(self.terms().period_end, PeriodEnd::Moves | PeriodEnd::BlackCompletes { .. });
        by_moves || self.count() == 1
    }

    /// Whether this side gets the same increment, or none, in every period.
    pub(crate) fn has_one_increment(&self, side: Side) -> bool {
        let first = self.period(1).method[side].increment();
        self.periods().iter().all(|period| period.method[side].increment() == first)
    }

    /// The nanoseconds that a side has been given so far: the time of each period up to `period`,
    /// the increment with which move 1 begins, and the increment of each completed move. The result
    /// is right only if all periods have the same increment, or if the moves alone decide the
    /// period.
    pub(crate) fn allotted(&self, side: Side, moves: PerSide<u32>, period: u32) -> i128 {
        let listed = self.periods().iter().zip(1..=period).map(|(period, _)| period);
        let times = listed.map(|period| i128::from(period.time[side].as_nanos()));
        let repeated = i128::from(period.saturating_sub(self.count()));
        let last = i128::from(self.period(self.count()).time[side].as_nanos());
        times.sum::<i128>() + repeated * last + self.increments(side, moves)
    }

    /// The nanoseconds of all increments that a side has been given.
    fn increments(&self, side: Side, moves: PerSide<u32>) -> i128 {
        let increment =
            |number| i128::from(self.period(number).method[side].increment().as_nanos());
        let first = if self.terms().first_move_increment { increment(1) } else { 0 };
        let completed = i128::from(moves[side]);
        if self.has_one_increment(side) {
            return first + completed * increment(1);
        }
        // A move gets the increment of the period in which the side is after its press. With
        // `BlackCompletes`, White enters a period only with Black's press, so White gets the first
        // increment of a period one move later than Black does.
        let black_completes = matches!(self.terms().period_end, PeriodEnd::BlackCompletes { .. });
        let behind = i128::from(black_completes && side == Side::White);
        let (from, to) = (1 - behind, completed - behind);
        let due = |number| self.moves_due(number).map_or(i128::MAX, i128::from);
        let of_period = |number: u32| {
            let begins = if number == 1 { 0 } else { due(number - 1) };
            // The last period, whether it repeats or not, has all further moves.
            let ends = if number == self.count() { i128::MAX } else { due(number) };
            let moves = to.min(ends - 1) - from.max(begins) + 1;
            moves.max(0) * increment(number)
        };
        first + (1..=self.count()).map(of_period).sum::<i128>()
    }
}
