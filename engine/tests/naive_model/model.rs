//! A second chess clock, made to be checked by eye and not to be fast.
//!
//! Nothing is charged as time goes by. A turn is a list of stretches that ran, and a side's main
//! time is worked out anew at every question from the method table:
//! everything it was ever given, less `max(0, e − d)` of every turn it ever had. The balance is
//! signed: what it is below zero once the flag has fallen is the overrun.

use clock_engine::{
    AfterFlag, Caller, Command, Control, Correction, Counting, EventKind, Instant, MAX_GIVEN,
    Method, Outcome, PerSide, Phase, Side, SideView, Span, View,
};

/// One turn of one side.
struct Turn {
    side: Side,
    /// The delay it began with: `d`.
    delay: i128,
    /// The stretches it ran; the last may still run.
    ran: Vec<(i128, Option<i128>)>,
}

impl Turn {
    /// The running time of the turn up to `at`: `e`.
    fn elapsed(&self, at: i128) -> i128 {
        self.ran.iter().map(|(from, to)| to.unwrap_or(at) - from).sum()
    }
}

pub struct Naive {
    control: Control,
    phase: Phase,
    /// All turns there have been; the last is of the side on move.
    turns: Vec<Turn>,
    /// All that was ever given, and taken by the arbiter.
    given: PerSide<Vec<i128>>,
    moves: PerSide<u32>,
    period: PerSide<u32>,
    flag: PerSide<Option<i128>>,
    first_flag: Option<Side>,
    called_by: Option<Caller>,
    outcome: Option<Outcome>,
    pub events: Vec<(i128, EventKind)>,
}

impl Naive {
    pub fn new(control: Control) -> Naive {
        let mut naive = Naive {
            control,
            phase: Phase::Ready,
            turns: Vec::new(),
            given: PerSide { white: Vec::new(), black: Vec::new() },
            moves: PerSide::both(0),
            period: PerSide::both(1),
            flag: PerSide::both(None),
            first_flag: None,
            called_by: None,
            outcome: None,
            events: Vec::new(),
        };
        for side in Side::BOTH {
            naive.give_period(side);
            if control.terms().first_move_increment {
                naive.give_increment(side);
            }
        }
        naive.turn_of(Side::White);
        naive
    }

    fn method(&self, side: Side) -> Method {
        self.control.periods()[self.period[side] as usize - 1].method[side]
    }

    fn give_period(&mut self, side: Side) {
        let period = self.control.periods()[self.period[side] as usize - 1];
        self.given[side].push(int(period.time[side]));
    }

    fn give_increment(&mut self, side: Side) {
        if let Method::Increment(span) = self.method(side) {
            self.given[side].push(int(span));
        }
    }

    fn delay(&self, side: Side) -> i128 {
        match self.method(side) {
            Method::Delay(span) | Method::Bronstein(span) if self.flag[side].is_none() => int(span),
            _ => 0,
        }
    }

    fn turn(&self) -> &Turn {
        self.turns.last().expect("White's first turn is there from the beginning")
    }

    fn turn_of(&mut self, side: Side) {
        let delay = self.delay(side);
        self.turns.push(Turn { side, delay, ran: Vec::new() });
    }

    fn run(&mut self, at: i128) {
        let turn = self.turns.last_mut().expect("as above");
        turn.ran.push((at, None));
        self.phase = Phase::Running;
    }

    fn stop(&mut self, at: i128) {
        let turn = self.turns.last_mut().expect("as above");
        if let Some((_, to @ None)) = turn.ran.last_mut() {
            *to = Some(at);
        }
    }

    /// The main time; below zero it is overrun.
    fn balance(&self, side: Side, at: i128) -> i128 {
        let used = |turn: &Turn| (turn.elapsed(at) - turn.delay).max(0);
        let turns = self.turns.iter().filter(|turn| turn.side == side);
        self.given[side].iter().sum::<i128>() - turns.map(used).sum::<i128>()
    }

