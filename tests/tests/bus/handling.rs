//! A finger that is kept on a button (clause S0 6.8b in `docs/laws.md`), and a penalty that is due.

use super::rule_game::{G90, SECOND, fixture_with_rules, game_under, rule};
use super::*;
use clock_dbus::OrMinus1;
use clock_dbus::commands::{Caller, Ruling, Side};

/// The stamp in the answer of the simulated buttons.
fn stamp(answer: &str) -> u64 {
    answer.strip_prefix("ok ").unwrap().parse().unwrap()
}

async fn holding_longer_than_the_warning_is_an_incident(rules: &str) {
    let file = format!("name = 'hold'\ninherits = '{rules}'\nhold_warning = '300ms'\n");
    let fixture = fixture_with_rules(&[("hold", &file)]).await;
    let clock = fixture.clock().await;
    let shipped = clock.read_rules(rules).await.unwrap().parse().unwrap();
    assert_eq!(rule(&shipped, "hold_warning"), "0:00:03");
    fixture.set_up(game_under("hold", G90)).await;
    let mut incidents = clock.receive_incident_noted().await.unwrap();
    let mut buttons = fixture.bench.buttons().unwrap();
    // A press that is shorter than `hold_warning` is no incident.
    buttons.press("black").unwrap();
    let down = stamp(&buttons.send("white down").unwrap());
    let incident = incidents.next().await.unwrap();
    let incident = incident.args().unwrap();
    assert_eq!((incident.side, incident.kind), (Who::White, "hold"));
    assert_eq!(incident.at_nsec, down + 3 * SECOND / 10);
    let held = fixture.state().await;
    assert_eq!((held.white.moves, held.running), (1, Who::Black), "one press, whatever its length");
    buttons.send("white up").unwrap();
    buttons.press("black").unwrap();
    let next = stamp(&buttons.send("white down").unwrap());
    let incident = incidents.next().await.unwrap();
    assert_eq!(
        incident.args().unwrap().at_nsec,
        next + 3 * SECOND / 10,
        "one incident for each press"
    );
    assert_eq!(fixture.state().await.white.moves, 2);
}

async fn a_finger_on_one_button_never_blocks_the_other(rules: &str) {
    let fixture = fixture(&[]).await;
    fixture.set_up(game_under(rules, G90)).await;
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("black").unwrap();
    let down = stamp(&buttons.send("white down").unwrap());
    let white = fixture.state_when("White's move", |s| s.white.moves == 1).await;
    assert_eq!((white.at_nsec, white.running), (down, Who::Black));
    // White's finger stays; Black's presses count at their own instants.
    let press = buttons.press("black").unwrap();
    let black = fixture.state_when("Black's move", |s| s.black.moves == 1).await;
    assert_eq!((black.at_nsec, black.running, black.white.moves), (press, Who::White, 1));
    assert_eq!(black.black.remaining_nsec, white.black.remaining_nsec - (press - down));
    // White has to lift the finger to complete the next move.
    buttons.press("black").unwrap();
    buttons.send("white up").unwrap();
    assert_eq!(fixture.state().await.white.moves, 1);
    fixture.logged("press completed no move");
    buttons.press("call").unwrap();
    let called = fixture.state_when("the call", |s| s.phase == Phase::Paused).await;
    assert_eq!((called.white.moves, called.black.moves), (1, 1));
}

#[tokio::test]
async fn s0_6_8b_holding_longer_than_the_warning_is_an_incident() {
    holding_longer_than_the_warning_is_an_incident("handbook-county").await;
}

#[tokio::test]
async fn s4_6_8b_holding_longer_than_the_warning_is_an_incident() {
    holding_longer_than_the_warning_is_an_incident("fide-article-6").await;
}

#[tokio::test]
async fn s0_6_8b_a_finger_on_one_button_never_blocks_the_other() {
    a_finger_on_one_button_never_blocks_the_other("handbook-county").await;
}

#[tokio::test]
async fn s4_6_8b_a_finger_on_one_button_never_blocks_the_other() {
    a_finger_on_one_button_never_blocks_the_other("fide-article-6").await;
}

/// The points of a penalty are on the bus, in the JSON of `clockctl status` and in its text.
async fn points_of_penalties_are_shown(fixture: &Fixture) {
    for (kind, points) in [("points-off", "0.5"), ("opponent-points", "1")] {
        let given = fixture.bench.ctl(&["penalize", "white", kind, points]).unwrap();
        assert!(given.status.success(), "{given:?}");
    }
    let state = fixture.state().await;
    assert_eq!((state.white.half_points_off, state.white.half_points_given), (1, 0));
    assert_eq!((state.black.half_points_off, state.black.half_points_given), (0, 2));
    let status = fixture.bench.status().unwrap();
    assert_eq!(
        (&status["white"]["half_points_off"], &status["black"]["half_points_given"]),
        (&1.into(), &2.into())
    );
    let text = String::from_utf8(fixture.bench.ctl(&["status"]).unwrap().stdout).unwrap();
    assert!(text.contains("  points off  points given"), "{text}");
}

#[tokio::test]
async fn a_due_penalty_and_the_counts_are_on_the_bus_and_first_in_status() {
    let fixture = fixture(&[]).await;
    let hour = Corrections { white_time_nsec: Some(3600 * SECOND), ..Corrections::default() };
    let running = fixture.start_with(game_under("fide-2023", G90), hour).await;
    let arbiter = fixture.arbiter().await;
    fixture.bench.buttons().unwrap().press("white").unwrap();
    fixture.state_when("White's move", |state| state.white.moves == 1).await;
    let mut revision =
        arbiter.pause(Caller::Player(Side::White), running.revision, "").await.unwrap().revision;
    let status = || String::from_utf8(fixture.bench.ctl(&["status"]).unwrap().stdout).unwrap();
    let asked = status();
    let first =
        "\nquestion  White has stopped the clocks: with a valid reason?\n          clockctl rule ";
    assert_eq!(asked.find('\n'), asked.find(first), "{asked}");
    revision = arbiter
        .rule(Ruling::ObviouslyInvalid, None, OrMinus1(None), revision, "")
        .await
        .unwrap()
        .revision;
    let due = fixture.state().await;
    assert_eq!((due.white.penalty_due, due.black.penalty_due), (true, false));
    let said = status();
    let first = "\npenalty   due: White\n          clockctl penalize white warning  # for force: --cause force\n";
    assert_eq!(said.find('\n'), said.find(first), "{said}");
    assert!(said.contains("\nfault: no record is kept: "), "{said}");
    let json = fixture.bench.status().unwrap();
    assert_eq!(json["white"]["penalty_due"], true);
    assert_eq!(json["faults"][0]["code"], "no-record");
    // The command that `clockctl status` names settles the penalty that is due.
    let warned = fixture.bench.ctl(&["penalize", "white", "warning"]).unwrap();
    assert!(warned.status.success(), "{warned:?}");
    let warned = fixture.state().await;
    assert!(!warned.white.penalty_due && warned.revision > revision);
    assert_eq!((warned.white.warnings, warned.black.warnings), (1, 0));
    points_of_penalties_are_shown(&fixture).await;
    fixture.bench.ctl(&["illegal-move", "white"]).unwrap();
    let illegal = fixture.state().await;
    assert_eq!((illegal.white.illegal_moves, illegal.black.illegal_moves), (1, 0), "{illegal:?}");
    assert!(status().contains("  illegal  warned"), "{}", status());
}
