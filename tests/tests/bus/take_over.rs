//! A game that is taken over with its whole state: from the file of another clock (clause S0 6.11
//! in `docs/laws.md`), and from the record after an adjournment.

use super::*;
use clock_dbus::HistoryProxy;
use serde_json::Value;

const G60: &str = "name = 'G/60'\n[[period]]\ntime = '60m'\n";
const SECOND: u64 = 1_000_000_000;

async fn recorded() -> Fixture {
    let bench = Bench::in_memory().unwrap();
    let games = bench.folder().join("games");
    fixture_on(bench, &["--control", "blitz-3-2", "--record", games.to_str().unwrap()]).await
}

/// Sets up a game of 60 minutes, with these times, and starts White's clock.
async fn start(fixture: &Fixture, white: u64, black: u64) -> State {
    let game = NewGame {
        time_control: Some("G/60".to_owned()),
        time_control_file: Some(G60.to_owned()),
        rules: Some("fide-2023".to_owned()),
        white_player: Some("Vera Menchik".to_owned()),
        ..NewGame::default()
    };
    let corrections = Corrections {
        white_time_nsec: Some(white),
        black_time_nsec: Some(black),
        ..Corrections::default()
    };
    fixture.start_with(game, corrections).await
}

fn ctl(fixture: &Fixture, arguments: &[&str]) -> String {
    let output = fixture.bench.ctl(arguments).unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    text
}

async fn games(fixture: &Fixture) -> Vec<Value> {
    let history = HistoryProxy::new(&fixture.connection).await.unwrap();
    let games = history.list_games(0, 100).await.unwrap();
    games.iter().map(|game| serde_json::from_str(game).unwrap()).collect()
}

/// The part of a state that stays the same when a game is taken over, as text.
fn shown(state: &State) -> String {
    let sides = clock_dbus::Side::BOTH.map(|side| clock_dbus::SideState {
        flag_nsec: None, // on an axis of its own
        ..state.side(side).clone()
    });
    let questions: Vec<_> = state.questions.iter().map(|open| open.kind).collect();
    format!(
        "{:?} {:?} {:?} {sides:?} {questions:?} {} {}",
        state.phase, state.on_move, state.first_flag, state.rules, state.time_control
    )
}

#[tokio::test]
async fn s0_6_11_an_import_keeps_which_flag_fell_first() {
    let fixture = recorded().await;
    start(&fixture, SECOND, SECOND).await;
    fixture.state_when("White's flag", |state| state.white.out_of_time).await;
    fixture.bench.buttons().unwrap().press("white").unwrap();
    fixture.state_when("Black's flag", |state| state.black.out_of_time).await;
    ctl(&fixture, &["flag", "--by", "black"]);
    let before = fixture.state().await;
    assert_eq!((before.phase, before.first_flag), (Phase::Ruling, Who::White));
    let file = fixture.bench.folder().join("game.json");
    let file = file.to_str().unwrap();
    ctl(&fixture, &["export", "-o", file]);
    ctl(&fixture, &["new", "--control", "blitz-5-3", "--rules", "", "--white", "X", "--force"]);
    let imported = ctl(&fixture, &["import", file, "--yes"]);
    assert!(imported.contains("White's flag has fallen, as the first one"), "{imported}");
    let after = fixture.state().await;
    assert_eq!(shown(&after), shown(&before));
    assert!(after.white.flag_nsec < after.black.flag_nsec, "{after:?}");
    let status = ctl(&fixture, &["status"]);
    let flags: Vec<&str> = status.lines().filter(|line| line.contains("fell")).collect();
    assert!(status.contains("White") && status.contains("fell first"), "{flags:?}: {status}");
    // The imported game is replayed after a restart of the service like any other.
    let mut fixture = fixture;
    fixture.clockd.kill().unwrap();
    fixture.clockd = fixture
        .bench
        .clockd(&["--record", fixture.bench.folder().join("games").to_str().unwrap()])
        .unwrap();
    let restarted = fixture.state_when("the clock is back", |_| true).await;
    assert_eq!(shown(&restarted), shown(&before));
}

