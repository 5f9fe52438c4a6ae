//! A second implementation of the rules (flags, claims, rulings, illegal moves, penalties and late
//! arrivals), written to be checked by reading.
//!
//! It follows the specification, not the code of the engine, and works differently: it keeps only
//! the list of the accepted inputs, each with a copy of the clock at that instant. It searches this
//! list each time to find whether a claim is open, a flag is called or a penalty is due.
//!
//! It does not compute times: it decides which commands an action gives to the clock, and carries
//! them out on a copy of the clock. `naive_model` checks the clock itself.

mod actions;
mod decisions;
mod draw_claims;
pub mod flags;
mod players;

use clock_engine::rules::{Action, Authority, Ground, Profile, QuestionKind, RateOfPlay, Ruling};
use clock_engine::{Caller, Clock, Command, Instant, Method, Outcome, Phase, Side, Span};

/// An input of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a few of them in a test")]
pub enum Input {
    Press(Side),
    Call,
    /// Time goes by.
    Wait(Span),
    Command(Command),
    Action(Action),
}

/// An accepted input.
#[derive(Clone, Copy)]
pub struct Fact {
    /// The index of the input in the list of all accepted inputs.
    pub number: usize,
    pub at: Instant,
    pub input: Input,
    /// The clock at that instant, before the input.
    pub clock: Clock,
    /// The result, if the input gave one.
    pub result: Option<Outcome>,
    /// Whether the input started a clock that stood.
    pub starts: bool,
}

/// What an accepted input does.
pub struct Effect {
    /// The clock after the input.
    pub clock: Clock,
    pub result: Option<Outcome>,
}

#[derive(Clone)]
pub struct Model {
    pub profile: Profile,
    pub rate: RateOfPlay,
    /// Whether the control has an increment or a delay.
    pub increment: bool,
    facts: Vec<Fact>,
    /// All presses, even those without effect: a player who presses is at the board.
    presses: Vec<(Instant, Side)>,
}

impl Model {
    pub fn new(profile: Profile, rate: RateOfPlay, increment: bool) -> Model {
        Model { profile, rate, increment, facts: Vec::new(), presses: Vec::new() }
    }

    /// Notes an accepted input, with the clock before it.
    pub fn record(&mut self, at: Instant, input: Input, clock: Clock, effect: &Effect) {
        let number = self.facts.len();
        let runs = |clock: &Clock| clock.phase() == Phase::Running;
        let starts = runs(&effect.clock) && !runs(&clock);
        self.facts.push(Fact { number, at, input, clock, result: effect.result, starts });
    }

    pub fn see_press(&mut self, at: Instant, side: Side) {
        self.presses.push((at, side));
    }

