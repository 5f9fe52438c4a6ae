//! Every page as a text, with all its lines, as a player reads it, and with `>` before the line at
//! which the cursor begins. `UPDATE_GOLDEN=1` writes the
//! file anew.

use super::answers::{claimed, flagged};
use super::backup::with_stick;
use super::load::{answer, backups, with_backups};
use super::table::{BLACK, CALL, Table, WHITE};
use super::tables::{agreeing, coded, over, standing};
use crate::LoadAnswer;
use crate::page::PAGE_TURN;
use clockd_core::PressLength;
use std::fmt::Write;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/pages.txt");

/// All lines of the page that is open: texts that turn above the choices, and then a list as the
/// cursor goes through it from its first choice.
pub fn all_lines(table: &mut Table) -> Vec<String> {
    let opened = table.page();
    let Some(mut before) = opened.chosen.filter(|_| opened.number != 33) else {
        return opened.lines;
    };
    let mut lines = Vec::new();
    let now = table.now;
    table.now += PAGE_TURN.as_nanos();
    while table.page().lines != opened.lines {
        let page = table.page();
        lines.extend_from_slice(&page.lines[..page.chosen.unwrap()]);
        table.now += PAGE_TURN.as_nanos();
    }
    table.now = now;
    let first = loop {
        table.press(BLACK, PressLength::Short);
        let page = table.page();
        let chosen = page.chosen.unwrap();
        if chosen <= before && (!page.more_above || !lines.is_empty()) {
            break page;
        }
        before = chosen;
    };
    lines.splice(0..0, first.lines[..first.chosen.unwrap()].iter().cloned());
    lines.push(table.chosen());
    loop {
        table.press(BLACK, PressLength::Short);
        let page = table.page();
        let chosen = page.chosen.unwrap();
        if page.lines[chosen] == first.lines[first.chosen.unwrap()] {
            return lines;
        }
        let before = page.lines[..chosen].iter().rposition(|line| lines.last() == Some(line));
        lines.extend_from_slice(&page.lines[before.unwrap() + 1..=chosen]);
    }
}

/// Writes the page that is open.
fn write(text: &mut String, how: &str, table: &mut Table) {
    let page = table.page();
    let [number, value] = page.segments();
    writeln!(text, "== {how}\n{number} {} | {value}", page.title).unwrap();
    let chosen = page.chosen.map(|at| page.lines[at].clone());
    for line in all_lines(table) {
        // Only the name of a control may be cut. The name of a family ends with ` …` although it is
        // not cut.
        let is_cut = line.ends_with('…') && !line.ends_with(" …");
        assert!(!is_cut || page.number == 5, "{line} on {how}");
        let mark = if chosen.as_ref() == Some(&line) { ">" } else { " " };
        writeln!(text, "{mark} {line}").unwrap();
    }
    let hints = page.hints.iter().map(|hint| format!("{:?}: {}", hint.button, hint.action));
    writeln!(text, "  [{}]\n", hints.collect::<Vec<_>>().join(" | ")).unwrap();
}

pub type Case = (&'static str, fn() -> Table, &'static [&'static [&'static str]]);

