//! The menu on the boards that have no call button, or a rocker, through the real programs.

use super::dry_run::DryRun;
use super::menu::Table;
use super::*;
use clock_dbus::commands::Side;
use clock_dbus::{Language, MenuPage, MenuState, QuestionProgress};
use clock_tests::eventually;

/// The text of a wiring file for a board with this kind of input, and with or without a call
/// button.
pub fn wiring(input: &str, has_call: bool) -> String {
    let call = if has_call { "call.line = 3\n" } else { "" };
    format!("chip = 'x'\ninput = '{input}'\nwhite.line = 1\nblack.line = 2\n{call}")
}

/// A game with an arbiter.
const FIDE: [&str; 2] = ["fide-standard", "fide-2023"];

/// Chooses the line that begins with this text. The first one of `keys` goes to the next line, and
/// the second one chooses.
async fn choose(table: &mut Table, keys: [&str; 2], text: &str) {
    for _ in 0..40 {
        if table.chosen().starts_with(text) {
            return table.press(keys[1]).await;
        }
        table.press(keys[0]).await;
    }
    panic!("no {text}: {:?}", table.page);
}

#[tokio::test]
async fn two_buttons_alone_open_the_menu_work_it_and_leave_it() {
    let mut table = Table::on_board("", &wiring("buttons", false)).await;
    table.open_with(&["white", "black"]).await;
    // From the tiles, the same hold leads to the rest of the menu.
    table.down(&["white", "black"]);
    table.titled("More").await;
    table.up(&["white", "black"]);
    for line in ["New game", "We two", "3+2"] {
        choose(&mut table, ["white", "black"], line).await;
    }
    table.closed().await;
    let state = table.state().await;
    assert_eq!((state.time_control.as_str(), state.rules.as_str()), ("3+2", "players-agree"));
    assert_eq!((state.phase, state.white.moves), (Phase::Ready, 0));
    // Black's press starts White's clock, as without a menu.
    let running = table.play("black").await;
    assert_eq!((running.phase, running.running), (Phase::Running, Who::White));
}

#[tokio::test]
async fn the_page_about_the_clock_has_the_address_of_the_machine() {
    let mut table = Table::with("").await;
    table.open().await;
    table.choose_all(&["About"]).await;
    // The address that a packet to another machine would have; without a network there is none.
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").unwrap();
    let address = socket.connect("192.0.2.99:9").and_then(|()| socket.local_addr());
    match address {
        Ok(address) => {
            let line = format!("Address {}", address.ip());
            assert!(table.page.lines.contains(&line), "{line}: {:?}", table.page);
        }
        Err(_) => {
            let has_address = table.page.lines.iter().any(|line| line.starts_with("Address"));
            assert!(!has_address, "{:?}", table.page);
        }
    }
}

#[tokio::test]
async fn a_rocker_goes_on_and_the_call_button_chooses_in_the_configured_language() {
    let mut table = Table::on_board("language = 'nl'", &wiring("rocker", true)).await;
    assert_eq!(table.settings().await.language, Language::Dutch);
    table.open().await;
    // A throw stays down until the rocker is thrown to the other side.
    for edges in [["black up", "white down"], ["white up", "black down"]] {
        let before = table.chosen().to_owned();
        for edge in edges {
            table.buttons.edge(edge).unwrap();
        }
        let is_on = |page: &MenuPage| page.lines[page.chosen.unwrap() as usize] != before;
        table.page_when("the next line", is_on).await;
    }
    table.press("call").await;
    assert_eq!(table.page.title, "Meer");
}

#[tokio::test]
async fn a_rocker_alone_opens_no_menu_and_the_log_says_so() {
    let wiring = wiring("rocker", false);
    let mut table = Table::with_game_on_board(FIDE, "language = 'pl'", &wiring).await;
    // The face has the configured language without a menu, too.
    assert_eq!(table.settings().await.language, Language::Polish);
    table.fixture.bench.logged("a rocker without a call button works no menu");
    let called = table.play("call").await;
    assert_eq!(called.arbiter_called_by, Who::Button, "the call is decided at once");
    assert_eq!(table.page.state, MenuState::Closed);
}

#[tokio::test]
async fn a_dry_run_knows_the_rocker_that_was_pushed_in_the_menu_and_leaves_the_menu_open() {
    let mut table = Table::with_game_on_board(FIDE, "", &wiring("rocker", true)).await;
    let connection = table.fixture.connection.clone();
    let arbiter = ArbiterProxy::new(&connection).await.unwrap();
    arbiter.start(1, "").await.unwrap();
    arbiter.pause(None, 2, "").await.unwrap();
    let dry_run = DryRun::of(&table.fixture).await;
    assert_eq!(dry_run.arbiter.resume(None, 3, "").await.unwrap().revision, 4);
    table.open().await;
    let before = table.chosen().to_owned();
    for edge in ["black up", "white down"] {
        table.buttons.edge(edge).unwrap();
    }
    let is_on = |page: &MenuPage| page.lines[page.chosen.unwrap() as usize] != before;
    table.page_when("the next line", is_on).await;
    // The copy of the first dry run is that of another position, so this is another program.
    let dry_run = DryRun::of(&table.fixture).await;
    let tried = dry_run.arbiter.resume(None, 3, "").await.unwrap_err();
    assert!(matches!(tried, Error::ConfirmOnMove(_)), "{tried:?}");
    // A command that is carried out closes the menu, and its dry run does not.
    dry_run.arbiter.add(Side::White, 1, 3, "").await.unwrap();
    let refused = arbiter.resume(None, 3, "").await.unwrap_err();
    assert_eq!(tried.to_string(), refused.to_string());
    table.press("call").await;
    assert_eq!(table.page.state, MenuState::Open);
    arbiter.add(Side::White, 1, 3, "").await.unwrap();
    table.closed().await;
}

#[tokio::test]
async fn two_buttons_held_together_stop_the_clock_and_one_press_of_each_resumes_it() {
    let mut table = Table::on_board("", &wiring("buttons", false)).await;
    table.play("black").await;
    table.down(&["white", "black"]);
    let stopped = table.state_when("the stop", |state| state.phase == Phase::Paused).await;
    // Both presses completed a move, and both are taken back.
    let moves = (stopped.on_move, stopped.white.moves, stopped.black.moves);
    assert_eq!(moves, (Who::White, 0, 0));
    table.up(&["white", "black"]);
    eventually("the stop on record", || {
        let log = table.fixture.bench.ctl(&["log"]).unwrap();
        let log = String::from_utf8(log.stdout).unwrap();
        log.contains("Both players held their buttons").then_some(())
    });
    table.buttons.tap("white").unwrap();
    assert_eq!(table.play("black").await.running, Who::White);
}

#[tokio::test]
async fn a_second_call_resumes_the_game_three_seconds_later() {
    let mut table = Table::with("").await;
    table.play("black").await;
    let paused = table.play("call").await;
    assert_eq!((paused.phase, paused.arbiter_called_by), (Phase::Paused, Who::Nobody));
    table.buttons.tap("call").unwrap();
    let is_counting = |state: &State| {
        state.questions.iter().any(|question| question.progress == QuestionProgress::Resuming)
    };
    let counting = table.state_when("the countdown", is_counting).await;
    let running = table.state_when("the resume", |state| state.phase == Phase::Running).await;
    assert_eq!(running.at_nsec, counting.questions[0].since_nsec + 3_000_000_000);
    assert_eq!(running.white.remaining_nsec, paused.white.remaining_nsec);
}