    /// The facts that count, oldest first. After a reopening, the inputs whose result was taken
    /// back do not count, except penalties.
    fn facts(&self) -> impl DoubleEndedIterator<Item = &Fact> + use<'_> {
        let last_reopening = self.last_reopening();
        self.facts.iter().filter(move |fact| {
            let penalty = matches!(fact.input, Input::Action(Action::Penalize(_)));
            let taken_back = fact.result.is_some() && Some(fact.number) < last_reopening;
            fact.input != Input::Command(Command::Reopen) && (penalty || !taken_back)
        })
    }

    fn last_reopening(&self) -> Option<usize> {
        let reopening = |fact: &&Fact| fact.input == Input::Command(Command::Reopen);
        self.facts.iter().rfind(reopening).map(|fact| fact.number)
    }

    fn actions(&self) -> impl DoubleEndedIterator<Item = (&Fact, Action)> {
        self.facts().filter_map(|fact| match fact.input {
            Input::Action(action) => Some((fact, action)),
            _ => None,
        })
    }

    /// The rulings after this fact.
    fn rulings_after(&self, fact: &Fact) -> impl Iterator<Item = Ruling> + use<'_> {
        self.after(fact).filter_map(|later| match later.input {
            Input::Action(Action::Rule { ruling, .. }) => Some(ruling),
            _ => None,
        })
    }

    fn after(&self, fact: &Fact) -> impl DoubleEndedIterator<Item = &Fact> + use<'_> {
        let number = fact.number;
        self.facts().filter(move |other| other.number > number)
    }

    /// The model as it was before a fact.
    fn at(&self, fact: &Fact) -> Model {
        Model { facts: self.before(fact).copied().collect(), ..self.clone() }
    }

    fn before(&self, fact: &Fact) -> impl DoubleEndedIterator<Item = &Fact> + use<'_> {
        let number = fact.number;
        self.facts().filter(move |other| other.number < number)
    }

    /// The input that gave the result that stands.
    fn end(&self) -> Option<&Fact> {
        let last_reopening = self.last_reopening();
        self.facts().find(|fact| fact.result.is_some() && Some(fact.number) > last_reopening)
    }

    /// The result that stands.
    pub fn result(&self) -> Option<Outcome> {
        self.end().and_then(|fact| fact.result)
    }

    pub fn phase(&self, clock: &Clock) -> Phase {
        match clock.phase() {
            _ if self.result().is_some() => Phase::Over,
            Phase::Paused if self.ruling_awaited(clock) => Phase::Ruling,
            phase => phase,
        }
    }

    /// Whether the game awaits a ruling before it can go on.
    fn ruling_awaited(&self, clock: &Clock) -> bool {
        self.losing_illegal_move().is_some()
            || self.open_claim().is_some_and(|claim| !claim.pending)
            || self.open_request().is_some()
            || self.a_flag_awaits_a_ruling(clock)
    }

    /// The most urgent open question according to the model. `Game::question` must return the same
    /// one.
    pub fn question(&self, clock: &Clock, at: Instant) -> Option<QuestionKind> {
        if self.result().is_some() {
            return None;
        }
        if self.losing_illegal_move().is_some() {
            return Some(QuestionKind::IllegalMove);
        }
        if self.open_claim().is_some_and(|claim| !claim.postponed) {
            return Some(QuestionKind::Claim);
        }
        if self.open_request().is_some() {
            return Some(QuestionKind::Request);
        }
        if self.order_in_doubt(clock) {
            return Some(QuestionKind::FlagOrder);
        }
        if Side::BOTH.iter().any(|&side| self.moves_made_is_open(clock, side)) {
            return Some(QuestionKind::MovesMade);
        }
        if self.open_stop().is_some() {
            return Some(QuestionKind::Stop);
        }
        if Side::BOTH.iter().any(|&side| self.default_is_open(side, at)) {
            return Some(QuestionKind::Default);
        }
        None
    }

    /// The claim that is shown: by whom, on what ground, and whether it is pending.
    pub fn claim(&self) -> Option<(Side, Ground, bool)> {
        let claim = self.open_claim().filter(|_| self.result().is_none())?;
        Some((claim.by, claim.ground, claim.pending))
    }

    pub fn supervised(&self) -> bool {
        self.profile.authority != Authority::Nobody
    }

    /// The instant at which the game was adjourned; `None` if it is not adjourned.
    fn adjourned_at(&self) -> Option<Instant> {
        let last = self.actions().rfind(|(_, action)| {
            matches!(action, Action::Adjourn { .. } | Action::ResumeAdjourned)
        })?;
        match last {
            (fact, Action::Adjourn { .. }) => Some(fact.at),
            _ => None,
        }
    }

    fn adjourned(&self) -> bool {
        self.adjourned_at().is_some()
    }
}

/// Returns the clock after these commands. Returns `None` if the clock refuses one of them.
fn commanded(mut clock: Clock, commands: &[Command], at: Instant) -> Option<Clock> {
    for command in commands {
        clock.handle_command(*command, at).ok()?;
    }
    Some(clock)
}

/// The clock, paused by the arbiter if it runs.
fn stopped(clock: &Clock, at: Instant) -> Clock {
    match clock.phase() {
        Phase::Running => {
            let pause = Command::Pause { by: Caller::Arbiter };
            commanded(*clock, &[pause], at).expect("a running clock can be stopped")
        }
        _ => *clock,
    }
}

/// The clock after `nanos` were added to the time of a side: a positive number is an award, a
/// negative one a cut. A running clock runs on. `None` if the clock refuses this.
fn given(clock: &Clock, side: Side, nanos: i64, at: Instant) -> Option<Clock> {
    if nanos == 0 {
        return Some(*clock);
    }
    let add = Command::Add { side, delta_ns: nanos };
    match clock.phase() {
        Phase::Running => {
            let pause = Command::Pause { by: Caller::Arbiter };
            commanded(*clock, &[pause, add, Command::Resume { side: None }], at)
        }
        _ => commanded(*clock, &[add], at),
    }
}

/// The clock with this method from now on. A running clock runs on.
fn with_method(clock: &Clock, method: Method, at: Instant) -> Option<Clock> {
    let mut changed = stopped(clock, at);
    changed.change_method(method, at).ok()?;
    match clock.phase() {
        Phase::Running => commanded(changed, &[Command::Resume { side: None }], at),
        _ => Some(changed),
    }
}

fn nanos(span: Span) -> i64 {
    i64::try_from(span.as_nanos()).expect("a time of a game")
}

fn lost_by(side: Side) -> Outcome {
    match side {
        Side::White => Outcome::BlackWins,
        Side::Black => Outcome::WhiteWins,
    }
}