#[tokio::test]
async fn a_state_that_contradicts_itself_or_the_control_is_refused_and_nothing_changes() {
    let fixture = recorded().await;
    let running = start(&fixture, 60 * SECOND, 60 * SECOND).await;
    let arbiter = fixture.arbiter().await;
    let paused = arbiter.pause(None, running.revision, "").await.unwrap();
    let history = HistoryProxy::new(&fixture.connection).await.unwrap();
    let good = history.read_state(0, 0).await.unwrap();
    let source = clock_dbus::ImportedFrom { machine: "x".into(), game: 1, chain: "0".repeat(64) };
    let setup = NewGame {
        time_control_file: Some(G60.to_owned()),
        rules: Some("fide-2023".to_owned()),
        white_player: Some("Vera Menchik".to_owned()),
        force: Some(true),
        ..NewGame::default()
    };
    let proposal = |state: String, begun: bool| {
        let corrections = Corrections::default();
        let proposal = clock_dbus::Proposal::new(begun, source.clone(), setup.clone(), corrections);
        clock_dbus::Proposal { state: Some(state), ..proposal }
    };
    let before = fixture.state().await;
    for (from, to, expected) in [
        ("\"period\":1", "\"period\":2", "State: a side is in a period"),
        ("\"delay_left\":0,", "", "State: missing key `delay_left`"),
        ("\"stop\":null", "\"stopp\":null", "State: unknown key `stopp`"),
        ("\"adjourned\":null", "\"adjourned\":\"white\"", "State: adjourned"),
        ("{\"clock\"", "[[[[\"clock\"", "State: "),
    ] {
        let changed = good.replacen(from, to, 1);
        assert_ne!(changed, good, "{from}: {good}");
        let refused = arbiter.import(proposal(changed, true), paused.revision, "").await;
        let Err(Error::InvalidArgument(message)) = refused else { panic!("{refused:?}") };
        assert!(message.starts_with(expected), "{message}");
    }
    for (state, begun) in [("x".repeat(16_385), true), (good.clone(), false)] {
        let refused = arbiter.import(proposal(state, begun), paused.revision, "").await;
        assert!(matches!(refused, Err(Error::InvalidArgument(_))), "{refused:?}");
    }
    assert_eq!(fixture.state().await, before);
    let done = arbiter.import(proposal(good, true), paused.revision, "").await.unwrap();
    assert!(done.recorded);
    assert_eq!(shown(&fixture.state().await).replace("custom", "G/60"), shown(&before));
}

