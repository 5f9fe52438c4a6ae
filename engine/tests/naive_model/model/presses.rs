//! The buttons.

use super::{LastMove, Naive, int};
use clock_engine::{Caller, EventKind, Method, PausedBy, PeriodEnd, Phase, Side};

impl Naive {
    pub fn press(&mut self, side: Side, at: i128) {
        self.until(at);
        let gong = matches!(self.method(side), Method::Gong(_));
        let accepted = match self.phase {
            Phase::Ready => side == Side::Black,
            Phase::Running => side == self.turn.side && !gong,
            _ => false,
        };
        self.events.push((at, EventKind::Press { side, accepted }));
        if accepted && self.phase == Phase::Ready {
            self.called_by = None;
            self.run(at);
        } else if accepted {
            self.complete_move(side, at);
        }
        self.until(at);
    }

    pub(super) fn complete_move(&mut self, side: Side, at: i128) {
        self.stop(at);
        let (turn, before) = (self.turn.clone(), self.sides.clone());
        self.end_turn(at);
        self.sides[side].moves += 1;
        let set_back = match self.control.terms().period_end {
            PeriodEnd::Moves if self.moves_are_made(side) => {
                self.next_period(side, at);
                false
            }
            PeriodEnd::BlackCompletes { .. } if side == Side::Black => self.set_back(at),
            _ => false,
        };
        if !self.sides[side].out {
            self.count_overtime_move(side, before[side].overtime.is_some());
            if let Method::Increment(span) = self.method(side) {
                self.sides[side].main += int(span);
            }
        }
        self.last_move = Some(LastMove { side, turn, before, after: self.sides.clone() });
        self.begin_turn(side.other());
        match self.control.terms().period_end {
            PeriodEnd::BlackCompletes { pause: true } if set_back => self.pause(PausedBy::SetBack),
            _ => self.run(at),
        }
    }

    /// Whether the side's counter has reached the sum of the moves of all periods up to its own.
    pub(super) fn moves_are_made(&self, side: Side) -> bool {
        self.made(self.sides[side].moves, self.sides[side].period)
    }

    fn made(&self, moves: u32, period: u32) -> bool {
        let listed = self.control.periods();
        let mut due = 0;
        for period in listed.iter().take(period as usize) {
            let Some(moves) = period.moves else {
                return false;
            };
            due += u64::from(moves);
        }
        let again = u64::from(period).saturating_sub(listed.len() as u64);
        due += again * u64::from(listed[listed.len() - 1].moves.unwrap_or(0));
        u64::from(moves) >= due
    }

    /// Black's press gives each side its next period if Black's counter has reached the moves of
    /// the period that this side is in; the arbiter may have put the sides in different periods. A
    /// side whose final flag is down keeps its period; the other side still gets the next one.
    /// Returns whether a side has entered a period.
    fn set_back(&mut self, at: i128) -> bool {
        let before = self.events.len();
        for side in [Side::Black, Side::White] {
            if self.made(self.sides.black.moves, self.sides[side].period) {
                self.next_period(side, at);
            }
        }
        self.events.len() > before
    }

    fn count_overtime_move(&mut self, side: Side, in_overtime: bool) {
        let (true, Method::Overtime(overtime)) = (in_overtime, self.method(side)) else {
            return;
        };
        let state = &mut self.sides[side];
        let Some(left) = &mut state.overtime else {
            return;
        };
        left.moves -= 1;
        if left.moves == 0 {
            left.moves = overtime.moves;
            state.main = int(overtime.time);
        }
    }

    pub fn call(&mut self, at: i128) {
        self.until(at);
        let accepted = match self.phase {
            Phase::Running => true,
            Phase::Over => false,
            _ => match self.called_by {
                None => true,
                // The call that stopped the clocks stays, and so does a player's.
                Some(by) => {
                    let by_call = PausedBy::Caller(Caller::Button);
                    let stopped = self.phase == Phase::Paused && self.paused_by == by_call;
                    by == Caller::Button && !stopped
                }
            },
        };
        self.events.push((at, EventKind::Call { accepted }));
        if self.phase == Phase::Running {
            self.stop(at);
            self.pause(PausedBy::Caller(Caller::Button));
            self.called_by = Some(Caller::Button);
        } else if accepted {
            self.called_by = match self.called_by {
                None => Some(Caller::Button),
                Some(_) => None,
            };
        }
    }
}
