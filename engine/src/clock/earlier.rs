//! An earlier state of a clock, to which the arbiter can restore it (S0 6.14), and the last completed
//! move, which `undo-press` takes back.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use super::change_control::Shown;
use super::commands::BY_ARBITER;
use super::instants::{of_last_move, of_sides};
use super::side_state::SideState;
use super::{Clock, Progress};
use crate::axis::Axis;
use crate::{
    AfterFlag, Caller, Instant, Method, PausedBy, PerSide, PeriodEnd, Refused, Side, Span,
};
use serde::{Deserialize, Serialize};

/// The state of a clock at an earlier instant. It does not contain the time control: a restored
/// clock keeps that of the game.
///
/// It is converted from a [`Clock`] or a [`Game`](crate::rules::Game). A running clock is charged
/// up to [`Clock::last`], and not beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// There is no `deny_unknown_fields`, because earlier versions wrote a field that this type no
// longer has.
#[derive(Serialize, Deserialize)]
pub struct EarlierClock {
    pub(super) changed_method: Option<Method>,
    pub(super) on_move: Side,
    pub(super) delay_left: Span,
    pub(super) sides: PerSide<SideState>,
    pub(super) first_flag: Option<Side>,
    pub(super) last_move: Option<LastMove>,
    /// What the numbers of the sides mean; `None` in a record of an earlier version.
    #[serde(default)]
    pub(super) shown: Option<Shown>,
    /// The counts of claims and questions up to this state. The rules use them; the clock does not.
    #[serde(default)]
    pub(crate) asked: Asked,
}

/// The counts of presses, claims, requests, stops, illegal moves, changes of the time control, calls of
/// flags and rulings on flags in a game so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    pub claims: u32,
    pub requests: u32,
    pub stops: u32,
    pub illegal_moves: u32,
    /// How often the time control was changed.
    #[serde(default)]
    pub controls: u32,
    /// How many presses had an effect. A press that is taken back still counts.
    #[serde(default)]
    pub presses: u32,
    /// Whether the latest claim came after the last press that had an effect. If that press is
    /// taken back, the claim is closed.
    #[serde(default)]
    pub claim_since_press: bool,
    /// For each side, how often its flag was called.
    #[serde(default)]
    pub flag_calls: PerSide<u32>,
    /// For each side, how often the arbiter ruled on its flag that the moves of the period were not
    /// made, or that it is not established whether they were made.
    #[serde(default)]
    pub flag_answers: PerSide<u32>,
}

impl From<&Clock> for EarlierClock {
    /// Takes the state of a clock without rules. Only the rules know claims and questions.
    fn from(clock: &Clock) -> EarlierClock {
        EarlierClock::new(clock, Asked::default())
    }
}

impl EarlierClock {
    /// Takes the state of a clock. `asked` has the counts of claims and questions, which the rules
    /// keep and the clock does not.
    pub(crate) fn new(clock: &Clock, asked: Asked) -> EarlierClock {
        let Clock {
            changed_method,
            on_move,
            first_flag,
            last_move,
            last,
            // The values at `last` are computed below.
            sides: _,
            delay_left: _,
            // Not taken: a restored clock always stands, paused by the arbiter or awaiting a
            // ruling.
            progress: _,
            // Not taken: when the arbiter restores the clock, every call is answered.
            called_by: _,
            // Used for `shown` only: a restored clock keeps the control of the game.
            control,
            // Events happened once and are not repeated.
            events: _,
        } = *clock;
        let (sides, delay_left) = clock.charged(last);
        let shown = Some(Shown::of(&control));
        EarlierClock {
            changed_method,
            on_move,
            delay_left,
            sides,
            first_flag,
            last_move,
            shown,
            asked,
        }
    }

    /// Moves the instants of this state to the axis of a new boot, after a power cut. `stopped` on
    /// the old axis is `now` on the new one, as for
    /// [`Game::handle_power_cut`](crate::rules::Game::handle_power_cut).
    pub fn handle_power_cut(&mut self, stopped: Instant, now: Instant) {
        self.change_instants(|axis| axis.move_to(stopped, now));
    }

