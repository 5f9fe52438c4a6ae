//! The commands of the arbiter.

use super::{Naive, int};
use clock_engine::{Caller, Command, Correction, MAX_GIVEN, Method, PausedBy, Phase, Side};

impl Naive {
    /// The code of the refusal, if it is refused.
    pub fn command(&mut self, command: Command, at: i128) -> Result<(), &'static str> {
        self.until(at);
        match command {
            Command::New(control) => {
                self.unless_running()?;
                let events = std::mem::take(&mut self.events);
                *self = Naive::new(control);
                self.events = events;
                Ok(())
            }
            Command::Reopen => {
                self.outcome.take().ok_or("not-over")?;
                self.phase = self.before_the_end;
                Ok(())
            }
            _ if self.phase == Phase::Over => Err("game-over"),
            command => {
                self.in_a_game(command, at)?;
                self.until(at);
                Ok(())
            }
        }
    }

    fn unless_running(&self) -> Result<(), &'static str> {
        if self.phase == Phase::Running { Err("not-paused") } else { Ok(()) }
    }

    fn in_a_game(&mut self, command: Command, at: i128) -> Result<(), &'static str> {
        match (command, self.phase) {
            (Command::Start, Phase::Ready) => {
                self.run(at);
                self.called_by = None;
            }
            (Command::Start, _) => return Err("not-ready"),
            (Command::Pause { by }, Phase::Running) => {
                self.stop(at);
                self.pause(PausedBy::Caller(by));
                match by {
                    Caller::Arbiter => self.called_by = None,
                    Caller::Fault => {}
                    caller => self.called_by = Some(caller),
                }
            }
            (Command::Pause { .. }, _) => return Err("not-running"),
            (Command::Resume { side }, Phase::Paused) => {
                self.put_on_move(side, at);
                self.run(at);
                self.called_by = None;
            }
            (Command::Resume { .. }, _) => return Err("not-paused"),
            (Command::Correct(correction), _) => {
                self.unless_running()?;
                self.correct(correction, at)?;
            }
            (Command::AddTime { side, delta_ns }, _) => {
                self.unless_running()?;
                self.add(side, i128::from(delta_ns), at)?;
            }
            (Command::UndoPress, _) => {
                self.unless_running()?;
                if let Method::Hourglass | Method::Gong(_) = self.method(Side::White) {
                    return Err("no-undo");
                }
                let last = self.last_move.take().ok_or("nothing-to-undo")?;
                self.undo(last, at);
            }
            (Command::Finish(outcome), _) => {
                self.stop(at);
                self.before_the_end = match self.phase {
                    Phase::Running => {
                        self.paused_by = PausedBy::Caller(Caller::Arbiter);
                        Phase::Paused
                    }
                    standing => standing,
                };
                self.phase = Phase::Over;
                self.outcome = Some(outcome);
                self.called_by = None;
            }
            (Command::New(_) | Command::Reopen, _) => unreachable!("not commands in a game"),
        }
        Ok(())
    }

    /// A new turn for the other side; the side on move keeps its turn.
    fn put_on_move(&mut self, side: Option<Side>, at: i128) {
        if let Some(side) = side.filter(|side| *side != self.turn.side) {
            self.hand_over(side, at);
            self.last_move = None;
        }
    }

    fn correct(&mut self, correction: Correction, at: i128) -> Result<(), &'static str> {
        let Correction { time, moves, period, on_move } = correction;
        for side in Side::BOTH {
            if time[side] > Some(MAX_GIVEN) {
                return Err("too-much-time");
            }
            let last = self.last_period().unwrap_or(u32::MAX);
            if period[side].is_some_and(|number| number < 1 || number > last) {
                return Err("no-such-period");
            }
        }
        if self.phase == Phase::Ready && on_move.is_some() {
            return Err("white-begins");
        }
        if correction != Correction::default() {
            self.last_move = None;
        }
        for side in Side::BOTH {
            self.halves[side].moves = moves[side].unwrap_or(self.halves[side].moves);
            if let Some(number) = period[side] {
                self.set_period(side, number);
            }
            if let Some(time) = time[side] {
                self.halves[side].owed = 0;
                self.set_time(side, int(time), at);
                self.enter_overtime_with_nothing_left(side, at);
            }
        }
        if self.phase == Phase::Ready {
            self.begin_turn(Side::White);
        }
        self.put_on_move(on_move, at);
        Ok(())
    }

    /// The number only, no time: what is shown stays. Without its overtime a side has it set aside,
    /// and back in that period it has it again.
    fn set_period(&mut self, side: Side, number: u32) {
        self.halves[side].period = number;
        let has_overtime = matches!(self.method(side), Method::Overtime(_));
        let half = &mut self.halves[side];
        if has_overtime && half.overtime.is_none() {
            self.go_on_with_what_was_set_aside(side);
        } else if !has_overtime && let Some(left) = half.overtime.take() {
            half.aside = Some((left, 0));
        }
    }

    fn add(&mut self, side: Side, delta: i128, at: i128) -> Result<(), &'static str> {
        let main = match self.halves[side].out {
            true => self.halves[side].number_at_flag,
            false => self.number(side, at),
        };
        if delta < 0 && -delta >= main {
            return Err("cut-too-large");
        }
        if delta > 0 && main + delta > int(MAX_GIVEN) {
            return Err("too-much-time");
        }
        if delta == 0 {
            return Ok(());
        }
        self.last_move = None;
        self.set_time(side, main + delta, at);
        Ok(())
    }

    fn set_time(&mut self, side: Side, time: i128, at: i128) {
        if self.halves[side].out {
            if time == 0 {
                return;
            }
            self.annul(side, 0);
            self.recompute_first_flag();
        }
        self.set_number(side, time, at);
    }

    fn set_number(&mut self, side: Side, number: i128, at: i128) {
        let change = number - self.number(side, at);
        self.halves[side].main += change;
    }
}