    /// A flag has fallen where e ≥ M + d; that is then as long ago as the balance is below zero.
    pub fn until(&mut self, at: i128) {
        let side = self.turn().side;
        let balance = self.balance(side, at);
        let delay_is_over = self.turn().elapsed(at) >= self.turn().delay;
        let running = self.phase == Phase::Running && self.flag[side].is_none();
        if !(running && delay_is_over && balance <= 0) {
            return;
        }
        let fell = at + balance;
        self.flag[side] = Some(fell);
        self.first_flag = self.first_flag.or(Some(side));
        let period = self.period[side];
        self.events.push((fell, EventKind::Flag { side, period }));
        if self.control.after_flag() == AfterFlag::Halt {
            self.stop(fell);
            self.phase = Phase::Ruling;
        }
    }

    pub fn press(&mut self, side: Side, at: i128) {
        self.until(at);
        let accepted = match self.phase {
            Phase::Ready => side == Side::Black,
            Phase::Running => side == self.turn().side,
            _ => false,
        };
        self.events.push((at, EventKind::Press { side, accepted }));
        if accepted && self.phase == Phase::Ready {
            self.run(at);
        } else if accepted {
            self.stop(at);
            self.moves[side] += 1;
            if self.flag[side].is_none() {
                self.complete(side, at);
            }
            self.turn_of(side.other());
            self.run(at);
        }
        self.until(at);
    }

    fn complete(&mut self, side: Side, at: i128) {
        let periods = self.control.periods();
        let so_far = &periods[..self.period[side] as usize];
        let due: Option<Vec<u32>> = so_far.iter().map(|period| period.moves).collect();
        if due.is_some_and(|due| due.iter().sum::<u32>() <= self.moves[side]) {
            self.period[side] += 1;
            self.give_period(side);
            let period = self.period[side];
            self.events.push((at, EventKind::Period { side, period }));
        }
        self.give_increment(side);
    }

    pub fn call(&mut self, at: i128) {
        self.until(at);
        let accepted = match self.phase {
            Phase::Running => true,
            Phase::Over => false,
            _ => self.called_by.is_none(),
        };
        self.events.push((at, EventKind::Call { accepted }));
        if self.phase == Phase::Running {
            self.stop(at);
            self.phase = Phase::Paused;
        }
        if accepted {
            self.called_by = self.called_by.or(Some(Caller::Button));
        }
    }

