//! `Clock::change_control` with recomputed times, for a control whose periods end by moves and
//! whose methods are none, increment, delay and Bronstein. No press may have been taken back.

use super::{Naive, SideState, Turn, int};
use clock_engine::{AfterFlag, Caller, Control, Method, PausedBy, PerSide, Period, Phase, Side};

/// More time than all moves of a game take.
const PLENTY: i128 = 1 << 60;

impl Naive {
    /// Each side gets what it has left, plus what the new control gives by this move, less what the
    /// present one has given.
    pub fn change_control(&mut self, control: Control, at: i128) -> Result<(), &'static str> {
        self.until(at);
        match self.phase {
            Phase::Running => return Err("not-paused"),
            Phase::Over => return Err("game-over"),
            Phase::Ready | Phase::Paused | Phase::Ruling => {}
        }
        // The engine does not know in which periods the moves after a flag were completed. So it
        // does not know their increments if the periods have different ones.
        let is_unknown =
            |side: Side| self.sides[side].moved_after_flag && self.has_different_increments(side);
        if Side::BOTH.into_iter().any(is_unknown) {
            return Err("control-unfit");
        }
        let fresh = Naive::after_moves(control, self.sides.white.moves, self.sides.black.moves);
        let left = |side: Side| self.number(side, at) + fresh[side].given - self.sides[side].given;
        let left = PerSide { white: left(Side::White), black: left(Side::Black) };
        if Side::BOTH.into_iter().any(|side| !self.sides[side].out && left[side] <= 0) {
            return Err("control-unfit");
        }
        let side = self.turn.side;
        let whole_before = self.whole_delay(side);
        let rest = (self.turn.delay - self.turn.elapsed(at)).max(0);
        self.end_turn(at);
        self.control = control;
        self.last_move = None;
        for side in Side::BOTH {
            (self.sides[side].period, self.sides[side].given) =
                (fresh[side].period, fresh[side].given);
            self.sides[side].moved_after_flag = false;
            if self.sides[side].out && left[side] > 0 {
                self.annul(side, 0);
            }
            self.sides[side].main = left[side];
        }
        self.recompute_first_flag();
        let whole = self.delay(side);
        let delay = if whole_before == whole { rest } else { whole };
        self.turn = Turn { side, delay, ran: Vec::new() };
        match (self.phase, self.first_flag, self.after_flag()) {
            (Phase::Paused, Some(_), AfterFlag::Halt) => self.phase = Phase::Ruling,
            (Phase::Ruling, Some(_), AfterFlag::Run) => {
                self.pause(PausedBy::Caller(Caller::Arbiter));
            }
            _ => {}
        }
        Ok(())
    }

    fn has_different_increments(&self, side: Side) -> bool {
        let increment = |period: &Period| match period.method[side] {
            Method::Increment(span) => int(span),
            _ => 0,
        };
        let mut increments = self.control.periods().iter().map(increment);
        let first = increments.next();
        increments.any(|increment| Some(increment) != first)
    }

    /// The sides of a game with this control after `white` moves of White and `black` moves of
    /// Black, all made in no time.
    fn after_moves(control: Control, white: u32, black: u32) -> PerSide<SideState> {
        let mut fresh = Naive::new(control);
        for side in Side::BOTH {
            fresh.sides[side].main += PLENTY;
        }
        for number in 0..white.max(black) {
            for (side, moves) in [(Side::White, white), (Side::Black, black)] {
                if number < moves {
                    fresh.complete_move(side, 0);
                }
            }
        }
        fresh.sides
    }

    /// The delay of the method, whether or not the side's final flag is down.
    fn whole_delay(&self, side: Side) -> i128 {
        match self.method(side) {
            Method::Delay(span) | Method::Bronstein(span) => int(span),
            _ => 0,
        }
    }
}
