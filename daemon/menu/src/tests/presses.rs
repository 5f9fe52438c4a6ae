//! How many presses the tasks of an evening take, in virtual time. The counts are those of a player
//! who goes the shortest way.

use super::table::{BLACK, CALL, Table, WHITE, config};
use super::tasks::{Begin, Board, Counts, Goal, TASKS};
use crate::{Keys, When};
use clock_engine::{Outcome, Phase, Side, Span};
use clockd_core::PressLength::Short;

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

#[test]
fn a_time_whose_digits_are_as_before_keeps_its_fraction() {
    let mut table = Table::new("5+3", "players-agree");
    table.play(Side::Black, 5);
    table.now += 300_000_000;
    table.call(3);
    let before = table.view().sides.white.remaining;
    assert_ne!(before.as_nanos() % 1_000_000_000, 0);
    table.open().unwrap();
    table.choose_all(&["Correct", "White's time"]);
    table.enter("00430");
    table.choose("White's time");
    table.enter("00500");
    assert!(!table.chosen().starts_with("Show"), "nothing is changed: {:?}", table.page());
}

/// Does what these keys say; see [`Task::keys`](super::tasks::Task::keys). Each reaches the game or the
/// menu, as on the table.
fn play(table: &mut Table, keys: &str) {
    for key in keys.chars().filter(|key| *key != ' ') {
        let (button, side) = match key {
            'w' => (WHITE, Some(Side::White)),
            'b' => (BLACK, Some(Side::Black)),
            _ => (CALL, None),
        };
        match (key, side) {
            ('C' | 'B', _) if !table.menu.is_open() => table.open().unwrap(),
            ('C' | 'B', _) => _ = table.hold(),
            ('S', _) => table.call(1),
            _ if table.menu.is_open() => _ = table.press(button, Short),
            (_, Some(wired)) => table.play(wired_as(table, wired), 1),
            // The second call in a game without an arbiter goes on: see the clock loop.
            (_, None) if table.phase() == Phase::Paused => {
                let side = table.view().on_move;
                table.play(side, 1);
                table.play(side.other(), 1);
            }
            (_, None) => table.call(1),
        }
    }
}

/// The side that uses the button which is wired as this side's.
fn wired_as(table: &Table, wired: Side) -> Side {
    if table.game.buttons_exchanged() { wired.other() } else { wired }
}

/// The table at which a task begins.
fn table_at(begin: Begin, keys: Keys) -> Table {
    let control = if begin == Begin::PowerOn { "5+3" } else { "3+2" };
    let mut table = Table::with(control, "players-agree", keys, config(When::Always, None));
    if matches!(begin, Begin::Running | Begin::Flag | Begin::Over) {
        table.play(Side::Black, 5);
    }
    if matches!(begin, Begin::Flag | Begin::Over) {
        table.wait(400);
        assert_eq!(table.phase(), Phase::Ruling);
    }
    if begin == Begin::Over {
        table.open().unwrap();
        table.choose("0-1");
        table.both_agree();
        assert_eq!(table.phase(), Phase::Over);
    }
    table
}

/// Asserts that a task is done.
fn assert_done(table: &Table, goal: Goal, name: &str) {
    let view = table.view();
    assert!(!table.menu.is_open() && table.refused.is_empty(), "{name}: {:?}", table.refused);
    let is_running = view.running() == Some(Side::White);
    let is_new = is_running && Side::BOTH.iter().all(|side| view.sides[*side].moves == 0);
    let game = (table.control.name.as_str(), table.game.buttons_exchanged());
    let is_done = match goal {
        Goal::Runs(control) => is_new && game == (control, false),
        Goal::Again(exchanged) => is_new && game == ("3+2", exchanged),
        Goal::GoesOn => is_running,
        Goal::TwoMinutesMore => {
            // One second passed before the stop, and one of the last two presses lets the clock run.
            let most = Span::from_secs(182 - 1 + 120);
            let time = view.sides.white.remaining;
            is_running && (most.minus(Span::from_secs(1))..=most).contains(&time)
        }
        Goal::BlackWins => view.outcome == Some(Outcome::BlackWins),
        Goal::NoSound => !table.settings.sound,
    };
    assert!(is_done, "{name}: {view:?} {}", table.control.name);
}

#[test]
fn the_tasks_of_an_evening_take_so_many_presses() {
    for board in Board::ALL {
        let wired = match board {
            Board::ButtonsAndCall => Keys::ButtonsAndCall,
            Board::Buttons => Keys::Buttons,
            Board::RockerAndCall => Keys::RockerAndCall,
        };
        for task in &TASKS {
            let (most, keys) = task.keys[board as usize];
            println!("{}", task.line(board));
            let name = format!("{board:?}: {}", task.name);
            let mut table = table_at(task.begin, wired);
            play(&mut table, keys);
            assert_done(&table, task.goal, &name);
            assert!(task.counts(board).presses <= most, "{name}");
        }
    }
}

/// Two throws of a rocker in a row always go to different sides. The rocker is at White's side before
/// the game, and at Black's side while White's clock runs.
#[test]
fn the_throws_of_a_rocker_alternate() {
    for task in &TASKS {
        let (_, keys) = task.keys[Board::RockerAndCall as usize];
        let is_before = matches!(task.begin, Begin::PowerOn | Begin::Ready);
        let mut at = if is_before { 'w' } else { 'b' };
        for throw in keys.chars().filter(|key| "wb".contains(*key)) {
            assert_ne!(throw, at, "{}: {keys}", task.name);
            at = throw;
        }
    }
}

#[test]
fn the_document_has_the_counts() {
    let document = include_str!("../../../../docs/at-the-clock.md");
    for task in &TASKS {
        let cells = Board::ALL.map(|board| {
            let Counts { presses, held_ms, .. } = task.counts(board);
            match held_ms {
                0 => format!("{presses}"),
                _ => format!("{presses} ({})", f64::from(held_ms) / 1000.0),
            }
        });
        let row = format!("| {} | {} |", task.name, cells.join(" | "));
        assert!(document.contains(&row), "{row}");
    }
}
