//! Every page in every language: its lines fit, none is cut, and none is left in English.

use super::golden::{CASES, all_lines};
use super::table::{BLACK, Table};
use super::tables::standing;
use crate::words::Words;
use crate::{Effect, Setting};
use clock_dbus::MenuPage;
use clock_engine::{ControlError, Side};
use clock_languages::Language;
use clockd_core::PressLength;

/// Lines that are the same as in English, because the word is, or because they are a name or a
/// notation.
const SAME: &[&str] = &[
    "Menu",
    "OK",
    "Blitz",
    "Rapid",
    "Bronstein",
    "Increment",
    "clock-12",
    "Version 0.1.0",
    "− 1 min",
    "+ 1 min",
];

/// Opens the page to which these English lines lead, in this language, with the same presses.
fn walk(table: fn() -> Table, choices: &[&str], language: Language) -> Table {
    let (mut english, mut table) = (table(), table());
    table.settings.language = Some(language);
    english.open().unwrap();
    table.open().unwrap();
    let before = english.reported.len();
    choices.iter().for_each(|choice| _ = english.choose(choice));
    for (now, press) in &english.reported[before..] {
        table.now = *now;
        table.report(press);
    }
    assert_eq!(english.page().number, table.page().number, "{choices:?}");
    table
}

/// Whether the line has a word of more than two letters. Notations, times and marks have none.
fn has_word(line: &str) -> bool {
    line.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() > 2)
}

/// What a page says: its title, its lines and its hints.
fn texts(table: &mut Table) -> (MenuPage, Vec<String>) {
    let page = table.page();
    let hints = page.hints.iter().map(|hint| hint.action.to_owned());
    let mut texts: Vec<String> = [page.title.clone()].into_iter().chain(hints).collect();
    texts.extend(all_lines(table));
    (page, texts)
}

#[test]
fn every_page_fits_and_is_translated_in_every_language() {
    let english: Vec<Vec<String>> = CASES
        .iter()
        .flat_map(|(_, table, pages)| pages.iter().map(|choices| (*table, *choices)))
        .map(|(table, choices)| texts(&mut walk(table, choices, Language::English)).1)
        .collect();
    for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
        let pages = CASES
            .iter()
            .flat_map(|(_, table, pages)| pages.iter().map(|choices| (*table, *choices)));
        for ((table, choices), english) in pages.zip(&english) {
            // `Table` checks the lengths of the lines of each page.
            let mut table = walk(table, choices, language);
            let (page, texts) = texts(&mut table);
            for text in &texts {
                let at = format!("`{text}` on {choices:?} in {}", language.code());
                // Only the name of a control may be cut. The name of a family ends with ` …`
                // although it is not cut.
                let is_cut = text.ends_with('…') && !text.ends_with(" …");
                assert!(!is_cut || page.number == 5, "{at}");
                // The names of controls and of languages are the same in every language.
                let is_name = page.number == 5 || page.number == 14;
                let is_same = english.contains(text) && has_word(text);
                let is_player = text.ends_with("Vera Menchik") || text.ends_with("Bogoljubow");
                assert!(!is_same || is_name || is_player || SAME.contains(&text.as_str()), "{at}");
            }
        }
    }
}

#[test]
fn the_language_is_chosen_on_its_page_and_the_page_is_in_it_at_once() {
    let mut table = standing();
    table.open().unwrap();
    table.choose("Language");
    let names = all_lines(&mut table);
    let listed = Language::ALL.map(|language| format!("  {}", language.words().name));
    assert_eq!(names[1..7], listed[1..]);
    assert_eq!(names[0], "• English");
    let effect = table.choose("Deutsch");
    assert_eq!(effect, Effect::Set(Setting::Language(Language::German)));
    let page = table.page();
    assert_eq!(page.title, "Sprache / Language");
    assert_eq!(page.lines[1], "• Deutsch");
    table.choose("Zurück");
    assert_eq!(table.page().title, "Mehr");
}

#[test]
fn the_pages_have_the_configured_language_until_one_is_chosen() {
    let config = crate::MenuConfig { language: Language::Irish, ..Default::default() };
    let mut table = Table::with("3+2", "", crate::Keys::ButtonsAndCall, config);
    table.open().unwrap();
    assert_eq!(table.page().title, "Roghchlár");
    table.settings.language = Some(Language::English);
    assert_eq!(table.page().title, "Menu");
}

/// The sentences of the engine, of the log and of the operating system are in English, so no page of
/// another language shows one.
#[test]
fn no_page_of_another_language_has_an_english_sentence() {
    let english = "an english sentence";
    for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
        let menu = &language.words().menu;
        let mut table = standing();
        table.settings.language = Some(language);
        let undo = menu.standing.undo;
        for _ in 0..2 {
            table.open_and_choose(&[undo]);
            table.both_agree();
        }
        assert_eq!(table.page().title, menu.reports.refused);
        let refused = all_lines(&mut table).join(" ");
        assert!(
            refused.starts_with(Words(language).own.as_ref().unwrap().refusal.nothing_to_take_back)
        );
        assert!(!refused.contains("no press can be taken back"), "{refused}");
        table.press(BLACK, PressLength::Short);
        assert_eq!(table.game.view(table.at()).on_move, Side::White);

        let mut table = standing();
        table.settings.language = Some(language);
        table.faults = vec![english.to_owned(); 2];
        table.open().unwrap();
        table.choose(menu.settings.about);
        let about = all_lines(&mut table);
        assert!(about.contains(&menu.settings.faults.with([&2])), "{about:?}");
        assert!(!about.contains(&english.to_owned()), "{about:?}");
        let error = ControlError::TooManyMoves;
        let said = Words(language).control_error(&error).join(" ");
        assert!(!said.contains(&error.to_string()), "{said}");
    }
}
