//! `undo-press`: the last completed move is taken back.

use super::side_state::SideState;
use super::{Clock, Progress};
use crate::{Caller, Method, PausedBy, PerSide, PeriodEnd, Refused, Side, Span};

/// The state of the clock just before the last completed move was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
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
