//! The chess clock itself.

mod commands;

use crate::event::EventQueue;
use crate::{
    AfterFlag, Caller, Command, Control, Event, EventKind, Instant, Method, Outcome, PerSide,
    Phase, Refused, Side, SideView, Span, View,
};

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
    Paused,
    Ruling,
    Over(Outcome),
}

#[derive(Clone, Copy, Debug, Default)]
struct Half {
    /// The main time: without this turn's delay, and while the clock runs as of `since`.
    main: Span,
    moves: u32,
    /// From 1.
    period: u32,
    /// The instant of the final flag. A side that has one gets no time and changes no period.
    flag: Option<Instant>,
    overrun: Span,
}

impl Half {
    /// This half, and what is left of its delay, after `elapsed` of running time.
    fn after(mut self, elapsed: Span, delay_left: Span) -> (Half, Span) {
        if self.flag.is_some() {
            self.overrun = self.overrun.plus(elapsed);
        } else {
            self.main = self.main.minus(elapsed.minus(delay_left));
        }
        (self, delay_left.minus(elapsed))
    }
}

impl Clock {
    /// A clock set up with this control, ready for White to begin.
    pub fn new(control: Control, at: Instant) -> Clock {
        let first = *control.period(1);
        let half = |side: Side| {
            let bonus = if control.first_move_increment() {
                first.method[side].increment()
            } else {
                Span::ZERO
            };
            Half { main: first.time[side].plus(bonus), period: 1, ..Half::default() }
        };
        Clock {
            control,
            stage: Stage::Ready,
            on_move: Side::White,
            delay_left: first.method[Side::White].delay(),
            halves: PerSide { white: half(Side::White), black: half(Side::Black) },
            first_flag: None,
            called_by: None,
            last: at,
            events: EventQueue::new(),
        }
    }

