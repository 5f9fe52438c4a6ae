//! The backup to a USB stick.

use super::table::{BLACK, CALL, Table, WHITE, config};
use super::tables::{lines, over, standing};
use crate::{BackupOutcome, Effect, Keys, Sentence, When};
use clock_engine::Span;
use clock_languages::Language;
use clock_languages::menu::Backup;
use clockd_core::PressLength;

const TITLE: &str = "Backup to USB stick";

pub fn with_stick() -> Table {
    let mut table = Table::new("3+2", "fide-2023");
    table.machine.can_back_up = true;
    table
}

fn backing_up() -> Table {
    let mut table = with_stick();
    table.open().unwrap();
    assert_eq!(table.choose_all(&["Backup", "Yes"]), Effect::BackUp);
    assert_eq!((table.backups, table.page().title.as_str()), (1, "Writing the backup"));
    table
}

fn backed_up(table: &mut Table, outcome: BackupOutcome) {
    table.with_situation(|menu, at, situation| menu.backed_up(outcome, at, situation));
}

fn not_done() -> BackupOutcome {
    BackupOutcome::NotDone { sentence: |words| words.failed, text: "Input/output error".to_owned() }
}

#[test]
fn the_page_is_there_where_a_backup_can_be_made_and_no_game_is_on_the_clock() {
    let has_page = |mut table: Table| {
        table.machine.can_back_up = true;
        lines(&mut table).contains(&TITLE.to_owned())
    };
    assert!(has_page(with_stick()) && has_page(over()));
    assert!(!has_page(standing()));
    assert!(!lines(&mut Table::new("3+2", "fide-2023")).contains(&TITLE.to_owned()));
}

/// The code is asked even where it is needed for nothing else: with a profile by which the players decide.
#[test]
fn the_code_is_asked_whatever_the_rules_are() {
    for rules in ["fide-2023", "players-agree"] {
        let code = config(When::Always, Some("wbwb"));
        let mut table = Table::with("3+2", rules, Keys::ButtonsAndCall, code);
        table.machine.can_back_up = true;
        table.open().unwrap();
        table.choose("Backup");
        assert_eq!(table.page().title, "Arbiter's code");
        table.enter_code("wbwb");
        assert_eq!(table.page().title, TITLE);
        assert_eq!(table.choose("Yes"), Effect::BackUp);
        backed_up(&mut table, not_done());
        table.choose_all(&["Back", "Backup"]);
        assert_eq!(table.page().title, "Arbiter's code", "the code is for one backup");
    }
}

#[test]
fn a_slow_stick_does_not_close_the_menu_and_presses_do_nothing_meanwhile() {
    let mut table = backing_up();
    for _ in 0..20 {
        table.wait(15);
        for button in [WHITE, BLACK, CALL] {
            assert_eq!(table.press(button, PressLength::Short), Effect::None);
        }
    }
    let name = "chess-clock-clock-12-12-2026-11-27-1830.tar";
    backed_up(&mut table, BackupOutcome::Done { file: name.to_owned(), kibibytes: 1234 });
    let page = table.page();
    let expected = [
        "chess-clock-clock-12-12-2026",
        "-11-27-1830.tar",
        "1234 KiB",
        "The stick can be pulled out.",
        "Back",
    ];
    assert_eq!(
        (page.title.as_str(), page.lines.as_slice()),
        ("Done", &expected.map(str::to_owned)[..])
    );
    // From then on it closes by itself again.
    let deadline = table.menu.deadline().unwrap();
    assert_eq!(deadline.since(table.at()), Span::from_secs(30));
    table.choose("Back");
    assert_eq!(table.page().title, "Menu");
}

#[test]
fn a_menu_that_was_left_does_not_hear_of_the_backup() {
    let mut table = backing_up();
    assert_eq!(table.press(CALL, PressLength::Long), Effect::Close);
    backed_up(&mut table, not_done());
    assert!(!table.menu.is_open());
    table.open().unwrap();
    backed_up(&mut table, not_done());
    assert_eq!(table.page().title, "Menu");
}

#[test]
fn each_problem_has_a_sentence_in_each_language() {
    let problems: [(Sentence<Backup>, &str); 6] = [
        (|words| words.no_stick, ""),
        (|words| words.several_sticks, ""),
        (|words| words.unusable, "Input/output error"),
        (|words| words.full, ""),
        (|words| words.read_only, ""),
        (|words| words.failed, "Input/output error"),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for language in Language::ALL {
        for (sentence, text) in problems {
            let mut table = backing_up();
            table.settings.language = Some(language);
            let text = text.to_owned();
            backed_up(&mut table, BackupOutcome::NotDone { sentence, text: text.clone() });
            // `page` checks that all of it fits.
            let page = table.page();
            let has_reason = super::golden::all_lines(&mut table).concat().contains("Input/output");
            // The reason is in English.
            let needs_reason = language == Language::English && !text.is_empty();
            assert_eq!(has_reason, needs_reason, "{page:?}");
            assert!(seen.insert(page.lines.concat()), "{page:?}");
        }
    }
}
