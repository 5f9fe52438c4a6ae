//! What the clock does when time is used up or the moves of a period are made: it enters the next
//! period, begins the next period of overtime or the next slice (the time of one turn with a gong),
//! or lets a flag fall. Also the time at which the time of a period becomes low.

use super::{Clock, Progress};
use crate::event::CAPACITY;
use crate::{AfterFlag, EventKind, Instant, Method, Overtime, PeriodEnd, Side, Span};

impl Clock {
    /// Handles that the time of the side on move is used up at `at`. The instant that is being
    /// handled is `now`, which is `at` or later.
    pub(super) fn time_up(&mut self, at: Instant, now: Instant) {
        self.charge(at);
        self.progress = Progress::Running { since: at };
        let side = self.on_move;
        let state = &self.sides[side];
        match self.method(side) {
            Method::Gong(slice) => self.gong(slice, at, now),
            Method::Overtime(overtime) if state.overtime.is_none_or(|left| left.periods > 1) => {
                self.next_overtime(overtime, at, now);
            }
            _ if self.control.is_last(state.period) => self.fall(at),
            _ => match self.control.terms().period_end {
                PeriodEnd::Zero => self.both_advance(at),
                PeriodEnd::MovesAtZero if self.moves_made(side, state.moves) => {
                    self.next_period(side, at);
                }
                _ => self.fall(at),
            },
        }
    }

    /// Lets the final flag of the side on move fall.
    fn fall(&mut self, at: Instant) {
        let side = self.on_move;
        let state = &mut self.sides[side];
        state.fall(at);
        let period = state.period;
        self.first_flag.get_or_insert(side);
        if self.control.after_flag() == AfterFlag::Halt {
            self.progress = Progress::Ruling;
        }
        self.emit(at, EventKind::Flag { side, period });
    }

    /// Handles that the time of the side on move is used up with `period_end = "zero"`. Its flag is
    /// kept in `period_flag`, and both sides enter the next period.
    fn both_advance(&mut self, at: Instant) {
        let side = self.on_move;
        let state = &mut self.sides[side];
        state.period_flag = Some(at);
        let period = state.period;
        self.emit(at, EventKind::Flag { side, period });
        self.next_period(side, at);
        let other = self.sides[side.other()];
        // The arbiter may have put the other side in a later period. If so, the other side does not
        // enter a further period now.
        let behind = other.period <= period && !self.control.is_last(other.period);
        if other.final_flag.is_none() && behind {
            self.next_period(side.other(), at);
        }
    }

    /// Begins the slice of the other side. If more gongs are due by `now` than the event queue
    /// holds, whole rounds (a slice of each side) are skipped, because the queue would drop their
    /// events in any case.
    fn gong(&mut self, slice: Span, at: Instant, now: Instant) {
        let side = self.on_move;
        let other = side.other();
        self.sides[side].main = slice;
        let waiting = self.sides[other].main;
        let round = slice.plus(waiting).as_nanos();
        let mut passed = 0;
        if Some(waiting) == self.method(other).slice() {
            let kept = u64::try_from(CAPACITY / 2).expect("a small number");
            passed = (now.since(at).as_nanos() / round).saturating_sub(kept);
        }
        let at = at.checked_add(Span::from_nanos(passed * round)).expect("not later than now");
        self.begin_turn(other);
        self.progress = Progress::Running { since: at };
        self.emit(at, EventKind::Gong { side: other });
    }

    /// Begins the next period of overtime; the first begins when the main time is used up. If
    /// several begin by `now`, only the last of them gives an event.
    fn next_overtime(&mut self, overtime: Overtime, at: Instant, now: Instant) {
        let side = self.on_move;
        let state = &mut self.sides[side];
        match &mut state.overtime {
            Some(left) => {
                left.periods -= 1;
                left.moves = overtime.moves;
                state.main = overtime.time;
            }
            None => state.enter_overtime_at_zero(Method::Overtime(overtime)),
        }
        let Some(left) = &mut state.overtime else { return };
        let mut began = at;
        if let Some(beyond) = now.since(at).as_nanos().checked_sub(state.main.as_nanos()) {
            let time = overtime.time.as_nanos();
            let gone_by = u32::try_from(1 + beyond / time).unwrap_or(u32::MAX);
            let gone_by = gone_by.min(left.periods - 1);
            if let Some(more) = gone_by.checked_sub(1) {
                let ran = state.main.plus(Span::from_nanos(u64::from(more) * time));
                began = at.checked_add(ran).expect("not later than now");
                left.periods -= gone_by;
                left.moves = overtime.moves;
                state.main = overtime.time;
            }
        }
        let periods_left = left.periods;
        self.progress = Progress::Running { since: began };
        self.emit(began, EventKind::Overtime { side, periods_left });
    }

