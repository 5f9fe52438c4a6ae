//! The test of the buttons: what a program sees, who may begin it, and what ends it.

use super::menu::Table;
use super::*;
use clock_dbus::commands::Outcome;
use clock_dbus::{
    ButtonTestProxy, HealthProxy, MenuProxy, MenuState, TestEnd, TestReadings, TestedButton,
};
use std::time::Instant;

async fn program(fixture: &Fixture) -> Connection {
    let address = fixture.bench.address();
    connection::Builder::address(address.as_str()).build().await.unwrap()
}

async fn test(connection: &Connection) -> ButtonTestProxy<'_> {
    ButtonTestProxy::new(connection).await.unwrap()
}

/// Reads until `is_seen` is true of everything that was read.
async fn read_until(
    test: &ButtonTestProxy<'_>,
    is_seen: impl Fn(&TestReadings) -> bool,
) -> TestReadings {
    let deadline = Instant::now() + Duration::from_secs(30);
    let mut all = TestReadings::default();
    while !is_seen(&all) {
        assert!(Instant::now() < deadline, "{all:?}");
        let TestReadings { edges, presses, untraced, ended } = test.read(0).await.unwrap();
        all.edges.extend(edges);
        all.presses.extend(presses);
        (all.untraced, all.ended) = (untraced, ended);
        tokio::task::yield_now().await;
    }
    all
}

async fn page_title(fixture: &Fixture) -> String {
    let menu = MenuProxy::builder(&fixture.connection);
    let menu = menu.cache_properties(zbus::proxy::CacheProperties::No).build().await.unwrap();
    let page = menu.page().await.unwrap();
    assert_eq!(page.state == MenuState::Closed, page.title.is_empty());
    page.title
}

async fn wait_for_title(fixture: &Fixture, title: &str) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while page_title(fixture).await != title {
        assert!(Instant::now() < deadline, "{}", page_title(fixture).await);
        tokio::task::yield_now().await;
    }
}

