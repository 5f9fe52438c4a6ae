//! A game whose clock is killed and started again, and what is checked each time.

use crate::arbiter::{ADDED, Arbiter, Command};
use crate::numbers::Numbers;
use crate::presses::{Presses, press_while_it_lives};
use crate::record;
use clock_dbus::{Completed, Followed, Follower, Phase, State, Who};
use clock_tests::{Bench, Program, Supervisor};
use edge_player::Rng;
use serde_json::Value;
use std::time::Duration;
use zbus::{Connection, connection};

/// Debounce times so short that a press is decided within a fraction of a millisecond.
const FAST: &str = "[debounce]\nsettle = \"10us\"\ngap = \"10us\"\nrelease = \"10us\"\n";

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
    Claim,
    Rule,
    Result,
}

pub struct Game {
    clock: Supervisor,
    follower: Follower,
    connection: Connection,
    arbiter: Arbiter,
    bench: Bench,
    /// The latest state that was seen on the bus.
    state: State,
    /// The game of the record, and the number of the next entry.
    game: u64,
    next_entry: u64,
    counts: Counts,
    _bus: Program,
}

/// How often something happened, so that a run shows what it has tested.
#[derive(Debug, Default)]
struct Counts {
    presses_decided: u64,
    presses_decided_unseen: u64,
    presses_lost: u64,
    commands_done: u64,
    commands_done_unanswered: u64,
    commands_lost: u64,
}

/// What happened while the clock was killed.
struct Round {
    reason: String,
    before: State,
    command: Option<(Command, clock_dbus::Result<Completed>)>,
    presses: Presses,
    seen: Vec<(String, State)>,
    killed_at: u64,
}

impl Game {
    pub async fn begin() -> Game {
        let bench = Bench::new().unwrap();
        bench.configure(FAST).unwrap();
        let bus = bench.bus().unwrap();
        let record = bench.folder().join("record.sqlite3");
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

    /// The latest state that was seen.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether a flag could fall soon on a slow machine.
    pub fn is_late(&self) -> bool {
        let left = self.state.white_remaining_nsec.min(self.state.black_remaining_nsec);
        left < 30_000_000_000
    }

    /// What the kills met.
    pub fn counts(&self) -> String {
        format!("{:?}", self.counts)
    }

    /// Kills the clock at a random instant while something is under way, starts it again and checks it.
    pub async fn kill_during(&mut self, action: Action, rng: &mut Rng, kill: u64) {
        let reason = format!("kill {kill}");
        let before = self.state.clone();
        let command = self.command(action);
        let pressing = (action == Action::Presses).then(|| {
            let first = if before.phase == Phase::Ready { Who::Black } else { before.on_move };
            press_while_it_lives(self.bench.socket(), first)
        });
        if let Some(command) = &command {
            self.arbiter.give(command.clone(), &before, &reason);
        }
        std::thread::sleep(Duration::from_micros(rng.between(0, 5_000)));
        self.clock.kill().unwrap();
        let killed_at = monotonic_now();
        let command = command.map(|command| (command, self.arbiter.answer()));
        let presses = pressing.map(|thread| thread.join().unwrap()).unwrap_or_default();
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
            Action::Claim => Command::Claim,
            Action::Result => Command::Result,
            Action::Rule => {
                let answers = self.state.questions.iter().flat_map(|question| &question.answers);
                let mut answers = answers.filter(|answer| answer.phase != Phase::Over);
                Command::Rule(Box::new(answers.next().unwrap().clone()))
            }
        })
    }

    async fn check(&mut self, round: Round) {
        let mut entries = self.new_entries(round.killed_at).await;
        let context = format!("{}: {:?}\n{entries:#?}", round.reason, round.command);
        let restart = entries.pop().unwrap();
        check_gap(&restart, &entries, round.killed_at, &context);
        let mut numbers = Numbers::of_state(&round.before);
        let (mut decided, mut done) = (Vec::new(), None);
        for entry in &entries {
            let at = entry["at_ns"].as_u64().unwrap();
            numbers = match entry["kind"].as_str().unwrap() {
                "press" => {
                    let event = &entry["events"][0];
                    let side = if event["side"] == "white" { Who::White } else { Who::Black };
                    assert_eq!(event["accepted"], true, "{context}");
                    decided.push((side, at));
                    numbers.pressed(side, at)
                }
                "command" => {
                    assert_eq!(entry["command"]["reason"], *round.reason, "{context}");
                    assert!(done.replace(entry.clone()).is_none(), "{context}");
                    let (command, _) = round.command.as_ref().unwrap();
                    after_command(&numbers, command, at, entry)
                }
                "time" => numbers.at(at),
                kind => panic!("{kind}: {context}"),
            };
            assert_agree(&Numbers::of_entry(entry), &numbers, &context);
        }
        // What was seen on the bus is what the record says, each in its turn.
        let mut recorded = entries.iter();
        for (cause, state) in &round.seen {
            let found = recorded.any(|entry| {
                entry["state"]["revision"] == state.revision
                    && Numbers::of_entry(entry).agrees_with(&Numbers::of_state(state))
            });
            assert!(found, "{cause} is not in the record: {state:?}\n{context}");
        }
        // To the nanosecond as if nothing had been killed.
        assert_agree(&Numbers::of_entry(&restart), &numbers, &context);
        assert_agree(&Numbers::of_state(&self.state), &numbers, &context);
        self.check_presses(&round, &decided, &context);
        self.check_command(&round, done.as_ref(), &context);
        self.check_whole_state(&round, &entries, &context);
    }

    /// The entries since the last check, up to the restart.
    async fn new_entries(&mut self, killed_at: u64) -> Vec<Value> {
        let latest = record::latest_game(&self.connection).await;
        let mut entries = Vec::new();
        if latest != self.game {
            entries = record::entries(&self.connection, self.game, self.next_entry).await;
        }
        let rest = record::entries_until_restart(
            &self.connection,
            latest,
            self.next_entry + u64::try_from(entries.len()).unwrap(),
            killed_at,
        );
        entries.extend(rest.await);
        for (index, entry) in (self.next_entry..).zip(&entries) {
            assert_eq!(entry["entry"], index, "{entries:#?}");
        }
        self.game = latest;
        self.next_entry += u64::try_from(entries.len()).unwrap();
        entries
    }

    /// The presses that were decided are the first of those that were made, each at its own stamp.
    fn check_presses(&mut self, round: &Round, decided: &[(Who, u64)], context: &str) {
        let Presses { answered, unanswered } = &round.presses;
        let known = decided.len().min(answered.len());
        assert_eq!(decided[..known], answered[..known], "{context}");
        // The answer to the last press may have been lost with the clock.
        let unknown: Vec<Who> = decided[known..].iter().map(|(side, _)| *side).collect();
        let last: Vec<Who> = unanswered.iter().copied().collect();
        assert!(last.starts_with(&unknown), "{unknown:?} {last:?} {context}");
        let seen = round.seen.iter().filter(|(cause, _)| cause == "press" || cause == "start");
        let counts = &mut self.counts;
        counts.presses_decided += u64::try_from(decided.len()).unwrap();
        counts.presses_decided_unseen += u64::try_from(decided.len() - seen.count()).unwrap();
        counts.presses_lost += u64::try_from(answered.len() - known).unwrap();
    }

    /// A command that was answered was carried out, and is in the record with the reason.
    fn check_command(&mut self, round: &Round, done: Option<&Value>, context: &str) {
        let counts = &mut self.counts;
        match (&round.command, done) {
            (Some((_, Ok(completed))), Some(entry)) => {
                assert_eq!(entry["state"]["revision"], completed.revision, "{context}");
                counts.commands_done += 1;
            }
            (Some((_, Ok(_))), None) => panic!("an answered command is lost: {context}"),
            (Some((_, Err(_))), Some(_)) => counts.commands_done_unanswered += 1,
            (Some((_, Err(_))), None) => counts.commands_lost += 1,
            (None, done) => assert_eq!(done, None, "{context}"),
        }
    }

    /// If all that was decided was also seen, the whole state is known.
    fn check_whole_state(&self, round: &Round, entries: &[Value], context: &str) {
        let is_said = self.state.faults.iter().any(|fault| fault.code == "restarted");
        assert!(is_said || self.state.phase != Phase::Running, "{:?}\n{context}", self.state);
        if entries.len() != round.seen.len() {
            return;
        }
        let last = round.seen.last().map_or(&round.before, |(_, state)| state);
        let expected = State {
            sequence: self.state.sequence,
            revision: self.state.revision,
            faults: self.state.faults.clone(),
            ..last.at(self.state.at_nsec)
        };
        assert_eq!(self.state, expected, "{context}");
        assert!(self.state.revision >= last.revision, "{context}");
    }

    /// Reads the record of all games once more: no number is missing, and nothing was lost.
    pub async fn check_whole_record(&mut self) {
        let mut next = 1;
        for game in 1..=record::latest_game(&self.connection).await {
            for entry in record::entries(&self.connection, game, 0).await {
                assert_eq!(entry["entry"], next);
                next += 1;
            }
        }
        assert_eq!(next, self.next_entry);
        assert_eq!(self.clock.stop().unwrap(), 0);
        let log = self.clock.log();
        for word in ["damaged", "cannot be used", "does not agree", "is lost"] {
            assert!(!log.contains(word), "{log}");
        }
    }
}