    /// This state with all its instants at zero, to find it among states of other boots.
    #[must_use]
    pub fn without_instants(mut self) -> EarlierClock {
        self.for_each_instant(|at| *at = Instant::ZERO);
        self
    }

    fn change_instants(&mut self, change: impl FnOnce(&mut Axis)) {
        let mut axis = Axis::default();
        self.for_each_instant(|at| axis.add(*at));
        change(&mut axis);
        self.for_each_instant(|at| *at = axis.moved(*at));
    }

    fn for_each_instant(&mut self, mut change: impl FnMut(&mut Instant)) {
        let EarlierClock {
            sides,
            last_move,
            // No instants.
            changed_method: _,
            on_move: _,
            delay_left: _,
            first_flag: _,
            shown: _,
            asked: _,
        } = self;
        of_sides(sides, &mut change);
        of_last_move(last_move, &mut change);
    }
}

impl Clock {
    /// Restores the clock to an earlier state of the same game (S0 6.14): times, delay, counters,
    /// periods, overtime, flags, the side on move, and the press that can be taken back. The method
    /// that [`Clock::change_method`] has set stays as it is now. If the earlier state had another
    /// such method, the turn has its whole delay, and no press can be taken back.
    ///
    /// After the restoration the clock is paused by the arbiter. If a final flag is down and the
    /// clock halts at the final flag, it awaits a ruling instead. Instants of the state that are
    /// later than `at` are moved: the latest of them becomes `at`, and the others come just before,
    /// in the same order.
    ///
    /// # Errors
    ///
    /// A clock runs, the game is over, the state does not go with the time control, or `at` is
    /// earlier than the latest instant that was handled.
    pub fn rewind(&mut self, earlier: &EarlierClock, at: Instant) -> Result<(), Refused> {
        self.rewind_to(*earlier, false, at)
    }

    /// Restores the clock to an earlier state in which the game had another time control. The
    /// present control stays. A side whose period this control does not have is put into the last
    /// period of this control. The turn has its whole delay, and no press can be taken back.
    ///
    /// # Errors
    ///
    /// Those of [`Clock::restore`], and [`Refused::OtherControl`] if the number that a side shows
    /// means something else with the earlier control: time left, time used, or the rest of a gong's
    /// slice.
    pub(crate) fn rewind_to_other_control(
        &mut self,
        earlier: &EarlierClock,
        at: Instant,
    ) -> Result<(), Refused> {
        if earlier.shown.is_some_and(|shown| shown != Shown::of(&self.control)) {
            return Err(Refused::OtherControl);
        }
        let mut earlier = *earlier;
        for side in Side::BOTH {
            self.control.hold_period(&mut earlier.sides[side]);
        }
        self.rewind_to(earlier, true, at)
    }

    fn rewind_to(
        &mut self,
        mut earlier: EarlierClock,
        other_control: bool,
        at: Instant,
    ) -> Result<(), Refused> {
        self.advance(at)?;
        self.check_standing()?;
        earlier.change_instants(|axis| axis.end_at(at));
        let EarlierClock {
            changed_method,
            on_move,
            delay_left,
            sides,
            first_flag,
            last_move,
            // Not needed: `rewind_to_other_control` has compared it.
            shown: _,
            // Not needed: only `Game` uses it.
            asked: _,
        } = earlier;
        // A clock that halts at the final flag must not go on before a ruling. This holds also for
        // a flag of the restored state.
        let halts = self.control.after_flag() == AfterFlag::Halt && first_flag.is_some();
        let progress = if halts { Progress::Ruling } else { Progress::Paused { by: BY_ARBITER } };
        let mut restored = Clock {
            changed_method: self.changed_method,
            progress,
            on_move,
            delay_left,
            sides,
            first_flag,
            called_by: None,
            last_move,
            control: self.control,
            last: self.last,
            events: self.events,
        };
        if other_control || self.changed_method != changed_method {
            restored.delay_left = restored.full_delay(on_move);
            restored.last_move = None;
        }
        restored.check().map_err(|_| Refused::OtherControl)?;
        *self = restored;
        Ok(())
    }
}

