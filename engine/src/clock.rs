//! The chess clock itself.

mod commands;
mod half;
mod periods;
mod undo;

use crate::event::EventQueue;
use crate::{
    Advance, Caller, Command, Control, Counting, Event, EventKind, Instant, Method, Outcome,
    PausedBy, PerSide, Phase, Refused, Side, SideView, Span, View,
};
use half::Half;
use undo::LastMove;

/// A chess clock: two displays of which at most one runs (FIDE 6.1).
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: Control,
    stage: Stage,
    on_move: Side,
    /// What is left of the delay of the turn of the side on move.
    delay_left: Span,
    halves: PerSide<Half>,
    first_flag: Option<Side>,
    called_by: Option<Caller>,
    /// What `undo-press` takes back; none once it no longer can.
    last_move: Option<LastMove>,
    /// The latest instant handled: time does not go back.
    last: Instant,
    events: EventQueue,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Ready,
    /// The clock of the side on move has run since this instant; its half and `delay_left` are as
    /// of then.
    Running {
        since: Instant,
    },
    Paused {
        by: PausedBy,
    },
    Ruling,
    Over {
        outcome: Outcome,
        /// What a reopened game goes back to.
        before: Standing,
    },
}

/// The clocks stand, and for what.
#[derive(Clone, Copy, Debug)]
enum Standing {
    Ready,
    Paused { by: PausedBy },
    Ruling,
}

impl Clock {
    /// A clock set up with this control, ready for White to begin.
    pub fn new(control: Control, at: Instant) -> Clock {
        let first = *control.period(1);
        let half = |side: Side| {
            let bonus = if control.terms().first_move_increment {
                first.method[side].increment()
            } else {
                Span::ZERO
            };
            Half::new(first.time[side].plus(bonus), first.method[side])
        };
        Clock {
            control,
            stage: Stage::Ready,
            on_move: Side::White,
            delay_left: first.method[Side::White].delay(),
            halves: PerSide { white: half(Side::White), black: half(Side::Black) },
            first_flag: None,
            called_by: None,
            last_move: None,
            last: at,
            events: EventQueue::new(),
        }
    }

    /// A player's button, pressed at `at`.
    ///
    /// It completes the running side's move, or as Black's first starts the game; any other press
    /// is given as not accepted and does nothing, as does every press of a game by gong. A press at
    /// the very instant the time is used up is too late (FIDE 6.8).
    pub fn handle_press(&mut self, side: Side, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        let accepted = match self.stage {
            Stage::Ready => side == Side::Black,
            Stage::Running { .. } => side == self.on_move && self.method(side).slice().is_none(),
            Stage::Paused { .. } | Stage::Ruling | Stage::Over { .. } => false,
        };
        self.emit(at, EventKind::Press { side, accepted });
        if accepted {
            match self.stage {
                Stage::Running { .. } => self.complete_move(at),
                _ => self.stage = Stage::Running { since: at },
            }
        }
        self.advance(at)
    }

    /// The call button, pressed at `at`: stops both clocks and calls the arbiter (FIDE 6.13b).
    pub fn handle_call(&mut self, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        // A call that stands already is not made again; who called by name stays named.
        let accepted = match self.stage {
            Stage::Running { .. } => true,
            Stage::Ready | Stage::Paused { .. } | Stage::Ruling => self.called_by.is_none(),
            Stage::Over { .. } => false,
        };
        self.emit(at, EventKind::Call { accepted });
        if accepted {
            if let Stage::Running { .. } = self.stage {
                self.charge(at);
                self.stage = Stage::Paused { by: PausedBy::Caller(Caller::Button) };
            }
            self.called_by.get_or_insert(Caller::Button);
        }
        Ok(())
    }

    /// A command given at `at`. Refused, it changes nothing.
    pub fn handle_command(&mut self, command: Command, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        match command {
            Command::Start => self.start(at)?,
            Command::Pause { by } => self.pause(by, at)?,
            Command::Resume { side } => self.resume(side, at)?,
            Command::Correct(correction) => self.correct(correction)?,
            Command::AddTime { side, delta_ns } => self.add_time(side, delta_ns)?,
            Command::UndoPress => self.undo_press()?,
            Command::Finish(outcome) => self.finish(outcome, at)?,
            Command::Reopen => self.reopen()?,
            Command::New { control, force } => self.set_up(control, force, at)?,
        }
        self.advance(at)
    }

    /// Decides what was due up to and at `at`. Early, late and doubled calls do no harm.
    pub fn handle_timeout(&mut self, at: Instant) -> Result<(), Refused> {
        self.advance(at)
    }

    /// When the clock next changes by itself: the instant the running side's time, or its period of
    /// overtime or slice, is used up.
    pub fn poll_timeout(&self) -> Option<Instant> {
        let Stage::Running { since } = self.stage else {
            return None;
        };
        let left = self.halves[self.on_move].time_left(self.method(self.on_move))?;
        since.checked_add(left.plus(self.delay_left))
    }

