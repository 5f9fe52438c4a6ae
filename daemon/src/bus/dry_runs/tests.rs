//! A dry run of every kind of command: it answers as the command would, and changes nothing.

use super::*;
use crate::bus::shared_state::{Configured, Record};
use clock_controls::{Library, RuleLibrary};
use clock_dbus::COMMANDS;
use clock_engine::rules::{Action, Announcement, Game, GameCommand, ResultGround};
use clock_engine::{Command, Outcome, Side};
use clockd_core::{Button, MenuRequest};
use clockd_rt::channel::{Receiver, channel};
use clockd_rt::retained::{RetainedMemory, SnapshotWriter};
use clockd_rt::{
    Cause, Health, Input, MAX_REQUESTS, NotedRequest, Refusal, Update, name_of_command,
};
use std::collections::BTreeSet;

mod cases;

use cases::{Case, PAUSE, RESUME, Step, at, cases, setup};

const SECOND: u64 = 1_000_000_000;

/// A service whose clock loop is missing, and everything that a command would change.
struct Service {
    clock: VersionedClock,
    /// The instant of the next command.
    now: Instant,
    shared: SharedState,
    dry_runs: DryRuns,
    requests: Receiver<NotedRequest>,
    menu_requests: Receiver<MenuRequest>,
    writer: SnapshotWriter,
}

/// What a command would change, as bytes and values that can be compared.
#[derive(Debug, PartialEq)]
struct Whole {
    snapshot: Vec<u8>,
    state: State,
    game: crate::game::GameText,
    latest_entry: u64,
    next_game: Option<u64>,
    changes: u64,
}

fn program() -> OwnedUniqueName {
    OwnedUniqueName::try_from(":1.7").unwrap()
}

/// A program that has left the bus.
fn gone() -> OwnedUniqueName {
    OwnedUniqueName::try_from(":1.3").unwrap()
}

impl Service {
    fn of(rules: &str, steps: Vec<Step>) -> Service {
        let game = Game::new(&setup(rules), at(1)).unwrap();
        let mut clock = VersionedClock::new(game, None, false);
        let mut now = 1;
        for (index, step) in steps.into_iter().enumerate() {
            now += 1;
            let input = match step {
                Step::Press(side) => Input::Press(Button::Player(side), at(now)),
                Step::Wait => Input::Time(at(now)),
                Step::Command(command) => Input::Request(Request {
                    id: 0,
                    at: at(now),
                    revision: clock.update(Cause::Started, clock.last()).revision,
                    command: *command,
                }),
            };
            clock.handle(&input, &mut |update: Update| {
                let refused = update.answer.and_then(|(_, done)| done.err());
                assert_eq!(refused, None, "step {index}: {input:?}");
            });
        }
        Service::new(clock, at(now + 1))
    }

    fn new(clock: VersionedClock, now: Instant) -> Service {
        let parts = RetainedMemory::create(*b"0123456789abcdef", 1).unwrap().split().unwrap();
        let (requests, requests_out) = channel(MAX_REQUESTS).unwrap();
        let (menu_requests, menu_out) = channel(1).unwrap();
        let record = Record::none();
        let (controls, rules) = (Library::default(), RuleLibrary::default());
        let library = Configured { controls, rules, board: None };
        let first = clock.update(Cause::Started, clock.last());
        let health = Arc::new(Health::default());
        let shared = SharedState::new(
            (requests, menu_requests),
            &first,
            GameInfo::default(),
            library,
            health,
            record,
        );
        let mut writer = parts.snapshot.0;
        write(&mut writer, &clock);
        Service {
            clock,
            now,
            shared,
            dry_runs: DryRuns::new(Arc::new(parts.snapshots), Box::new(|name| *name == gone())),
            requests: requests_out,
            menu_requests: menu_out,
            writer,
        }
    }

    fn whole(&mut self) -> Whole {
        assert_eq!(self.requests.pop().map(|sent| sent.request.id), None, "sent to the clock loop");
        assert!(self.menu_requests.pop().is_none(), "sent to the menu");
        Whole {
            snapshot: self.dry_runs.snapshots.latest().unwrap().bytes,
            state: State::clone(&self.shared.state()),
            game: (&self.shared.game()).into(),
            latest_entry: self.shared.latest_entry(),
            next_game: self.shared.record_status.game(),
            changes: *self.shared.changes.borrow(),
        }
    }

    fn revision(&self) -> u64 {
        self.clock.update(Cause::Started, self.clock.last()).revision
    }

    /// The dry run of a command that an arbiter gives for this revision.
    async fn dry_run(&self, command: GameCommand, revision: u64) -> Result<u64, Error> {
        let request = Request { id: 0, at: self.now, revision, command };
        let caller = Player { program: program(), uid: Some(7) };
        self.dry_runs
            .give(&self.shared, caller, request, "", None)
            .await
            .map(|(revision, _)| revision)
    }

