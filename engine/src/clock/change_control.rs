//! Replaces the time control during a game, for example 36/90 that was set up instead of 36/75.
//!
//! `docs/laws.md` explains S0 and FIDE, which are the sources of the cited clauses.

use super::commands::BY_ARBITER;
use super::replayed_turns::Recompute;
use super::side_state::SideState;
use super::{Clock, Progress};
use crate::{AfterFlag, Control, ControlUnfit, Instant, Method, Refused, Side, Span};
use serde::{Deserialize, Serialize};

/// The meaning of the number that a side shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Shown {
    TimeLeft,
    TimeUsed,
    Slice,
}

impl Shown {
    pub(super) fn of(control: &Control) -> Shown {
        match control.period(1).method.white {
            Method::CountUp { .. } => Shown::TimeUsed,
            Method::Gong(_) => Shown::Slice,
            _ => Shown::TimeLeft,
        }
    }
}

impl Control {
    /// If a side is in a later period than this control has, puts the side into the last period of
    /// this control. Only the last period has overtime, so a side in overtime is put into the last
    /// period, too.
    pub(super) fn hold_period(&self, state: &mut SideState) {
        let last = self.last().unwrap_or(u32::MAX);
        state.period = if state.overtime.is_some() { self.count() } else { state.period.min(last) };
    }
}

impl Clock {
    /// Replaces the time control. The press counters and the side on move stay.
    ///
    /// With [`Recompute::No`] the times and the periods stay. If the new control does not have the
    /// period of a side, the side is put into the last period of the new control. With
    /// [`PeriodEnd::Moves`](crate::PeriodEnd), a side that has already made the moves of its period
    /// under the new control enters the next period with its next press. If both controls count up,
    /// the time used stays, and the limit is the new one.
    ///
    /// With [`Recompute::Turns`] each side gets what it would have if the new control had held from
    /// the start, the rest of the delay of the present turn included. If the final flag of a side is
    /// down and would not have fallen, it is annulled. If it would have fallen, too, it stays, with
    /// the overrun that it would have.
    ///
    /// A method that was set by [`Clock::change_method`] ends, because the new control has its own
    /// methods; with `keep_method` it stays. If the times stay and the new delay of the side on move
    /// differs from the old one, its turn gets the whole new delay; otherwise the rest of the delay
    /// stays. No press before the change can be taken back. `after_flag` is that of the new control.
    ///
    /// # Errors
    ///
    /// A clock runs, the game is over, the new control does not go with the state of the clock
    /// ([`Refused::ControlUnfit`] says why), or `at` is earlier than the latest instant that was
    /// handled.
    pub fn change_control(
        &mut self,
        control: Control,
        recompute: &Recompute,
        keep_method: bool,
        at: Instant,
    ) -> Result<(), Refused> {
        self.advance(at)?;
        self.check_standing()?;
        let unfit = |why| Err(Refused::ControlUnfit(why));
        let changed_method = self.changed_method.filter(|_| keep_method);
        let mut changed = Clock { control, changed_method, last_move: None, ..*self };
        match recompute {
            Recompute::No => changed.keep_times(self)?,
            Recompute::Turns(turns) => changed.take_turns(turns)?,
            Recompute::Unknown(why) => return unfit(ControlUnfit::TurnsUnknown(*why)),
        }
        changed.halt_or_go_on();
        changed.check_changed_method().or(unfit(ControlUnfit::AgreedIncrement))?;
        changed.check().or(unfit(ControlUnfit::Overtime))?;
        *self = changed;
        Ok(())
    }

    /// Keeps the times, as far as the control goes with them. `self` has the new control already,
    /// and `before` is the clock with the old one.
    fn keep_times(&mut self, before: &Clock) -> Result<(), Refused> {
        let shown = (Shown::of(&before.control), Shown::of(&self.control));
        if shown.0 != shown.1 {
            return Err(Refused::ControlUnfit(ControlUnfit::Shown));
        }
        for side in Side::BOTH {
            self.control.hold_period(&mut self.sides[side]);
            let method = self.method(side);
            if let Method::CountUp { limit } = method {
                self.keep_time_used(side, limit)?;
            }
            self.sides[side].enter_overtime_at_zero(method);
            // A side that is not on move gets the whole slice of the new control, with which its
            // next turn begins. Before the start, both sides get the whole slice.
            let is_next = side != self.on_move || matches!(self.progress, Progress::Ready);
            if let Some(slice) = method.slice().filter(|_| is_next) {
                self.sides[side].main = slice;
            }
        }
        self.begin_turn_again(before.method(before.on_move).delay());
        Ok(())
    }

    /// Keeps the time used of a side with a new limit. A final flag that is earlier than this limit
    /// is annulled.
    fn keep_time_used(&mut self, side: Side, limit: Option<Span>) -> Result<(), Refused> {
        let state = &self.sides[side];
        let used = state.main.plus(state.overrun);
        let Some(time) = limit.filter(|limit| used >= *limit) else {
            self.give_main(side, used);
            return Ok(());
        };
        if state.final_flag.is_none() {
            let why = ControlUnfit::UsedUp { side, used, time, in_move: None };
            return Err(Refused::ControlUnfit(why));
        }
        let state = &mut self.sides[side];
        (state.main, state.overrun) = (time, used.minus(time));
        Ok(())
    }

    /// Adapts the delay left of the present turn to a new control or method. `before` is the whole
    /// delay that the turn had. If the whole delay is another one now, or if the game has not
    /// begun, the turn gets the whole delay; otherwise the rest of the delay stays.
    pub(super) fn begin_turn_again(&mut self, before: Span) {
        let whole = self.full_delay(self.on_move);
        let is_new = before != whole || matches!(self.progress, Progress::Ready);
        self.delay_left = if is_new { whole } else { self.delay_left.min(whole) };
    }

    /// If a final flag is down, the clock awaits a ruling with [`AfterFlag::Halt`] in the new
    /// control, and is paused with [`AfterFlag::Run`].
    fn halt_or_go_on(&mut self) {
        let halts = self.control.after_flag() == AfterFlag::Halt;
        match (self.first_flag, self.progress) {
            (Some(_), Progress::Paused { .. }) if halts => self.progress = Progress::Ruling,
            (Some(_), Progress::Ruling) if !halts => {
                self.progress = Progress::Paused { by: BY_ARBITER };
            }
            _ => {}
        }
    }
}
