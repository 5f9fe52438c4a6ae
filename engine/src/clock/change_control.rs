//! Replaces the time control during a game, for example 36/90 that was set up instead of 36/75.
//!
//! `docs/laws.md` explains S0 and FIDE, which are the sources of the cited clauses.

use super::commands::BY_ARBITER;
use super::side_state::{Interrupted, SideState};
use super::{Clock, Progress};
use crate::{
    AfterFlag, Control, ControlUnfit, Instant, Method, PerSide, PeriodEnd, Refused, Side, Span,
};

/// The meaning of the number that a side shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub(super) enum Shown {
    TimeLeft,
    TimeUsed,
    Slice,
}

/// What `change_control` with `recompute` gives a side: its period and time under the new control.
#[derive(Clone, Copy, Debug)]
struct Recomputed {
    period: u32,
    main: Span,
    /// What the side has used beyond the time of the new control, if the final flag of the side is
    /// down and stays; otherwise `None`.
    overrun: Option<Span>,
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

    fn is_hourglass(&self) -> bool {
        self.period(1).method.white == Method::Hourglass
    }

    fn has_increment(&self) -> bool {
        let periods = self.periods().iter();
        let methods = periods.flat_map(|period| Side::BOTH.map(|side| period.method[side]));
        methods.map(Method::increment).any(|increment| !increment.is_zero())
    }
}

impl Clock {
    /// Replaces the time control. The press counters and the side on move stay.
    ///
    /// Without `recompute` the times and the periods stay. If the new control does not have the
    /// period of a side, the side is put into the last period of the new control. With
    /// [`PeriodEnd::Moves`], a side that has already made the moves of its period under the new
    /// control enters the next period with its next press. If both controls count up, the times are
    /// recomputed even without `recompute`.
    ///
    /// With `recompute` each side gets what it would have if the new control had held from the
    /// start: the time that the new control gives until this move, less the time used. Awards and
    /// cuts count. If the final flag of a side is down and time is left, the side gets this time,
    /// and the flag is annulled. If no time is left, the flag stays, and the overrun is the time
    /// used beyond that of the new control. Turns that were played are charged as they were: a
    /// delay of the new control is not given for them.
    ///
    /// A method that was set by [`Clock::change_method`] ends, because the new control has its own
    /// methods; with `keep_method` it stays. If the new delay of the side on move differs from the
    /// old one, its turn gets the whole new delay; otherwise the rest of the delay stays. No press
    /// before the change can be taken back. `after_flag` is that of the new control.
    ///
    /// # Errors
    ///
    /// A clock runs, the game is over, the new control does not go with the state of the clock
    /// ([`Refused::ControlUnfit`] says why), or `at` is earlier than the latest instant that was
    /// handled.
    pub fn change_control(
        &mut self,
        control: Control,
        recompute: bool,
        keep_method: bool,
        at: Instant,
    ) -> Result<(), Refused> {
        self.advance(at)?;
        self.check_standing()?;
        let unfit = |why| Err(Refused::ControlUnfit(why));
        let shown = (Shown::of(&self.control), Shown::of(&control));
        let is_recomputed = recompute || shown == (Shown::TimeUsed, Shown::TimeUsed);
        if !is_recomputed && shown.0 != shown.1 {
            return unfit(ControlUnfit::Shown);
        }
        let changed_method = self.changed_method.filter(|_| keep_method);
        let mut changed = Clock { control, changed_method, last_move: None, ..*self };
        let sides = if is_recomputed { Some(self.recomputed(&changed)?) } else { None };
        for side in Side::BOTH {
            changed.control.hold_period(&mut changed.sides[side]);
            if let Some(sides) = &sides {
                let Recomputed { period, main, overrun } = sides[side];
                changed.sides[side].period = period;
                // `main` includes the increment of every move, so no move is without one now.
                changed.sides[side].moves_without_increment = 0;
                match overrun {
                    None => changed.give_main(side, main),
                    Some(overrun) => {
                        (changed.sides[side].main, changed.sides[side].overrun) = (main, overrun);
                    }
                }
            }
            let method = changed.method(side);
            changed.sides[side].enter_overtime_at_zero(method);
            // A side that is not on move gets the whole slice of the new control, with which its
            // next turn begins. Before the start, both sides get the whole slice.
            let is_next = side != changed.on_move || matches!(changed.progress, Progress::Ready);
            if let Some(slice) = method.slice().filter(|_| is_next) {
                changed.sides[side].main = slice;
            }
        }
        changed.begin_turn_again(self.method(self.on_move).delay());
        changed.halt_or_go_on();
        changed.check_changed_method().or(unfit(ControlUnfit::AgreedIncrement))?;
        changed.check().or(unfit(ControlUnfit::Overtime))?;
        *self = changed;
        Ok(())
    }

