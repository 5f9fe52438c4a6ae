//! Tables on which the tests begin.

use super::table::{BLACK, Table, config};
use crate::{Keys, When};
use clock_engine::Side;
use clockd_core::PressLength;

/// A table whose first page is that of a game that stands.
pub fn standing() -> Table {
    let mut table = Table::new("40/90, G/30", "fide-article-6");
    table.play(Side::Black, 5);
    table.play(Side::White, 60);
    table.call(60);
    table
}

pub fn over() -> Table {
    let mut table = standing();
    table.open().unwrap();
    table.choose_all(&["Result", "1-0"]);
    table.both_agree();
    table
}

pub fn agreeing() -> Table {
    let mut table = Table::new("3+2", "players-agree");
    table.play(Side::Black, 5);
    table.call(5);
    table
}

pub fn coded() -> Table {
    let code = config(When::Always, Some("wbwb"));
    let mut table = Table::with("3+2", "fide-2023", Keys::ButtonsAndCall, code);
    table.play(Side::Black, 5);
    table.call(5);
    table
}

/// The tiles of the first page, and the lines of the rest of the menu. The menu is then opened again.
pub fn lines(table: &mut Table) -> Vec<String> {
    table.open().unwrap();
    let mut lines = Vec::new();
    let page = table.page();
    if page.is_tiles() {
        lines.extend(page.hints.into_iter().map(|hint| hint.action));
        lines.pop();
        table.hold();
    }
    let first = table.chosen();
    lines.push(first.clone());
    loop {
        table.press(BLACK, PressLength::Short);
        let line = table.chosen();
        if line == first {
            table.open().unwrap();
            return lines;
        }
        lines.push(line);
    }
}
