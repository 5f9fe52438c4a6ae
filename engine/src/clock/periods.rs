//! What time used up and moves made bring: the next period, overtime, the next slice, the flag.

use super::{Clock, Stage};
use crate::event::CAPACITY;
use crate::{Advance, AfterFlag, EventKind, Instant, Method, Overtime, Side, Span};

impl Clock {
    /// The time of the side on move is used up at `at`; `now` is how far time has come.
    pub(super) fn time_up(&mut self, at: Instant, now: Instant) {
        self.charge(at);
        self.stage = Stage::Running { since: at };
        let side = self.on_move;
        let half = &self.halves[side];
        match self.method(side) {
            Method::Gong(slice) => self.gong(slice, at, now),
            Method::Overtime(overtime) if half.overtime.is_none_or(|left| left.periods > 1) => {
                self.next_overtime(overtime, at, now);
            }
            _ if self.control.is_last(half.period) => self.fall(at),
            _ => match self.control.terms().advance {
                Advance::Zero => self.both_advance(at),
                Advance::MovesAtZero if self.moves_made(side, half.moves) => {
                    self.next_period(side, at);
                }
                _ => self.fall(at),
            },
        }
    }

    /// The final flag of the side on move falls.
    fn fall(&mut self, at: Instant) {
        let side = self.on_move;
        let half = &mut self.halves[side];
        half.fall(at);
        let period = half.period;
        self.first_flag.get_or_insert(side);
        if self.control.after_flag() == AfterFlag::Halt {
            self.stage = Stage::Ruling;
        }
        self.emit(at, EventKind::Flag { side, period });
    }

    /// `advance = "zero"`: one side's flag, and both are in the next period.
    fn both_advance(&mut self, at: Instant) {
        let side = self.on_move;
        let half = &mut self.halves[side];
        half.period_flag = Some(at);
        let period = half.period;
        self.emit(at, EventKind::Flag { side, period });
        self.next_period(side, at);
        let other = self.halves[side.other()];
        // An arbiter may have put the other side in a later period: it has that period's time.
        let behind = other.period <= period && !self.control.is_last(other.period);
        if other.final_flag.is_none() && behind {
            self.next_period(side.other(), at);
        }
    }

    /// The other side's slice begins. After a long silence whole rounds are passed over: more
    /// gongs than are kept would only push each other out.
    fn gong(&mut self, slice: Span, at: Instant, now: Instant) {
        let side = self.on_move;
        let other = side.other();
        self.halves[side].main = slice;
        let waiting = self.halves[other].main;
        let round = slice.plus(waiting).as_nanos();
        let mut passed = 0;
        if Some(waiting) == self.method(other).slice() {
            let kept = u64::try_from(CAPACITY / 2).expect("a small number");
            passed = (now.since(at).as_nanos() / round).saturating_sub(kept);
        }
        let at = at.checked_add(Span::from_nanos(passed * round)).expect("not later than now");
        self.begin_turn(other);
        self.stage = Stage::Running { since: at };
        self.emit(at, EventKind::Gong { side: other });
    }

    /// The next period of overtime begins, the first when the main time is used up. After a long
    /// silence it is the one that runs now.
    fn next_overtime(&mut self, overtime: Overtime, at: Instant, now: Instant) {
        let side = self.on_move;
        let half = &mut self.halves[side];
        match &mut half.overtime {
            Some(left) => {
                left.periods -= 1;
                left.moves = overtime.moves;
                half.main = overtime.time;
            }
            None => half.enter_overtime_at_zero(Method::Overtime(overtime)),
        }
        let Some(left) = &mut half.overtime else { return };
        let mut began = at;
        if let Some(beyond) = now.since(at).as_nanos().checked_sub(half.main.as_nanos()) {
            let time = overtime.time.as_nanos();
            let gone_by = u32::try_from(1 + beyond / time).unwrap_or(u32::MAX);
            let gone_by = gone_by.min(left.periods - 1);
            if let Some(more) = gone_by.checked_sub(1) {
                let ran = half.main.plus(Span::from_nanos(u64::from(more) * time));
                began = at.checked_add(ran).expect("not later than now");
                left.periods -= gone_by;
                left.moves = overtime.moves;
                half.main = overtime.time;
            }
        }
        let periods_left = left.periods;
        self.stage = Stage::Running { since: began };
        self.emit(began, EventKind::Overtime { side, periods_left });
    }

    /// A press of this side may complete the period's moves; whether it brought a next period.
    pub(super) fn complete_period(&mut self, side: Side, at: Instant) -> bool {
        let moves = self.halves[side].moves;
        let of: &[Side] = match self.control.terms().advance {
            Advance::Moves => &[side],
            Advance::BlackCompletes { .. } if side == Side::Black => &[Side::Black, Side::White],
            _ => &[],
        };
        let mut completed = false;
        for &side in of {
            let half = &self.halves[side];
            let open = half.final_flag.is_none() && !self.control.is_last(half.period);
            if open && self.moves_made(side, moves) {
                self.next_period(side, at);
                completed = true;
            }
        }
        completed
    }

    /// Whether these are all the moves of the period this side is in.
    fn moves_made(&self, side: Side, moves: u32) -> bool {
        let due = self.control.moves_due(self.halves[side].period);
        due.is_some_and(|due| u64::from(moves) >= due)
    }

    fn next_period(&mut self, side: Side, at: Instant) {
        let half = &mut self.halves[side];
        let next = self.control.period(half.period + 1);
        half.enter_period(next.time[side], next.method[side]);
        let period = half.period;
        self.emit(at, EventKind::Period { side, period });
    }
}