#[tokio::test]
async fn an_adjourned_game_is_taken_up_again_after_other_games() {
    let fixture = recorded().await;
    start(&fixture, 600 * SECOND, 600 * SECOND).await;
    ctl(&fixture, &["adjourn", "white", "23"]);
    let sealed = fixture.state().await;
    assert_eq!((sealed.adjourned, sealed.on_move), (Who::White, Who::Black));
    let number = sealed.game_number.unwrap();
    // Neither of these two `new` commands needs `--force`, because no game is lost.
    ctl(&fixture, &["new", "--control", "blitz-5-3", "--rules", "", "--white", "X"]);
    ctl(&fixture, &["new", "--control", "blitz-3-2"]);
    let list = ctl(&fixture, &["log", "--games"]);
    assert!(list.contains(&format!("adjourned; clockctl resume-adjourned {number}")), "{list}");
    ctl(&fixture, &["start"]);
    let arbiter = fixture.arbiter().await;
    let running = fixture.state().await;
    let kept = arbiter.resume_adjourned(number, running.revision, "").await;
    assert!(matches!(kept, Err(Error::GameUnderWay(_))), "{kept:?}");
    ctl(&fixture, &["result", "1-0", "--reason", "mate"]);
    ctl(&fixture, &["resume-adjourned", &number.to_string()]);
    let state = fixture.state().await;
    let expected = State { adjourned: Who::Nobody, ..sealed.clone() };
    assert_eq!(shown(&state), shown(&expected));
    assert_eq!((state.phase, state.adjourned), (Phase::Paused, Who::Nobody));
    let games = games(&fixture).await;
    let (latest, adjourned) = (&games[0], &games[3]);
    assert_eq!(latest["imported_from"]["game"], number);
    assert_eq!(latest["imported_from"]["machine"], adjourned["machine"]);
    assert_eq!((&adjourned["game"], &adjourned["adjourned"]), (&number.into(), &false.into()));
    let list = ctl(&fixture, &["log", "--games"]);
    let later = state.game_number.unwrap();
    assert!(list.contains(&format!("continued as game {later}")), "{list}");
    let status = ctl(&fixture, &["status"]);
    let from = format!("from      game {number} of this clock (clockctl log {number})\n");
    assert!(status.ends_with(&from), "{status}");
    // The game before the adjournment is another game of the same record.
    let csv = ctl(&fixture, &["export", "--format", "csv"]);
    let first = csv.lines().nth(1).unwrap();
    let of_first_part = ctl(&fixture, &["export", &number.to_string(), "--format", "csv"]);
    assert_eq!(first, of_first_part.lines().nth(1).unwrap());
    for (again, expected) in [(number, "is not adjourned"), (99, "no game 99")] {
        let refused = arbiter.resume_adjourned(again, state.revision, "").await;
        let Err(Error::NotFound(message)) = refused else { panic!("{refused:?}") };
        assert!(message.contains(expected), "{message}");
    }
    ctl(&fixture, &["resume"]);
    assert_eq!(fixture.state().await.running, Who::Black);
}

#[tokio::test]
async fn the_adjourned_game_on_the_clock_is_taken_up_and_without_a_record_it_is_not_lost() {
    let fixture = recorded().await;
    start(&fixture, 600 * SECOND, 600 * SECOND).await;
    ctl(&fixture, &["adjourn", "white", "23"]);
    let number = fixture.state().await.game_number.unwrap();
    ctl(&fixture, &["resume-adjourned", &number.to_string()]);
    let state = fixture.state().await;
    assert_eq!((state.adjourned, state.game_number), (Who::Nobody, Some(number)));
    // The number 0 stands for the game on the clock.
    ctl(&fixture, &["adjourn", "black", "24"]);
    let arbiter = fixture.arbiter().await;
    arbiter.resume_adjourned(0_u64, fixture.state().await.revision, "").await.unwrap();
    let state = fixture.state().await;
    assert_eq!((state.adjourned, state.game_number), (Who::Nobody, Some(number)));

    let without = fixture_on(Bench::new().unwrap(), &["--record", "none"]).await;
    let adjourned = start(&without, 600 * SECOND, 600 * SECOND).await;
    ctl(&without, &["adjourn", "white", "23"]);
    let arbiter = without.arbiter().await;
    let lost = arbiter.new_game(NewGame::default(), adjourned.revision + 1, "").await;
    assert!(matches!(lost, Err(Error::GameUnderWay(_))), "{lost:?}");
}

#[tokio::test]
async fn an_adjourned_game_whose_record_is_gone_is_not_lost_without_force() {
    let fixture = recorded().await;
    start(&fixture, 600 * SECOND, 600 * SECOND).await;
    ctl(&fixture, &["adjourn", "white", "23"]);
    let sealed = fixture.state().await;
    std::fs::remove_dir_all(fixture.bench.folder().join("games")).unwrap();
    let arbiter = fixture.arbiter().await;
    let unread = arbiter.new_game(NewGame::default(), sealed.revision, "").await;
    assert!(matches!(unread, Err(Error::NoRecord(_))), "{unread:?}");
    assert_eq!(fixture.state().await.adjourned, Who::White);
}
