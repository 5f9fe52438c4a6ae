//! Who may do what: locked games, the code, and what a profile hides.

use super::table::{BLACK, CALL, Table, WHITE, config};
use super::tables::{agreeing, coded, lines, standing};
use crate::{ArbiterCode, Contact, Keys, Length, Menu, MenuConfig, When};
use clock_engine::{Command, Outcome, Phase, Side, Span};

#[test]
fn a_game_that_was_set_up_over_d_bus_is_locked_without_a_code() {
    let mut table = standing();
    table.on_bus = true;
    let about = ["Sound", "Brightness", "About this clock", "Leave the menu"];
    // fide-article-6 shows the counters, so the questions can be read.
    let mut allowed = vec!["What awaits an answer"];
    allowed.extend(about);
    assert_eq!(lines(&mut table), allowed);
    // They can be read, but nobody here can answer them.
    table.choose_all(&["What awaits", "Call"]);
    table.press(CALL, Length::Short);
    assert_eq!(table.page().title, "Call button: stop");
    let mut table = coded();
    table.menu = Menu::new(config(When::Always, None), table.keys);
    table.on_bus = true;
    assert_eq!(lines(&mut table), about, "fide-2023 hides the counters");
    // Its profile gives the game to the players.
    let mut table = agreeing();
    table.on_bus = true;
    assert!(lines(&mut table).contains(&"Correct the clock".to_owned()));
    let mut table = Table::new("3+2", "players-agree");
    table.on_bus = true;
    assert_eq!(lines(&mut table), about, "before the game");
}

#[test]
fn an_answer_of_a_locked_game_asks_for_the_code() {
    let mut table = standing();
    table.menu = Menu::new(config(When::Always, Some("wbw")), table.keys);
    table.on_bus = true;
    table.open().unwrap();
    table.choose_all(&["What awaits", "Call", "The reason", "Yes"]);
    assert_eq!((table.page().title.as_str(), table.accepted.len()), ("Arbiter's code", 0));
    for contact in [WHITE, BLACK, WHITE] {
        table.press(contact, Length::Short);
    }
    assert_eq!((table.page().title.as_str(), table.accepted.len()), ("The reason was valid", 0));
    table.choose("Yes");
    assert_eq!(table.accepted.len(), 1);
}

#[test]
fn wrong_codes_are_limited_also_after_the_menu_was_closed() {
    let mut table = coded();
    for tries in 1..=3 {
        table.open().unwrap();
        table.choose("Correct");
        for _ in 0..3 {
            table.press(WHITE, Length::Short);
        }
        assert_eq!(table.wrong_codes, tries);
        table.press(CALL, Length::Held);
    }
    table.open().unwrap();
    table.choose("Correct");
    assert!(table.page().lines[0].starts_with("Wait "), "{:?}", table.page());
    // The right code is not read now.
    for contact in [WHITE, BLACK, WHITE] {
        table.press(contact, Length::Short);
    }
    assert_eq!(table.page().title, "Arbiter's code");
    table.press(CALL, Length::Held);
    table.wait(30);
    table.open().unwrap();
    table.choose("Correct");
    for contact in [WHITE, BLACK, WHITE] {
        table.press(contact, Length::Short);
    }
    assert_eq!(table.page().title, "Correct the clock");
    table.press(CALL, Length::Held);
    // The code holds until the menu closes, and the wrong codes before it count no more.
    table.open().unwrap();
    table.choose("Correct");
    assert_eq!(table.page().title, "Arbiter's code");
    for _ in 0..3 {
        table.press(WHITE, Length::Short);
    }
    assert_eq!(table.wrong_codes, 1);
}

#[test]
fn a_rocker_enters_the_code_from_either_side() {
    let code = ArbiterCode::parse("wbw", true).unwrap();
    let hold = Span::from_secs(3);
    let config = MenuConfig::new(When::Always, Some(code), &["3+2"], hold).unwrap();
    let throws: [&[Contact]; 2] = [&[WHITE, BLACK, WHITE], &[BLACK, WHITE, BLACK, WHITE]];
    for throws in throws {
        let mut table = Table::with("3+2", "fide-2023", Keys::RockerAndCall, config.clone());
        table.play(Side::Black, 5);
        table.call(5);
        table.open().unwrap();
        table.choose("Correct");
        for contact in throws {
            table.press(*contact, Length::Short);
        }
        assert_eq!(table.page().title, "Correct the clock");
    }
}

#[test]
fn a_profile_that_hides_the_counters_hides_them_from_two_players_too() {
    let code = config(When::Always, Some("wbw"));
    let rules = "guidelines-iii-unsupervised";
    let mut table = Table::with("G/30", rules, Keys::ButtonsAndCall, code);
    table.play(Side::Black, 5);
    table.call(5);
    assert!(lines(&mut table).contains(&"Correct the clock".to_owned()));
    table.choose("Correct");
    let shown = table.page().lines;
    assert_eq!(shown[2..4], ["On move: White", "Nothing was changed"], "{shown:?}");
    table.choose_all(&["Back", "What awaits"]);
    assert_eq!(table.page().title, "Arbiter's code");
}

#[test]
fn two_players_without_an_arbiter_have_no_penalties_and_no_resume() {
    let expected = [
        "What awaits an answer",
        "Result",
        "Correct the clock",
        "Take back last press",
        "New game",
        "White's button",
        "Sound",
        "Brightness",
        "About this clock",
        "Leave the menu",
    ];
    assert_eq!(lines(&mut agreeing()), expected);
    assert!(lines(&mut standing()).contains(&"Resume".to_owned()));
}

#[test]
fn after_a_game_of_an_arbiter_the_next_one_is_free() {
    for code in [None, Some("wbw")] {
        let mut table = standing();
        table.menu = Menu::new(config(When::Always, code), table.keys);
        let (at, draw) = (table.at(), Command::Finish(Outcome::Drawn));
        table.game.handle_command(draw.into(), at).unwrap();
        table.wait(0);
        table.on_bus = true;
        let shown = lines(&mut table);
        assert_eq!(shown.contains(&"Result".to_owned()), code.is_some(), "{shown:?}");
        table.choose_all(&["White's button", "Exchanged", "Yes", "Back"]);
        table.choose_all(&["Again, same", "Accept"]);
        assert_eq!((table.phase(), table.accepted.len()), (Phase::Ready, 2));
    }
}