    /// The period and the time that each side would have if the control of `changed` had held from
    /// the start.
    fn recomputed(&self, changed: &Clock) -> Result<PerSide<Recomputed>, Refused> {
        let unfit = |why| Err(Refused::ControlUnfit(why));
        let (old, new) = (&self.control, &changed.control);
        let is_gong = |control| Shown::of(control) == Shown::Slice;
        let begun =
            |state: &SideState| state.overtime.is_some() || state.interrupted != Interrupted::None;
        if is_gong(old)
            || is_gong(new)
            || old.is_hourglass() != new.is_hourglass()
            || Side::BOTH.iter().any(|&side| begun(&self.sides[side]))
        {
            return unfit(ControlUnfit::TimeUsedUnknown);
        }
        // A changed method that is kept gives the same increments under both controls, so only a
        // changed method that ends counts here.
        let given = self.changed_method.filter(|_| changed.changed_method.is_none());
        let gave = given.is_some_and(|method| !method.increment().is_zero());
        if self.changed_method.is_some() && (gave || old.has_increment() || new.has_increment()) {
            return unfit(ControlUnfit::IncrementsUnknown);
        }
        // It is not known in which periods the moves without an increment were made. So the times
        // can be recomputed only if every period has the same increment.
        let is_unknown = |&side: &Side| {
            self.sides[side].moves_without_increment > 0 && !old.has_one_increment(side)
        };
        if Side::BOTH.iter().any(is_unknown) {
            return unfit(ControlUnfit::IncrementsUnknown);
        }
        let one_increment = Side::BOTH.iter().all(|&side| old.has_one_increment(side));
        if !new.goes_by_moves() || !(old.goes_by_moves() || one_increment) {
            return unfit(ControlUnfit::PeriodsByTime);
        }
        let of = |side| self.recomputed_side(new, side);
        Ok(PerSide { white: of(Side::White)?, black: of(Side::Black)? })
    }

    fn recomputed_side(&self, new: &Control, side: Side) -> Result<Recomputed, Refused> {
        let moves = PerSide { white: self.sides.white.moves, black: self.sides.black.moves };
        let period = new.period_after(match new.terms().period_end {
            PeriodEnd::BlackCompletes { .. } => moves.black,
            _ => moves[side],
        });
        let used = self.used(side, moves);
        let limit = match new.period(1).method[side] {
            Method::CountUp { limit } => Some(limit),
            _ => None,
        };
        let time = match limit {
            Some(limit) => limit.map_or(i128::MAX, |limit| i128::from(limit.as_nanos())),
            None => new.allotted(side, moves, period),
        };
        let span = |nanos: i128| Span::from_nanos(u64::try_from(nanos.max(0)).unwrap_or(u64::MAX));
        // A side that has used up its main time has nothing left, even if the new control has
        // overtime.
        if used < time {
            let main = span(if limit.is_some() { used } else { time - used });
            return Ok(Recomputed { period, main, overrun: None });
        }
        if self.sides[side].final_flag.is_none() {
            let (used, time) = (span(used), span(time));
            return Err(Refused::ControlUnfit(ControlUnfit::UsedUp { side, used, time }));
        }
        let main = limit.flatten().unwrap_or(Span::ZERO);
        Ok(Recomputed { period, main, overrun: Some(span(used - time)) })
    }

    /// The time that a side has used, in nanoseconds, including the overrun. The result is negative
    /// if the awards to the side are larger than what it has used.
    fn used(&self, side: Side, moves: PerSide<u32>) -> i128 {
        let SideState {
            main,
            owed_main,
            period,
            overrun,
            moves_without_increment,
            // Not needed: `recomputed` refuses a side that has an overtime.
            overtime: _,
            interrupted: _,
            // Not needed: the parameter `moves` has the press counters, and the flags do not change
            // how much time was used.
            moves: _,
            period_flag: _,
            final_flag: _,
        } = self.sides[side];
        let nanos = |span: Span| i128::from(span.as_nanos());
        let method = self.control.period(1).method[side];
        // `recomputed` makes sure that a side with moves without an increment has the same
        // increment in every period.
        let not_given = i128::from(moves_without_increment) * nanos(method.increment());
        let given = self.control.allotted(side, moves, period) - not_given;
        let used = match method {
            Method::CountUp { .. } => nanos(main),
            _ => given - nanos(main) + nanos(owed_main),
        };
        used + nanos(overrun)
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
