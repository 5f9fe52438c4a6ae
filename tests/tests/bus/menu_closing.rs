//! What closes the menu, and what it does with a game that was set up over D-Bus.
//!
//! The timeout of 30 s is tested in virtual time: `daemon/menu` and `daemon/core`.

use super::menu::Table;
use super::*;
use clock_dbus::MenuState;
use clock_dbus::commands::Outcome;
use clock_tests::eventually;

const SECOND: u64 = 1_000_000_000;
/// The lines that the first page of the menu has in every game, even in one that is locked.
const SETTINGS: [&str; 5] =
    ["Sound: On", "Brightness", "Language", "About this clock", "Leave the menu"];

/// Sets up a game of 3+2 over D-Bus, under this profile.
async fn set_up_over_bus(table: &Table, rules: &str) {
    let game = NewGame {
        time_control: Some("blitz-3-2".to_owned()),
        rules: Some(rules.to_owned()),
        ..NewGame::default()
    };
    let revision = table.state().await.revision;
    table.fixture.arbiter().await.new_game(game, revision, "round 1").await.unwrap();
}

/// Plays a move of each side, and calls the arbiter.
async fn play_and_call(table: &mut Table) {
    for button in ["black", "white", "black", "call"] {
        table.play(button).await;
    }
}

#[tokio::test]
async fn the_menu_closes_without_a_change() {
    let mut table = Table::with("").await;
    let before = table.state().await;

    // The call button is held.
    table.open().await;
    table.choose_all(&["New game", "With an arbiter", "5+3"]).await;
    table.buttons.edge("call down").unwrap();
    table.closed().await;
    table.buttons.edge("call up").unwrap();
    assert_eq!(table.state().await, before);

    // A command over D-Bus is refused, and then one is accepted.
    table.open().await;
    table.choose("New game").await;
    let arbiter = table.fixture.arbiter().await;
    let refused = arbiter.resume(None, before.revision, "").await;
    assert!(matches!(refused, Err(Error::NotPaused(_))), "{refused:?}");
    drop(arbiter);
    table.press("black").await;
    assert_eq!((table.page.title.as_str(), table.chosen()), ("New game", "With an arbiter"));
    table.fixture.arbiter().await.start(before.revision, "").await.unwrap();
    table.closed().await;

    // A running clock opens no menu: the call is a call at once.
    table.buttons.edge("call down").unwrap();
    table.state_when("the call", |state| state.phase == Phase::Paused).await;
    table.buttons.edge("call up").unwrap();
    assert_eq!(table.page.state, MenuState::Closed);

    // The press that stopped the clocks does not open the menu, and no press in the menu has
    // completed a move.
    let presses = |state: &State| (state.white.moves, state.black.moves);
    assert_eq!(presses(&table.state().await), presses(&before));
}

#[tokio::test]
async fn ten_seconds_before_a_scheduled_start_the_menu_closes_and_stays_closed() {
    let mut table = Table::with_game("fide-standard", "fide-2023", "").await;
    let clock = table.fixture.clock().await;
    let now = clock.get_timebase().await.unwrap().realtime_nsec;
    drop(clock);
    let game = NewGame {
        time_control: Some("blitz-3-2".to_owned()),
        start_at_realtime_nsec: Some(now + 14 * SECOND),
        ..NewGame::default()
    };
    table.fixture.arbiter().await.new_game(game, 1, "").await.unwrap();
    let before = table.state().await;
    table.open().await;
    table.closed().await;
    let clock = table.fixture.clock().await;
    let left =
        (now + 14 * SECOND).saturating_sub(clock.get_timebase().await.unwrap().realtime_nsec);
    drop(clock);
    assert!((8 * SECOND..=10 * SECOND).contains(&left), "{left}");
    // A call is not deferred now: it does not wait for its release.
    table.buttons.edge("call down").unwrap();
    table.state_when("the call", |state| state.arbiter_called_by == Who::Button).await;
    table.buttons.edge("call up").unwrap();
    let after = table.state().await;
    assert_eq!((after.phase, after.time_control), (Phase::Ready, before.time_control));
    assert_eq!(table.page.state, MenuState::Closed);
}

#[tokio::test]
async fn a_sound_and_a_brightness_that_the_clock_does_not_have_are_not_offered() {
    let mut table = Table::with("").await;
    let folder = table.fixture.bench.folder().to_owned();
    for (buzzer, panel, offered) in [
        ("[buzzer]\nenabled = false\n", true, ["Brightness", "Language"]),
        ("[buzzer]\nenabled = true\n", false, ["Sound: On", "Language"]),
        ("[buzzer\n", false, ["Language", "New game"]),
    ] {
        std::fs::write(folder.join("display.toml"), buzzer).unwrap();
        if !panel {
            let _ = std::fs::remove_dir(folder.join("backlight/panel"));
        }
        table.open().await;
        table.choose("More").await;
        assert_eq!(table.lines().await[..2], offered, "{buzzer}");
        table.choose("Leave").await;
        table.closed().await;
    }
}

