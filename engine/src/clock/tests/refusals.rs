//! Every refusal: its code, its clause, and that nothing changes.

use super::*;

const RUNNING: &str = "0 | start | 5m | 5m | white |\n";
const PAUSED: &str = "0 | start | 5m | 5m | white |\n 0 | pause | 5m | 5m | paused |\n";
const RULING: &str =
    "0 | start | 5m | 5m | white |\n 5m | look | 0 f5m | 5m | ruling first white | flag white 1\n";
const OVER: &str = "0 | finish 1-0 | 5m | 5m | over 1-0 |\n";

fn refused(before: &str, event: &str, end: &str) {
    let (white, phase) = match before {
        RUNNING => ("4m59s", "white"),
        PAUSED => ("5m", "paused"),
        RULING => ("0 f5m", "ruling first white"),
        OVER => ("5m", "over 1-0"),
        _ => ("5m", "ready"),
    };
    let at = if before == RULING { "5m1s" } else { "1s" };
    let row = format!("{before} {at} | {event} | {white} | 5m | {phase} | refused {end}");
    play(single("5m", Method::None, AfterFlag::Halt), &row);
}

#[test]
fn s0_6_14_corrections_are_refused_while_a_clock_runs() {
    for event in ["time white 1m", "moves black 3", "period white 1", "on-move black"] {
        refused(RUNNING, event, "not-paused S4 6.13");
        refused(OVER, event, "game-over S0 5.1");
    }
    refused(RUNNING, "add white 1m", "not-paused S4 6.13");
    refused(RUNNING, "cut white 1m", "not-paused S4 6.13");
    refused(OVER, "add white 1m", "game-over S0 5.1");
}

#[test]
fn s0_6_5_the_game_starts_once() {
    for before in [RUNNING, PAUSED, RULING] {
        refused(before, "start", "not-ready S4 6.5");
    }
    refused(OVER, "start", "game-over S0 5.1");
}

#[test]
fn s0_6_13_only_a_running_clock_can_be_stopped() {
    for before in ["", PAUSED, RULING] {
        refused(before, "pause", "not-running S4 6.13");
        refused(before, "pause by white", "not-running S4 6.13");
    }
    refused(OVER, "pause", "game-over S0 5.1");
}

#[test]
fn s0_6_13_only_a_paused_game_can_be_resumed() {
    for event in ["resume", "resume white", "resume black"] {
        for before in ["", RUNNING, RULING] {
            refused(before, event, "not-paused S4 6.13");
        }
        refused(OVER, event, "game-over S0 5.1");
    }
}

#[test]
fn s0_5_1_a_result_stands() {
    refused(OVER, "finish 0-1", "game-over S0 5.1");
    refused(OVER, "finish 1-0", "game-over S0 5.1");
}

#[test]
fn s0_5_1_only_a_game_with_a_result_is_reopened() {
    for before in ["", RUNNING, PAUSED, RULING] {
        refused(before, "reopen", "not-over S0 5.1");
    }
}

#[test]
fn s0_5_2_a_reopened_game_stands_as_it_stood() {
    play(
        single("1m", delay("5s"), AfterFlag::Halt),
        "0   | finish 0-0  | 1m d5s    | 1m d5s | over 0-0 |
         0   | reopen      | 1m d5s    | 1m d5s | ready |
         0   | start       | 1m d5s    | 1m d5s | white |
         3s  | press white | 1m d5s m1 | 1m d5s | black | press white
         5s  | finish 1-0  | 1m d5s    | 1m d3s | over 1-0 |
         9h  | reopen      | 1m d5s    | 1m d3s | paused |
         9h  | undo        | 1m d2s m0 | 1m d5s | paused |
         9h  | finish 1-0  | 1m d2s    | 1m d5s | over 1-0 |
         9h  | reopen      | 1m d2s    | 1m d5s | paused |
         9h  | resume      | 1m d2s    | 1m d5s | white |
         10h | look        | 0 f32462s | 1m d5s | ruling first white | flag white 1 at 32462s
         10h | finish 0-1  | 0 f32462s | 1m d5s | over first white 0-1 |
         10h | reopen      | 0 f32462s | 1m d5s | ruling first white |",
    );
}

#[test]
fn new_over_a_game_under_way_is_refused_unless_it_is_forced() {
    for before in [RUNNING, PAUSED, RULING] {
        refused(before, "new", "game-under-way -");
        let forced = format!("{before} 5m | new force | 5m p1 m0 | 5m p1 m0 | ready |");
        let flagged = forced.replace("| ready |", "| ready | flag white 1");
        let rows = if before == RUNNING { flagged } else { forced };
        play(single("5m", Method::None, AfterFlag::Halt), &rows);
    }
    for before in ["", OVER, "0 | time white 1s | 1s | 5m | ready |\n"] {
        let rows = format!("{before} 0 | new | 5m p1 m0 | 5m p1 m0 | ready |");
        play(single("5m", Method::None, AfterFlag::Halt), &rows);
    }
}

#[test]
fn before_the_start_white_is_on_move() {
    refused("", "on-move black", "white-begins S4 6.5");
    refused("", "on-move white", "white-begins S4 6.5");
}

#[test]
fn a_period_the_control_does_not_have_is_refused() {
    for number in ["0", "2", "4294967295"] {
        for before in ["", PAUSED, RULING] {
            refused(before, &format!("period black {number}"), "no-such-period -");
        }
    }
}

