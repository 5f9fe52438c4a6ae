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
    table.choose_all(&["Show"]);
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
            // The second call in a game without an arbiter goes on: see the clock loop.
            (_, None) if table.phase() == Phase::Paused => {
                let side = table.view().on_move;
                table.play(side, 1);
                table.play(side.other(), 1);
            }
            (_, None) => table.call(1),
        }
    }
    presses.replace(' ', "").len()
}

/// The game that the clock starts with.
fn power_on() -> Table {
    Table::new("5+3", "players-agree")
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
    play(&mut table, "C b wb");
    assert_eq!(table.phase(), Phase::Over);
    table
}

struct Task {
    name: &'static str,
    begin: fn() -> Table,
    presses: &'static str,
    /// The most presses that are allowed.
    most: usize,
    /// The presses before the first page had tiles.
    before: usize,
    /// Those of a DGT 3000 as its manual describes it; `None` if it has no such task.
    dgt: Option<usize>,
    is_done: fn(&Table) -> bool,
}

fn runs(table: &Table, control: &str) -> bool {
    let is_full = |side: Side| table.view().sides[side].moves == 0;
    table.view().running() == Some(Side::White)
        && table.control.name == control
        && Side::BOTH.into_iter().all(is_full)
}

const TASKS: [Task; 8] = [
    Task {
        name: "3+2 after power-on, until White's clock runs",
        begin: power_on,
        presses: "C c w c b",
        most: 6,
        before: 6,
        dgt: Some(12),
        is_done: |table| runs(table, "3+2"),
    },
    Task {
        name: "the same again, until White's clock runs",
        begin: over,
        presses: "C b",
        most: 2,
        before: 4,
        dgt: Some(3),
        is_done: |table| runs(table, "3+2") && !table.game.buttons_exchanged(),
    },
    Task {
        name: "a rematch with the sides exchanged",
        begin: over,
        presses: "C w",
        most: 3,
        before: 5,
        dgt: Some(5),
        is_done: |table| runs(table, "3+2") && table.game.buttons_exchanged(),
    },
    Task {
        name: "stop and go on",
        begin: running,
        presses: "c c",
        most: 2,
        before: 3,
        dgt: Some(2),
        is_done: |table| table.view().running() == Some(Side::White),
    },
    Task {
        name: "White + 2 minutes",
        begin: running,
        presses: "c C c b b C w b c",
        most: 9,
        before: 20,
        dgt: Some(16),
        is_done: |table| {
            let expected = Span::from_secs(182 - 1 + 120 - 1);
            let time = table.view().sides.white.remaining;
            table.view().running() == Some(Side::White)
                && (expected..=expected.plus(Span::from_secs(1))).contains(&time)
        },
    },
    Task {
        name: "the result after a flag",
        begin: flag,
        presses: "C b w b",
        most: 6,
        before: 9,
        dgt: None,
        is_done: |table| table.view().outcome == Some(Outcome::BlackWins),
    },
    Task {
        name: "an own control, 45+15",
        begin: ready,
        presses: "C c ww c c bbbb c c b c bb c c c c b",
        most: 24,
        before: 33,
        dgt: Some(30),
        is_done: |table| runs(table, "45+15"),
    },
    Task {
        name: "sound off",
        begin: ready,
        presses: "C C c C",
        most: 4,
        before: 7,
        dgt: Some(1),
        is_done: |table| !table.settings.sound,
    },
];

#[test]
fn the_tasks_of_an_evening_take_so_many_presses() {
    for Task { name, begin, presses, most, before, dgt, is_done } in TASKS {
        let mut table = begin();
        let count = play(&mut table, presses);
        let dgt = dgt.map_or("-".to_owned(), |dgt| dgt.to_string());
        println!("{count:2} (at most {most:2}, before {before:2}, DGT 3000 {dgt:>2}) {name}");
        assert!(count <= most, "{name}: {count}");
        assert!(!table.menu.is_open() && table.refused.is_empty(), "{name}: {:?}", table.refused);
        assert!(is_done(&table), "{name}: {:?} {:?}", table.view(), table.control.name);
    }
}
