//! [`PAGES`] has every page that presses can reach.

use super::every_page::opened;
use super::golden::CASES;
use super::pages::PAGES;
use super::table::{BLACK, CALL, Table, WHITE};
use clock_languages::Language::English;
use clockd_core::PressLength::Short;
use std::collections::BTreeSet;

/// What tells two places in the menu apart: the number of the page, the chosen line and the titles of
/// the keys, whatever the digits are.
fn place(table: &mut Table) -> String {
    let page = table.page();
    let chosen = page.chosen.map(|at| page.lines[at as usize].clone());
    let place = format!("{} {chosen:?} {:?}", page.title, page.hints);
    let is_digit = |c: char| c.is_ascii_digit();
    format!("{:02} {}", page.number, place.replace(is_digit, "0"))
}

/// Adds the numbers of the pages that presses reach from the first page of this table. The pages of a
/// new game and of the settings do not depend on the game, so they are visited once for all tables.
fn reach(mut first: Table, numbers: &mut BTreeSet<u32>, common: &mut BTreeSet<String>) {
    let mut own = BTreeSet::new();
    first.open().unwrap();
    let mut open = vec![first];
    while let Some(mut table) = open.pop() {
        // In another language the pages are the same.
        if !table.menu.is_open() || table.settings.language.unwrap_or_default() != English {
            continue;
        }
        let number = table.page().number;
        let places = if (2..=14).contains(&number) { &mut *common } else { &mut own };
        if !places.insert(place(&mut table)) {
            continue;
        }
        numbers.insert(number);
        for button in [WHITE, BLACK, CALL] {
            let mut pressed = table.clone();
            pressed.press(button, Short);
            open.push(pressed);
        }
        table.hold();
        open.push(table);
    }
}

/// The pages of a USB stick are those of the tests of the backup.
#[test]
fn every_page_that_presses_reach_is_one_of_the_pages() {
    let listed: BTreeSet<u32> = PAGES.iter().map(|case| opened(case).page().number).collect();
    let (mut reached, mut common) = (BTreeSet::new(), BTreeSet::new());
    for (name, table, _) in CASES.iter().filter(|(name, ..)| !name.starts_with("with ")) {
        reach(table(), &mut reached, &mut common);
        let missing: Vec<_> = reached.difference(&listed).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
    assert_eq!(reached, listed, "the test reaches each of them");
}