    /// The oldest event not taken yet. Take them after every call.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    /// The time control.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Where the game stands.
    pub fn phase(&self) -> Phase {
        match self.stage {
            Stage::Ready => Phase::Ready,
            Stage::Running { .. } => Phase::Running,
            Stage::Paused { .. } => Phase::Paused,
            Stage::Ruling => Phase::Ruling,
            Stage::Over { .. } => Phase::Over,
        }
    }

    /// The latest instant handled.
    pub fn last(&self) -> Instant {
        self.last
    }

    /// What the clock shows at `at`. A flag due but not yet decided shows as zero time, no flag.
    pub fn view(&self, at: Instant) -> View {
        let (halves, delay_left) = self.charged(at);
        let side_view = |side: Side| {
            let delay = if side == self.on_move { delay_left } else { self.full_delay(side) };
            self.side_view(side, &halves[side], delay)
        };
        View {
            at,
            phase: self.phase(),
            on_move: self.on_move,
            sides: PerSide { white: side_view(Side::White), black: side_view(Side::Black) },
            first_flag: self.first_flag,
            called_by: self.called_by,
            paused_by: match self.stage {
                Stage::Paused { by } => Some(by),
                _ => None,
            },
            outcome: match self.stage {
                Stage::Over { outcome, .. } => Some(outcome),
                _ => None,
            },
            last_period: self.control.last(),
            counting: match self.method(self.on_move) {
                Method::CountUp { .. } => Counting::Up,
                Method::Hourglass => Counting::Hourglass,
                _ => Counting::Down,
            },
        }
    }

    fn side_view(&self, side: Side, half: &Half, delay: Span) -> SideView {
        let bronstein = matches!(self.method(side), Method::Bronstein(_));
        let main = half.main_shown(self.method(side));
        SideView {
            remaining: if bronstein { main.plus(delay) } else { main },
            delay: if bronstein { Span::ZERO } else { delay },
            moves: half.moves,
            period: half.period,
            flag: half.final_flag.or(half.period_flag),
            out_of_time: half.final_flag.is_some(),
            overrun: half.overrun,
            overtime: half.overtime,
            owed: half.owed(),
        }
    }

    fn method(&self, side: Side) -> Method {
        self.control.period(self.halves[side].period).method[side]
    }

    /// The delay a turn of this side begins with.
    fn full_delay(&self, side: Side) -> Span {
        match self.halves[side].final_flag {
            Some(_) => Span::ZERO,
            None => self.method(side).delay(),
        }
    }

    fn emit(&mut self, at: Instant, kind: EventKind) {
        self.events.push(Event { at, kind });
    }

    /// Takes time to `at`, letting happen what is due. A timeout at an instant comes before
    /// anything stamped with the same instant, so every handler begins here; a command can leave
    /// no time to run (0:00 set, then resumed), so every handler ends here.
    fn advance(&mut self, at: Instant) -> Result<(), Refused> {
        if at < self.last {
            return Err(Refused::Earlier { given: at, last: self.last });
        }
        while let Some(due) = self.poll_timeout().filter(|due| *due <= at) {
            self.time_up(due, at);
        }
        self.last = at;
        Ok(())
    }

    /// Both halves, and what is left of the delay, as they are at `at`.
    fn charged(&self, at: Instant) -> (PerSide<Half>, Span) {
        let (mut halves, delay_left) = (self.halves, self.delay_left);
        let Stage::Running { since } = self.stage else {
            return (halves, delay_left);
        };
        let elapsed = at.since(since);
        half::charge(&mut halves, self.on_move, self.method(self.on_move), elapsed, delay_left);
        (halves, delay_left.minus(elapsed))
    }

    /// Charges the side on move for its running time up to `at`.
    fn charge(&mut self, at: Instant) {
        let Stage::Running { since } = self.stage else { return };
        let (method, elapsed) = (self.method(self.on_move), at.since(since));
        half::charge(&mut self.halves, self.on_move, method, elapsed, self.delay_left);
        self.delay_left = self.delay_left.minus(elapsed);
    }

    fn complete_move(&mut self, at: Instant) {
        self.charge(at);
        let side = self.on_move;
        self.last_move = Some(LastMove::before(self));
        let method = self.method(side);
        let half = &mut self.halves[side];
        half.moves = half.moves.saturating_add(1);
        half.count_overtime_move(method);
        let set_back = self.complete_period(side, at);
        // Completing move 40 brings the increment for move 41: that of the new period.
        let increment = self.method(side).increment();
        let half = &mut self.halves[side];
        if half.final_flag.is_none() {
            half.main = half.main.plus(increment);
        }
        self.begin_turn(side.other());
        self.stage = match self.control.terms().advance {
            Advance::BlackCompletes { pause: true } if set_back => {
                Stage::Paused { by: PausedBy::SetBack }
            }
            _ => Stage::Running { since: at },
        };
    }

    fn begin_turn(&mut self, side: Side) {
        self.on_move = side;
        self.delay_left = self.full_delay(side);
    }
}

#[cfg(test)]
mod tests;
