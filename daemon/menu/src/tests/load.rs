//! The load of a backup from a USB stick.

use super::golden::all_lines;
use super::table::{BLACK, CALL, Table, WHITE, config};
use super::tables::{lines, over, standing};
use crate::{Backup, Backups, Effect, Keys, LoadAnswer, LoadProblem, When};
use clock_engine::Span;
use clock_languages::Language;
use clockd_core::PressLength;

const TITLE: &str = "Load backup from stick";
const FILE: &str = "chess-clock-clock-12-12-2026-11-27-1830.tar";

pub fn with_backups() -> Table {
    let mut table = Table::new("3+2", "fide-2023");
    table.can_load_backup = true;
    table
}

fn backup(file: &str, made_at: Option<&str>, error: Option<&str>) -> Backup {
    Backup {
        file: file.to_owned(),
        host: "clock-12".to_owned(),
        board: "12".to_owned(),
        made_at: made_at.map(str::to_owned),
        games: Some(34),
        error: error.map(str::to_owned),
    }
}

pub fn backups() -> Backups {
    let older = "chess-clock-clock-12-12-2026-10-01-0900.tar";
    let listed = vec![
        backup(FILE, Some("2026-11-27 18:30"), None),
        backup(older, Some("2026-10-01 09:00"), None),
        backup("chess-clock-x.tar", None, Some("it is cut off")),
    ];
    Backups { listed, more: 7 }
}

pub fn answer(table: &mut Table, answer: LoadAnswer) {
    table.with_situation(|menu, at, situation| menu.load_answered(answer, at, situation));
}

fn listing() -> Table {
    let mut table = with_backups();
    table.open().unwrap();
    assert_eq!(table.choose_all(&["Load backup", "Show"]), Effect::ListBackups);
    assert_eq!(table.page().title, "Reading the stick");
    table
}

fn listed() -> Table {
    let mut table = listing();
    answer(&mut table, LoadAnswer::Listed(backups()));
    table
}

#[test]
fn the_page_is_there_where_a_backup_can_be_loaded_and_no_game_is_on_the_clock() {
    let has_page = |mut table: Table| {
        table.can_load_backup = true;
        lines(&mut table).contains(&TITLE.to_owned())
    };
    assert!(has_page(with_backups()) && has_page(over()));
    assert!(!has_page(standing()));
    assert!(!lines(&mut Table::new("3+2", "fide-2023")).contains(&TITLE.to_owned()));
}

#[test]
fn a_backup_is_chosen_by_its_date_and_confirmed() {
    let mut table = listed();
    let expected =
        ["2026-11-27 18:30 12", "2026-10-01 09:00 12", "x.tar", "More on the stick: 7", "Back"];
    assert_eq!(all_lines(&mut table), expected);
    table.choose("2026-11-27");
    let said = all_lines(&mut table);
    assert_eq!(said[..4], ["Board 12", "clock-12", "2026-11-27 18:30", "Games: 34"]);
    let effect = table.choose("Yes");
    assert_eq!(effect, Effect::LoadBackup { file: FILE.to_owned() });
    assert_eq!(table.page().title, "Loading the backup");
    assert!(table.page().lines.join(" ").contains("the clock starts anew"));
}

#[test]
fn a_damaged_backup_says_why_and_is_not_loaded() {
    let mut table = listed();
    table.choose("x.tar");
    let said = all_lines(&mut table);
    assert_eq!(table.page().title, "Nothing was loaded");
    assert!(said.contains(&"it is cut off".to_owned()), "{said:?}");
    assert!(!said.contains(&"Yes, do it".to_owned()), "{said:?}");
}

