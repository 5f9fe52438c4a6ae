//! Names that are corrected in a game: while a clock runs, after the result, in an adjourned game.
//! Every carrier of the game then has the corrected names.

use super::*;
use clock_dbus::Names;
use clock_tests::{Face, program};

fn ctl(fixture: &Fixture, arguments: &[&str]) -> String {
    let output = fixture.bench.ctl(arguments).unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn names(state: &State) -> [&str; 5] {
    let State { white, black, event, round, board, .. } = state;
    [&white.player, &black.player, event, round, board].map(String::as_str)
}

async fn with_record() -> Fixture {
    let bench = Bench::in_memory().unwrap();
    let record = bench.folder().join("games");
    fixture_on(bench, &["--control", "blitz-3-2", "--record", record.to_str().unwrap()]).await
}

async fn restarted(mut fixture: Fixture) -> Fixture {
    fixture.clockd.kill().unwrap();
    let record = fixture.bench.folder().join("games");
    fixture.clockd = fixture.bench.clockd(&["--record", record.to_str().unwrap()]).unwrap();
    fixture.state_when("the clock is back", |_| true).await;
    fixture
}

#[tokio::test]
async fn names_are_corrected_while_a_clock_runs_and_every_carrier_has_them() {
    let fixture = with_record().await;
    let face = Face::start(program("clock-display"), &["--bus", &fixture.bench.address()], 80, 24);
    ctl(&fixture, &["new", "--white", "Vera Mencik", "--black", "Sonja", "--round", "2"]);
    fixture.bench.buttons().unwrap().press("black").unwrap();
    face.shows("Vera Mencik");
    let before =
        fixture.state_when("White's clock runs", |state| state.running == Who::White).await;

    let given = ["set-names", "--white", "Vera Menchik", "--event", "City Open"];
    let said = ctl(&fixture, &[&given[..], &["--reason", "a-typing-error"]].concat());
    let expected =
        "The names are corrected: White Vera Mencik → Vera Menchik, event (none) → City Open, ";
    assert!(said.starts_with(expected) && said.contains("\nrunning: White "), "{said}");
    let now = ["Vera Menchik", "Sonja", "City Open", "2", ""];
    let after = fixture.state().await;
    assert_eq!(names(&after), now);
    // The clock ran on, and the command is one change of the state.
    assert_eq!(
        (after.phase, after.running, after.at_nsec > before.at_nsec),
        (before.phase, before.running, true)
    );
    let used = after.at_nsec - before.at_nsec;
    assert_eq!(after.white.remaining_nsec, before.white.remaining_nsec - used);
    assert_eq!((after.revision, after.sequence), (before.revision + 1, before.sequence + 1));
    face.shows("Vera Menchik");
    let json = fixture.bench.status().unwrap();
    assert_eq!(
        (&json["white"]["player"], &json["event"]),
        (&"Vera Menchik".into(), &"City Open".into())
    );
    assert!(ctl(&fixture, &["status"]).contains("Vera Menchik"));

    let report =
        "The names are corrected: White Vera Mencik → Vera Menchik, event (none) → City Open";
    assert!(fixture.logged("a-typing-error").contains(report));
    let log = ctl(&fixture, &["log"]);
    assert!(
        log.lines().any(|line| line.contains(report) && line.contains("a-typing-error")),
        "{log}"
    );
    let games = ctl(&fixture, &["log", "--games"]);
    assert!(games.contains("Vera Menchik") && !games.contains("Vera Mencik "), "{games}");
    let pgn = ctl(&fixture, &["export", "--format", "pgn"]);
    let pgn = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["[White \"Vera Menchik\"]", "[Event \"City Open\"]", report] {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
    let csv = ctl(&fixture, &["export", "--format", "csv"]);
    assert!(csv.contains("The names are corrected"), "{csv}");

    // The clock is rewound, ends the game, and is restarted; the names stay.
    ctl(&fixture, &["pause"]);
    ctl(&fixture, &["rewind", "W0"]);
    assert_eq!(names(&fixture.state().await), now);
    ctl(&fixture, &["result", "1-0"]);
    let said = ctl(&fixture, &["set-names", "--black", "Sonja Graf", "--board", "12"]);
    let expected = "The names are corrected: Black Sonja → Sonja Graf, board (none) → 12, ";
    assert!(said.starts_with(expected), "{said}");
    let fixture = restarted(fixture).await;
    let now = ["Vera Menchik", "Sonja Graf", "City Open", "2", "12"];
    let state = fixture.state().await;
    assert_eq!((names(&state), state.result.as_str()), (now, "1-0"));

    let file = fixture.bench.folder().join("game.json");
    let file = file.to_str().unwrap();
    ctl(&fixture, &["export", "-o", file]);
    ctl(&fixture, &["new", "--white", "", "--black", "", "--event", "", "--board", "1"]);
    let imported = ctl(&fixture, &["import", file, "--yes"]);
    assert!(imported.contains("White     Vera Menchik\nBlack     Sonja Graf\n"), "{imported}");
    assert_eq!(names(&fixture.state().await), now);
    // A new game has only the players that it is given. It is of the same event, at the same board.
    ctl(&fixture, &["new", "--force", "--black", "Sonja Graf"]);
    assert_eq!(names(&fixture.state().await), ["", "Sonja Graf", "City Open", "", "12"]);
}

#[tokio::test]
async fn a_correction_needs_the_present_revision_and_takes_a_name_away() {
    let fixture = with_record().await;
    let arbiter = fixture.arbiter().await;
    let white = |name: &str| Names { white_player: Some(name.to_owned()), ..Names::default() };
    let revision = fixture.state().await.revision;
    let refused = arbiter.set_names(white("Anna"), revision + 1, "").await;
    assert!(matches!(refused, Err(Error::StaleRevision(_))), "{refused:?}");
    let refused = arbiter.set_names(Names::default(), revision, "").await;
    assert!(matches!(refused, Err(Error::InvalidArgument(_))), "{refused:?}");
    assert_eq!(fixture.state().await.white.player, "");
    let Completed { revision, recorded, .. } =
        arbiter.set_names(white("Anna"), revision, "").await.unwrap();
    assert!(recorded);
    assert_eq!(fixture.state().await.white.player, "Anna");
    arbiter.set_names(white(""), revision, "").await.unwrap();
    assert_eq!(fixture.state().await.white.player, "");
    let said = ctl(&fixture, &["set-names", "--white", ""]);
    assert!(said.starts_with("The names are corrected; none has changed, "), "{said}");
}

#[tokio::test]
async fn names_are_corrected_in_an_adjourned_game() {
    let fixture = with_record().await;
    ctl(&fixture, &["new", "40/120, G/60", "--rules", "handbook-county", "--white", "Ana"]);
    ctl(&fixture, &["start"]);
    ctl(&fixture, &["adjourn", "white", "41"]);
    ctl(&fixture, &["set-names", "--white", "Anna"]);
    let state = fixture.state().await;
    assert_eq!((state.white.player.as_str(), state.adjourned), ("Anna", Who::White));
    ctl(&fixture, &["new", "5+3", "--white", "Bo"]);
    ctl(&fixture, &["resume-adjourned", "2"]);
    assert_eq!(fixture.state().await.white.player, "Anna");
}
