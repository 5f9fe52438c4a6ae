//! The model: an engine that is given all inputs in the order of their stamps.

use super::*;
use clock_engine::rules::{GameRefused, Setup, SideNotes};
use clock_engine::{Caller, Clock, EventKind, MAX_EVENTS, PeriodEnd};

/// An input with its stamp.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "a test need not save memory")]
pub enum Input {
    Press(usize),
    Request(Request),
    BoardGone,
    BoardBack,
}

type Answer = Option<(u64, Result<(), Refusal>)>;

/// The part of an update that is compared with the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    pub cause: Cause,
    pub at: u64,
    pub revision: u64,
    pub view: View,
    pub answer: Answer,
}

impl Told {
    pub fn new(update: &Update) -> Told {
        let mut view = View { at: Instant::ZERO, ..update.view };
        // The model has no rules, which note the arrival of a player.
        for side in Side::BOTH {
            view.sides[side].notes = SideNotes::default();
        }
        let Update { cause, revision, answer, .. } = *update;
        Told { cause, at: update.at.as_nanos(), revision, view, answer }
    }
}

pub struct Model {
    clock: Clock,
    revision: u64,
    board_gone: bool,
    buttons_exchanged: bool,
    told: Vec<Told>,
}

impl Model {
    /// Plays all inputs up to `end`.
    pub fn play(control: Control, start: u64, inputs: &[(u64, Input)], end: u64) -> Vec<Told> {
        let (clock, told) = (Clock::new(control, at(start)), Vec::new());
        let (board_gone, buttons_exchanged) = (false, false);
        let mut model = Model { clock, revision: 1, board_gone, buttons_exchanged, told };
        for (stamp, input) in inputs {
            model.run_to(*stamp);
            model.input(*stamp, input);
        }
        model.run_to(end);
        model.told
    }

    fn run_to(&mut self, end: u64) {
        while let Some(due) = self.clock.poll_timeout().filter(|due| due.as_nanos() <= end) {
            self.clock.handle_timeout(due).unwrap();
            self.tell(due.as_nanos(), None);
        }
    }

    fn input(&mut self, stamp: u64, input: &Input) {
        let now = at(stamp);
        match input {
            Input::Press(line @ 0..2) => {
                let before = self.clock.phase();
                let wired = Side::BOTH[*line];
                let side = if self.buttons_exchanged { wired.other() } else { wired };
                self.clock.handle_press(side, now).unwrap();
                let set_back = (before, self.clock.phase()) == (Phase::Running, Phase::Paused);
                let starts = before == Phase::Ready && self.clock.phase() != Phase::Ready;
                self.revision += u64::from(set_back || starts);
                self.tell(stamp, None);
                if set_back {
                    self.push(stamp, Cause::SetBack, None);
                }
            }
            Input::Press(_) => {
                self.clock.handle_call(now).unwrap();
                self.tell(stamp, None);
            }
            Input::Request(request) => {
                let done = self.request(request, now);
                self.revision += u64::from(done.is_ok());
                let cause = if done.is_ok() { name(&request.command) } else { Cause::Refused };
                self.tell(stamp, Some((cause, Some((request.id, done)))));
            }
            Input::BoardGone => {
                self.board_gone = true;
                let pause = Command::Pause { by: Caller::Fault };
                let paused = self.clock.handle_command(pause, now).is_ok();
                self.revision += u64::from(paused);
                self.tell(stamp, Some((Cause::BoardGone { button: WHITE, paused }, None)));
            }
            Input::BoardBack => {
                self.board_gone = false;
                self.push(stamp, Cause::BoardBack, None);
            }
        }
    }

    fn request(&mut self, request: &Request, now: Instant) -> Result<(), Refusal> {
        if request.revision != self.revision {
            let (given, current) = (request.revision, self.revision);
            return Err(Refusal::Stale { given, current });
        }
        let mut clock = self.clock;
        for step in steps(&request.command).map_err(Refusal::Game)? {
            let done = clock.handle_command(step, now);
            done.map_err(|refused| Refusal::Game(refused.into()))?;
            let starts = matches!(step, Command::Start | Command::Resume { .. });
            if self.board_gone && starts {
                return Err(Refusal::BoardGone);
            }
        }
        self.clock = clock;
        self.buttons_exchanged ^= matches!(request.command, GameCommand::NewExchanged(_));
        Ok(())
    }

    fn tell(&mut self, stamp: u64, first: Option<(Cause, Answer)>) {
        let period_end = self.clock.control().terms().period_end;
        let shown = matches!(period_end, PeriodEnd::Zero | PeriodEnd::MovesAtZero);
        let mut causes = Vec::new();
        for _ in 0..=MAX_EVENTS {
            let Some(event) = self.clock.poll_event() else { break };
            let cause = match event.kind {
                EventKind::Period { .. } if !shown => continue,
                EventKind::Call { accepted: false } => continue,
                kind => Cause::from(kind),
            };
            let revises = matches!(cause.as_str(), "flag" | "period" | "call");
            self.revision += u64::from(revises);
            causes.push((event.at.as_nanos(), cause));
        }
        if let Some((cause, answer)) = first {
            self.push(stamp, cause, answer);
        }
        for (happened, cause) in causes {
            self.push(stamp, cause, None);
            self.told.last_mut().unwrap().at = happened;
        }
    }

    fn push(&mut self, stamp: u64, cause: Cause, answer: Answer) {
        let Model { revision, buttons_exchanged, .. } = *self;
        let view = View { at: Instant::ZERO, buttons_exchanged, ..self.clock.view(at(stamp)) };
        self.told.push(Told { cause, at: stamp, revision, view, answer });
    }
}

/// The commands for the clock, one after the other. These games have no rule profile, so the players
/// cannot agree to anything.
fn steps(command: &GameCommand) -> Result<Vec<Command>, GameRefused> {
    Ok(match *command {
        GameCommand::Clock(command) => vec![command],
        GameCommand::NewExchanged(Setup { control, force, .. }) => {
            vec![Command::New { control, force }]
        }
        GameCommand::ReplaceResult(outcome) => vec![Command::Reopen, Command::Finish(outcome)],
        GameCommand::Agreed(_) => return Err(GameRefused::NoProfile),
        other => panic!("{other:?}"),
    })
}

/// The name of a command, which is that of its last step.
fn name(command: &GameCommand) -> Cause {
    let steps = steps(command).expect("it was carried out");
    let name = match steps.last().expect("a command has a step") {
        Command::Start => "start",
        Command::Pause { .. } => "pause",
        Command::Resume { .. } => "resume",
        Command::Set(_) => "set",
        Command::Add { .. } => "add",
        Command::UndoPress => "undo-press",
        Command::Finish(_) => "result",
        Command::Reopen => "reopen",
        Command::New { .. } => "new",
    };
    Cause::Command(name, None)
}
