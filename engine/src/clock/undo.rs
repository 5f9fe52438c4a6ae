//! The last completed move taken back.

use super::half::Half;
use super::{Clock, Stage};
use crate::{Advance, Caller, Method, PausedBy, PerSide, Refused, Side, Span};

/// The clock as it was at the last completed move, the press itself not counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastMove {
    side: Side,
    halves: PerSide<Half>,
    delay_left: Span,
}

impl LastMove {
    /// Of the move the side on move is about to complete; its running time is charged.
    pub fn before(clock: &Clock) -> LastMove {
        LastMove { side: clock.on_move, halves: clock.halves, delay_left: clock.delay_left }
    }
}

impl Clock {
    /// The side of the last completed move is on move again, as it was at its press. What the
    /// opponent used since stays used, except where it brought his final flag: the flag is annulled
    /// and his time is as it was at the press, or he would fall again at once.
    pub(super) fn undo_press(&mut self) -> Result<(), Refused> {
        self.check_standing()?;
        if matches!(self.method(self.on_move), Method::Hourglass | Method::Gong(_)) {
            return Err(Refused::NoUndo);
        }
        let LastMove { side, halves, delay_left } =
            self.last_move.take().ok_or(Refused::NothingToUndo)?;
        let (before, opponent) = (halves[side], side.other());
        let advance = self.control.terms().advance;
        let set_back = matches!(advance, Advance::BlackCompletes { .. })
            && self.halves[opponent].period != halves[opponent].period;
        if halves[opponent].final_flag.is_none() && self.annul_flag(opponent) {
            self.give_back(opponent, &halves[opponent], set_back);
        } else if set_back {
            let half = &mut self.halves[opponent];
            let period = self.control.period(half.period);
            let (time, method) = (period.time[opponent], period.method[opponent]);
            half.take_back_period(time, method, &halves[opponent]);
        }
        let half = &mut self.halves[side];
        if half.period != before.period && advance == Advance::Zero {
            // The period came by the opponent's flag and stays; the press brought an increment.
            let increment = self.control.period(before.period).method[side].increment();
            half.main = half.main.minus(increment);
            half.moves = before.moves;
        } else {
            *half = before;
        }
        self.on_move = side;
        self.delay_left = delay_left;
        // The set-back that stopped the clocks is taken back: they stand by the arbiter's will.
        if let Stage::Paused { by: by @ PausedBy::SetBack } = &mut self.stage {
            *by = PausedBy::Caller(Caller::Arbiter);
        }
        Ok(())
    }

    /// The side has what it had before the move, and the time of every period that came at zero
    /// since, which stays with its flag. A period of a set-back is taken back with the press.
    fn give_back(&mut self, side: Side, before: &Half, set_back: bool) {
        let half = &mut self.halves[side];
        let latest = if set_back { before.period } else { half.period };
        let period_flag = half.period_flag;
        *half = *before;
        half.period_flag = period_flag;
        while half.period < latest {
            let next = self.control.period(half.period + 1);
            half.enter_period(next.time[side], next.method[side]);
        }
    }
}