    /// Carries the command out on the clock. Returns its last update, or why it was refused.
    fn carry_out(&self, command: GameCommand, revision: u64) -> Result<Update, Refusal> {
        let (mut clock, mut last, mut refusal) = (self.clock.clone(), None, None);
        let request = Request { id: 9, at: self.now, revision, command };
        clock.handle(&Input::Request(request), &mut |update: Update| {
            refusal = update.answer.and_then(|(_, done)| done.err()).or(refusal);
            last = Some(update);
        });
        match refusal {
            Some(refused) => Err(refused),
            None => Ok(last.expect("a command that is carried out has an update")),
        }
    }
}

fn write(writer: &mut SnapshotWriter, clock: &VersionedClock) {
    let length = postcard::to_slice(clock, writer.buffer()).unwrap().len();
    writer.commit(length, clock.entry());
}

#[tokio::test]
async fn every_kind_of_command_answers_as_if_it_were_carried_out_and_changes_nothing() {
    let mut names = BTreeSet::new();
    for Case { rules, steps, command } in cases() {
        let mut service = Service::of(rules, steps);
        let (name, before, revision) =
            (name_of_command(&command), service.whole(), service.revision());
        names.insert(name);

        let stale = service.dry_run(command, revision + 1).await;
        assert!(matches!(stale, Err(Error::StaleRevision(_))), "{name}: {stale:?}");
        assert!(service.dry_runs.present(&program()).is_none(), "{name}: a refusal makes no copy");

        let expected = service.carry_out(command, revision);
        let expected = expected.unwrap_or_else(|refused| panic!("{name}: {refused:?}"));
        assert_eq!(service.dry_run(command, revision).await.unwrap(), expected.revision, "{name}");
        let copied = service.dry_runs.present(&program()).unwrap();
        let faults = convert::faults(&service.shared.health, &expected);
        let sequence = copied.state.sequence;
        assert!(sequence > before.state.sequence, "{name}");
        let texts_version = before.state.texts_version;
        let expected = convert::state(&expected, &GameInfo::default(), faults);
        let expected = State { sequence, texts_version, ..expected };
        assert_eq!(*copied.state, expected, "{name}");

        assert_eq!(service.whole(), before, "{name}");
    }
    assert_eq!(names, COMMANDS.iter().copied().collect());
}

#[tokio::test]
async fn a_refusal_is_that_of_the_command() {
    // Every command of the table, in a game that is over, and in one that runs under other rules.
    let mut refused = 0;
    for (rules, steps) in [
        (
            "fide-2023",
            vec![
                Command::Start.into(),
                Action::Result { outcome: Outcome::Drawn, ground: ResultGround::Game }.into(),
            ],
        ),
        ("players-agree", vec![Command::Start.into()]),
    ] {
        let mut service = Service::of(rules, steps);
        let before = service.whole();
        for Case { command, .. } in cases() {
            let name = name_of_command(&command);
            let revision = service.revision();
            let said = service.dry_run(command, revision).await;
            match service.carry_out(command, revision) {
                Ok(update) => {
                    assert_eq!(said.unwrap(), update.revision, "{name}");
                    service.dry_runs.lock().clear();
                }
                Err(refusal) => {
                    let expected = convert::error_of(refusal).to_string();
                    assert_eq!(said.unwrap_err().to_string(), expected, "{name}");
                    refused += 1;
                }
            }
            assert_eq!(service.whole(), before, "{name}");
        }
    }
    assert!(refused > 40, "{refused}");
}

#[tokio::test]
async fn later_commands_of_a_program_work_on_its_copy_until_that_is_too_old() {
    let service = Service::of("", vec![Command::Start.into()]);
    let revision = service.revision();
    service.dry_run(PAUSE.into(), revision).await.unwrap();
    let lunch = GameCommand::Announce(Announcement::new("lunch"));
    service.dry_run(lunch, revision + 1).await.unwrap();
    // A refusal leaves the copy as it is.
    assert!(matches!(service.dry_run(PAUSE.into(), revision + 2).await, Err(Error::NotRunning(_))));
    let copied = service.dry_runs.present(&program()).unwrap();
    assert_eq!(
        (copied.state.revision, copied.state.announcement.as_str()),
        (revision + 2, "lunch")
    );
    // Another program has a copy of its own.
    let other = OwnedUniqueName::try_from(":1.8").unwrap();
    assert!(service.dry_runs.present(&other).is_none());
    let begin = |seconds| {
        let used = Instant::from_nanos(monotonic_now().as_nanos() - seconds * SECOND);
        service.dry_runs.lock().get_mut(&program()).unwrap().used = used;
    };
    begin(9);
    assert!(service.dry_runs.present(&program()).is_some());
    begin(10);
    assert!(service.dry_runs.present(&program()).is_none());
    service.dry_run(PAUSE.into(), revision).await.unwrap();
}