#[tokio::test]
async fn a_game_that_was_set_up_over_the_bus_is_locked_without_a_code() {
    let mut table = Table::with("").await;
    set_up_over_bus(&table, "fide-2023").await;
    table.open().await;
    assert_eq!(table.lines().await, SETTINGS);
    table.choose("Leave").await;
    table.closed().await;

    play_and_call(&mut table).await;
    let before = table.entries().await.len();
    table.open().await;
    assert_eq!(table.lines().await, SETTINGS);
    table.choose_all(&["Sound: On", "Leave"]).await;
    table.closed().await;
    // Presses in the menu are not in the record.
    assert_eq!(table.entries().await.len(), before);

    // After the end both players together can set up a new game.
    let revision = table.state().await.revision;
    table.fixture.arbiter().await.result(Outcome::WhiteWins, revision, "mate").await.unwrap();
    table.open().await;
    table.choose_all(&["New game", "We two", "5+3", "Accept"]).await;
    table.both_agree().await;
    let state = table.state().await;
    assert_eq!((state.rules.as_str(), state.phase), ("players-agree", Phase::Ready));
}

#[tokio::test]
async fn players_have_their_game_of_the_bus_once_it_has_begun() {
    let mut table = Table::with("").await;
    set_up_over_bus(&table, "players-agree").await;
    table.open().await;
    assert_eq!(table.lines().await, SETTINGS);
    table.choose("Leave").await;
    table.closed().await;

    play_and_call(&mut table).await;
    let before = table.state().await;
    table.open().await;
    table.choose("Take back last press").await;
    let asked = ["White: press your button", "Black: press your button"];
    table.page_when("asked", |page| page.lines[..2] == asked).await;
    // The presses may overlap.
    table.buttons.edge("white down").unwrap();
    table.press("black").await;
    assert_eq!(table.page.lines[..2], ["White: press your button", "Black ✓"]);
    assert_eq!(table.state().await, before);
    table.buttons.edge("white up").unwrap();
    table.closed().await;
    assert_ne!(table.state().await.on_move, before.on_move);
}

#[tokio::test]
async fn the_code_opens_a_game_of_the_bus_and_wrong_codes_are_counted() {
    let mut table = Table::with("arbiter_code = \"wbbw\"").await;
    set_up_over_bus(&table, "fide-2023").await;
    play_and_call(&mut table).await;
    let presses = table.entries().await.len();
    table.open().await;
    table.choose("Correct").await;
    for wrong in ["wbbb", "wwwww", "bwwb"] {
        table.enter_code(wrong).await;
        assert_eq!(table.page.lines[0], "Wrong code");
    }
    // After the third wrong code there is a wait, also after a restart.
    assert!(table.page.lines[1].starts_with("Wait "), "{:?}", table.page);
    let file = table.fixture.bench.folder().join("state").join("menu.json");
    eventually("the count is kept", || {
        std::fs::read_to_string(&file).ok()?.contains("\"wrong_codes\":3").then_some(())
    });
    let log = eventually("each wrong code is in the log", || {
        let log = table.fixture.bench.log();
        let times = log.matches("a wrong arbiter's code was entered").count();
        (times >= 3).then_some((times, log))
    });
    assert_eq!(log.0, 3, "{}", log.1);
    assert!(!log.1.contains("wbb"), "{}", log.1);
    let entries = table.entries_when(presses + 3).await;
    let kinds: Vec<_> = entries[presses..].iter().map(|entry| &entry["kind"]).collect();
    assert_eq!(kinds, ["wrong-code"; 3], "{entries:#?}");
    table.kill_and_restart().await;
    table.open().await;
    table.choose("Correct").await;
    assert!(table.page.lines[0].starts_with("Wait "), "{:?}", table.page);
    assert_eq!(table.entries().await[..presses].len(), presses);
}

#[tokio::test]
async fn the_record_names_the_buttons_and_has_no_press_of_the_menu() {
    let mut table = Table::with("arbiter_code = \"wbbw\"").await;
    set_up_over_bus(&table, "fide-2023").await;
    play_and_call(&mut table).await;
    let before = table.entries().await;
    let stopped = table.state().await;
    table.open().await;
    table.choose("Go on").await;
    table.enter_code("wbbw").await;
    let line =
        format!("{}'s clock runs", if stopped.on_move == Who::White { "White" } else { "Black" });
    table.choose(&line).await;
    table.choose("Yes").await;
    table.closed().await;
    let running = table.state().await;
    assert_eq!((running.phase, running.running), (Phase::Running, stopped.on_move));
    let entries = table.entries().await;
    assert_eq!(entries.len(), before.len() + 1, "{entries:#?}");
    let command = &entries[before.len()]["command"];
    assert_eq!((&command["verb"], &command["capacity"]), (&"resume".into(), &"buttons".into()));
    assert_eq!(command["reason"], "at the clock, with the arbiter's code");
    assert_eq!(running.sequence, stopped.sequence + 1, "no press of the menu is signalled");
    let log = table.fixture.bench.ctl(&["log"]).unwrap();
    let log = String::from_utf8_lossy(&log.stdout).into_owned();
    assert!(log.contains("buttons"), "{log}");
}