pub const CASES: &[Case] = &[
    ("ready", ready, &[&[], &["White's"], &["Sound"], &["Brightness"], &["Language"], &["About"]]),
    (
        "ready",
        ready,
        &[
            &["New game"],
            &["New game", "We two"],
            &["New game", "We two", "All"],
            &["New game", "We two", "All", "Blitz"],
            &["New game", "We two", "All", "Several"],
            &["New game", "We two", "All", "Different"],
            &["New game", "We two", "All", "Overtime"],
            &["New game", "We two", "Our own"],
            &["New game", "We two", "Our own", "Own 1"],
            &["New game", "We two", "Our own", "Own 1", "Time"],
            &["New game", "We two", "Our own", "Own 1", "For each"],
            &["New game", "We two", "Our own", "Own 1", "Moves"],
            &["New game", "We two", "Our own", "Own 1", "Keep"],
            &["New game", "We two", "3+2"],
            &["New game", "We two", "40/90"],
            &["New game", "With an", "40/120"],
        ],
    ),
    ("with a stick", with_stick, &[&[], &["Backup"], &["Backup", "Yes"]]),
    ("with backups", with_backups, &[&[], &["Load backup"], &["Load backup", "Show"]]),
    ("over", over, &[&[], &["Again, same"], &["Again, sides"], &["Result"], &["Result", "No"]]),
    (
        "standing",
        standing,
        &[
            &[],
            &["What awaits"],
            &["What awaits", "Clocks"],
            &["What awaits", "Clocks", "The reason"],
            &["What awaits", "Clocks", "Invalid"],
            &["Result"],
            &["Result", "1-0"],
            &["Result", "1-0", "Yes"],
            &["Correct"],
            &["Correct", "White's time"],
            &["Correct", "White's moves"],
            &["Correct", "On move"],
            &["Correct", "On move", "Show"],
            &["Correct", "On move", "Show", "Yes"],
            &["Take back"],
            &["Take back", "Yes"],
            &["Penalties"],
            &["Penalties", "White"],
            &["Penalties", "White", "Warning"],
            &["Penalties", "White", "Time for"],
            &["Penalties", "White", "Time for", "0:02"],
            &["Penalties", "White", "Time for", "Take"],
            &["Resume"],
            &["Resume", "White's"],
            &["Resume", "Black's"],
            &["New game", "We two", "3+2"],
            &["New game", "We two", "3+2", "Accept"],
        ],
    ),
    ("flagged", flagged, &[&[], &["What awaits"], &["What awaits", "White"]]),
    (
        "claimed",
        claimed,
        &[
            &["What awaits"],
            &["What awaits", "White: draw"],
            &["What awaits", "White: draw", "Postpone"],
        ],
    ),
    ("agreeing", agreeing, &[&[], &["What awaits"], &["What awaits", "Clocks"]]),
    ("coded", coded, &[&[], &["Correct"]]),
    ("on the bus", on_bus, &[&[], &["About"]]),
];

fn ready() -> Table {
    Table::new("3+2", "fide-2023")
}

fn on_bus() -> Table {
    let mut table = standing();
    table.on_bus = true;
    table
}

#[test]
fn every_page_reads_as_its_golden_text() {
    let mut text = String::new();
    for (name, table, pages) in CASES {
        for choices in *pages {
            let mut table = table();
            table.open().unwrap();
            choices.iter().for_each(|choice| {
                table.choose(choice);
            });
            write(&mut text, &format!("{name}: {}", choices.join(" > ")), &mut table);
        }
    }
    // The page of the code: with one letter, after a wrong code, and during a wait.
    let mut table = coded();
    table.open().unwrap();
    table.choose("Correct");
    table.press(WHITE, PressLength::Short);
    write(&mut text, "coded: one letter", &mut table);
    table.press(CALL, PressLength::Short);
    write(&mut text, "coded: wrong", &mut table);
    table.enter_code("b");
    table.enter_code("b");
    write(&mut text, "coded: a wait", &mut table);
    // The backups of a stick.
    for choices in [&[][..], &["2026-11-27"], &["2026-11-27", "Yes"], &["x.tar"]] {
        let mut table = with_backups();
        table.open().unwrap();
        table.choose_all(&["Load backup", "Show"]);
        answer(&mut table, LoadAnswer::Listed(backups()));
        choices.iter().for_each(|choice| {
            table.choose(choice);
        });
        write(&mut text, &format!("backups listed: {}", choices.join(" > ")), &mut table);
    }
    // A correction to which White has agreed.
    let mut table = agreeing();
    table.open().unwrap();
    table.choose_all(&["Correct", "White's time"]);
    table.enter("00500");
    table.choose("Black's moves");
    table.enter("012");
    write(&mut text, "agreeing: corrected", &mut table);
    table.choose("Show");
    write(&mut text, "agreeing: corrected > Show", &mut table);
    table.choose("Yes");
    table.read_what_is_agreed();
    table.press(WHITE, PressLength::Short);
    write(&mut text, "agreeing: corrected > Show > Yes, White agrees", &mut table);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    let golden = std::fs::read_to_string(FILE).unwrap();
    for (index, (line, golden)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(line, golden, "line {} of pages.txt", index + 1);
    }
    assert_eq!(text.len(), golden.len());
}
