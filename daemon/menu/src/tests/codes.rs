//! The arbiter's code: how it is entered, how long it is valid, and the waits after wrong ones.

use super::table::{BLACK, CALL, Table, WHITE, config};
use super::tables::coded;
use crate::{ArbiterCode, Effect, Keys, Menu, MenuConfig, When};
use clock_engine::Side;
use clockd_core::PressLength;

#[test]
fn wrong_codes_are_limited_also_after_the_menu_was_closed() {
    let mut table = coded();
    for wrong_codes in 1..=3 {
        table.open().unwrap();
        table.choose("Correct");
        table.enter_code("wbww");
        assert_eq!(table.wrong_codes, wrong_codes);
        table.press(CALL, PressLength::Long);
    }
    table.open().unwrap();
    table.choose("Correct");
    assert!(table.page().lines[0].starts_with("Wait "), "{:?}", table.page());
    // During the wait no code is read, not even the right one. So the call button goes back.
    table.enter_code("wbwb");
    assert_eq!(table.page().title, "Game: clocks stand");
    table.press(CALL, PressLength::Long);
    table.wait(30);
    table.open().unwrap();
    table.choose("Correct");
    table.enter_code("wbwb");
    assert_eq!((table.page().title.as_str(), table.wrong_codes), ("Correct the clock", 0));
    table.press(CALL, PressLength::Long);
    // The menu was closed, so the code is asked again. The wrong codes before the right one do not
    // count any more.
    table.open().unwrap();
    table.choose("Correct");
    assert_eq!(table.page().title, "Arbiter's code");
    table.enter_code("b");
    assert_eq!(table.wrong_codes, 1);
}

#[test]
fn a_restart_begins_the_wait_after_wrong_codes_anew() {
    for (wrong_codes, seconds) in [(0, None), (2, None), (3, Some(30)), (9, Some(600))] {
        let mut table = coded();
        table.menu =
            Menu::new(config(When::Always, Some("wbwb")), table.keys, wrong_codes, table.at());
        table.open().unwrap();
        let before = table.at();
        table.choose("Correct");
        let passed = table.at().since(before).as_nanos().div_ceil(1_000_000_000);
        let waits = seconds.map(|seconds: u64| format!("Wait {} s", seconds + 1 - passed));
        let line = table.page().lines[0].clone();
        assert_eq!(line, waits.unwrap_or_else(|| "Press the code".to_owned()), "{wrong_codes}");
        table.wait(600);
        table.open().unwrap();
        table.choose("Correct");
        table.enter_code("bb");
        assert_eq!(table.wrong_codes, wrong_codes + 1);
    }
}

#[test]
fn the_call_button_ends_the_code_and_without_one_its_last_letter() {
    let code = || config(When::Always, Some("wbwb"));
    let entered = |keys, letters: &str| {
        let mut table = Table::with("3+2", "fide-2023", keys, code());
        table.play(Side::Black, 5);
        table.call(5);
        table.open().unwrap();
        table.choose("Correct");
        for letter in letters.chars() {
            let button = if letter == 'w' { WHITE } else { BLACK };
            table.press(button, PressLength::Short);
        }
        table
    };
    for keys in [Keys::ButtonsAndCall, Keys::RockerAndCall] {
        let mut table = entered(keys, "wbwb");
        assert_eq!(table.page().title, "Arbiter's code");
        table.press(CALL, PressLength::Short);
        assert_eq!(table.page().title, "Correct the clock");
        // Without a letter, the call button goes back.
        let mut table = entered(keys, "");
        table.press(CALL, PressLength::Short);
        assert_eq!((table.page().title.as_str(), table.wrong_codes), ("Game: clocks stand", 0));
        // A code that is too long is wrong, however long it is.
        for letters in ["wbwbwb".to_owned(), "wb".repeat(100)] {
            let mut table = entered(keys, &letters);
            table.press(CALL, PressLength::Short);
            assert_eq!((table.page().lines[0].as_str(), table.wrong_codes), ("Wrong code", 1));
        }
    }
    assert_eq!(entered(Keys::Buttons, "wbwb").page().title, "Correct the clock");
    assert_eq!(entered(Keys::Buttons, "wbww").wrong_codes, 1);
    // A held button is no letter.
    let mut table = entered(Keys::Buttons, "wbw");
    table.press(BLACK, PressLength::Long);
    assert_eq!((table.page().title.as_str(), table.wrong_codes), ("Arbiter's code", 0));
}

