//! The systematic table: one gesture in each phase, under each shipped profile and with each wiring,
//! released at each limit.

use super::model::{Phase, Press, Told, Why, Wiring};
use super::*;

const T: u64 = 20 * SECOND;

/// For how long the button of a gesture is down, in nanoseconds. Two buttons of a gesture are released
/// at the same instant, and this is the time for which the later one is down.
const LASTS: [u64; 10] = [
    80_000_000,
    299_999_999,
    300_000_000,
    999_999_999,
    1_000_000_000,
    1_499_999_999,
    1_500_000_000,
    3_000_000_000,
    11_500_000_000,
    11_500_000_001,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Call,
    /// The buttons of both players. The value is the one that is pressed first, 100 ms earlier.
    Both(usize),
}

const CALL: By = By::Call;
const WHITE_FIRST: By = By::Both(0);
const BLACK_FIRST: By = By::Both(1);

/// Who rules, and what the board must have for a row to hold.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    Arbiter,
    Nobody,
    /// With two buttons alone.
    NobodyTwoAlone,
}

use Rule::{Arbiter, Nobody, NobodyTwoAlone};
use Start::{Flag, Over, Paused, Ready, Running};

/// What each release leads to. First the bar: `-` none, `=` shown. Then:
///
/// - `.` the game does not go on or stop, and no menu opens;
/// - `0` no press of the gesture is one of the game, and no menu opens;
/// - `C` the call button's press is one of the game and has called the arbiter;
/// - `3` the game goes on 3 s after the press;
/// - `P` the clock has stopped at the stamp of the press of the call button;
/// - `S` both players have stopped the clock, as it was before their presses;
/// - `R` a clock runs since the press that starts it, or runs on;
/// - `M` the menu is open; `X` it has not opened and the press is the menu's.
///
/// A flag is one that stops both clocks; after any other one, players without an arbiter have a
/// pause.
#[rustfmt::skip]
const TABLE: &[(Start, Rule, By, [&str; 10])] = &[
    //                             .08   .299  .3    .999  1.0   1.499 1.5   3.0   11.5  11.5+
    (Ready,   Arbiter, CALL,        ["-C", "-C", "=C", "=C", "=C", "=C", "=M", "=M", "=M", "=X"]),
    (Ready,   Nobody,  CALL,        ["-.", "-.", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Ready,   Arbiter, WHITE_FIRST, ["-R", "-R", "=R", "=R", "=R", "=R", "=M", "=M", "=M", "=X"]),
    (Ready,   Nobody,  WHITE_FIRST, ["-R", "-R", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Ready,   Arbiter, BLACK_FIRST, ["-R", "-R", "=R", "=R", "=R", "=R", "=M", "=M", "=M", "=X"]),
    (Ready,   Nobody,  BLACK_FIRST, ["-R", "-R", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Running, Arbiter, CALL,        ["-P", "-P", "-P", "-P", "-P", "-P", "-P", "-P", "-P", "-P"]),
    (Running, Nobody,  CALL,        ["-P", "-P", "-P", "-P", "-P", "-P", "-P", "-P", "-P", "-P"]),
    (Running, Arbiter, WHITE_FIRST, ["-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R"]),
    (Running, Arbiter, BLACK_FIRST, ["-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R"]),
    (Running, Nobody,  WHITE_FIRST, ["-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R"]),
    (Running, Nobody,  BLACK_FIRST, ["-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R", "-R"]),
    (Running, NobodyTwoAlone, WHITE_FIRST,
                                    ["-R", "-R", "-R", "-R", "-S", "-S", "-S", "-S", "-S", "-S"]),
    (Running, NobodyTwoAlone, BLACK_FIRST,
                                    ["-R", "-R", "-R", "-R", "-S", "-S", "-S", "-S", "-S", "-S"]),
    (Paused,  Arbiter, CALL,        ["-.", "-.", "=.", "=.", "=.", "=.", "=M", "=M", "=M", "=X"]),
    (Paused,  Nobody,  CALL,        ["-3", "-3", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Paused,  Arbiter, WHITE_FIRST, ["-.", "-.", "=.", "=.", "=.", "=.", "=M", "=M", "=M", "=X"]),
    (Paused,  Arbiter, BLACK_FIRST, ["-.", "-.", "=.", "=.", "=.", "=.", "=M", "=M", "=M", "=X"]),
    (Paused,  Nobody,  WHITE_FIRST, ["-R", "-R", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Paused,  Nobody,  BLACK_FIRST, ["-R", "-R", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Flag,    Arbiter, CALL,        ["-.", "-.", "=.", "=.", "=.", "=.", "=M", "=M", "=M", "=X"]),
    (Flag,    Nobody,  CALL,        ["-.", "-.", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Flag,    Arbiter, WHITE_FIRST, ["-.", "-.", "=.", "=.", "=.", "=.", "=M", "=M", "=M", "=X"]),
    (Flag,    Nobody,  WHITE_FIRST, ["-.", "-.", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Flag,    Arbiter, BLACK_FIRST, ["-.", "-.", "=.", "=.", "=.", "=.", "=M", "=M", "=M", "=X"]),
    (Flag,    Nobody,  BLACK_FIRST, ["-.", "-.", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Over,    Arbiter, CALL,        ["-.", "-.", "=.", "=.", "=.", "=.", "=M", "=M", "=M", "=X"]),
    (Over,    Nobody,  CALL,        ["-.", "-.", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Over,    Arbiter, WHITE_FIRST, ["-.", "-.", "=.", "=.", "=.", "=.", "=M", "=M", "=M", "=X"]),
    (Over,    Nobody,  WHITE_FIRST, ["-.", "-.", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
    (Over,    Arbiter, BLACK_FIRST, ["-.", "-.", "=.", "=.", "=.", "=.", "=M", "=M", "=M", "=X"]),
    (Over,    Nobody,  BLACK_FIRST, ["-.", "-.", "=0", "=0", "=0", "=0", "=M", "=M", "=M", "=X"]),
];

fn presses(by: By, lasts: u64) -> Vec<Press> {
    let press = |line, down| Press { line, down, up: T + lasts };
    match by {
        By::Call => vec![press(CALL_LINE, T)],
        By::Both(first) => vec![press(first, T - 100 * MS), press(1 - first, T)],
    }
}

/// Whether a row holds for this board.
fn applies(board: &Board, rule: Rule, by: By) -> bool {
    let is_pause = || board.loop_at_start().phase() == clock_engine::Phase::Paused;
    if board.start == Flag && board.nobody() && is_pause() {
        return false;
    }
    let two_alone = board.wiring == Wiring::TwoAlone;
    let can = match by {
        By::Call => !two_alone,
        By::Both(_) => board.wiring != Wiring::RockerAndCall,
    };
    let stops = two_alone && board.start == Running && by != CALL;
    can && match rule {
        Arbiter => !board.nobody(),
        Nobody => board.nobody() && !stops,
        NobodyTwoAlone => board.nobody() && stops,
    }
}

/// What became of the gesture, in the signs of [`TABLE`].
fn found(board: &Board, by: By, lasts: u64) -> String {
    let presses = presses(by, lasts);
    let played = Played::play(board.loop_at_start(), &presses, &[], true);
    let (inputs, phases) = played.game();
    let menu = played.menu();
    let bar = if menu.contains(&Told::BarBegan(T)) { '=' } else { '-' };
    let begin = match by {
        By::Call => T,
        By::Both(first) if board.start == Ready && first == 1 => T - 100 * MS,
        By::Both(_) => T,
    };
    let held = T + 1_500 * MS;
    let opened = Told::Opened(T + lasts, by != By::Call);
    let became = match (&phases[..], &inputs[..]) {
        _ if menu.contains(&opened) && menu.contains(&Told::Held(held)) => 'M',
        _ if menu.contains(&Told::Closed(Why::TimedOut, held + 10 * SECOND + 1)) => 'X',
        ([Told::Phase(at, Phase::Running)], _) if *at == begin => 'R',
        ([Told::Phase(at, Phase::Running)], _) if *at == begin + 3 * SECOND => '3',
        ([Told::Phase(at, Phase::Paused)], [_]) if *at == T => 'P',
        ([.., Told::Phase(at, Phase::Paused)], [_, _, Told::Stop(_)]) if *at == T + SECOND => 'S',
        ([], []) => '0',
        ([], [_])
            if played.test.core.update(Cause::Missed).view.called_by.is_some()
                && board.start == Ready =>
        {
            'C'
        }
        ([], _) if board.start == Running => 'R',
        ([], _) => '.',
        other => panic!("{other:?}, {menu:?}"),
    };
    format!("{bar}{became}")
}

#[test]
fn each_gesture_does_in_each_phase_what_the_table_says() {
    let mut rows = vec![0; TABLE.len()];
    for preset in rule_presets() {
        for wiring in WIRINGS {
            for (row, (start, rule, by, expected)) in TABLE.iter().enumerate() {
                let board = Board::of(preset, wiring, *start);
                if !applies(&board, *rule, *by) {
                    continue;
                }
                rows[row] += 1;
                let found = LASTS.map(|lasts| found(&board, *by, lasts));
                assert_eq!(found, *expected, "{}, {wiring:?}: {:?}", board.name, TABLE[row]);
            }
        }
    }
    assert!(rows.iter().all(|boards| *boards > 0), "{rows:?}");
}