/// The state of the clock just before the last completed move was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LastMove {
    pub side: Side,
    pub sides: PerSide<SideState>,
    pub delay_left: Span,
}

impl LastMove {
    /// Saves the state when the side on move presses: after its running time was charged, and
    /// before the press has any effect.
    pub fn before(clock: &Clock) -> LastMove {
        let Clock {
            on_move,
            sides,
            delay_left,
            // Not saved: `Clock::annul_flag` sets `first_flag` anew when a flag is annulled.
            first_flag: _,
            // Not saved: a change of the method discards the saved state.
            changed_method: _,
            last_move: _,
            // Not saved: the press can be taken back while both clocks stand, whatever the reason
            // for the stop is.
            progress: _,
            // Not saved: a call that has not been answered stays when the press is taken back.
            called_by: _,
            // `control`, `last` and `events` are not saved: they belong to the game, and not to a
            // move.
            control: _,
            last: _,
            events: _,
        } = *clock;
        LastMove { side: on_move, sides, delay_left }
    }
}

impl Clock {
    /// Takes back the last completed move. Its side is on move again, with the state that it had at
    /// its press.
    ///
    /// The time that the opponent's clock has used since the press stays used. If the opponent's
    /// final flag fell since, the flag is annulled and that time is given back, because otherwise
    /// the flag would fall again at once.
    pub(super) fn undo_press(&mut self) -> Result<(), Refused> {
        self.check_standing()?;
        if matches!(self.method(self.on_move), Method::Hourglass | Method::Gong(_)) {
            return Err(Refused::NoUndo);
        }
        let LastMove { side, sides, delay_left } =
            self.last_move.take().ok_or(Refused::NothingToUndo)?;
        let (before, opponent) = (sides[side], side.other());
        let period_end = self.control.terms().period_end;
        let set_back = matches!(period_end, PeriodEnd::BlackCompletes { .. })
            && self.sides[opponent].period != sides[opponent].period;
        if sides[opponent].final_flag.is_none() && self.annul_flag(opponent) {
            self.give_back(opponent, &sides[opponent], set_back);
        } else if set_back {
            let period = self.sides[opponent].period;
            let time = self.control.period(period).time[opponent];
            let method = self.method_of(opponent, period);
            self.sides[opponent].take_back_period(time, method, &sides[opponent]);
        }
        let increment = self.method_of(side, before.period).increment();
        let state = &mut self.sides[side];
        if state.period != before.period && period_end == PeriodEnd::Zero {
            // The opponent's flag, and not the press, began the period, so the period stays. Only
            // the increment of the press is taken back.
            state.main = state.main.minus(increment);
            state.moves = before.moves;
        } else {
            *state = before;
        }
        self.on_move = side;
        self.delay_left = delay_left;
        // The set-back that stopped the clocks is taken back, so from now on the arbiter is the
        // reason for the pause.
        if let Progress::Paused { by: by @ PausedBy::SetBack } = &mut self.progress {
            *by = PausedBy::Caller(Caller::Arbiter);
        }
        Ok(())
    }

    /// Restores the state that a side had before the move. A period that has begun since then
    /// because time was used up stays, with its time and its flag. A period that the press itself
    /// began (a set-back) is taken back.
    fn give_back(&mut self, side: Side, before: &SideState, set_back: bool) {
        let state = &mut self.sides[side];
        let latest = if set_back { before.period } else { state.period };
        let period_flag = state.period_flag;
        *state = *before;
        state.period_flag = period_flag;
        while self.sides[side].period < latest {
            let next = self.sides[side].period + 1;
            let (time, method) = (self.control.period(next).time[side], self.method_of(side, next));
            self.sides[side].enter_period(time, method);
        }
    }
}