#[test]
fn a_rocker_enters_the_code_from_either_side() {
    let code = ArbiterCode::parse("wbwb", true).unwrap();
    let config = MenuConfig { code: Some(code), ..config(When::Always, None) };
    for (throws, wrong_codes) in [("wbwb", 0), ("bwbwb", 0), ("wbwbwb", 1), ("bwbw", 1)] {
        let mut table = Table::with("3+2", "fide-2023", Keys::RockerAndCall, config.clone());
        table.play(Side::Black, 5);
        table.call(5);
        table.open().unwrap();
        table.choose("Correct");
        table.enter_code(throws);
        assert_eq!(table.wrong_codes, wrong_codes, "{throws}");
        assert_eq!(table.page().title == "Correct the clock", wrong_codes == 0, "{throws}");
    }
}

#[test]
fn a_code_holds_for_one_answer() {
    let mut table = coded();
    table.open().unwrap();
    table.choose("Take back");
    table.enter_code("wbwb");
    // It holds for another page, too.
    table.choose_all(&["Back", "Penalties", "White", "Warning", "Yes"]);
    table.open_and_choose(&["Result"]);
    assert_eq!((table.page().title.as_str(), table.accepted.len()), ("Arbiter's code", 1));
    table.enter_code("wbwb");
    table.choose_all(&["½-½", "Yes"]);
    // A refusal is an answer, too.
    let mut table = coded();
    table.open().unwrap();
    table.choose("Take back");
    table.enter_code("wbwb");
    table.choose("Yes");
    table.choose_all(&["Back", "Take back"]);
    table.enter_code("wbwb");
    table.choose("Yes");
    assert_eq!(table.page().title, "Refused");
    table.choose_all(&["Back", "Take back"]);
    assert_eq!(table.page().title, "Arbiter's code");
}

#[test]
fn a_command_with_the_code_says_how_many_codes_were_wrong_before() {
    let mut table = coded();
    for (wrong, reason) in [
        (2, "at the clock, with the arbiter's code, after 2 wrong codes"),
        (0, "at the clock, with the arbiter's code"),
        (1, "at the clock, with the arbiter's code, after 1 wrong code"),
    ] {
        table.open().unwrap();
        table.choose("Correct");
        for _ in 0..wrong {
            table.enter_code("bbbb");
        }
        table.enter_code("wbwb");
        table.choose("White's time");
        table.press(BLACK, PressLength::Short);
        while table.page().title == "White's time" {
            table.press(CALL, PressLength::Short);
        }
        table.choose_all(&["Show before", "Yes"]);
        assert_eq!(table.set.as_ref().unwrap().reason, reason);
        table.press(CALL, PressLength::Long);
    }
}

#[test]
fn a_code_holds_for_2_minutes_at_most() {
    let entered = || {
        let mut table = coded();
        table.open().unwrap();
        table.choose("Correct");
        table.enter_code("wbwb");
        let until = table.now + 120_000_000_000;
        table.choose("White's time");
        // Presses keep the menu open.
        while table.now < until - 10_000_000_000 {
            table.press(BLACK, PressLength::Short);
        }
        assert_eq!(table.page().title, "White's time");
        assert_eq!(table.menu.deadline().unwrap().as_nanos(), until);
        (table, until)
    };
    let (mut table, until) = entered();
    table.now = until;
    table.with_situation(|menu, at, _| menu.timeout(at));
    assert_eq!(table.page().title, "Arbiter's code");
    // The pages are kept below the code.
    table.enter_code("wbwb");
    assert_eq!(table.page().title, "White's time");
    // A press that comes before the call of `timeout` is not a letter of the code.
    let (mut table, until) = entered();
    table.now = until;
    table.press(WHITE, PressLength::Short);
    let page = table.page();
    assert_eq!((page.title.as_str(), page.segments.1.as_str()), ("Arbiter's code", ""));
    // A press that leaves the menu leaves it also at the instant at which the code becomes invalid.
    let (mut left, until) = entered();
    left.now = until;
    assert_eq!(left.press(CALL, PressLength::Long), Effect::Close);
    // Without the code, only the first page is left.
    table.press(CALL, PressLength::Short);
    assert_eq!(table.page().title, "Game: clocks stand");
    table.choose("Correct");
    assert_eq!(table.page().title, "Arbiter's code");
}
