//! The record of a running clock: its entries and its health on the bus, a storage that fails, a
//! rewind to an earlier move, and a game that is imported from another clock.

use super::*;
use clock_dbus::{HealthProxy, HistoryProxy, ImportedFrom, Proposal, Side};
use clock_tests::Buttons;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Instant;

/// How long the answer to a command waits for the record.
const COMMIT_TIMEOUT: Duration = Duration::from_millis(500);

impl Fixture {
    async fn history(&self) -> HistoryProxy<'_> {
        HistoryProxy::new(&self.connection).await.unwrap()
    }

    async fn health(&self) -> HealthProxy<'_> {
        HealthProxy::new(&self.connection).await.unwrap()
    }

    /// The first 200 entries of a game.
    async fn entries(&self, game: u64) -> Vec<Value> {
        let texts = self.history().await.read_entries(game, 0, 200).await.unwrap();
        texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    async fn game(&self, game: u64) -> Value {
        serde_json::from_str(&self.history().await.get_game(game).await.unwrap()).unwrap()
    }
}

/// A clock with 3 minutes and 2 seconds a move that records its games.
async fn recorded() -> Fixture {
    let bench = Bench::in_memory().unwrap();
    let games = bench.folder().join("games");
    fixture_on(bench, &["--control", "blitz-3-2", "--record", games.to_str().unwrap()]).await
}

/// Plays three moves of White and two of Black, and stops the clocks. Returns the state after that.
async fn play(fixture: &Fixture, buttons: &mut Buttons) -> State {
    for side in ["black", "white", "black", "white", "black", "white"] {
        buttons.press(side).unwrap();
    }
    fixture.arbiter().await.pause(None, 2, "a question").await.unwrap();
    fixture.state().await
}

#[tokio::test]
async fn every_command_is_on_record_with_who_gave_it_and_why() {
    let fixture = recorded().await;
    let stopped = play(&fixture, &mut fixture.bench.buttons().unwrap()).await;
    let arbiter = fixture.arbiter().await;
    let five = Corrections { black_time_nsec: Some(5_000_000_000), ..Corrections::default() };
    let set = arbiter.set(five, stopped.revision, "fell \"over\"").await.unwrap();
    assert_eq!((set.revision, set.recorded), (stopped.revision + 1, true));
    let refused = arbiter.set(Corrections::default(), 1, "nothing").await;
    assert!(matches!(refused, Err(Error::InvalidArgument(_))), "{refused:?}");
    let stale = arbiter.undo_press(1, "late").await;
    assert!(matches!(stale, Err(Error::StaleRevision(_))), "{stale:?}");

    let entries = all_entries(&fixture, 10).await;
    let kinds: Vec<_> = entries.iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    let presses = ["press"; 6];
    assert_eq!(kinds, [&["state"][..], &presses, &["command"; 3]].concat());
    let command = &entries[8]["command"];
    let uid = rustix::process::getuid().as_raw();
    let sender = fixture.connection.unique_name().unwrap().as_str();
    assert_eq!((&command["verb"], &command["uid"]), (&"set".into(), &uid.into()));
    assert_eq!((&command["sender"], &command["capacity"]), (&sender.into(), &"arbiter".into()));
    assert_eq!((&command["reason"], &command["refused"]), (&"fell \"over\"".into(), &Value::Null));
    let report = command["report"].as_str().unwrap();
    assert!(report.ends_with("→ 0:00:05.0"), "{report}");
    let state = &entries[8]["state"];
    assert_eq!(state["revision"], set.revision);
    assert_eq!(state["black"]["remaining_ns"], 5_000_000_000_u64);
    let refused = entries[9]["command"]["refused"].as_str().unwrap();
    assert!(refused.contains("revision"), "{refused}");
    assert_eq!(entries[9]["events"][0]["kind"], "refused");
}