/// A backup can replace the code, so the code is asked even where it is needed for nothing else: with a
/// profile by which the players decide.
#[test]
fn the_code_is_asked_whatever_the_rules_are() {
    for rules in ["fide-2023", "players-agree"] {
        for on_bus in [false, true] {
            let code = config(When::Always, Some("wbwb"));
            let mut table = Table::with("3+2", rules, Keys::ButtonsAndCall, code);
            (table.can_load_backup, table.on_bus) = (true, on_bus);
            table.open().unwrap();
            table.choose("Load backup");
            assert_eq!(table.page().title, "Arbiter's code", "{rules}");
            table.enter_code("bbbb");
            assert_eq!(table.page().title, "Arbiter's code", "{rules}");
            table.enter_code("wbwb");
            assert_eq!(table.choose("Show"), Effect::ListBackups);
            // The code expires while a slow stick is read.
            table.wait(121);
            table.with_situation(|menu, at, _| menu.timeout(at));
            answer(&mut table, LoadAnswer::Listed(backups()));
            assert_eq!(table.page().title, "Arbiter's code", "{rules}");
            table.enter_code("wbwb");
            table.choose_all(&["2026-11-27", "Yes"]);
            answer(&mut table, LoadAnswer::NotLoaded { problem: LoadProblem::NoRoom, text: "" });
            table.choose_all(&["Back", "Load backup"]);
            assert_eq!(table.page().title, "Arbiter's code", "the code is for one backup");
        }
    }
}

#[test]
fn a_slow_stick_does_not_close_the_menu_and_presses_do_nothing_meanwhile() {
    let mut table = listing();
    let waits = |table: &mut Table| {
        for _ in 0..20 {
            table.wait(15);
            for button in [WHITE, BLACK, CALL] {
                assert_eq!(table.press(button, PressLength::Short), Effect::None);
            }
        }
    };
    waits(&mut table);
    answer(&mut table, LoadAnswer::Listed(backups()));
    let deadline = table.menu.deadline().unwrap();
    assert_eq!(deadline.since(table.at()), Span::from_secs(30));
    table.choose_all(&["2026-10-01", "Yes"]);
    waits(&mut table);
    answer(&mut table, LoadAnswer::Loaded);
    assert_eq!(table.page().title, "Done");
}

#[test]
fn a_menu_that_was_left_does_not_hear_of_the_stick() {
    let mut table = listing();
    assert_eq!(table.press(CALL, PressLength::Long), Effect::Close);
    answer(&mut table, LoadAnswer::Listed(backups()));
    assert!(!table.menu.is_open());
    table.open().unwrap();
    answer(&mut table, LoadAnswer::Listed(backups()));
    assert_eq!(table.page().title, "Menu");
}

#[test]
fn each_problem_has_a_sentence_in_each_language() {
    use LoadProblem::*;
    let problems = [
        NoStick,
        SeveralSticks,
        Unusable,
        NoBackup,
        Damaged,
        Newer,
        GameOnTheClock,
        NoRoom,
        Failed,
    ];
    let mut seen = std::collections::BTreeSet::new();
    for language in Language::ALL {
        for problem in problems {
            let mut table = listing();
            table.settings.language = Some(language);
            answer(&mut table, LoadAnswer::NotLoaded { problem, text: "Input/output error" });
            // `page` checks that all of it fits.
            let page = table.page();
            let has_reason = all_lines(&mut table).concat().contains("Input/output");
            assert_eq!(has_reason, matches!(problem, Unusable | Damaged | Failed), "{page:?}");
            assert!(seen.insert(page.lines.concat()), "{page:?}");
        }
    }
    let mut table = listing();
    answer(&mut table, LoadAnswer::Listed(Backups::default()));
    assert!(table.page().lines.join(" ").contains("has no backup"));
}

/// Everything on the stick can be chosen by a stranger.
#[test]
fn long_texts_of_a_stick_fit_on_the_pages() {
    let long = "W".repeat(256);
    let hostile = Backup {
        file: format!("chess-clock-{}.tar", &long[..180]),
        host: long.clone(),
        board: long.clone(),
        made_at: Some("2026-11-27 18:30".to_owned()),
        games: Some(u64::MAX),
        error: None,
    };
    let damaged = Backup { error: Some(long), ..hostile.clone() };
    let mut table = listing();
    let listed = vec![hostile, damaged];
    answer(&mut table, LoadAnswer::Listed(Backups { listed, more: u64::MAX }));
    // `page` checks each page.
    for line in ["2026-11-27", "WWW"] {
        table.choose(line);
        assert!(all_lines(&mut table).len() < 40);
        table.choose("Back");
    }
}
