//! A wrong time control that is replaced during a game. The bus, the log, an exported game, its
//! import, a rewind, a restart and an adjourned game must then have the new control.

use super::rule_game::SECOND;
use super::*;
use clock_dbus::HistoryProxy;
use clock_dbus::commands::Side;
use clock_engine::Span;

const G60: &str = "name = 'G/60'\n[[period]]\ntime = '60m'\n";
const G90: &str = "name = 'G/90'\n[[period]]\ntime = '90m'\n";

fn ctl(fixture: &Fixture, arguments: &[&str]) -> String {
    let output = fixture.bench.ctl(arguments).unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    text
}

fn times(state: &State) -> (u64, u64) {
    (state.white.remaining_nsec, state.black.remaining_nsec)
}

fn now_and_file(
    state: &State,
    file: &(String, String, String, String),
) -> (String, u64, u64, String, String) {
    let (white, black) = times(state);
    (state.time_control.clone(), white, black, file.0.clone(), file.1.clone())
}

/// A paused game of 60 minutes with a record, in which White has 40 minutes left.
async fn paused() -> Fixture {
    let bench = Bench::in_memory().unwrap();
    let games = bench.folder().join("games");
    let fixture =
        fixture_on(bench, &["--control", "blitz-3-2", "--record", games.to_str().unwrap()]).await;
    let game = NewGame {
        time_control: Some("G/60".to_owned()),
        time_control_file: Some(G60.to_owned()),
        rules: Some("fide-article-6".to_owned()),
        white_player: Some("Vera Menchik".to_owned()),
        ..NewGame::default()
    };
    let arbiter = fixture.arbiter().await;
    let minutes = 60 * 1_000_000_000;
    let revision = fixture.set_up(game).await.revision;
    let revision = arbiter.start(revision, "").await.unwrap().revision;
    let revision = arbiter.pause(None, revision, "").await.unwrap().revision;
    let revision = arbiter.add(Side::White, -20 * minutes, revision, "").await.unwrap().revision;
    arbiter.add(Side::Black, -10 * minutes, revision, "").await.unwrap();
    fixture
}

async fn restarted(mut fixture: Fixture) -> Fixture {
    fixture.clockd.kill().unwrap();
    let record = fixture.bench.folder().join("games");
    fixture.clockd = fixture.bench.clockd(&["--record", record.to_str().unwrap()]).unwrap();
    fixture.state_when("the clock is back", |_| true).await;
    fixture
}

#[tokio::test]
async fn before_the_first_move_a_restart_keeps_the_new_control_and_the_new_rules() {
    let bench = Bench::in_memory().unwrap();
    let games = bench.folder().join("games");
    let fixture =
        fixture_on(bench, &["--control", "blitz-3-2", "--record", games.to_str().unwrap()]).await;
    ctl(&fixture, &["set-rules", "fide-article-6"]);
    ctl(&fixture, &["change-time-control", "blitz-5-3"]);
    let before = fixture.state().await;
    let fixture = restarted(fixture).await;
    let after = fixture.state().await;
    assert_eq!((&*after.time_control, &*after.rules), ("blitz-5-3", "fide-article-6"));
    assert_eq!((times(&after), after.game_number), (times(&before), before.game_number));
}