/// The entries of the present game, once there are at least `count`.
async fn all_entries(fixture: &Fixture, count: usize) -> Vec<Value> {
    let start = Instant::now();
    loop {
        let entries = fixture.entries(0).await;
        if entries.len() >= count {
            return entries;
        }
        assert!(start.elapsed() < clock_tests::DEADLINE, "{} entries", entries.len());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn the_health_of_the_record_is_that_of_its_entries() {
    let fixture = recorded().await;
    play(&fixture, &mut fixture.bench.buttons().unwrap()).await;
    let health = fixture.health().await;
    assert!(health.storage_ok().await.unwrap());
    assert_eq!(health.storage_error().await.unwrap(), "");
    assert_eq!(health.recorded_entries().await.unwrap(), 8);
    assert_eq!(health.uncommitted_entries().await.unwrap(), 0);
    assert_eq!(health.lost_entries().await.unwrap(), 0);
    assert!(health.record_bytes().await.unwrap() > 4096);
}

#[tokio::test]
async fn without_a_record_every_command_says_so_at_once() {
    let fixture = fixture(&["--record", "none"]).await;
    let begun = Instant::now();
    let arbiter = fixture.arbiter().await;
    for revision in [1, 3, 5] {
        let started = match revision {
            1 => arbiter.start(revision, "").await.unwrap(),
            _ => arbiter.resume(None, revision, "").await.unwrap(),
        };
        assert_eq!((started.revision, started.recorded), (revision + 1, false));
        let paused = arbiter.pause(None, revision + 1, "").await.unwrap();
        assert_eq!((paused.revision, paused.recorded), (revision + 2, false));
    }
    // If each of the 6 commands waited for a record, they would take 6 times this long.
    let taken = begun.elapsed();
    assert!(taken < 6 * COMMIT_TIMEOUT, "{taken:?}");
    let history = fixture.history().await;
    for answer in [
        history.list_games(0, 1).await.map(|_| ()),
        history.get_game(0).await.map(|_| ()),
        history.read_entries(0, 0, 1).await.map(|_| ()),
        history.find_move(0, Who::White, 0).await.map(|_| ()),
        arbiter.rewind(1_u64, 7, "").await.map(|_| ()),
    ] {
        assert!(matches!(&answer, Err(Error::NoRecord(_))), "{answer:?}");
    }
    let health = fixture.health().await;
    assert!(!health.storage_ok().await.unwrap());
    assert_eq!(health.storage_error().await.unwrap(), "no record is kept");
}

#[tokio::test]
async fn a_storage_that_fails_delays_the_answer_to_a_command_and_no_further_command() {
    let bench = Bench::new().unwrap();
    // The folder of the record is a file, so every access fails.
    let file = bench.folder().join("file");
    std::fs::write(&file, "").unwrap();
    let record = file.join("games");
    let fixture = fixture_on(bench, &["--record", record.to_str().unwrap()]).await;
    let arbiter = ArbiterProxy::new(&fixture.connection.clone()).await.unwrap();
    let begun = Instant::now();
    let mut answers = Vec::new();
    // More commands wait for their answers than the queue of the loop holds.
    for (revision, command) in (1..).zip(["start", "pause", "resume", "pause", "resume", "pause"]) {
        let arbiter = arbiter.clone();
        answers.push(tokio::spawn(async move {
            match command {
                "start" => arbiter.start(revision, "").await,
                "pause" => arbiter.pause(None, revision, "").await,
                _ => arbiter.resume(None, revision, "").await,
            }
        }));
        let state = fixture.state_when(command, |state| state.revision == revision + 1).await;
        assert_eq!(fixture.state().await, state);
    }
    // If each command waited for the answer to the one before, they would take 5 times this long.
    let carried_out = begun.elapsed();
    assert!(carried_out < 5 * COMMIT_TIMEOUT, "{carried_out:?}");
    println!("6 commands were carried out in {carried_out:?} while the storage fails");
    for (revision, answer) in (2..).zip(answers) {
        let done = answer.await.unwrap().unwrap();
        assert_eq!((done.revision, done.recorded), (revision, false));
    }
    assert!(begun.elapsed() >= COMMIT_TIMEOUT);
    let health = fixture.health().await;
    assert!(!health.storage_ok().await.unwrap());
    assert!(!health.storage_error().await.unwrap().is_empty());
    assert_eq!(health.recorded_entries().await.unwrap(), 0);
    // The 7 entries are the state at the start and 6 commands.
    assert_eq!(health.uncommitted_entries().await.unwrap(), 7);
    let mut buttons = fixture.bench.buttons().unwrap();
    for number in 0..100 {
        buttons.press(["white", "black"][number % 2]).unwrap();
    }
    // 107 entries are far more than the recorder reads at once. Each press while the clocks stand
    // is an entry, too.
    assert_eq!(health.uncommitted_entries().await.unwrap(), 107);
    let faults = fixture.state().await.faults;
    assert!(faults.iter().any(|fault| fault.code == "storage"), "{faults:?}");
}

#[tokio::test]
async fn the_clock_is_set_back_to_a_move() {
    let fixture = recorded().await;
    let mut buttons = fixture.bench.buttons().unwrap();
    let stopped = play(&fixture, &mut buttons).await;
    assert_eq!((stopped.white.moves, stopped.black.moves), (3, 2));
    let (arbiter, history) = (fixture.arbiter().await, fixture.history().await);
    let entry = history.find_move(0, Who::White, 2).await.unwrap();
    let entries = fixture.entries(0).await;
    let recorded = entries.iter().find(|found| found["entry"] == entry).unwrap();
    assert_eq!(recorded["events"][0]["side"], "white");

    let done = arbiter.rewind(entry, stopped.revision, "the position was wrong").await.unwrap();
    assert_eq!((done.revision, done.recorded), (stopped.revision + 1, true));
    let state = fixture.state().await;
    assert_eq!((state.phase, state.on_move), (Phase::Paused, Who::Black));
    assert_eq!((state.white.moves, state.black.moves), (2, 1));
    for (side, left) in
        [("white", state.white.remaining_nsec), ("black", state.black.remaining_nsec)]
    {
        assert_eq!(recorded["state"][side]["remaining_ns"], left, "{side}");
    }
    let command = &fixture.entries(0).await.pop().unwrap()["command"];
    assert_eq!(command["verb"], "rewind");
    let report = command["report"].as_str().unwrap();
    assert!(report.contains(&format!("as it was after entry {entry}")), "{report}");

    // After the rewind, the third move is not part of the game any more. The second move is found
    // at the same entry as before.
    let third = history.find_move(0, Who::White, 3).await;
    assert!(matches!(third, Err(Error::NotFound(_))), "{third:?}");
    assert_eq!(history.find_move(0, Who::White, 2).await.unwrap(), entry);
    let resumed = arbiter.resume(None, state.revision, "").await.unwrap();
    buttons.press("black").unwrap();
    buttons.press("white").unwrap();
    fixture.state_when("White's third move", |state| state.white.moves == 3).await;
    arbiter.pause(None, resumed.revision, "").await.unwrap();
    let again = history.find_move(0, Who::White, 3).await.unwrap();
    assert!(again > entry + 4, "{again} {entry}");
}

#[tokio::test]
async fn a_rewind_that_is_refused_changes_nothing() {
    let fixture = recorded().await;
    let mut buttons = fixture.bench.buttons().unwrap();
    let stopped = play(&fixture, &mut buttons).await;
    let arbiter = fixture.arbiter().await;
    let before = fixture.state().await;
    for entry in [0, 99, u64::MAX] {
        let missing = arbiter.rewind(entry, stopped.revision, "").await;
        assert!(matches!(missing, Err(Error::NotFound(_))), "{entry}: {missing:?}");
    }
    let stale = arbiter.rewind(2_u64, 1, "").await;
    assert!(matches!(stale, Err(Error::StaleRevision(_))), "{stale:?}");
    assert_eq!(fixture.state().await, before);
    let resumed = arbiter.resume(None, stopped.revision, "").await.unwrap();
    let running = arbiter.rewind(2_u64, resumed.revision, "").await;
    assert!(matches!(running, Err(Error::NotPaused(_))), "{running:?}");
    // An entry of another game does not belong to the present game.
    let new = NewGame { force: Some(true), ..NewGame::default() };
    let new = arbiter.new_game(new, resumed.revision, "").await.unwrap();
    let earlier = arbiter.rewind(2_u64, new.revision, "").await;
    assert!(matches!(earlier, Err(Error::NotFound(_))), "{earlier:?}");
    let games = fixture.history().await.list_games(0, 100).await.unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!(fixture.game(1).await["ended"], "replaced");
}

#[tokio::test]
async fn the_number_of_the_game_counts_up_with_a_new_game() {
    let fixture = recorded().await;
    let arbiter = fixture.arbiter().await;
    let mut revision = fixture.state().await.revision;
    for number in 1..=3_u64 {
        assert_eq!(fixture.state().await.game_number, Some(number));
        let property = fixture.clock().await.inner().get_property::<i64>("GameNumber").await;
        assert_eq!(property.unwrap(), number.cast_signed());
        let done = arbiter.new_game(NewGame::default(), revision, "the next game").await.unwrap();
        assert!(done.recorded);
        revision = done.revision;
        assert_eq!(fixture.game(0).await["game"], number + 1);
    }
    let without_record = super::fixture(&["--control", "blitz-3-2", "--record", "none"]).await;
    assert_eq!(without_record.state().await.game_number, None);
}

/// The proposal with which another clock can import the present game of this clock.
async fn proposal(fixture: &Fixture, state: &State) -> Proposal {
    let game = fixture.game(0).await;
    let last = fixture.entries(0).await.pop().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let source = ImportedFrom {
        machine: text(&game["machine"]),
        game: game["game"].as_u64().unwrap(),
        chain: text(&last["chain"]),
    };
    let new = NewGame {
        time_control: Some(text(&game["control"])),
        time_control_file: Some(text(&game["control_text"])),
        white_player: Some("Anna".to_owned()),
        ..NewGame::default()
    };
    let corrections = Corrections {
        white_time_nsec: Some(state.white.remaining_nsec),
        black_time_nsec: Some(state.black.remaining_nsec),
        white_moves: Some(state.white.moves),
        black_moves: Some(state.black.moves),
        on_move: Some(state.on_move),
        ..Corrections::default()
    };
    Proposal::new(true, source, new, corrections)
}

#[tokio::test]
async fn a_game_is_taken_over_from_another_clock() {
    let defective = recorded().await;
    let stopped = play(&defective, &mut defective.bench.buttons().unwrap()).await;
    let proposal = proposal(&defective, &stopped).await;
    let source = proposal.source.clone().unwrap();

    let fixture = recorded().await;
    let arbiter = fixture.arbiter().await;
    let stale = arbiter.import(proposal.clone(), 9, "").await;
    assert!(matches!(stale, Err(Error::StaleRevision(_))), "{stale:?}");
    let done = arbiter.import(proposal.clone(), 1, "the other clock is defective").await.unwrap();
    assert!(done.recorded);
    let state = fixture.state().await;
    assert_eq!((state.phase, state.revision), (Phase::Paused, done.revision));
    let shown = |state: &State| {
        let [white, black] = Side::BOTH.map(|side| state.side(side));
        (state.on_move, white.remaining_nsec, white.moves, black.remaining_nsec, black.moves)
    };
    assert_eq!(shown(&state), shown(&stopped));
    assert_eq!(state.white.player, "Anna");
    let game = fixture.game(0).await;
    assert_eq!(game["imported_from"]["chain"], source.chain);
    assert_eq!(game["imported_from"]["game"], source.game);
    assert_eq!(game["imported_from"]["machine"], source.machine);
    // For a move that was made before the import, `find_move` returns the first entry of the
    // imported game.
    assert_eq!(fixture.history().await.find_move(0, Who::White, 3).await.unwrap(), 3);
    let command = &fixture.entries(0).await[0]["command"];
    assert_eq!((&command["verb"], &command["capacity"]), (&"import".into(), &"arbiter".into()));
    assert_eq!(fixture.game(0).await["set_up_at_clock"], false);

    // The imported game is under way now.
    let again = arbiter.import(proposal, done.revision, "").await;
    assert!(matches!(again, Err(Error::GameUnderWay(_))), "{again:?}");
}

/// Adds the keys of a JSON value to `found`, each with its path.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let path = format!("{path}.{key}");
                keys(value, &path, found);
                found.insert(path);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, path, found)),
        _ => {}
    }
}

