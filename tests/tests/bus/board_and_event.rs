//! The board, the round and the event of a game, and what a new game takes over from the game
//! before it.

use super::*;

const CONFIGURATION: &str = "board = '12'\ncontrol = 'blitz-3-2'\n";

/// A clock whose configuration names the board, with a record.
async fn configured() -> Fixture {
    let bench = Bench::in_memory().unwrap();
    bench.configure(CONFIGURATION).unwrap();
    let record = bench.folder().join("games");
    fixture_on(bench, &["--record", record.to_str().unwrap()]).await
}

fn ctl(fixture: &Fixture, arguments: &[&str]) -> String {
    let output = fixture.bench.ctl(arguments).unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn names(state: &State) -> [&str; 3] {
    [&state.board, &state.round, &state.event].map(String::as_str)
}

async fn restarted(fixture: Fixture) -> Fixture {
    let mut fixture = fixture;
    fixture.clockd.kill().unwrap();
    let record = fixture.bench.folder().join("games");
    fixture.clockd = fixture.bench.clockd(&["--record", record.to_str().unwrap()]).unwrap();
    fixture.state_when("the clock is back", |_| true).await;
    fixture
}

#[tokio::test]
async fn board_round_and_event_are_on_the_bus_in_the_log_and_in_every_export() {
    let fixture = configured().await;
    assert_eq!(names(&fixture.state().await), ["12", "", ""]);
    ctl(&fixture, &["new", "--round", "3", "--event", "Club Cup", "--white", "Vera"]);
    assert_eq!(names(&fixture.state().await), ["12", "3", "Club Cup"]);
    let status = ctl(&fixture, &["status"]);
    let shown = "event     Club Cup\nround     3\nboard     12\n";
    assert!(status.contains(shown), "{status}");
    let json = fixture.bench.status().unwrap();
    let keys = ["board", "round", "event"].map(|key| json[key].as_str().unwrap().to_owned());
    assert_eq!(keys, ["12", "3", "Club Cup"]);
    let said = "blitz-3-2 under no rule profile, board 12, round 3, event Club Cup";
    let log = ctl(&fixture, &["log"]);
    assert!(log.contains(said), "{log}");
    let games = ctl(&fixture, &["log", "--games"]);
    assert!(games.contains("board  round"), "{games}");
    let pgn = ctl(&fixture, &["export", "--format", "pgn"]);
    for tag in ["[Event \"Club Cup\"]", "[Round \"3\"]", "[Board \"12\"]"] {
        assert!(pgn.contains(tag), "{pgn}");
    }
    let fixture = restarted(fixture).await;
    assert_eq!(names(&fixture.state().await), ["12", "3", "Club Cup"]);
    let file = fixture.bench.folder().join("game.json");
    let file = file.to_str().unwrap();
    ctl(&fixture, &["export", "-o", file]);
    ctl(&fixture, &["new", "--board", "7", "--event", ""]);
    assert_eq!(names(&fixture.state().await), ["7", "", ""]);
    let imported = ctl(&fixture, &["import", file, "--yes"]);
    assert!(imported.contains("event     Club Cup\nround     3\nboard     12\n"), "{imported}");
    assert_eq!(names(&fixture.state().await), ["12", "3", "Club Cup"]);
    let fixture = restarted(fixture).await;
    assert_eq!(names(&fixture.state().await), ["12", "3", "Club Cup"]);
}

#[tokio::test]
async fn a_new_game_names_what_it_has_from_the_game_before() {
    let fixture = configured().await;
    let named = ["new", "--white", "Vera", "--black", "Sonja", "--event", "Cup", "--round", "1"];
    let all = [&named[..], &["--rules", "fide-2023", "--board", "7"]].concat();
    let said = ctl(&fixture, &all);
    assert!(said.ends_with("as before:\n  control blitz-3-2\n"), "{said}");
    let said = ctl(&fixture, &["new"]);
    let expected = "not given, and so as before:\n  control blitz-3-2\n  \
                    rules   fide-2023  (none: --rules '')\n  event   Cup  (none: --event '')\n  \
                    board   12  (none: --board '')\n\
                    not as before, give again if wanted:\n  --white Vera\n  --black Sonja\n  --round 1\n";
    assert!(said.ends_with(expected), "{said}");
    // The next game of two others has not the players of this one, also in the PGN.
    let json = fixture.bench.status().unwrap();
    assert_eq!((&json["white"]["player"], &json["black"]["player"]), (&"".into(), &"".into()));
    let pgn = ctl(&fixture, &["export", "--format", "pgn"]);
    assert!(!pgn.contains("Vera") && !pgn.contains("Sonja"), "{pgn}");
    // The board is that of the configuration, and the round is not taken over.
    assert_eq!(names(&fixture.state().await), ["12", "", "Cup"]);
    // The options `--captain-plays` and `--present-arbiter` hold for one game.
    ctl(&fixture, &["new", "--captain-plays", "white", "--present-arbiter", "Ann"]);
    let said = ctl(&fixture, &["new"]);
    let again = "give again if wanted:\n  --captain-plays white\n  --present-arbiter Ann\n";
    assert!(said.ends_with(again), "{said}");
    ctl(&fixture, &["set-buttons", "exchanged"]);
    let said = ctl(&fixture, &["new"]);
    assert!(
        said.contains("  buttons exchanged  (back: clockctl set-buttons as-wired)\n"),
        "{said}"
    );
    assert!(fixture.state().await.buttons_exchanged);
    let json = ctl(&fixture, &["new", "--json", "--white", "", "--black", "Ann"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["as_before"],
        serde_json::json!(["control", "rules", "event", "board", "buttons"])
    );
    assert_eq!((&json["white"]["player"], &json["recorded"]), (&"".into(), &true.into()));
}
