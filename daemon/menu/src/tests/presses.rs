//! How many presses the tasks of an evening take. The counts are those of a player who goes the
//! shortest way with two buttons and the call button.

use super::table::{BLACK, CALL, Table, WHITE, config};
use crate::{Keys, When};
use clock_engine::{Outcome, Phase, Side, Span};
use clockd_core::PressLength::{Long, Short};

/// Presses at 0.5 s each within 60 s: FIDE asks for a correction in less than 60 s.
const LIMIT: u32 = 120;

/// Both times and both counters are corrected, and the game goes on.
fn correction(keys: Keys) -> u32 {
    let mut table = Table::with("40/90, G/30", "fide-article-6", keys, config(When::Always, None));
    table.play(Side::Black, 5);
    for side in [Side::White, Side::Black].into_iter().cycle().take(22) {
        table.play(side, 61);
    }
    table.call(30);
    table.open().unwrap();
    table.presses = 0;
    table.choose_all(&["Correct", "White's time"]);
    table.enter("11930");
    table.choose("White's moves");
    table.enter("012");
    table.choose_all(&["Show", "Yes"]);
    table.both_agree();
    let presses = table.presses;
    let white = table.view().sides.white;
    assert_eq!((white.remaining, white.moves), (Span::from_secs(4770), 12));
    presses
}

#[test]
fn a_time_and_a_counter_are_corrected_in_well_under_60_s() {
    for keys in [Keys::ButtonsAndCall, Keys::Buttons, Keys::RockerAndCall] {
        let presses = correction(keys);
        assert!(presses < LIMIT / 2, "{keys:?}: {presses} presses");
    }
}

/// Does what `presses` says: `w`, `b` and `c` are short presses of White's, Black's and the call
/// button, and `C` is the call button held. Each reaches the game or the menu, as on the table.
/// Returns how many there are.
fn play(table: &mut Table, presses: &str) -> usize {
    for press in presses.chars().filter(|press| *press != ' ') {
        let (button, side) = match press {
            'w' => (WHITE, Some(Side::White)),
            'b' => (BLACK, Some(Side::Black)),
            _ => (CALL, None),
        };
        match (press, side) {
            ('C', _) if !table.menu.is_open() => table.open().unwrap(),
            ('C', _) => _ = table.press(button, Long),
            _ if table.menu.is_open() => _ = table.press(button, Short),
            (_, Some(side)) => table.play(side, 1),
            (_, None) => table.call(1),
        }
    }
    presses.replace(' ', "").len()
}

fn power_on() -> Table {
    Table::new("90+30", "fide-2023")
}

fn ready() -> Table {
    Table::new("3+2", "players-agree")
}

fn running() -> Table {
    let mut table = ready();
    table.play(Side::Black, 5);
    table
}

/// White's time is used up.
fn flag() -> Table {
    let mut table = running();
    table.wait(400);
    assert_eq!(table.phase(), Phase::Ruling);
    table
}

fn over() -> Table {
    let mut table = flag();
    play(&mut table, TASKS[1].3);
    table
}

/// A task, how many presses it takes, and how many it took when each text was a stop of the cursor
/// and each command had a report.
type Task = (&'static str, usize, usize, &'static str);

const TASKS: [Task; 7] = [
    ("3+2 after power-on, until White's clock runs", 6, 9, "C c c c c b"),
    ("the result after a flag", 9, 11, "C bc bbc c wb"),
    ("the same again, until White's clock runs", 4, 7, "C c c b"),
    ("stop and go on", 3, 3, "c w b"),
    ("White + 2 minutes", 20, 25, "c C bbc c ccbbcccc c c wb wb"),
    ("an own control, 45+15", 33, 37, "C c c wwwc c c cbbbbccccc wwc ccbcbbcc c c b"),
    ("sound off", 7, 7, "C bbc bc C"),
];

#[test]
fn the_tasks_of_an_evening_take_so_many_presses() {
    let mut tables = [power_on, flag, over, running, running, ready, ready].map(|begin| begin());
    for (table, (task, expected, before, presses)) in tables.iter_mut().zip(TASKS) {
        let count = play(table, presses);
        println!("{count:2} (before: {before:2}) {task}: {presses}");
        assert_eq!(count, expected, "{task}");
        assert!(!table.menu.is_open() && table.refused.is_empty(), "{task}: {:?}", table.refused);
    }
    let [power_on, flag, again, stopped, corrected, own, quiet] = &tables;
    for table in [power_on, again, stopped, corrected, own] {
        assert_eq!(table.view().running(), Some(Side::White), "{}", table.control.name);
    }
    let control = [power_on, again, own].map(|table| table.control.name.as_str());
    assert_eq!(control, ["3+2", "3+2", "45+15"]);
    assert_eq!(flag.view().outcome, Some(Outcome::BlackWins));
    assert_eq!(corrected.view().sides.white.remaining, Span::from_secs(181 + 120));
    assert!(!quiet.settings.sound);
}
