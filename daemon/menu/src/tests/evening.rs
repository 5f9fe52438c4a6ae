//! An evening without a laptop.

use super::table::{BLACK, Table, WHITE, config};
use crate::{Effect, Keys, Setting, When};
use clock_controls::NamedControl;
use clock_dbus::MenuButton;
use clock_engine::rules::Authority;
use clock_engine::{Outcome, Phase, Side, Span};
use clockd_core::PressLength;

/// A new 3+2, a flag, the result, again with the sides exchanged, and an own control.
fn evening(keys: Keys) {
    let mut table = Table::with("G/60", "fide-2023", keys, config(When::Always, None));
    table.open().unwrap();
    table.choose_all(&["New game", "We two", "3+2"]);
    if table.menu.is_open() {
        table.choose("Accept");
    }
    // The menu closes by itself, and the face says what comes next.
    assert_eq!((table.menu.is_open(), table.phase()), (false, Phase::Ready));
    assert_eq!(table.control.name, "3+2");
    assert_eq!(table.game.profile().unwrap().authority, Authority::Nobody);

    table.play(Side::Black, 5);
    table.play(Side::White, 10);
    assert_eq!(table.phase(), Phase::Running);
    assert!(table.open().is_none(), "a running clock and an open menu exclude each other");
    table.wait(400);
    assert_eq!((table.phase(), table.view().first_flag), (Phase::Ruling, Some(Side::Black)));

    table.open().unwrap();
    table.choose("1-0");
    let effect = table.both_agree();
    assert!(matches!(effect, Effect::Give(set) if set.reason.contains("both players")));
    assert_eq!(table.view().outcome, Some(Outcome::WhiteWins));

    // The game is over, so this is the first page after a game. With a rocker, no line of the menu
    // starts a clock: only a throw of the rocker does.
    table.open_and_choose(&["Sides"]);
    assert!(table.game.buttons_exchanged());
    if keys == Keys::RockerAndCall {
        assert_eq!(table.phase(), Phase::Ready);
        table.play(Side::Black, 1);
    }
    assert_eq!(table.view().running(), Some(Side::White));
    assert_eq!(table.players.white, "Efim Bogoljubow");
    assert_eq!(table.control.name, "3+2");
    table.wait(400);
    table.open().unwrap();
    table.choose("0-1");
    table.both_agree();
    assert_eq!(table.view().outcome, Some(Outcome::BlackWins));

    table.open_and_choose(&["Time control", "Our own"]);
    table.enter("0704");
    table.choose_all(&["Keep", "Accept"]);
    assert_eq!(table.own[0].name, "7+4");
    assert_eq!(table.view().sides.white.remaining, Span::from_secs(7 * 60 + 4));
    assert!(table.refused.is_empty(), "{:?}", table.refused);
}

#[test]
fn an_evening_with_every_kind_of_buttons() {
    for keys in [Keys::ButtonsAndCall, Keys::Buttons, Keys::RockerAndCall] {
        evening(keys);
    }
}

#[test]
fn two_players_correct_a_time_and_go_on() {
    let mut table = Table::new("3+2", "players-agree");
    table.play(Side::Black, 5);
    table.play(Side::White, 10);
    table.call(20);
    assert_eq!(table.phase(), Phase::Paused);
    table.open().unwrap();
    table.choose_all(&["Correct", "White's time"]);
    table.enter("00500");
    table.choose("Show");
    assert!(table.accepted.is_empty());
    // White alone agrees on nothing, however often.
    table.press(WHITE, PressLength::Short);
    table.press(WHITE, PressLength::Short);
    assert!(table.accepted.is_empty());
    table.press(BLACK, PressLength::Short);
    assert_eq!(table.accepted.len(), 1, "both confirmations and the correction");
    assert_eq!(table.view().sides.white.remaining, Span::from_secs(300));
    table.play(Side::White, 1);
    table.play(Side::Black, 1);
    assert_eq!((table.phase(), table.view().on_move), (Phase::Running, Side::Black));
}

#[test]
fn the_players_take_back_a_press_and_a_result() {
    let mut table = Table::new("3+2", "players-agree");
    table.play(Side::Black, 5);
    table.play(Side::White, 10);
    table.call(20);
    table.open().unwrap();
    table.choose_all(&["Take back"]);
    table.both_agree();
    assert_eq!(table.view().on_move, Side::White);
    table.open_and_choose(&["Result", "½-½"]);
    table.both_agree();
    assert_eq!(table.view().outcome, Some(Outcome::Drawn));
    table.open_and_choose(&["Result", "0-1"]);
    table.both_agree();
    assert_eq!(table.view().outcome, Some(Outcome::BlackWins));
    table.open_and_choose(&["Result", "No result"]);
    table.both_agree();
    assert_eq!((table.phase(), table.view().outcome), (Phase::Paused, None));
    assert!(table.refused.is_empty(), "{:?}", table.refused);
}