/// The keys of this JSON value that are lost if it is read as a `T` and written again. Keys whose
/// path begins with `unread` are not counted: a `T` leaves them out on purpose.
fn lost<T: Serialize + DeserializeOwned>(json: &Value, unread: &str) -> BTreeSet<String> {
    let (mut written, mut read) = (BTreeSet::new(), BTreeSet::new());
    keys(json, "", &mut written);
    let value: T = serde_json::from_value(json.clone()).unwrap();
    keys(&serde_json::to_value(value).unwrap(), "", &mut read);
    written.into_iter().filter(|key| !read.contains(key) && !key.starts_with(unread)).collect()
}

/// `clockctl` also reads the record of a service of another version, so a key that it does not know
/// is no error. This test lists the keys in a record of the same version that `clockctl` leaves
/// out: `input` and `clock`, whose forms are the service's own; `start_realtime_ns`, the scheduled
/// start of a game that has begun; and `set_up_at_clock`, which only the menu of that clock needs.
#[tokio::test]
async fn clockctl_reads_every_key_of_the_record() {
    let fixture = recorded().await;
    play(&fixture, &mut fixture.bench.buttons().unwrap()).await;
    let lost_of_game = lost::<clockctl::record::Game>(&fixture.game(0).await, ".clock");
    let left_out = [".set_up_at_clock", ".start_realtime_ns"].map(str::to_owned);
    assert_eq!(lost_of_game, left_out.into());
    let entries = fixture.entries(0).await;
    assert!(entries.len() > 6, "{entries:?}");
    for entry in entries {
        let lost = lost::<clockctl::record::Entry>(&entry, ".input");
        assert_eq!(lost, BTreeSet::new());
        assert_eq!(entry["state"]["at_ns"], entry["at_ns"]);
    }
}
