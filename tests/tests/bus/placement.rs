//! Which button is White's depends on where the clock is placed (clause S0 6.4 in `docs/laws.md`).
//! A fault names a button by its wiring.

use super::rule_game::{G90, game_under};
use super::*;

async fn the_arbiter_sets_before_the_start_which_button_is_whites(rules: &str) {
    let fixture = fixture(&[]).await;
    let ready = fixture.set_up(game_under(rules, G90)).await;
    assert!(!ready.buttons_exchanged);
    let arbiter = fixture.arbiter().await;
    let revision = arbiter.set_buttons(true, ready.revision, "the clock is on White's left");
    assert_eq!(revision.await.unwrap().revision, ready.revision + 1);
    let exchanged = fixture.state().await;
    assert_eq!((exchanged.phase, exchanged.buttons_exchanged), (Phase::Ready, true));
    // After the exchange, the button that is wired as Black's belongs to White, so it does not
    // start the game. The button that is wired as White's starts it.
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("black").unwrap();
    let start = buttons.press("white").unwrap();
    let running = fixture.state_when("the game is started", |s| s.phase == Phase::Running).await;
    assert_eq!((running.at_nsec, running.running), (start, Who::White));
    let press = buttons.press("black").unwrap();
    let moved = fixture.state_when("White's move", |s| s.running == Who::Black).await;
    assert_eq!((moved.white.moves, moved.black.moves, moved.at_nsec), (1, 0, press));
    assert_eq!(moved.white.remaining_nsec, running.white.remaining_nsec - (press - start));
    // The exchange holds for later games: the clock stays where it is.
    let forced = NewGame { force: Some(true), ..game_under(rules, G90) };
    assert!(fixture.set_up(forced).await.buttons_exchanged);
}

async fn the_buttons_keep_their_sides_while_a_clock_runs(rules: &str, clause: &str) {
    let fixture = fixture(&[]).await;
    fixture.set_up(game_under(rules, G90)).await;
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("black").unwrap();
    let running = fixture.state_when("the game is started", |s| s.phase == Phase::Running).await;
    let arbiter = fixture.arbiter().await;
    let refused = arbiter.set_buttons(true, running.revision, "").await;
    let message = fixture.assert_refused(refused, clause, &running).await;
    assert!(message.contains("pause"), "{message}");
    buttons.press("white").unwrap();
    let moved = fixture.state_when("White's move", |s| s.white.moves == 1).await;
    assert!(!moved.buttons_exchanged && moved.running == Who::Black);

    let revision = arbiter.pause(None, moved.revision, "").await.unwrap().revision;
    let revision =
        arbiter.set_buttons(true, revision, "the-players-changed-seats").await.unwrap().revision;
    let line = fixture.logged("the-players-changed-seats");
    assert!(line.contains("The buttons are exchanged"), "{line}");
    arbiter.resume(None, revision, "").await.unwrap();
    buttons.press("white").unwrap();
    let moved = fixture.state_when("Black's move", |s| s.black.moves == 1).await;
    assert!(moved.buttons_exchanged && moved.running == Who::White);
}

#[tokio::test]
async fn s0_6_4_the_arbiter_sets_before_the_start_which_button_is_whites() {
    the_arbiter_sets_before_the_start_which_button_is_whites("handbook-county").await;
}

#[tokio::test]
async fn s4_6_4_the_arbiter_sets_before_the_start_which_button_is_whites() {
    the_arbiter_sets_before_the_start_which_button_is_whites("fide-article-6").await;
}

#[tokio::test]
async fn s0_6_4_the_buttons_keep_their_sides_while_a_clock_runs() {
    the_buttons_keep_their_sides_while_a_clock_runs("handbook-county", "S0 6.4").await;
}

#[tokio::test]
async fn s4_6_4_the_buttons_keep_their_sides_while_a_clock_runs() {
    the_buttons_keep_their_sides_while_a_clock_runs("fide-article-6", "S4 6.4").await;
}

#[tokio::test]
async fn a_stuck_button_and_the_log_of_a_press_keep_the_names_of_line_and_player() {
    let bench = Bench::new().unwrap();
    bench.configure("[debounce]\nstuck = '1s'\n").unwrap();
    let fixture = fixture_on(bench, &[]).await;
    fixture.arbiter().await.set_buttons(true, 1, "").await.unwrap();
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.send("white down").unwrap();
    let stuck = fixture
        .state_when("a stuck button", |s| s.faults.iter().any(|fault| fault.code == "stuck-white"))
        .await;
    assert_eq!(stuck.faults[0].code, "stuck-white");
    assert!(stuck.faults[0].text.contains("wired as White's"), "{:?}", stuck.faults);
    // The stuck button is Black's, so it starts the game.
    let runs = |state: &State| (state.phase, state.running) == (Phase::Running, Who::White);
    fixture.state_when("the start", runs).await;
    buttons.send("white up").unwrap();
}
