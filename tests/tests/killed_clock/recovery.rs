//! What a restart finds in particular cases.

use crate::arbiter::{Arbiter, CONTROLS, Command, other_control};
use crate::game::{FAST, monotonic_now};
use crate::numbers::Numbers;
use crate::record;
use clock_dbus::{ClockProxy, HealthProxy, Phase, State, Who};
use clock_tests::{Bench, Buttons, DEADLINE, Program, Supervisor, eventually};
use std::time::{Duration, Instant};
use zbus::{Connection, connection};

/// The folder of the record.
const DISK: &str = "disk";

struct Fixture {
    clock: Supervisor,
    connection: Connection,
    buttons: Option<Buttons>,
    bench: Bench,
    _bus: Program,
}

/// A clock with this control, under a supervisor.
async fn fixture(control: &str) -> Fixture {
    let bench = Bench::new().unwrap();
    bench.configure(FAST).unwrap();
    let bus = bench.bus().unwrap();
    std::fs::create_dir(bench.folder().join(DISK)).unwrap();
    let record = bench.folder().join(DISK).join("games");
    let arguments = ["--record", record.to_str().unwrap(), "--control", control];
    let command = bench.clockd_command(&arguments);
    let mut clock = Supervisor::of_command(bench.folder(), &command).unwrap();
    clock.start().unwrap();
    let connection = connection::Builder::address(bench.address().as_str());
    let connection = connection.method_timeout(Duration::from_secs(10)).build().await.unwrap();
    let buttons = Some(bench.buttons().unwrap());
    let fixture = Fixture { clock, connection, buttons, bench, _bus: bus };
    fixture.is_recorded().await;
    fixture
}

impl Fixture {
    async fn state(&self) -> State {
        ClockProxy::new(&self.connection).await.unwrap().get_state().await.unwrap()
    }

    /// Takes the disk of the record away. A file is in its place, so that no folder can be made there.
    fn take_disk(&self) {
        let disk = self.bench.folder().join(DISK);
        std::fs::rename(&disk, self.bench.folder().join("gone")).unwrap();
        std::fs::write(&disk, "").unwrap();
    }

    fn give_disk_back(&self) {
        let disk = self.bench.folder().join(DISK);
        std::fs::remove_file(&disk).unwrap();
        std::fs::rename(self.bench.folder().join("gone"), &disk).unwrap();
    }