#[tokio::test]
async fn bus_log_export_import_rewind_and_restarts_have_the_new_control() {
    let fixture = paused().await;
    let before = fixture.state().await;
    let path = fixture.bench.folder().join("g90.toml");
    std::fs::write(&path, G90).unwrap();
    let path = path.to_str().unwrap();
    let said = ctl(&fixture, &["change-time-control", path, "--recompute", "--reason", "wrong"]);
    assert!(said.contains("time control: g90, before: G/60"), "{said}");
    assert!(!said.contains("note:"), "{said}");
    let again = ctl(&fixture, &["change-time-control", path, "--recompute"]);
    assert!(again.contains("\nnote: this time control was in force already"), "{again}");
    let after = fixture.state().await;
    let more = 30 * 60 * SECOND;
    assert_eq!(times(&after), (times(&before).0 + more, times(&before).1 + more));
    let clock = fixture.clock().await;
    let file = clock.get_time_control().await.unwrap();
    assert_eq!(file, ("g90".to_owned(), G90.to_owned(), String::new(), "G/90".to_owned()));
    let expected = now_and_file(&after, &file);

    let log = ctl(&fixture, &["log"]);
    let line = log.lines().find(|line| line.contains("The time control is g90")).expect("a line");
    assert!(line.contains("the turns so far are played again with it"), "{line}");
    let [had, has] = [&before, &after].map(|state| Span::from_nanos(times(state).0).left());
    let changed = format!("White {had} → {has}");
    assert!(line.contains(&changed) && line.contains("wrong"), "{changed}: {line}");

    let game = fixture.bench.folder().join("game.json");
    let game = game.to_str().unwrap();
    ctl(&fixture, &["export", "-o", game]);
    assert!(std::fs::read_to_string(game).unwrap().contains("g90"));
    let fixture = restarted(fixture).await;
    let file = fixture.clock().await.get_time_control().await.unwrap();
    assert_eq!(now_and_file(&fixture.state().await, &file), expected, "after a restart");

    // A rewind to the start of the game shows the times of that moment, but keeps the new control.
    ctl(&fixture, &["rewind", "--to", "W0"]);
    let restored = fixture.state().await;
    assert_eq!(restored.time_control, "g90");
    assert_eq!(restored.white.remaining_nsec, 60 * 60 * SECOND, "as shown then");

    ctl(&fixture, &["new", "--control", "blitz-5-3", "--rules", "", "--force"]);
    let imported = ctl(&fixture, &["import", game, "--yes"]);
    assert!(imported.contains("g90"), "{imported}");
    let file = fixture.clock().await.get_time_control().await.unwrap();
    assert_eq!(now_and_file(&fixture.state().await, &file), expected, "imported");
}

#[tokio::test]
async fn an_adjourned_game_is_taken_up_with_the_new_control() {
    let fixture = paused().await;
    ctl(&fixture, &["set-rules", "fide-2023"]);
    let changed = ctl(&fixture, &["change-time-control", "g90-30"]);
    assert!(changed.contains("time control: g90-30, before: G/60"), "{changed}");
    ctl(&fixture, &["resume"]);
    ctl(&fixture, &["adjourn", "white", "in the envelope"]);
    let arbiter = fixture.arbiter().await;
    let adjourned = fixture.state().await;
    let refused =
        arbiter.change_time_control("g60-30", "", false, false, adjourned.revision, "").await;
    assert!(matches!(&refused, Err(Error::RefusedByRules(_))), "{refused:?}");
    let number = adjourned.game_number.unwrap();
    ctl(&fixture, &["new", "--control", "blitz-5-3", "--rules", ""]);
    ctl(&fixture, &["resume-adjourned", &number.to_string()]);
    let state = fixture.state().await;
    assert_eq!((state.time_control.as_str(), times(&state)), ("g90-30", times(&adjourned)));
    // The record has the whole state of the game on the clock.
    let history = HistoryProxy::new(&fixture.connection).await.unwrap();
    assert!(history.read_state(0, 0).await.unwrap().contains("white"));
}

#[tokio::test]
async fn a_refusal_names_what_was_given_and_changes_nothing() {
    let fixture = paused().await;
    let arbiter = fixture.arbiter().await;
    let before = fixture.state().await;
    let change = async |name: &str, file: &str, recompute| {
        arbiter.change_time_control(name, file, recompute, false, before.revision, "").await
    };
    let refused = change("blitz-5-0", "", true).await;
    let expected = "the times cannot be recomputed: time was cut that the side would not have had";
    assert!(
        matches!(&refused, Err(Error::InvalidArgument(text)) if text.starts_with(expected)),
        "{refused:?}"
    );
    for (name, file) in [("no-such-control", ""), ("", ""), ("x", "name = 5")] {
        let refused = change(name, file, false).await;
        assert!(matches!(&refused, Err(Error::InvalidControl(_))), "{name}: {refused:?}");
    }
    let after = fixture.state().await;
    assert_eq!((after.revision, &after.time_control), (before.revision, &before.time_control));
    assert_eq!(times(&after), times(&before));
}

