//! `undo-press`: the last completed move is taken back.

use super::{Naive, OwedOvertime, SideState, Turn, int};
use clock_engine::{Caller, Method, PausedBy, PerSide, Phase, Side};

/// The last completed move, with the state of both sides before and after the press.
#[derive(Clone, Debug)]
pub(super) struct LastMove {
    pub side: Side,
    /// The turn that the press ended, as it was at the press.
    pub turn: Turn,
    pub before: PerSide<SideState>,
    pub after: PerSide<SideState>,
}

impl Naive {
    pub(super) fn undo(&mut self, last: LastMove, at: i128) {
        let other = last.side.other();
        let fell_since = self.sides[other].out && !last.after[other].out;
        // The time that the opponent's clock has used stays used, unless the opponent's final flag
        // fell.
        self.end_turn(at);
        self.give_back(&last);
        if fell_since {
            self.annul(other, 0);
            self.give_back_what_was_used_since(other, &last.after[other], at);
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

    /// Restores the state that the opponent had right after the press. A period that has begun
    /// since then because time was used up stays, and the opponent gets the time of that period
    /// again.
    fn give_back_what_was_used_since(&mut self, side: Side, after: &SideState, at: i128) {
        let periods = after.period..self.sides[side].period;
        let flags = std::mem::take(&mut self.sides[side].flags);
        self.sides[side] = SideState { flags, ..after.clone() };
        for number in periods {
            let time = int(self.period(number + 1).time[side]);
            let state = &mut self.sides[side];
            state.period = number + 1;
            state.main += time;
            state.aside = None;
        }
        self.enter_overtime_with_nothing_left(side, at);
    }

    /// Restores the state before the press for the side that pressed. The periods that this side
    /// has entered since the press stay.
    fn give_back(&mut self, last: &LastMove) {
        let (before, after) = (&last.before[last.side], &last.after[last.side]);
        let state = &mut self.sides[last.side];
        state.moves -= 1;
        state.main += before.main - after.main;
        state.period -= after.period - before.period;
        if before.period != after.period || before.overtime.is_some() {
            state.overtime = before.overtime;
        }
        if before.period != after.period {
            // The period that the press began may have discarded `aside`, or begun `owed_overtime`
            // again, so both are restored.
            (state.aside, state.owed_overtime) = (before.aside, before.owed_overtime);
            state.owed = before.owed;
        }
    }

    fn take_set_back(&mut self, side: Side, last: &LastMove) {
        let (before, after) = (&last.before[side], &last.after[side]);
        let repaid = before.owed - after.owed;
        let period = self.period(after.period);
        let given = int(period.time[side]) - repaid;
        let state = &mut self.sides[side];
        state.period = before.period;
        (state.aside, state.owed_overtime) = (before.aside, before.owed_overtime);
        if let (Some(left), Method::Overtime(overtime)) =
            (state.overtime.take(), period.method[side])
        {
            let number = std::mem::take(&mut state.main);
            let gone = i128::from(overtime.periods - left.periods);
            let used = (gone + 1) * int(overtime.time) - number;
            if used > 0 {
                state.owed_overtime = Some(OwedOvertime { left, number, used });
            }
        }
        // The time used stays used.
        state.owed = before.owed + (given - state.main).max(0);
        state.main = (state.main - given).max(0);
    }

    /// Annuls the final flag and sets `SideState::main` to `main`.
    pub(super) fn annul(&mut self, side: Side, main: i128) {
        let state = &mut self.sides[side];
        state.out = false;
        state.flags.pop();
        state.main = main;
        if let Some(left) = state.overtime.as_mut().or(state.aside.as_mut()) {
            left.periods = left.periods.max(1);
        }
    }

    pub(super) fn recompute_first_flag(&mut self) {
        let standing = self.first_flag.filter(|side| self.sides[*side].out);
        let fallen = Side::BOTH.into_iter().find(|side| self.sides[*side].out);
        self.first_flag = standing.or(fallen);
        if self.phase == Phase::Ruling && self.first_flag.is_none() {
            self.pause(PausedBy::Caller(Caller::Arbiter));
        }
    }
}