    /// Handles a press of `side` that may have completed the moves of a period. With
    /// [`PeriodEnd::Moves`], `side` can enter its next period. With [`PeriodEnd::BlackCompletes`],
    /// both sides can, if Black pressed. Otherwise no side can. Returns whether any side has
    /// entered its next period.
    pub(super) fn complete_period(&mut self, side: Side, at: Instant) -> bool {
        let moves = self.sides[side].moves;
        let of: &[Side] = match self.control.terms().period_end {
            PeriodEnd::Moves => &[side],
            PeriodEnd::BlackCompletes { .. } if side == Side::Black => &[Side::Black, Side::White],
            _ => &[],
        };
        let mut completed = false;
        for &side in of {
            let state = &self.sides[side];
            let open = state.final_flag.is_none() && !self.control.is_last(state.period);
            if open && self.moves_made(side, moves) {
                self.next_period(side, at);
                completed = true;
            }
        }
        completed
    }

    /// Whether a counter of `moves` has reached the moves due in this side's period.
    fn moves_made(&self, side: Side, moves: u32) -> bool {
        let due = self.control.moves_due(self.sides[side].period);
        due.is_some_and(|due| u64::from(moves) >= due)
    }

    fn next_period(&mut self, side: Side, at: Instant) {
        self.enter_next(side);
        let period = self.sides[side].period;
        self.emit(at, EventKind::Period { side, period });
    }

    fn enter_next(&mut self, side: Side) {
        let next = self.sides[side].period.saturating_add(1);
        let (time, method) = (self.control.period(next).time[side], self.method_of(side, next));
        self.sides[side].enter_period(time, method);
    }

    /// Annuls the final flag of a side whose moves of the period were made, as a ruling says. The
    /// side gets the next period as with the press that completes the moves, at the instant of the
    /// flag: what the side owes comes off, and the overrun is charged to the new period. With
    /// [`PeriodEnd::BlackCompletes`] a press of Black begins the next period of White, too.
    ///
    /// # Errors
    ///
    /// The overrun uses up the time that the side gets, which is the value of the error. Nothing has
    /// changed then.
    pub(crate) fn moves_were_made(&mut self, side: Side) -> Result<(), Span> {
        let mut made = Clock { last_move: None, ..*self };
        let overrun = made.sides[side].overrun;
        made.annul_flag(side);
        let due = made.control.moves_due(made.sides[side].period);
        let due = due.and_then(|due| u32::try_from(due).ok()).unwrap_or(0);
        let moves = made.sides[side].moves.max(due);
        made.sides[side].moves = moves;
        made.enter_next(side);
        let increment = match made.control.terms().period_end {
            // The period changes in the middle of a turn. The side gets its first increment of the
            // new period with its next completed move.
            PeriodEnd::Zero | PeriodEnd::MovesAtZero => Span::ZERO,
            PeriodEnd::Moves => made.method(side).increment(),
            PeriodEnd::BlackCompletes { .. } => {
                let white = &made.sides.white;
                let open = white.final_flag.is_none() && !made.control.is_last(white.period);
                if side == Side::Black && open && made.moves_made(Side::White, moves) {
                    made.enter_next(Side::White);
                }
                made.method(side).increment()
            }
        };
        let state = &mut made.sides[side];
        state.main = state.main.plus(increment);
        if overrun >= state.main {
            return Err(state.main);
        }
        state.main = state.main.minus(overrun);
        *self = made;
        Ok(())
    }
}

/// A time is low from a tenth of the time that the period has given.
const SHARE: u64 = 10;
/// [`Clock::low_time`] is at least this time and at most [`MOST`], but never more than half of the
/// period's time.
const LEAST: Span = Span::from_secs(10);
const MOST: Span = Span::from_secs(5 * 60);
const SECOND: u64 = 1_000_000_000;

impl Clock {
    /// The time left at which the time of this side becomes low: a tenth of the time that the time
    /// control gives for the present period of the side, in whole seconds, but at least 10 s, at
    /// most 5 minutes, and never more than half of that time.
    ///
    /// That time is the period's time without increments and without what was left of the period
    /// before; in overtime, the time of one overtime period; with a gong, the slice; if time is
    /// counted up, the limit. If the present period gives no time, the latest earlier period that
    /// gives some counts. A correction of the time left changes nothing here.
    ///
    /// Zero if the time is counted up without a limit: it never becomes low.
    pub fn low_time(&self, side: Side) -> Span {
        match self.time_of_period(side) {
            Some(given) if given.is_zero() => LEAST,
            Some(given) => {
                let share = given.as_nanos() / SHARE / SECOND * SECOND;
                Span::from_nanos(share).max(LEAST).min(MOST).min(half(given))
            }
            None => Span::ZERO,
        }
    }

    /// The time that the present period of this side has given; `None` without a limit.
    fn time_of_period(&self, side: Side) -> Option<Span> {
        let state = &self.sides[side];
        match self.method(side) {
            Method::CountUp { limit } => limit,
            Method::Gong(slice) => Some(slice),
            Method::Overtime(overtime) if state.overtime.is_some() => Some(overtime.time),
            _ => {
                let times = (1..=state.period.min(self.control.count())).rev();
                let mut times = times.map(|number| self.control.period(number).time[side]);
                Some(times.find(|time| !time.is_zero()).unwrap_or_default())
            }
        }
    }
}

/// Half of a span in whole seconds, or exactly half if it is shorter than 2 s.
fn half(span: Span) -> Span {
    match span.as_nanos() / 2 {
        nanos if nanos < SECOND => Span::from_nanos(nanos),
        nanos => Span::from_nanos(nanos / SECOND * SECOND),
    }
}