#[test]
fn with_exchanged_buttons_each_player_agrees_with_the_own_button() {
    let mut table = Table::new("3+2", "players-agree");
    table.open().unwrap();
    table.choose_all(&["White's button", "Yes"]);
    assert!(table.game.buttons_exchanged());
    table.play(Side::Black, 5);
    table.call(3);
    table.open().unwrap();
    // The button that is wired as White's still goes back, and Black uses it.
    table.choose("Result");
    let hint = table.page().hints[0].clone();
    assert_eq!((hint.button, hint.action.as_str()), (Some(MenuButton::Black), "▲"));
    table.choose("1-0");
    table.press(BLACK, PressLength::Short);
    assert_eq!(table.page().lines[0], "White ✓");
    table.press(WHITE, PressLength::Short);
    assert_eq!(table.view().outcome, Some(Outcome::WhiteWins));
}

#[test]
fn an_arbiter_rules_penalizes_and_goes_on_with_the_code() {
    let code = config(When::Always, Some("wbbw"));
    let mut table = Table::with("40/90, G/30", "fide-2023", Keys::ButtonsAndCall, code);
    table.on_bus = true;
    table.play(Side::Black, 5);
    table.play(Side::White, 60);
    table.call(60);
    table.open().unwrap();
    table.choose("What awaits");
    assert_eq!(table.page().title, "Arbiter's code");
    table.enter_code("wbbb");
    assert_eq!((table.wrong_codes, table.page().lines[0].as_str()), (1, "Wrong code"));
    table.enter_code("wbbw");
    assert_eq!(table.page().title, "What awaits an answer");
    let effect = table.choose_all(&["Clocks stopped: reason?", "The reason was", "Yes"]);
    assert!(matches!(effect, Effect::Give(set) if set.reason.contains("code")));
    table.open_and_choose(&["Penalties"]);
    table.enter_code("wbbw");
    table.choose_all(&["White", "Time for opponent 1:00"]);
    assert_eq!(table.page().title, "Time for opponent 1:00");
    let before = table.view().sides.black.remaining;
    table.choose("Yes");
    assert_eq!(table.view().sides.black.remaining, before.plus(Span::from_secs(60)));
    table.open_and_choose(&["Go on"]);
    table.enter_code("wbbw");
    table.choose_all(&["Black's clock", "Yes"]);
    assert_eq!((table.phase(), table.menu.is_open()), (Phase::Running, false));
    assert!(table.refused.is_empty(), "{:?}", table.refused);
}

#[test]
fn own_controls_are_kept_and_played() {
    let mut table = Table::new("3+2", "players-agree");
    table.open().unwrap();
    table.choose_all(&["Time control", "Our own"]);
    table.enter("0503");
    table.choose("Second");
    table.enter("04000");
    table.choose("Time");
    table.enter("13000");
    table.choose("Keep");
    let kept = table.own[0].clone();
    assert_eq!(kept.name, "40/90, G/40, +3");
    // What is kept is a control file.
    let read = NamedControl::parse(&kept.name, kept.text.clone(), "own").unwrap();
    assert_eq!(read, kept);
    table.choose_all(&["Back", "Back", "40/90, G/40, +3"]);
    assert_eq!(table.control, kept);
    table.open_and_choose(&["Time control", "Our own"]);
    table.enter("0503");
    table.choose("Increment");
    table.choose_all(&["Delay", "Bronstein", "Hourglass"]);
    assert_eq!(table.chosen(), "Nothing for a move");
    table.choose("Keep");
    assert_eq!(table.own[0].name, "G/5");
    assert_eq!(table.own[1], kept);
}

#[test]
fn sound_and_brightness_are_settings() {
    let mut table = Table::new("3+2", "players-agree");
    table.open().unwrap();
    assert_eq!(table.choose("Sound: On"), Effect::Set(Setting::Sound(false)));
    assert_eq!(table.chosen(), "Sound: Off");
    table.choose("Brightness");
    assert_eq!(table.choose("50"), Effect::Set(Setting::Brightness(Some(50))));
    assert_eq!(table.chosen(), "• 50 %");
    assert!(table.accepted.is_empty());
}
