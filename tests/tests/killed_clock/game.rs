//! A game whose clock is killed at random instants and started again. After each start, the record
//! and the state of the clock are checked.

use crate::arbiter::{Arbiter, Command};
use crate::presses::{Presses, Pressing};
use crate::record;
use clock_dbus::{Completed, Followed, Follower, Phase, State, Who};
use clock_tests::{Bench, Program, Supervisor};
use edge_player::Rng;
use std::time::Duration;
use zbus::{Connection, connection};

/// Debounce times so short that a press is decided within a fraction of a millisecond.
pub const FAST: &str =
    "[debounce]\nsettle = \"10us\"\nlongest_bounce = \"10us\"\nrelease = \"10us\"\n";

/// What is under way when the clock is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Nothing,
    /// Presses of both players in turn, as fast as they are taken.
    Presses,
    New,
    Pause,
    Resume,
    AddTime,
    ChangeTimeControl,
    Claim,
    Rule,
    Result,
}

pub struct Game {
    pub clock: Supervisor,
    pub connection: Connection,
    follower: Follower,
    arbiter: Arbiter,
    bench: Bench,
    /// The latest state that was seen on the bus.
    pub state: State,
    /// The latest game in the record at the last check, and the number that the next entry gets.
    pub game: u64,
    pub next_entry: u64,
    pub counts: Counts,
    _bus: Program,
}

/// How often something happened, so that a run shows what it has tested.
#[derive(Debug, Default)]
pub struct Counts {
    pub presses_decided: u64,
    pub presses_decided_unseen: u64,
    pub presses_lost: u64,
    pub commands_done: u64,
    pub commands_done_unanswered: u64,
    pub commands_lost: u64,
    pub controls_changed: u64,
}

/// What happened from the beginning of an action until the clock was killed.
pub struct Round {
    /// The reason that was given with the command.
    pub reason: String,
    /// The state of the clock before the command or the presses.
    pub before: State,
    /// The command that was under way, with its answer. `None` if no command was given.
    pub command: Option<(Command, clock_dbus::Result<Completed>)>,
    /// The presses of the players.
    pub presses: Presses,
    /// The transitions that were seen on the bus before the clock was gone.
    pub seen: Vec<(String, State)>,
    /// The instant at which the clock was certainly gone.
    pub killed_at: u64,
}

impl Game {
    pub async fn begin() -> Game {
        let bench = Bench::new().unwrap();
        bench.configure(FAST).unwrap();
        let bus = bench.bus().unwrap();
        let record = bench.folder().join("games");
        let command = bench.clockd_command(&["--record", record.to_str().unwrap()]);
        let mut clock = Supervisor::of_command(bench.folder(), &command).unwrap();
        clock.start().unwrap();
        let connect = async || {
            let connection = connection::Builder::address(bench.address().as_str());
            connection.method_timeout(Duration::from_secs(10)).build().await.unwrap()
        };
        let connection = connect().await;
        let mut follower = Follower::new(&connect().await).await.unwrap();
        let Some(Followed::Read { state, .. }) = follower.next().await.unwrap() else {
            panic!("the clock runs")
        };
        let arbiter = Arbiter::start(bench.address());
        arbiter.give(Command::New, &state, "the first game");
        assert!(arbiter.answer().unwrap().recorded);
        let Some(Followed::Transition { state, .. }) = follower.next().await.unwrap() else {
            panic!("a new game is a transition")
        };
        let game = record::latest_game(&connection).await;
        let entries = record::entries(&connection, game, 1).await;
        let next_entry = entries.last().unwrap()["entry"].as_u64().unwrap() + 1;
        let counts = Counts::default();
        let state = *state;
        Game {
            clock,
            follower,
            connection,
            arbiter,
            bench,
            state,
            game,
            next_entry,
            counts,
            _bus: bus,
        }
    }

    /// Whether a side has less than 30 s left, so that its flag could fall soon on a slow machine.
    pub fn is_late(&self) -> bool {
        let left = self.state.white.remaining_nsec.min(self.state.black.remaining_nsec);
        left < 30_000_000_000
    }

    /// The counts as text, so that a run shows what its kills have tested.
    pub fn counts(&self) -> String {
        format!("{:?}", self.counts)
    }

    /// Begins the action and kills the clock at a random instant. Then starts the clock again and
    /// checks what it has kept.
    pub async fn kill_during(&mut self, action: Action, rng: &mut Rng, kill: u64) {
        let reason = format!("kill {kill}");
        let before = self.state.clone();
        let command = self.command(action);
        // If `presses` is above 0, the kill waits: for this many presses if the action is to press,
        // and for the answer if the action is a command. If it is 0, the kill waits for neither. In
        // every case, the kill comes up to 3 ms after that.
        let presses = if rng.one_in(2) { rng.between(1, 8) } else { 0 };
        let pressing = (action == Action::Presses).then(|| {
            let first = if before.phase == Phase::Ready { Who::Black } else { before.on_move };
            Pressing::start(self.bench.socket(), first)
        });
        if let Some(pressing) = &pressing {
            pressing.wait_for(presses);
        }
        let answered = command.clone().map(|command| {
            self.arbiter.give(command, &before, &reason);
            (presses > 0).then(|| self.arbiter.answer())
        });
        std::thread::sleep(Duration::from_micros(rng.between(0, 3_000)));
        self.clock.kill().unwrap();
        let killed_at = monotonic_now();
        let answer = answered.map(|answer| answer.unwrap_or_else(|| self.arbiter.answer()));
        let command = command.zip(answer);
        let presses = pressing.map(Pressing::join).unwrap_or_default();
        let mut seen = Vec::new();
        loop {
            match self.follower.next().await.unwrap().unwrap() {
                Followed::Transition { cause, state } => seen.push((cause, *state)),
                Followed::NoService => break,
                other => panic!("{other:?}"),
            }
        }
        self.clock.start().unwrap();
        let Some(Followed::Read { state, .. }) = self.follower.next().await.unwrap() else {
            panic!("the clock runs again")
        };
        self.state = *state;
        let round = Round { reason, before, command, presses, seen, killed_at };
        self.check(round).await;
    }

    fn command(&self, action: Action) -> Option<Command> {
        Some(match action {
            Action::Nothing | Action::Presses => return None,
            Action::New => Command::New,
            Action::Pause => Command::Pause,
            Action::Resume => Command::Resume,
            Action::AddTime => Command::AddTime,
            Action::ChangeTimeControl => Command::ChangeTimeControl,
            Action::Claim => Command::Claim,
            Action::Result => Command::Result,
            Action::Rule => {
                let answers = self.state.questions.iter().flat_map(|question| &question.answers);
                let mut answers = answers.filter(|answer| answer.phase != Phase::Over);
                Command::Rule(Box::new(answers.next().unwrap().clone()))
            }
        })
    }
}

/// CLOCK_MONOTONIC in nanoseconds.
pub fn monotonic_now() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let nanos = now.tv_sec * 1_000_000_000 + now.tv_nsec;
    nanos.unsigned_abs()
}