/// Starts the clock in a dry run of program `number`, which is of this user.
async fn start(service: &Service, number: usize, uid: u32) -> Result<u64, Error> {
    let request = Request { id: 0, at: service.now, revision: 1, command: Command::Start.into() };
    let program = OwnedUniqueName::try_from(format!(":1.{number}")).unwrap();
    let caller = Player { program, uid: Some(uid) };
    service
        .dry_runs
        .give(&service.shared, caller, request, "", None)
        .await
        .map(|(revision, _)| revision)
}

#[tokio::test]
async fn there_are_at_most_16_copies() {
    let service = Service::of("", Vec::new());
    let give = async |number: usize| start(&service, number, u32::try_from(number).unwrap()).await;
    // The copy of program 3, which has left, makes room for the next one.
    for number in 0..=MAX_COPIES {
        give(number).await.unwrap();
    }
    assert!(service.dry_runs.present(&gone()).is_none());
    let next = MAX_COPIES + 1;
    assert!(matches!(give(next).await, Err(Error::Busy(_))));
    let old = Instant::from_nanos(monotonic_now().as_nanos() - 10 * SECOND);
    service.dry_runs.lock().values_mut().for_each(|copied| copied.used = old);
    give(next).await.unwrap();
    assert_eq!(service.dry_runs.lock().len(), 1);
}

#[tokio::test]
async fn a_user_with_many_connections_leaves_copies_to_others() {
    let service = Service::of("", Vec::new());
    for number in 0..MAX_COPIES_OF_USER {
        start(&service, 10 + number, 7).await.unwrap();
    }
    let busy = start(&service, 30, 7).await;
    assert!(matches!(&busy, Err(Error::Busy(why)) if why.starts_with("8 other")), "{busy:?}");
    // A program that has a copy goes on with it.
    let pause = Request { id: 0, at: service.now, revision: 2, command: PAUSE.into() };
    let program = OwnedUniqueName::try_from(":1.10").unwrap();
    let caller = Player { program, uid: Some(7) };
    assert_eq!(service.dry_runs.give(&service.shared, caller, pause, "", None).await.unwrap().0, 3);
    start(&service, 40, 8).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_copy_has_the_latest_change_or_there_is_none() {
    let mut service = Service::of("", Vec::new());
    // The service has been told of a change that the latest snapshot does not include.
    let mut clock = service.clock.clone();
    let mut started = None;
    let request = Request { id: 0, at: at(2), revision: 1, command: Command::Start.into() };
    clock.handle(&Input::Request(request), &mut |update: Update| started = Some(update));
    service.shared.apply(&started.unwrap());
    let begun = tokio::time::Instant::now();
    let busy = service.dry_run(PAUSE.into(), 2).await;
    assert!(matches!(busy, Err(Error::Busy(_))), "{busy:?}");
    assert_eq!(begun.elapsed(), SNAPSHOT_TIMEOUT);
    write(&mut service.writer, &clock);
    assert_eq!(service.dry_run(PAUSE.into(), 2).await.unwrap(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_copy_has_the_game_that_belongs_to_its_clock() {
    let mut service = Service::of("", Vec::new());
    // The snapshot has another game already, and the service has not been told its names yet.
    let mut clock = service.clock.clone();
    let mut begun = None;
    let command = GameCommand::New(setup("fide-2023"));
    let request = Request { id: 0, at: at(2), revision: 1, command };
    clock.handle(&Input::Request(request), &mut |update: Update| begun = Some(update));
    write(&mut service.writer, &clock);
    for revision in [1, 2] {
        let busy = service.dry_run(Command::Start.into(), revision).await;
        assert!(matches!(busy, Err(Error::Busy(_))), "{revision}: {busy:?}");
    }
    service.shared.apply(&begun.unwrap());
    assert_eq!(service.dry_run(Command::Start.into(), 2).await.unwrap(), 3);
}

#[tokio::test]
async fn a_rocker_that_was_pushed_in_the_menu_must_be_confirmed() {
    use clockd_core::{InputKind, Inputs, LoopCore};
    let inputs = Inputs { kind: InputKind::Rocker, ..Inputs::default() };
    let game = Game::new(&setup(""), at(1)).unwrap();
    let core = LoopCore::new(game, inputs, Some([true, false, false]), at(1));
    let mut clock = core.clock().clone();
    for (seconds, command) in [(2, Command::Start), (3, PAUSE)] {
        let request =
            Request { id: 0, at: at(seconds), revision: seconds - 1, command: command.into() };
        clock.handle(&Input::Request(request), &mut |_: Update| {});
    }
    let game = GameInfo::default;
    let request = Request { id: 0, at: at(4), revision: 3, command: RESUME.into() };
    let of_menu = |closed| {
        DryRun::new(Box::new(clock.clone()), game(), closed).give(request, "", None).map(|_| ())
    };
    assert_eq!(of_menu(None), Ok(()));
    assert_eq!(of_menu(Some([true, false])), Ok(()));
    let refused = Err(Refusal::ConfirmOnMove { down: Some(Side::Black) });
    assert_eq!(of_menu(Some([false, true])), refused);
}
