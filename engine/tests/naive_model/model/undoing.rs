//! The last press taken back.

use super::{Half, Naive, Turn};
use clock_engine::{Caller, PausedBy, PerSide, Phase, Side};

/// The last completed move: what was so before it, and what was so when it was made.
pub(super) struct LastMove {
    pub side: Side,
    /// The turn as it ended.
    pub turn: Turn,
    pub before: PerSide<Half>,
    pub after: PerSide<Half>,
}

impl Naive {
    pub(super) fn undo(&mut self, last: LastMove, at: i128) {
        // What the opponent's clock used stays used.
        self.end_turn(at);
        self.give_back(&last);
        let other = last.side.other();
        if self.halves[other].out && !last.after[other].out {
            self.annul(other, self.halves[other].number_at_flag);
        }
        if last.after[other].period != last.before[other].period {
            self.take_set_back(other, &last);
        }
        self.turn = last.turn;
        if self.paused_by == PausedBy::SetBack {
            self.paused_by = PausedBy::Caller(Caller::Arbiter);
        }
        self.recompute_first_flag();
    }

    /// The side that pressed has what it had at the start of that turn, and what came to it since.
    fn give_back(&mut self, last: &LastMove) {
        let (before, after) = (&last.before[last.side], &last.after[last.side]);
        let half = &mut self.halves[last.side];
        half.moves -= 1;
        half.main += before.main - after.main;
        half.period -= after.period - before.period;
        if before.period != after.period || before.overtime.is_some() {
            half.overtime = before.overtime;
        }
    }

    fn take_set_back(&mut self, side: Side, last: &LastMove) {
        let given = last.after[side].main - last.before[side].main;
        let half = &mut self.halves[side];
        half.period -= 1;
        if let Some(left) = half.overtime.take() {
            half.aside = Some((left, std::mem::take(&mut half.main)));
        }
        // What is used stays used.
        half.owed = last.before[side].owed + (given - half.main).max(0);
        half.main = (half.main - given).max(0);
    }

    /// The final flag no longer stands; the side has this main time at the start of its turn.
    pub(super) fn annul(&mut self, side: Side, main: i128) {
        let half = &mut self.halves[side];
        half.out = false;
        half.flags.pop();
        half.main = main;
        let aside = half.aside.as_mut().map(|(left, _)| left);
        if let Some(left) = half.overtime.as_mut().or(aside) {
            left.periods = left.periods.max(1);
        }
    }

    pub(super) fn recompute_first_flag(&mut self) {
        let standing = self.first_flag.filter(|side| self.halves[*side].out);
        let fallen = Side::BOTH.into_iter().find(|side| self.halves[*side].out);
        self.first_flag = standing.or(fallen);
        if self.phase == Phase::Ruling && self.first_flag.is_none() {
            self.pause(PausedBy::Caller(Caller::Arbiter));
        }
    }
}
