//! The commands of the arbiter.

use super::{Naive, int};
use clock_engine::{
    Caller, Command, Correction, MAX_GIVEN, Method, OvertimeLeft, PausedBy, Phase, Side, Span,
};

impl Naive {
    /// Carries out a command. The error is the code of the refusal.
    pub fn command(&mut self, command: Command, at: i128) -> Result<(), &'static str> {
        self.until(at);
        match command {
            Command::New { control, force } => {
                let under_way =
                    matches!(self.phase, Phase::Running | Phase::Paused | Phase::Ruling);
                if under_way && !force {
                    return Err("game-under-way");
                }
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
                    Caller::Fault | Caller::PowerCut => {}
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
            (Command::Set(correction), _) => {
                self.unless_running()?;
                self.correct(correction, at)?;
            }
            (Command::Add { side, delta_ns }, _) => {
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
            (Command::New { .. } | Command::Reopen, _) => unreachable!("not commands in a game"),
        }
        Ok(())
    }

    /// Begins a turn of the given side. If that side is already on move, its turn goes on.
    fn put_on_move(&mut self, side: Option<Side>, at: i128) {
        if let Some(side) = side.filter(|side| *side != self.turn.side) {
            self.hand_over(side, at);
            self.last_move = None;
        }
    }

    fn correct(&mut self, correction: Correction, at: i128) -> Result<(), &'static str> {
        for side in Side::BOTH {
            self.check(side, correction)?;
        }
        if self.phase == Phase::Ready && correction.on_move.is_some() {
            return Err("white-begins");
        }
        let mut counted = correction;
        for side in Side::BOTH {
            // In overtime a time of 0 has no effect, so it does not count as a correction.
            if self.sides[side].overtime.is_some() && counted.time[side] == Some(Span::ZERO) {
                counted.time[side] = None;
            }
        }
        if counted != Correction::default() {
            self.last_move = None;
        }
        for side in Side::BOTH {
            self.sides[side].moves = correction.moves[side].unwrap_or(self.sides[side].moves);
            if let Some(number) = correction.period[side] {
                self.set_period(side, number);
            }
            self.set_overtime(
                side,
                (correction.overtime_periods[side], correction.overtime_moves[side]),
                at,
            );
            if let Some(time) = correction.time[side]
                && !(self.sides[side].overtime.is_some() && time.is_zero())
            {
                self.settle(side);
                self.set_time(side, int(time), at);
            }
            self.enter_overtime_with_nothing_left(side, at);
            self.show_the_running_period_whole(side, at);
        }
        if self.phase == Phase::Ready {
            self.begin_turn(Side::White);
        }
        self.put_on_move(correction.on_move, at);
        Ok(())
    }