    /// The code of the refusal, if it is refused.
    pub fn command(&mut self, command: Command, at: i128) -> Result<(), &'static str> {
        self.until(at);
        let standing = match self.phase {
            Phase::Running => Err("not-paused"),
            Phase::Over => Err("game-over"),
            _ => Ok(()),
        };
        match (command, self.phase) {
            (Command::Start, Phase::Ready) => {
                self.run(at);
                self.called_by = None;
            }
            (Command::Start | Command::Pause { .. }, Phase::Over) => return Err("game-over"),
            (Command::Start, _) => return Err("not-ready"),
            (Command::Pause { by }, Phase::Running) => {
                self.stop(at);
                self.phase = Phase::Paused;
                self.called_by = Some(by).filter(|by| *by != Caller::Arbiter);
            }
            (Command::Pause { .. }, _) => return Err("not-running"),
            (Command::Resume { side }, Phase::Paused) => {
                self.on_move(side);
                self.run(at);
                self.called_by = None;
            }
            (Command::Resume { .. }, Phase::Over) => return Err("game-over"),
            (Command::Resume { .. }, _) => return Err("not-paused"),
            (Command::Correct(correction), _) => {
                standing?;
                self.correct(correction, at)?;
            }
            (Command::AddTime { side, delta_ns }, _) => {
                standing?;
                self.add(side, i128::from(delta_ns), at)?;
            }
            (Command::UndoPress, Phase::Over) => return Err("game-over"),
            (Command::UndoPress, Phase::Running) => return Err("not-paused"),
            (Command::UndoPress, _) => return Err("nothing-to-undo"),
            (Command::Finish(_), Phase::Over) => return Err("game-over"),
            (Command::Finish(outcome), _) => {
                self.stop(at);
                self.phase = Phase::Over;
                self.outcome = Some(outcome);
                self.called_by = None;
            }
            (Command::Reopen, _) => return Err("not-over"),
            (Command::New(_), Phase::Running) => return Err("not-paused"),
            (Command::New(control), _) => {
                let events = core::mem::take(&mut self.events);
                *self = Naive::new(control);
                self.events = events;
            }
        }
        self.until(at);
        Ok(())
    }

    fn on_move(&mut self, side: Option<Side>) {
        match side {
            Some(side) if side != self.turn().side => self.turn_of(side),
            _ => {}
        }
    }

    fn correct(&mut self, correction: Correction, at: i128) -> Result<(), &'static str> {
        let Correction { time, moves, period, on_move } = correction;
        for side in Side::BOTH {
            if time[side] > Some(MAX_GIVEN) {
                return Err("too-much-time");
            }
            if !period[side].is_none_or(|n| n >= 1 && n <= self.control.count()) {
                return Err("no-such-period");
            }
        }
        if self.phase == Phase::Ready && on_move.is_some() {
            return Err("white-begins");
        }
        for side in Side::BOTH {
            self.moves[side] = moves[side].unwrap_or(self.moves[side]);
            self.period[side] = period[side].unwrap_or(self.period[side]);
            if let Some(time) = time[side] {
                self.set(side, int(time), at);
            }
        }
        if self.phase == Phase::Ready {
            self.turns.clear();
            self.turn_of(Side::White);
        }
        self.on_move(on_move);
        Ok(())
    }

    fn add(&mut self, side: Side, delta: i128, at: i128) -> Result<(), &'static str> {
        let main = self.balance(side, at).max(0);
        if delta < 0 && -delta >= main {
            return Err("cut-too-large");
        }
        if delta > 0 && main + delta > int(MAX_GIVEN) {
            return Err("too-much-time");
        }
        self.set(side, main + delta, at);
        Ok(())
    }

    fn set(&mut self, side: Side, main: i128, at: i128) {
        if self.flag[side].is_some() && main == 0 {
            return;
        }
        let change = main - self.balance(side, at);
        self.given[side].push(change);
        if self.flag[side].take().is_none() {
            return;
        }
        self.first_flag = Some(side.other()).filter(|other| self.flag[*other].is_some());
        if self.phase == Phase::Ruling && self.first_flag.is_none() {
            self.phase = Phase::Paused;
        }
    }

    pub fn view(&self, at: i128) -> View {
        View {
            at: Instant::from_nanos(u64::try_from(at).expect("within the clock")),
            phase: self.phase,
            on_move: self.turn().side,
            sides: PerSide { white: self.side(Side::White, at), black: self.side(Side::Black, at) },
            first_flag: self.first_flag,
            called_by: self.called_by,
            outcome: self.outcome,
            last_period: self.control.last(),
            counting: Counting::Down,
        }
    }

    fn side(&self, side: Side, at: i128) -> SideView {
        let balance = self.balance(side, at);
        let delay = match self.flag[side] {
            Some(_) => 0,
            None if side == self.turn().side => {
                (self.turn().delay - self.turn().elapsed(at)).max(0)
            }
            None => self.delay(side),
        };
        let (main, delay) = match self.method(side) {
            Method::Bronstein(_) => (balance.max(0) + delay, 0),
            _ => (balance.max(0), delay),
        };
        let flag = self.flag[side];
        SideView {
            remaining: span(main),
            delay: span(delay),
            moves: self.moves[side],
            period: self.period[side],
            flag: flag.map(|at| Instant::from_nanos(span(at).as_nanos())),
            out_of_time: flag.is_some(),
            overtime: None,
            overrun: span(if flag.is_some() { -balance } else { 0 }),
        }
    }
}

fn int(span: Span) -> i128 {
    i128::from(span.as_nanos())
}

fn span(nanos: i128) -> Span {
    Span::from_nanos(u64::try_from(nanos).expect("neither below zero nor above the range"))
}
