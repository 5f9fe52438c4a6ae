//! The check of a state that the clock has not reached by itself: serialised data, the state of
//! another clock, an earlier state to be restored, or the state with a new time control.

use super::Clock;
use super::side_state::{Interrupted, SideState};
use crate::{MAX_GIVEN, Method, Overtime, Side};

impl Clock {
    /// Checks that the clock can be in this state. The error says why it cannot.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let Clock {
            sides,
            last,
            // For each of `changed_method`, `first_flag` and `last_move`, a function below checks
            // the value.
            changed_method: _,
            first_flag: _,
            last_move: _,
            // Not checked here: a `Control` was checked when it was made.
            control: _,
            // Not checked here: every value is possible. An instant in `progress` is checked below.
            progress: _,
            on_move: _,
            delay_left: _,
            called_by: _,
            // Events are not serialised.
            events: _,
        } = self;
        self.check_changed_method()?;
        for side in Side::BOTH {
            self.check_side(side, &sides[side])?;
        }
        self.check_first_flag()?;
        self.check_last_move()?;
        let mut clock = *self;
        let mut late = false;
        clock.for_each_instant(|at| late |= *at > *last);
        if late {
            return Err("an instant of the clock is later than the last one that was handled");
        }
        Ok(())
    }

    pub(super) fn check_changed_method(&self) -> Result<(), &'static str> {
        let Some(changed) = self.changed_method else { return Ok(()) };
        let periods = self.control.periods().iter();
        let mut methods = periods.flat_map(|period| Side::BOTH.map(|side| period.method[side]));
        if !(methods.all(Method::adds_time) && changed.adds_time()) {
            return Err("the changed method does not go with the time control");
        }
        if changed.amount() > MAX_GIVEN || changed != changed.unless_zero() {
            return Err("the amount of the changed method is 0 or more than 1000:00:00");
        }
        Ok(())
    }

    fn check_side(&self, side: Side, state: &SideState) -> Result<(), &'static str> {
        let SideState {
            period,
            // `check_overtime` checks `overtime` and `interrupted`, and compares them with
            // `final_flag`.
            overtime: _,
            interrupted: _,
            final_flag: _,
            // Not checked here: `check` compares every instant with `last`.
            period_flag: _,
            // Every number is possible.
            main: _,
            moves: _,
            owed_main: _,
            overrun: _,
        } = *state;
        if period == 0 || self.control.last().is_some_and(|last| period > last) {
            return Err("a side is in a period that the time control does not have");
        }
        // Only the last period can have overtime.
        let overtime = match self.method_of(side, self.control.count()) {
            Method::Overtime(overtime) => Some(overtime),
            _ => None,
        };
        let here = matches!(self.method_of(side, period), Method::Overtime(_));
        state.check_overtime(overtime, here)
    }

    fn check_first_flag(&self) -> Result<(), &'static str> {
        let flag = |side: Side| self.sides[side].final_flag;
        let good = match self.first_flag {
            None => Side::BOTH.into_iter().all(|side| flag(side).is_none()),
            Some(first) => {
                flag(first).is_some_and(|at| flag(first.other()).is_none_or(|other| at <= other))
            }
        };
        if good { Ok(()) } else { Err("the side whose flag fell first does not go with the flags") }
    }

    /// Checks the state before the last completed move, and that the present state can follow it:
    /// no side is in an earlier period than before or has gone on by more periods than the control
    /// lists, and a side whose final flag was down before the move has the same flag and the same
    /// period now.
    fn check_last_move(&self) -> Result<(), &'static str> {
        let Some(last_move) = &self.last_move else { return Ok(()) };
        for side in Side::BOTH {
            let (before, now) = (&last_move.sides[side], &self.sides[side]);
            self.check_side(side, before)?;
            let entered = now.period.checked_sub(before.period);
            let most = if before.final_flag.is_some() { 0 } else { self.control.count() };
            if entered.is_none_or(|entered| entered > most)
                || (before.final_flag.is_some() && before.final_flag != now.final_flag)
            {
                return Err("the last completed move does not lead to the state of its clock");
            }
        }
        Ok(())
    }
}

impl SideState {
    /// Checks the overtime of a side. `overtime` is the overtime of the last period, if it has one.
    /// `here` says whether the side is in a period with overtime.
    fn check_overtime(&self, overtime: Option<Overtime>, here: bool) -> Result<(), &'static str> {
        let wrong = Err("the overtime of a side does not go with the time control");
        // After the final flag, the number of periods left may be 0. An overtime that is owed was
        // interrupted before its last period ended, so at least one period of it is left.
        let least = if self.final_flag.is_some() { 0 } else { 1 };
        let interrupted = match self.interrupted {
            Interrupted::None => None,
            Interrupted::SetAside(left) => Some((left, least)),
            Interrupted::Owed { left, .. } => Some((left, 1)),
        };
        let running = self.overtime.map(|left| (left, least));
        for (left, least) in [running, interrupted].into_iter().flatten() {
            let Some(whole) = overtime else { return wrong };
            if !(least..=whole.periods).contains(&left.periods)
                || !(1..=whole.moves).contains(&left.moves)
            {
                return wrong;
            }
        }
        if self.overtime.is_some() && !here { wrong } else { Ok(()) }
    }
}