/// The texts of a refusal.
fn refused<T: std::fmt::Debug>(outcome: Result<T, Error>) -> String {
    match outcome {
        Err(Error::GameUnderWay(text)) => format!("under way: {text}"),
        Err(Error::Busy(text)) => format!("busy: {text}"),
        Err(Error::NotFound(text)) => format!("not found: {text}"),
        Err(Error::BoardGone(text)) => format!("board: {text}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn presses_are_seen_by_the_program_and_by_nothing_else() {
    let fixture = fixture(&[]).await;
    let mut buttons = fixture.bench.buttons().unwrap();
    let test = test(&fixture.connection).await;
    let health = HealthProxy::new(&fixture.connection).await.unwrap();
    let board = test.begin().await.unwrap();
    assert!(!board.is_rocker);
    assert_eq!(board.buttons, TestedButton::ALL);
    let times = (board.settle_nsec, board.longest_bounce_nsec, board.release_nsec);
    assert_eq!(times, (1_000_000, 20_000_000, 50_000_000));
    wait_for_title(&fixture, "Test of the buttons").await;
    let before = fixture.state().await;
    let recorded = health.recorded_entries().await.unwrap();
    let mut expected = Vec::new();
    for (word, button) in [
        ("white", TestedButton::White),
        ("black", TestedButton::Black),
        ("call", TestedButton::Call),
    ] {
        let stamp = buttons.press(word).unwrap();
        expected.push((button, stamp));
    }
    let all = read_until(&test, |all| all.presses.len() == 3 && all.edges.len() == 6).await;
    let presses: Vec<_> = all.presses.iter().map(|press| (press.button, press.at_nsec)).collect();
    assert_eq!(presses, expected);
    for press in &all.presses {
        let took = press.decided_nsec - press.at_nsec;
        assert!(took >= board.settle_nsec, "{press:?}");
    }
    for (button, stamp) in expected {
        let edges: Vec<_> = all.edges.iter().filter(|edge| edge.button == button).collect();
        assert_eq!((edges[0].at_nsec, edges[0].closed, edges[1].closed), (stamp, true, false));
    }
    assert_eq!((all.untraced, all.ended), (0, None));
    assert_eq!(fixture.state().await, before, "the game knows nothing of it");
    assert_eq!(health.recorded_entries().await.unwrap(), recorded);
    assert_eq!(health.decision_latency_nsec().await.unwrap(), [], "it counts presses of games");
    test.end().await.unwrap();
    assert_eq!(read_until(&test, |all| all.ended.is_some()).await.ended, Some(TestEnd::Asked));
    wait_for_title(&fixture, "").await;
    // The next press starts the game.
    buttons.press("black").unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while fixture.state().await.phase != Phase::Running {
        assert!(Instant::now() < deadline);
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn it_is_refused_during_a_game_and_ends_with_one() {
    let fixture = fixture(&[]).await;
    let (one, other) = (program(&fixture).await, program(&fixture).await);
    let (one, other) = (test(&one).await, test(&other).await);
    assert_eq!(refused(one.read(0).await), "not found: you have not begun a test of the buttons");
    one.begin().await.unwrap();
    let second = "busy: another program tests the buttons; it ends when that program does";
    assert_eq!(refused(other.begin().await), second);
    assert!(refused(other.end().await).starts_with("not found"));
    let revision = fixture.state().await.revision;
    fixture.arbiter().await.start(revision, "").await.unwrap();
    assert_eq!(read_until(&one, |all| all.ended.is_some()).await.ended, Some(TestEnd::ClockRuns));
    let game = "under way: a game is on the clock; the buttons are tested between games";
    assert_eq!(refused(other.begin().await), game);
    let revision = fixture.state().await.revision;
    fixture.arbiter().await.pause(None, revision, "").await.unwrap();
    assert_eq!(refused(other.begin().await), game);
    let revision = fixture.state().await.revision;
    fixture.arbiter().await.result(Outcome::Drawn, revision, "test").await.unwrap();
    other.begin().await.unwrap();
}

#[tokio::test]
async fn it_ends_when_its_program_leaves_or_the_board_goes() {
    let fixture = fixture(&[]).await;
    let leaving = program(&fixture).await;
    test(&leaving).await.begin().await.unwrap();
    wait_for_title(&fixture, "Test of the buttons").await;
    leaving.close().await.unwrap();
    wait_for_title(&fixture, "").await;
    let test = test(&fixture.connection).await;
    test.begin().await.unwrap();
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.send("unplug").unwrap();
    assert_eq!(read_until(&test, |all| all.ended.is_some()).await.ended, Some(TestEnd::BoardGone));
    assert_eq!(refused(test.begin().await), "board: the button board is not connected");
}

#[tokio::test]
async fn presses_of_a_program_are_kept_from_the_game_that_ends_its_test() {
    let fixture = fixture(&[]).await;
    let test = test(&fixture.connection).await;
    let mut buttons = fixture.bench.buttons().unwrap();
    test.begin().await.unwrap();
    match test.read(2_000_000_001).await {
        Err(Error::InvalidArgument(text)) => {
            assert_eq!(text, "keep_nsec: 2000000001; expected at most 2 s");
        }
        other => panic!("{other:?}"),
    }
    test.read(2_000_000_000).await.unwrap();
    let revision = fixture.state().await.revision;
    fixture.arbiter().await.start(revision, "").await.unwrap();
    buttons.press("white").unwrap();
    assert_eq!(read_until(&test, |all| all.ended.is_some()).await.ended, Some(TestEnd::ClockRuns));
    let state = fixture.state().await;
    assert_eq!((state.on_move, state.white.moves), (Who::White, 0), "{state:?}");
    // Another press, after this time, counts.
    let deadline = Instant::now() + Duration::from_secs(30);
    while fixture.state().await.white.moves == 0 {
        assert!(Instant::now() < deadline);
        buttons.press("white").unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_program_that_ends_its_test_gives_the_presses_back_to_the_game_that_has_ended_it() {
    let fixture = fixture(&[]).await;
    let test = test(&fixture.connection).await;
    let mut buttons = fixture.bench.buttons().unwrap();
    test.begin().await.unwrap();
    test.read(2_000_000_000).await.unwrap();
    let revision = fixture.state().await.revision;
    fixture.arbiter().await.start(revision, "").await.unwrap();
    assert_eq!(read_until(&test, |all| all.ended.is_some()).await.ended, Some(TestEnd::ClockRuns));
    test.end().await.unwrap();
    buttons.press("white").unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while fixture.state().await.white.moves == 0 {
        assert!(Instant::now() < deadline, "the only press was taken from the game");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn its_end_does_not_close_the_menu_and_it_does_not_begin_twice() {
    let mut table = Table::with("").await;
    let connection = table.fixture.connection.clone();
    let test = test(&connection).await;
    test.begin().await.unwrap();
    assert_eq!(refused(test.begin().await), "busy: you test the buttons already");
    table.titled("Test of the buttons").await;
    test.end().await.unwrap();
    table.closed().await;
    table.open().await;
    test.end().await.unwrap();
    let begun = refused(test.begin().await);
    assert_eq!(begun, "busy: the menu is open at the clock; leave it, then test the buttons");
    // The menu is still open.
    table.press("black").await;
}