#[test]
fn more_time_than_a_clock_takes_is_refused() {
    for before in ["", PAUSED, RULING] {
        refused(before, "time black 1000h1ns", "too-much-time -");
        refused(before, "add black 1000h1ns", "too-much-time -");
    }
    play(
        single("5m", Method::None, AfterFlag::Halt),
        "0 | time black 999h | 5m | 999h  | ready |
         0 | add black 1h    | 5m | 1000h | ready |
         0 | add black 1ns   | 5m | 1000h | ready | refused too-much-time -",
    );
}

#[test]
fn a_correction_with_one_fault_changes_nothing() {
    let good = Correction {
        time: PerSide::both(Some(span("1m"))),
        moves: PerSide::both(Some(7)),
        period: PerSide::both(Some(1)),
        on_move: Some(Side::Black),
        ..Correction::default()
    };
    let mut faults = [good; 4];
    faults[0].time.black = Some(span("1000h1ns"));
    faults[1].period.black = Some(2);
    faults[2].period.white = Some(0);
    faults[3].overtime_periods.black = Some(1);
    for fault in faults {
        let mut clock = play(single("5m", delay("5s"), AfterFlag::Halt), DELAYED);
        let before = format!("{clock:?}");
        clock.handle_command(Command::Set(fault), instant("3s")).unwrap_err();
        assert_eq!(format!("{clock:?}"), before);
    }
    let mut clock = play(single("5m", delay("5s"), AfterFlag::Halt), DELAYED);
    clock.handle_command(Command::Set(good), instant("3s")).unwrap();
    assert_eq!(clock.view(instant("3s")).on_move, Side::Black);
}

const DELAYED: &str = "0  | start | 5m d5s | 5m d5s | white |
                       3s | pause | 5m d2s | 5m d5s | paused |";

#[test]
fn an_earlier_stamp_is_refused_whatever_it_is_on() {
    let mut clock = play(
        single("5m", Method::None, AfterFlag::Halt),
        "0  | start | 5m    | 5m | white |
         3s | look  | 4m57s | 5m | white |",
    );
    let before = format!("{clock:?}");
    let at = instant("3s-1ns");
    let earlier = Refused::Earlier { given: at, last: instant("3s") };
    assert_eq!(clock.handle_press(Side::White, at), Err(earlier));
    assert_eq!(clock.handle_call(at), Err(earlier));
    assert_eq!(clock.handle_timeout(at), Err(earlier));
    assert_eq!(clock.handle_command(Command::Start, at), Err(earlier));
    assert_eq!(clock.handle_command(Command::Finish(Outcome::Drawn), at), Err(earlier));
    assert_eq!(format!("{clock:?}"), before);
    assert_eq!((earlier.code(), earlier.clause()), ("bad-input", None));
    assert_eq!(clock.handle_press(Side::White, instant("3s")), Ok(()));
}

#[test]
fn a_refusal_says_what_is_wrong_in_words_an_arbiter_knows() {
    let cases = [
        (Refused::NotReady(Phase::Over), "only before the start of the game; the clock is over"),
        (Refused::NotRunning(Phase::Ready), "only after the start of the game; the clock is ready"),
        (
            Refused::NotRunning(Phase::Ruling),
            "only while a clock runs; the clock is awaiting a ruling",
        ),
        (Refused::NotPaused(Phase::Running), "only while the clocks stand; the clock is running"),
        (Refused::NotPaused(Phase::Ready), "only while the game is paused; the clock is ready"),
        (
            Refused::NotPaused(Phase::Ruling),
            "only while the game is paused; the clock is awaiting a ruling",
        ),
        (Refused::GameOver, "the game is over and its result stands"),
        (Refused::NotOver(Phase::Paused), "only a game with a result"),
        (Refused::NothingToUndo, "no press can be taken back"),
        (Refused::NoUndo, "an hourglass or a gong"),
        (Refused::TooMuchTime, "1000:00:00"),
        (
            Refused::NoSuchPeriod { given: 3, periods: 2 },
            "no period 3: the time control has 1 to 2",
        ),
        (
            Refused::CutTooLarge { cut: span("90m"), left: span("1s5ns") },
            "cut of 1:30:00 is not smaller than the main time left, 0:00:01.1",
        ),
        (Refused::WhiteBegins, "White is on move first"),
        (
            Refused::LimitReached { given: span("31s"), limit: span("30s") },
            "a time used of 0:00:31 is not below the limit, 0:00:30",
        ),
        (Refused::NoOvertime { period: 1 }, "period 1 has no overtime"),
        (
            Refused::NoSuchOvertime { given: 4, most: 3, unit: OvertimeUnit::Periods },
            "4 periods of overtime cannot be left: the overtime has 1 to 3",
        ),
        (
            Refused::NoSuchOvertime { given: 0, most: 2, unit: OvertimeUnit::Moves },
            "0 moves of overtime cannot be left: a period of the overtime has 1 to 2",
        ),
        (Refused::OutOfTime, "give it time first, which annuls the flag"),
        (
            Refused::GameUnderWay(
                Phase::Paused,
                PerSide {
                    white: Reading { moves: 12, remaining: span("41m10s1ns") },
                    black: Reading { moves: 1, remaining: span("38m") },
                },
            ),
            "would be lost: paused, White 12 moves and 0:41:10.1, Black 1 move and 0:38:00.0; end it \
             with a result first, or force the new game",
        ),
        (
            Refused::Earlier { given: instant("1ns"), last: instant("2ns") },
            "1 ns is earlier than 2 ns",
        ),
    ];
    for (refused, part) in cases {
        let text = refused.to_string();
        assert!(text.contains(part), "{text}");
    }
}