/// The turns are read from the record, also after the service was killed and started again.
#[tokio::test]
async fn to_and_from_a_delay_the_turns_on_record_are_played_again() {
    let bench = Bench::in_memory().unwrap();
    let games = bench.folder().join("games");
    let mut fixture =
        fixture_on(bench, &["--control", "blitz-3-2", "--record", games.to_str().unwrap()]).await;
    let mut buttons = fixture.bench.buttons().unwrap();
    ctl(&fixture, &["new", "G/30+10"]);
    ctl(&fixture, &["start"]);
    buttons.press("white").unwrap();
    fixture.state_when("White has moved", |state| state.white.moves == 1).await;
    buttons.press("black").unwrap();
    fixture.state_when("Black has moved", |state| state.black.moves == 1).await;
    ctl(&fixture, &["pause"]);
    // White moves again, and that press is taken back: it is no turn any more.
    ctl(&fixture, &["resume"]);
    buttons.press("white").unwrap();
    fixture.state_when("White has moved again", |state| state.white.moves == 2).await;
    ctl(&fixture, &["pause"]);
    ctl(&fixture, &["undo-press"]);
    let played = fixture.state().await;
    assert_eq!((played.white.moves, played.black.moves), (1, 1));
    let minutes = 60 * SECOND;
    // Both turns took less than the delay of 5 s, and so has the present one.
    ctl(&fixture, &["change-time-control", "G/30 d5", "--recompute"]);
    assert_eq!(times(&fixture.state().await), (30 * minutes, 30 * minutes));
    fixture = restarted(fixture).await;
    let dry_run = ctl(&fixture, &["change-time-control", "G/30+10", "--recompute", "--dry-run"]);
    assert!(dry_run.contains("0:30:"), "{dry_run}");
    ctl(&fixture, &["change-time-control", "G/30+10", "--recompute"]);
    assert_eq!(times(&fixture.state().await), times(&played), "as it was");
    // A rewind removes both turns.
    ctl(&fixture, &["change-time-control", "G/20 d5", "--recompute"]);
    assert_eq!(times(&fixture.state().await), (20 * minutes, 20 * minutes));
    ctl(&fixture, &["rewind", "--to", "W0"]);
    ctl(&fixture, &["change-time-control", "G/20+5", "--recompute"]);
    let start = fixture.state().await;
    assert_eq!((start.black.remaining_nsec, start.white.moves), (20 * minutes + 5 * SECOND, 0));

    // A time that was set is no turn: the change is refused with the reason.
    ctl(&fixture, &["set", "white", "0:19:00"]);
    let before = fixture.state().await;
    let output = fixture.bench.ctl(&["change-time-control", "G/30", "--recompute"]).unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{output:?}");
    assert!(said.contains("a time, a counter or a period was corrected in this game"), "{said}");
    assert!(said.contains("set the times"), "{said}");
    assert_eq!(fixture.state().await.revision, before.revision);
}

#[tokio::test]
async fn without_a_record_the_times_are_not_recomputed() {
    let fixture = fixture_on(Bench::in_memory().unwrap(), &["--control", "G/30"]).await;
    let arbiter = fixture.arbiter().await;
    let revision = fixture.state().await.revision;
    let refused = arbiter.change_time_control("blitz-5-0", "", true, false, revision, "").await;
    let expected =
        "the turns of the game cannot be read: no record is kept; change the time control";
    assert!(
        matches!(&refused, Err(Error::NoRecord(text)) if text.contains(expected)),
        "{refused:?}"
    );
}
