//! The transitions that happen without a press or a command, because time is used up.

use super::{Naive, SideState, int};
use clock_engine::{AfterFlag, EventKind, Method, OvertimeLeft, PeriodEnd, Phase, Side};

impl Naive {
    /// The instant of the next timeout: that at which `e = M + d` (docs/timing.md) or, if time is
    /// counted up, at which the limit is reached. `None` if there is no timeout.
    pub fn due(&self) -> Option<i128> {
        let side = self.turn.side;
        if self.phase != Phase::Running || self.sides[side].out {
            return None;
        }
        let (from, _) = *self.turn.ran.last()?;
        let number = self.number(side, from);
        let left = match self.method(side) {
            Method::CountUp { limit } => int(limit?) - number,
            _ => number,
        };
        let delay_left = self.turn.delay - self.turn.elapsed(from);
        Some(from + left.max(0) + delay_left.max(0))
    }

    /// Decides all timeouts up to and including `at`, one after the other.
    pub fn until(&mut self, at: i128) {
        let before = self.events.len();
        while let Some(due) = self.due().filter(|due| *due <= at) {
            self.used_up(due);
        }
        self.report_only_the_last_overtime(before);
    }

    fn report_only_the_last_overtime(&mut self, from: usize) {
        let new = self.events.split_off(from);
        let is_overtime = |kind: &EventKind| matches!(kind, EventKind::Overtime { .. });
        let last = new.iter().rposition(|(_, kind)| is_overtime(kind));
        let kept = new.into_iter().enumerate();
        let kept = kept.filter(|(index, (_, kind))| !is_overtime(kind) || last == Some(*index));
        self.events.extend(kept.map(|(_, event)| event));
    }

    fn used_up(&mut self, at: i128) {
        let side = self.turn.side;
        if let Method::Gong(_) = self.method(side) {
            return self.gong(side, at);
        }
        if self.next_overtime_period(side) {
            let periods_left = self.sides[side].overtime.map_or(0, |left| left.periods);
            return self.events.push((at, EventKind::Overtime { side, periods_left }));
        }
        match self.control.terms().period_end {
            PeriodEnd::Zero if self.has_next_period(side) => {
                let period = self.sides[side].period;
                self.sides[side].flags.push(at);
                self.events.push((at, EventKind::Flag { side, period }));
                self.next_period(side, at);
                // The arbiter may have put the other side in a later period already.
                if self.sides[side.other()].period <= period {
                    self.next_period(side.other(), at);
                }
            }
            PeriodEnd::MovesAtZero if self.has_next_period(side) && self.moves_are_made(side) => {
                self.next_period(side, at);
            }
            _ => self.final_flag(side, at),
        }
    }

    /// Begins the other side's slice. The next slice of this side will have its whole time.
    fn gong(&mut self, side: Side, at: i128) {
        self.hand_over(side.other(), at);
        self.run(at);
        self.events.push((at, EventKind::Gong { side: side.other() }));
    }

    /// Ends the present turn and begins a turn of `side`.
    pub(super) fn hand_over(&mut self, side: Side, at: i128) {
        self.end_turn(at);
        if let Method::Gong(slice) = self.method(side.other()) {
            self.sides[side.other()].main = int(slice);
        }
        self.begin_turn(side);
    }

    fn next_overtime_period(&mut self, side: Side) -> bool {
        let Method::Overtime(overtime) = self.method(side) else {
            return false;
        };
        let state = &mut self.sides[side];
        let periods = match state.overtime {
            None if state.owed_overtime.is_some() => {
                self.restore_what_is_owed(side);
                return true;
            }
            None => overtime.periods,
            Some(left) if left.periods > 1 => left.periods - 1,
            Some(_) => return false,
        };
        state.overtime = Some(OvertimeLeft { periods, moves: overtime.moves });
        state.main += int(overtime.time);
        true
    }

    /// Begins the overtime of a set-back again, if `undo-press` took back the set-back after that
    /// overtime had begun. The overtime then has what was left of it when the set-back was taken
    /// back.
    pub(super) fn restore_what_is_owed(&mut self, side: Side) {
        let state = &mut self.sides[side];
        if let Some(owed) = state.owed_overtime.take() {
            state.overtime = Some(owed.left);
            state.main += owed.number;
        }
    }

    /// Begins overtime for a side with main time 0. A side with a final flag gets no time.
    pub(super) fn enter_overtime_with_nothing_left(&mut self, side: Side, at: i128) {
        let SideState { out, overtime, .. } = self.sides[side];
        if !out && overtime.is_none() && self.number(side, at) == 0 {
            self.next_overtime_period(side);
        }
    }

    /// Lets the side enter the next period and gives it the period's time, unless its final flag is
    /// down or there is no next period.
    pub(super) fn next_period(&mut self, side: Side, at: i128) {
        if self.sides[side].out || !self.has_next_period(side) {
            return;
        }
        let period = self.sides[side].period + 1;
        self.sides[side].period = period;
        let time = int(self.period(period).time[side]);
        let state = &mut self.sides[side];
        // The new period has its whole overtime, so an overtime that was set aside is discarded.
        state.aside = None;
        let repaid = state.owed.min(time);
        state.owed -= repaid;
        state.main += time - repaid;
        self.enter_overtime_with_nothing_left(side, at);
        self.events.push((at, EventKind::Period { side, period }));
    }

    fn final_flag(&mut self, side: Side, at: i128) {
        let number_at_flag = self.number(side, at);
        let charged = (self.turn.elapsed(at) - self.turn.delay).max(0);
        let state = &mut self.sides[side];
        state.number_at_flag = number_at_flag;
        state.out = true;
        state.flags.push(at);
        // With this value, the main number (`number`) is 0 at this instant, so that all running
        // time from here on is overrun.
        state.main = charged;
        if let Some(left) = &mut state.overtime {
            left.periods = 0;
        }
        let period = state.period;
        self.first_flag = self.first_flag.or(Some(side));
        self.events.push((at, EventKind::Flag { side, period }));
        if self.after_flag() == AfterFlag::Halt {
            self.stop(at);
            self.phase = Phase::Ruling;
        }
    }
}