    fn check(&self, side: Side, correction: Correction) -> Result<(), &'static str> {
        let last = self.last_period().unwrap_or(u32::MAX);
        let number = correction.period[side].unwrap_or(self.sides[side].period);
        if number < 1 || number > last {
            return Err("no-such-period");
        }
        let method = self.period(number).method[side];
        if let Some(time) = correction.time[side] {
            if time > MAX_GIVEN {
                return Err("too-much-time");
            }
            if let Method::CountUp { limit: Some(limit) } = method
                && time >= limit
            {
                return Err("limit-reached");
            }
        }
        let (periods, moves) = (correction.overtime_periods[side], correction.overtime_moves[side]);
        if periods.is_none() && moves.is_none() {
            return Ok(());
        }
        match method {
            Method::Overtime(_) if self.sides[side].out => Err("out-of-time"),
            Method::Overtime(overtime) => {
                let good = periods.is_none_or(|n| n >= 1 && n <= overtime.periods)
                    && moves.is_none_or(|n| n >= 1 && n <= overtime.moves);
                if good { Ok(()) } else { Err("no-such-overtime") }
            }
            _ => Err("no-overtime"),
        }
    }

    /// Sets only the number of the period; the time shown stays. An overtime that had begun is set
    /// aside in a period without overtime, and restored in a period with overtime.
    fn set_period(&mut self, side: Side, number: u32) {
        self.sides[side].period = number;
        let has_overtime = matches!(self.method(side), Method::Overtime(_));
        let state = &mut self.sides[side];
        if !has_overtime && state.overtime.is_some() {
            state.aside = state.overtime.take();
        } else if has_overtime && state.aside.is_some() {
            state.overtime = state.aside.take();
        }
    }

    /// Sets how many periods and moves of the overtime are left: `given`, in this order. One that is
    /// `None` stays as it is in the running overtime. Without a running overtime, it is that of the
    /// overtime that `undo-press` took back (`owed_overtime`), or else that of a whole one.
    fn set_overtime(&mut self, side: Side, given: (Option<u32>, Option<u32>), at: i128) {
        let (Method::Overtime(overtime), true) = (self.method(side), given != (None, None)) else {
            return;
        };
        if self.sides[side].overtime.is_none() {
            let nothing_shown = self.number(side, at) == 0;
            let state = &mut self.sides[side];
            let owed = state.owed_overtime.take();
            let whole = OvertimeLeft { periods: overtime.periods, moves: overtime.moves };
            state.overtime = Some(owed.map_or(whole, |owed| owed.left));
            if nothing_shown {
                state.main += owed.map_or(int(overtime.time), |owed| owed.number);
            }
        }
        if let Some(left) = &mut self.sides[side].overtime {
            left.periods = given.0.unwrap_or(left.periods);
            left.moves = given.1.unwrap_or(left.moves);
        }
        self.show_the_running_period_whole(side, at);
    }

    /// Gives the running period of overtime its whole time if it would show 0.
    fn show_the_running_period_whole(&mut self, side: Side, at: i128) {
        let state = &self.sides[side];
        if let (Method::Overtime(overtime), true) = (self.method(side), state.overtime.is_some())
            && !state.out
            && self.number(side, at) == 0
        {
            self.sides[side].main += int(overtime.time);
        }
    }

    /// Cancels what a side owes. This is called whenever the arbiter corrects the time of the side.
    fn settle(&mut self, side: Side) {
        self.sides[side].owed = 0;
        self.sides[side].owed_overtime = None;
    }

    fn add(&mut self, side: Side, delta: i128, at: i128) -> Result<(), &'static str> {
        let shown = match self.sides[side].out {
            true => self.sides[side].number_at_flag,
            false => self.number(side, at),
        };
        let most = int(MAX_GIVEN);
        let number = match self.method(side) {
            _ if delta == 0 => return Ok(()),
            // An award lowers the time used, down to 0.
            Method::CountUp { .. } if delta > most => return Err("too-much-time"),
            Method::CountUp { .. } if delta > 0 => (shown - delta).max(0),
            // A cut raises the time used.
            Method::CountUp { limit } => {
                if limit.is_some_and(|limit| shown - delta >= int(limit)) {
                    return Err("cut-too-large");
                }
                shown - delta
            }
            _ if delta < 0 && -delta >= shown => return Err("cut-too-large"),
            _ => shown + delta,
        };
        if number > shown && number > most {
            return Err("too-much-time");
        }
        self.last_move = None;
        self.settle(side);
        self.set_time(side, number, at);
        Ok(())
    }

    fn set_time(&mut self, side: Side, time: i128, at: i128) {
        if self.sides[side].out {
            let still_out = match self.method(side) {
                Method::CountUp { limit } => limit.is_some_and(|limit| time >= int(limit)),
                _ => time == 0,
            };
            if still_out {
                return;
            }
            self.annul(side, 0);
            self.recompute_first_flag();
        }
        self.set_number(side, time, at);
    }

    fn set_number(&mut self, side: Side, number: i128, at: i128) {
        let change = number - self.number(side, at);
        self.sides[side].main += change;
    }
}