    /// A player's button, pressed at `at`.
    ///
    /// It completes the running side's move, or as Black's first starts the game; any other press
    /// is given as not accepted and does nothing. A press at the very instant the time is used up
    /// is too late (FIDE 6.8).
    pub fn handle_press(&mut self, side: Side, at: Instant) -> Result<(), Refused> {
        self.advance(at)?;
        let accepted = match self.stage {
            Stage::Ready => side == Side::Black,
            Stage::Running { .. } => side == self.on_move,
            Stage::Paused | Stage::Ruling | Stage::Over(_) => false,
        };
        self.emit(at, EventKind::Press { side, accepted });
        if accepted {
            match self.stage {
                Stage::Running { since } => self.complete_move(since, at),
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
            Stage::Ready | Stage::Paused | Stage::Ruling => self.called_by.is_none(),
            Stage::Over(_) => false,
        };
        self.emit(at, EventKind::Call { accepted });
        if accepted {
            if let Stage::Running { since } = self.stage {
                self.charge(since, at);
                self.stage = Stage::Paused;
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
            Command::Finish(outcome) => self.finish(outcome, at)?,
            Command::New(control) => self.set_up(control, at)?,
        }
        self.advance(at)
    }

    /// Decides what was due up to and at `at`. Early, late and doubled calls do no harm.
    pub fn handle_timeout(&mut self, at: Instant) -> Result<(), Refused> {
        self.advance(at)
    }

    /// When the clock next changes by itself: the instant the running side's time is used up.
    pub fn poll_timeout(&self) -> Option<Instant> {
        let Stage::Running { since } = self.stage else {
            return None;
        };
        let half = &self.halves[self.on_move];
        match half.flag {
            Some(_) => None,
            None => since.checked_add(half.main.plus(self.delay_left)),
        }
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
            Stage::Paused => Phase::Paused,
            Stage::Ruling => Phase::Ruling,
            Stage::Over(_) => Phase::Over,
        }
    }

    /// The latest instant handled.
    pub fn last(&self) -> Instant {
        self.last
    }

    /// What the clock shows at `at`. A flag due but not yet decided shows as zero time, no flag.
    pub fn view(&self, at: Instant) -> View {
        let side_view = |side: Side| match self.stage {
            _ if side != self.on_move => {
                self.side_view(side, self.halves[side], self.full_delay(side))
            }
            Stage::Running { since } => {
                let (half, delay) = self.halves[side].after(at.since(since), self.delay_left);
                self.side_view(side, half, delay)
            }
            _ => self.side_view(side, self.halves[side], self.delay_left),
        };
        View {
            at,
            phase: self.phase(),
            on_move: self.on_move,
            sides: PerSide { white: side_view(Side::White), black: side_view(Side::Black) },
            first_flag: self.first_flag,
            called_by: self.called_by,
            outcome: match self.stage {
                Stage::Over(outcome) => Some(outcome),
                _ => None,
            },
            periods: self.control.count(),
        }
    }

    fn side_view(&self, side: Side, half: Half, delay: Span) -> SideView {
        let bronstein = matches!(self.method(side), Method::Bronstein(_));
        SideView {
            remaining: if bronstein { half.main.plus(delay) } else { half.main },
            delay: if bronstein { Span::ZERO } else { delay },
            moves: half.moves,
            period: half.period,
            flag: half.flag,
            overrun: half.overrun,
        }
    }

    fn method(&self, side: Side) -> Method {
        self.control.period(self.halves[side].period).method[side]
    }

    /// The delay a turn of this side begins with.
    fn full_delay(&self, side: Side) -> Span {
        match self.halves[side].flag {
            Some(_) => Span::ZERO,
            None => self.method(side).delay(),
        }
    }

    fn emit(&mut self, at: Instant, kind: EventKind) {
        self.events.push(Event { at, kind });
    }

    /// Takes time to `at`, letting the flags fall that are due. A timeout at an instant comes
    /// before anything stamped with the same instant, so every handler begins here; a command can
    /// leave no time to run (0:00 set, then resumed), so every handler ends here.
    fn advance(&mut self, at: Instant) -> Result<(), Refused> {
        if at < self.last {
            return Err(Refused::Earlier { given: at, last: self.last });
        }
        while let Some(due) = self.poll_timeout().filter(|due| *due <= at) {
            self.fall(due);
        }
        self.last = at;
        Ok(())
    }

    /// The flag of the side on move falls.
    fn fall(&mut self, at: Instant) {
        let side = self.on_move;
        self.delay_left = Span::ZERO;
        let half = &mut self.halves[side];
        half.main = Span::ZERO;
        half.flag = Some(at);
        let period = half.period;
        self.first_flag.get_or_insert(side);
        self.stage = match self.control.after_flag() {
            AfterFlag::Halt => Stage::Ruling,
            AfterFlag::Run => Stage::Running { since: at },
        };
        self.emit(at, EventKind::Flag { side, period });
    }

    /// Charges the side on move for its running time from `since` to `at`.
    fn charge(&mut self, since: Instant, at: Instant) {
        let half = self.halves[self.on_move];
        let (half, delay_left) = half.after(at.since(since), self.delay_left);
        self.halves[self.on_move] = half;
        self.delay_left = delay_left;
    }

    fn complete_move(&mut self, since: Instant, at: Instant) {
        self.charge(since, at);
        let side = self.on_move;
        let half = &mut self.halves[side];
        half.moves = half.moves.saturating_add(1);
        if half.flag.is_none() {
            let due = self.control.moves_due(half.period);
            if due.is_some_and(|due| half.moves >= due) {
                half.period += 1;
                half.main = half.main.plus(self.control.period(half.period).time[side]);
                let period = half.period;
                self.emit(at, EventKind::Period { side, period });
            }
            // Completing move 40 brings the increment for move 41: that of the new period.
            let increment = self.method(side).increment();
            let half = &mut self.halves[side];
            half.main = half.main.plus(increment);
        }
        self.begin_turn(side.other());
        self.stage = Stage::Running { since: at };
    }

    fn begin_turn(&mut self, side: Side) {
        self.on_move = side;
        self.delay_left = self.full_delay(side);
    }
}

#[cfg(test)]
mod tests;
