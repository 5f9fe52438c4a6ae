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
    /// opponent used since stays used, but a final flag that fell in that time is annulled: his
    /// clock should not have run.
    pub(super) fn undo_press(&mut self) -> Result<(), Refused> {
        self.check_standing()?;
        if matches!(self.method(self.on_move), Method::Hourglass | Method::Gong(_)) {
            return Err(Refused::NoUndo);
        }
        let LastMove { side, halves, delay_left } =
            self.last_move.take().ok_or(Refused::NothingToUndo)?;
        let (before, opponent) = (halves[side], side.other());
        if halves[opponent].final_flag.is_none() {
            self.annul_flag(opponent);
        }
        let advance = self.control.terms().advance;
        let set_back = &mut self.halves[opponent];
        if matches!(advance, Advance::BlackCompletes { .. })
            && set_back.period != halves[opponent].period
        {
            let time = self.control.period(set_back.period).time[opponent];
            set_back.take_back_period(time, &halves[opponent]);
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
}