    /// Waits until the clock shows `numbers`.
    async fn is_shown(&self, numbers: &Numbers) {
        let start = Instant::now();
        loop {
            let shown = Numbers::of_state(&self.state().await);
            if shown.agrees_with(numbers) {
                return;
            }
            assert!(start.elapsed() < DEADLINE, "{shown:?}\n{numbers:?}\n{}", self.clock.log());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until the storage works and every entry is recorded.
    async fn is_recorded(&self) {
        let health = HealthProxy::new(&self.connection).await.unwrap();
        let start = Instant::now();
        while !health.storage_ok().await.unwrap() || health.uncommitted_entries().await.unwrap() > 0
        {
            assert!(start.elapsed() < DEADLINE, "{}", self.clock.log());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Presses a button and waits until the press is in the record. Returns its instant.
    async fn press(&mut self, button: &str) -> u64 {
        let at = self.buttons.as_mut().unwrap().tap(button).unwrap();
        let start = Instant::now();
        loop {
            let game = record::latest_game(&self.connection).await;
            let entries = record::entries(&self.connection, game, 0).await;
            if entries.iter().any(|entry| entry["kind"] == "press" && entry["at_ns"] == at) {
                return at;
            }
            assert!(start.elapsed() < DEADLINE, "the press is not in the record: {entries:#?}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn a_flag_that_falls_while_the_clock_is_dead_falls_at_its_own_instant() {
    let mut fixture = fixture("G/2s").await;
    let start = fixture.press("black").await;
    fixture.clock.kill().unwrap();
    let flag = start + 2_000_000_000;
    while monotonic_now() <= flag {
        std::thread::sleep(Duration::from_millis(10));
    }
    fixture.clock.start().unwrap();
    let state = fixture.state().await;
    assert_eq!((state.first_flag, state.white.flag_nsec), (Who::White, Some(flag)));
    assert_eq!((state.white.remaining_nsec, state.black.remaining_nsec), (0, 2_000_000_000));
}

#[tokio::test]
async fn without_the_kept_memory_the_record_gives_the_same_clock() {
    let mut fixture = fixture("5+3").await;
    let mut numbers = Numbers::of_state(&fixture.state().await);
    for _ in 0..3 {
        for side in [Who::Black, Who::White] {
            let at = fixture.press(side.as_str()).await;
            numbers = numbers.pressed_with(side, at, 3_000_000_000);
        }
        fixture.clock.kill().unwrap();
        // This is as if systemd had kept no memory, for example because FileDescriptorStoreMax= is
        // not set, or because clockd was updated.
        fixture.clock.forget_kept();
        fixture.clock.start().unwrap();
        fixture.buttons = Some(fixture.bench.buttons().unwrap());
        let state = fixture.state().await;
        assert_eq!(state.phase, Phase::Running);
        let shown = Numbers::of_state(&state);
        assert!(shown.agrees_with(&numbers), "{shown:?}\n{numbers:?}\n{}", fixture.clock.log());
    }
}

/// The control, the rules, the players and the number of the game on the clock.
fn game_of(status: &serde_json::Value) -> [serde_json::Value; 5] {
    [
        &status["control"],
        &status["rules"],
        &status["white"]["player"],
        &status["black"]["player"],
        &status["game_number"],
    ]
    .map(Clone::clone)
}

#[tokio::test]
async fn a_clock_that_is_killed_while_its_record_cannot_be_read_knows_its_game() {
    let mut fixture = fixture("5+3").await;
    let game =
        ["--control", "us-g25-d5", "--rules", "us-chess", "--white", "Vera", "--black", "Sonja"];
    let new = |fixture: &Fixture, arguments: &[&str]| {
        let output = fixture.bench.ctl(&[&["new", "--force"], arguments].concat()).unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    new(&fixture, &game);
    fixture.is_recorded().await;
    let expected = game_of(&fixture.bench.status().unwrap());
    assert_eq!(expected[..4], ["us-g25-d5", "us-chess", "Vera", "Sonja"]);
    assert_eq!(expected[4], 2);
    fixture.clock.kill().unwrap();
    fixture.take_disk();
    for _ in 0..2 {
        fixture.clock.start().unwrap();
        assert_eq!(game_of(&fixture.bench.status().unwrap()), expected, "{}", fixture.clock.log());
        fixture.clock.kill().unwrap();
    }
    fixture.clock.start().unwrap();
    // `new` without `--control` begins a game with the same control. A kill right after the command
    // does not lose this game.
    new(&fixture, &["--white", "Maia"]);
    fixture.clock.restart().unwrap();
    let [control, rules, white, _, number] = game_of(&fixture.bench.status().unwrap());
    assert_eq!([control, rules, white], ["us-g25-d5", "us-chess", "Maia"]);
    assert_eq!(number, 3);
    fixture.give_disk_back();
    fixture.is_recorded().await;
    assert_eq!(record::latest_game(&fixture.connection).await, 3);
    let status = fixture.bench.status().unwrap();
    assert_eq!((&status["game_number"], &status["rules"]), (&3.into(), &"us-chess".into()));
}

#[tokio::test]
async fn a_clock_that_is_killed_while_its_disk_is_gone_goes_on_in_the_same_record() {
    let mut fixture = fixture("5+3").await;
    let mut numbers = Numbers::of_state(&fixture.state().await);
    for side in [Who::Black, Who::White, Who::Black] {
        let at = fixture.press(side.as_str()).await;
        numbers = numbers.pressed_with(side, at, 3_000_000_000);
    }
    fixture.clock.kill().unwrap();
    fixture.take_disk();
    for side in [Who::White, Who::Black] {
        fixture.clock.start().unwrap();
        fixture.buttons = Some(fixture.bench.buttons().unwrap());
        let at = fixture.buttons.as_mut().unwrap().tap(side.as_str()).unwrap();
        numbers = numbers.pressed_with(side, at, 3_000_000_000);
        fixture.is_shown(&numbers).await;
        let health = HealthProxy::new(&fixture.connection).await.unwrap();
        assert!(!health.storage_ok().await.unwrap());
        fixture.clock.kill().unwrap();
    }
    fixture.clock.start().unwrap();
    fixture.is_shown(&numbers).await;
    fixture.give_disk_back();
    fixture.is_recorded().await;
    let games = std::fs::read_dir(fixture.bench.folder().join(DISK).join("games")).unwrap();
    let names: Vec<_> = games.map(|entry| entry.unwrap().file_name()).collect();
    assert!(
        !names.iter().any(|name| name.to_string_lossy().contains("damaged")),
        "{names:?}\n{}",
        fixture.clock.log()
    );
    fixture.buttons = Some(fixture.bench.buttons().unwrap());
    let at = fixture.press("white").await;
    numbers = numbers.pressed_with(Who::White, at, 3_000_000_000);
    fixture.is_shown(&numbers).await;
    let mut presses = 0;
    let mut kinds = Vec::new();
    for game in 1..=record::latest_game(&fixture.connection).await {
        let entries = record::entries(&fixture.connection, game, 0).await;
        presses += entries.iter().filter(|entry| entry["kind"] == "press").count();
        kinds.extend(
            entries.into_iter().map(|entry| (game, entry["entry"].clone(), entry["kind"].clone())),
        );
    }
    assert_eq!(presses, 6, "{kinds:?}\n{}", fixture.clock.log());
}

/// The clock is killed at another instant around each change. In every second round its memory is
/// gone, too, as after a power cut, so that the record alone has the time control.
#[tokio::test]
async fn the_control_in_force_after_a_kill_is_the_one_that_was_acknowledged() {
    let mut fixture = fixture("5+3").await;
    let arbiter = Arbiter::start(fixture.bench.address());
    let give = |command, state: &State| {
        arbiter.give(command, state, "");
        assert!(arbiter.answer().unwrap().recorded);
    };
    give(Command::New, &fixture.state().await);
    let mut in_force = &CONTROLS[0];
    fixture.press("black").await;
    let mut acknowledged = 0;
    for round in 0..12_u64 {
        let running = fixture.state().await;
        give(Command::Pause, &running);
        let before = fixture.state().await;
        arbiter.give(Command::ChangeTimeControl, &before, "wrong control");
        // The kill comes before the arrival of the command, after its answer, or in between.
        let answered = (round % 4 == 3).then(|| arbiter.answer());
        std::thread::sleep(Duration::from_micros(700 * (round % 4)));
        fixture.clock.kill().unwrap();
        let answer = answered.unwrap_or_else(|| arbiter.answer());
        if round % 2 == 1 {
            fixture.clock.forget_kept();
        }
        fixture.clock.start().unwrap();
        fixture.buttons = Some(fixture.bench.buttons().unwrap());
        let after = fixture.state().await;
        let changed = other_control(in_force.name);
        let has_changed = after.time_control == changed.name;
        if let Ok(completed) = answer {
            assert!(has_changed || !completed.recorded, "{after:?}\n{}", fixture.clock.log());
            acknowledged += 1;
        }
        if has_changed {
            in_force = changed;
        }
        let proxy = ClockProxy::new(&fixture.connection).await.unwrap();
        let (name, file, _, _) = proxy.get_time_control().await.unwrap();
        assert_eq!((&*name, &*file), (in_force.name, in_force.file));
        // The times have stayed. A move adds what the control in force says.
        let paused = Numbers::of_state(&before);
        let shown = Numbers::of_state(&after);
        assert_eq!((shown.remaining, shown.moves), (paused.remaining, paused.moves));
        give(Command::Resume, &after);
        let resumed = Numbers::of_state(&fixture.state().await);
        let side = resumed.running.clone();
        let side = if side == "white" { Who::White } else { Who::Black };
        let at = fixture.press(side.as_str()).await;
        fixture.is_shown(&resumed.pressed_with(side, at, in_force.increment)).await;
    }
    assert!(acknowledged >= 3, "{acknowledged}");
}

/// Sets up a game with this player of the white pieces, and adjourns it.
fn adjourn(fixture: &Fixture, white: &str) {
    for command in [
        &["new", "5+3", "--rules", "fide-2023", "--white", white, "--force"][..],
        &["start"],
        &["pause"],
        &["adjourn", "white", "Nf3"],
    ] {
        good(fixture, command);
    }
}

fn good(fixture: &Fixture, arguments: &[&str]) -> String {
    let output = fixture.bench.ctl(arguments).unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{arguments:?}: {output:?}\n{}", fixture.clock.log());
    said
}

/// Waits until the published number of the game is this one.
fn is_game(fixture: &Fixture, number: u64) {
    eventually("the number of the game", || {
        (fixture.bench.status().unwrap()["game_number"] == number).then_some(())
    });
}

fn white_player(fixture: &Fixture) -> String {
    fixture.bench.status().unwrap()["white"]["player"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_adjourned_game_whose_record_is_gone_at_a_restart_has_the_number_of_the_new_record() {
    let mut fixture = fixture("5+3").await;
    good(&fixture, &["new", "5+3", "--white", "Anna"]);
    adjourn(&fixture, "Cora");
    is_game(&fixture, 3);
    fixture.is_recorded().await;
    fixture.clock.kill().unwrap();
    let disk = fixture.bench.folder().join(DISK);
    std::fs::remove_dir_all(&disk).unwrap();
    std::fs::create_dir(&disk).unwrap();
    fixture.clock.start().unwrap();
    // No press and no command comes, because the game is adjourned.
    is_game(&fixture, 1);
    let said = good(&fixture, &["new", "3+2", "--white", "Dora"]);
    let stays = "the adjourned game 1 stays on record: clockctl resume-adjourned 1\n";
    assert!(said.ends_with(stays), "{said}");
    good(&fixture, &["resume-adjourned", "1"]);
    assert_eq!(white_player(&fixture), "Cora");
}

/// An older copy of the record can have another adjourned game under the number that the game on the
/// clock had.
#[tokio::test]
async fn the_number_of_a_game_in_an_older_copy_of_the_record_is_not_that_of_the_game_on_the_clock()
{
    let mut fixture = fixture("5+3").await;
    adjourn(&fixture, "Anna");
    fixture.is_recorded().await;
    fixture.clock.kill().unwrap();
    let (disk, older) = (fixture.bench.folder().join(DISK), fixture.bench.folder().join("older"));
    std::fs::rename(&disk, &older).unwrap();
    std::fs::create_dir(&disk).unwrap();
    fixture.clock.forget_kept();
    fixture.clock.start().unwrap();
    // This game has more entries than the copy, so the copy can be an older one of its record.
    good(&fixture, &["set-rules", "fide-2023"]);
    good(&fixture, &["set-rules", "handbook-county"]);
    adjourn(&fixture, "Cora");
    is_game(&fixture, 2);
    fixture.is_recorded().await;
    fixture.clock.kill().unwrap();
    std::fs::remove_dir_all(&disk).unwrap();
    std::fs::rename(&older, &disk).unwrap();
    fixture.clock.start().unwrap();
    assert_eq!(white_player(&fixture), "Cora", "{}", fixture.clock.log());
    is_game(&fixture, 3);
    let said = good(&fixture, &["new", "3+2", "--white", "Dora"]);
    assert!(said.ends_with("the adjourned game 3 stays on record: clockctl resume-adjourned 3\n"));
    good(&fixture, &["resume-adjourned", "2"]);
    assert_eq!(white_player(&fixture), "Anna", "the game of the older copy");
}