/// What a clock shows right after a command.
fn after_command(before: &Numbers, command: &Command, at: u64, entry: &Value) -> Numbers {
    match command {
        Command::Pause => before.commanded(at, Phase::Paused),
        Command::Resume => before.commanded(at, Phase::Running),
        Command::Claim => before.commanded(at, Phase::Ruling),
        Command::Result => before.commanded(at, Phase::Over),
        Command::Rule(answer) => before.commanded(at, answer.phase).with(answer),
        Command::AddTime => {
            let mut numbers = before.at(at);
            numbers.remaining[0] = numbers.remaining[0].checked_add_signed(ADDED).unwrap();
            numbers
        }
        Command::New => {
            let numbers = Numbers::of_entry(entry);
            assert_eq!(
                (&*numbers.phase, numbers.moves, numbers.running.as_str()),
                ("ready", [0, 0], "")
            );
            numbers
        }
    }
}

/// The time in which no press was read is an event. It begins before the kill, when the clock was last known to
/// be alive, and ends after the kill.
fn check_gap(restart: &Value, entries: &[Value], killed_at: u64, context: &str) {
    let since = restart["events"][0]["since_ns"].as_u64().unwrap();
    let at = restart["at_ns"].as_u64().unwrap();
    assert!(since <= killed_at && killed_at <= at, "{killed_at}: {context}");
    let latest = entries.iter().map(|entry| entry["at_ns"].as_u64().unwrap()).max();
    assert!(latest.is_none_or(|latest| latest <= at), "{context}");
}

#[track_caller]
fn assert_agree(shown: &Numbers, computed: &Numbers, context: &str) {
    assert!(shown.agrees_with(computed), "{shown:?}\n{computed:?}\n{context}");
}

fn monotonic_now() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let nanos = now.tv_sec * 1_000_000_000 + now.tv_nsec;
    nanos.unsigned_abs()
}
