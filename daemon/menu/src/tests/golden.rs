//! Every page as a text, with all its lines, as a player reads it, and with `>` before the line at
//! which the cursor begins. `UPDATE_GOLDEN=1` writes the
//! file anew.

use super::answers::{claimed, flagged};
use super::backup::with_stick;
use super::table::{BLACK, CALL, Table, WHITE, config};
use super::tables::{agreeing, coded, over, standing};
use crate::page::PAGE_TURN;
use crate::{Keys, When};
use clock_controls::NamedControl;
use clock_engine::Side;
use clockd_core::PressLength;
use std::fmt::Write;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests/pages.txt");

/// All lines of the page that is open: texts that turn above the choices, and then a list as the
/// cursor goes through it from its first choice.
pub fn all_lines(table: &mut Table) -> Vec<String> {
    let opened = table.page();
    let Some(mut before) = opened.chosen.filter(|_| ![33, 48].contains(&opened.number)) else {
        return opened.lines;
    };
    let mut lines = Vec::new();
    let now = table.now;
    table.now += PAGE_TURN.as_nanos();
    while table.page().lines != opened.lines {
        let page = table.page();
        lines.extend_from_slice(&page.lines[..page.chosen.unwrap() as usize]);
        table.now += PAGE_TURN.as_nanos();
    }
    table.now = now;
    let first = loop {
        on(table);
        let page = table.page();
        let chosen = page.chosen.unwrap();
        if chosen <= before && (!page.more_above || !lines.is_empty()) {
            break page;
        }
        before = chosen;
    };
    lines.splice(0..0, first.lines[..first.chosen.unwrap() as usize].iter().cloned());
    lines.push(table.chosen());
    loop {
        on(table);
        let page = table.page();
        let chosen = page.chosen.unwrap() as usize;
        if page.lines[chosen] == first.lines[first.chosen.unwrap() as usize] {
            return lines;
        }
        let before = page.lines[..chosen].iter().rposition(|line| lines.last() == Some(line));
        lines.extend_from_slice(&page.lines[before.unwrap() + 1..=chosen]);
    }
}

fn on(table: &mut Table) {
    let button = if table.keys == Keys::Buttons { WHITE } else { BLACK };
    table.press(button, PressLength::Short);
}

/// Writes the page that is open.
fn write(text: &mut String, how: &str, table: &mut Table) {
    let page = table.page();
    let (number, value) = &page.segments;
    writeln!(text, "== {how}\n{number} {} | {value}", page.title).unwrap();
    if !page.times.0.is_empty() {
        writeln!(text, "# {} | {}", page.times.0, page.times.1).unwrap();
    }
    let chosen = page.chosen.map(|at| page.lines[at as usize].clone());
    for line in all_lines(table).into_iter().filter(|line| !line.is_empty()) {
        // Only the name of a control may be cut. The name of a family ends with ` …` although it is
        // not cut.
        let is_cut = line.ends_with('…') && !line.ends_with(" …");
        assert!(!is_cut || page.number == 5, "{line} on {how}");
        let mark = if chosen.as_ref() == Some(&line) { ">" } else { " " };
        writeln!(text, "{mark} {line}").unwrap();
    }
    let hints =
        page.hints.iter().map(|hint| format!("{:?}: {}", hint.button.unwrap(), hint.action));
    writeln!(text, "  [{}]\n", hints.collect::<Vec<_>>().join(" | ")).unwrap();
}

pub type Case = (&'static str, fn() -> Table, &'static [&'static [&'static str]]);

pub const CASES: &[Case] = &[
    (
        "ours",
        ours,
        &[
            &[],
            &["More"],
            &["New game"],
            &["White's"],
            &["Brightness"],
            &["Language"],
            &["About"],
            &["Time control"],
            &["Time control", "All"],
            &["Time control", "All", "Blitz"],
            &["Time control", "All", "Several"],
            &["Time control", "All", "Different"],
            &["Time control", "All", "Overtime"],
            &["Time control", "All", "Blitz", "G/10"],
            &["Time control", "Our own"],
        ],
    ),
    ("ours, an own control", with_own, &[&["Time control"]]),
    ("ours, over", ours_over, &[&[], &["Result"], &["Result", "No"]]),
    ("ours, paused", agreeing, &[&[], &["More"]]),
    ("ours, a flag", flag, &[&[], &["More"], &["0-1"], &["Correct"]]),
    ("two buttons", two_buttons, &[&[], &["More"]]),
    ("two buttons, paused", two_buttons_paused, &[&[], &["More"]]),
    ("a rocker", rocker, &[&[]]),
    ("ready", ready, &[&[], &["New game"], &["Time control"], &["Time control", "40/90"]]),
    ("ready", ready, &[&["New game", "With an", "40/120"]]),
    ("with a stick", with_stick, &[&["More"], &["Backup"], &["Backup", "Yes"]]),
    ("over", over, &[&[], &["Again"], &["Sides"], &["Result"]]),
    (
        "standing",
        standing,
        &[
            &[],
            &["More"],
            &["What awaits"],
            &["What awaits", "Clocks"],
            &["What awaits", "Clocks", "The reason"],
            &["Result"],
            &["Result", "1-0"],
            &["Correct"],
            &["Correct", "White's time"],
            &["Correct", "White's moves"],
            &["Correct", "On move"],
            &["Correct", "On move", "Show"],
            &["Take back"],
            &["Penalties"],
            &["Penalties", "White"],
            &["Penalties", "White", "Time for"],
            &["Go on"],
            &["Go on", "Black's"],
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
    ("coded", coded, &[&[], &["Correct"]]),
    ("on the bus", on_bus, &[&[]]),
];

pub fn ours() -> Table {
    Table::new("3+2", "players-agree")
}

fn with_own() -> Table {
    let mut table = ours();
    table.own = vec![NamedControl::from_notation("7+4").unwrap()];
    table
}

pub fn flag() -> Table {
    let mut table = ours();
    table.play(Side::Black, 5);
    table.wait(400);
    table
}

pub fn ours_over() -> Table {
    let mut table = flag();
    table.open().unwrap();
    table.choose("0-1");
    table.both_agree();
    table
}

fn with_keys(keys: Keys) -> Table {
    Table::with("3+2", "players-agree", keys, config(When::Always, None))
}

fn two_buttons() -> Table {
    with_keys(Keys::Buttons)
}

fn two_buttons_paused() -> Table {
    let mut table = two_buttons();
    table.play(Side::Black, 5);
    table.call(5);
    table
}

fn rocker() -> Table {
    with_keys(Keys::RockerAndCall)
}

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
    // A correction in steps, to which White has agreed.
    let mut table = agreeing();
    table.open().unwrap();
    table.choose("Correct");
    for _ in 0..2 {
        table.press(BLACK, PressLength::Short);
    }
    write(&mut text, "ours, paused: White + 2 minutes", &mut table);
    (0..3).for_each(|_| _ = table.press(CALL, PressLength::Short));
    table.press(WHITE, PressLength::Short);
    write(&mut text, "ours, paused: Black - 10 s", &mut table);
    table.press(CALL, PressLength::Short);
    write(&mut text, "ours, paused: the exact form is offered", &mut table);
    table.hold();
    table.read_what_is_agreed();
    table.press(WHITE, PressLength::Short);
    write(&mut text, "ours, paused: corrected, White agrees", &mut table);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    let golden = std::fs::read_to_string(FILE).unwrap();
    for (index, (line, golden)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(line, golden, "line {} of pages.txt", index + 1);
    }
    assert_eq!(text.len(), golden.len());
}
