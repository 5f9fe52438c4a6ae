//! Controls that are described in words.

use super::*;
use crate::text::{ControlFile, preset};
use crate::{PerSide, Terms};

#[test]
fn said() {
    for (name, said) in [
        ("blitz-5-0", "all moves in 0:05:00"),
        ("blitz-3-2", "all moves in 0:03:00, 2 s a move from move 1"),
        ("us-g60-d5", "all moves in 1:00:00, 5 s delay a move from move 1"),
        (
            "classical-40-120-20-60-30",
            "40 moves in 2:00:00, then 20 moves in 1:00:00, then 0:30:00",
        ),
    ] {
        assert_eq!(describe(&preset(name).expect(name).read().control), said);
    }
}

#[test]
fn said_of_files() {
    let read = |text: &str| describe(&ControlFile::parse(text).expect(text).control);
    let from_61 = "name = 'x'\n[[period]]\nmoves = 40\ntime = '2h'\n[[period]]\nmoves = 20\n\
                   time = '1h'\n[[period]]\ntime = '15m'\nincrement = '30s'\n";
    let said = "40 moves in 2:00:00, then 20 moves in 1:00:00, then 0:15:00, 30 s a move from \
                move 61";
    assert_eq!(read(from_61), said);
    let mixed = "name = 'x'\n[[period]]\nmoves = 40\ntime = '2h'\nincrement = '30s'\n\
                 [[period]]\ntime = '1500ms'\n";
    assert_eq!(read(mixed), "40 moves in 2:00:00 with 30 s a move, then 0:00:01.5");
    let online = "name = 'x'\nfirst_move_increment = false\n[[period]]\ntime = '3m'\n\
                  increment = '2s'\n";
    let said = "all moves in 0:03:00, 2 s a move from the first press on";
    assert_eq!(read(online), said);
    let odds = "name = 'x'\n[[period]]\ntime = { white = '5m', black = '4m' }\n";
    assert_eq!(read(odds), "White: all moves in 0:05:00; Black: all moves in 0:04:00");
}

fn secs(secs: u64) -> Span {
    Span::from_secs(secs)
}

/// A period with this time in minutes and this method for both sides.
fn period(moves: Option<u32>, minutes: u64, method: Method) -> Period {
    Period { moves, time: PerSide::both(secs(minutes * 60)), method: PerSide::both(method) }
}

fn overtime(periods: u32, time: u64, moves: u32) -> Method {
    Method::Overtime(Overtime { periods, time: secs(time), moves })
}

fn said_of(periods: &[Period], terms: Terms) -> String {
    describe(&Control::new(periods, terms).expect("a control"))
}

#[test]
fn every_method_is_said() {
    for (minutes, method, said) in [
        (
            30,
            overtime(5, 30, 1),
            "all moves in 0:30:00, then 5 periods of overtime of 0:00:30 for each move",
        ),
        (
            30,
            overtime(1, 300, 20),
            "all moves in 0:30:00, then overtime: 20 moves in 0:05:00 again and again",
        ),
        (
            30,
            overtime(3, 300, 20),
            "all moves in 0:30:00, then 3 periods of overtime of 0:05:00, each afresh after 20 moves",
        ),
        (10, overtime(1, 30, 1), "all moves in 0:10:00, then 0:00:30 for each move"),
        (0, overtime(1, 30, 1), "0:00:30 for each move"),
        (0, overtime(5, 30, 1), "5 periods of overtime of 0:00:30 for each move"),
        (
            3,
            Method::Hourglass,
            "0:03:00 each as an hourglass: what one player uses, the other gets",
        ),
        (0, Method::Gong(secs(10)), "10 s a move by gong"),
        (0, Method::CountUp { limit: None }, "the time used is counted up"),
        (
            0,
            Method::CountUp { limit: Some(secs(3600)) },
            "the time used is counted up, at most 1:00:00",
        ),
        (
            3,
            Method::Bronstein(secs(2)),
            "all moves in 0:03:00, 2 s Bronstein delay a move from move 1",
        ),
    ] {
        assert_eq!(said_of(&[period(None, minutes, method)], Terms::default()), said);
    }
    let late = [period(Some(40), 120, Method::None), period(None, 0, overtime(5, 30, 1))];
    let said = "40 moves in 2:00:00, then 5 periods of overtime of 0:00:30 for each move";
    assert_eq!(said_of(&late, Terms::default()), said);
    let both = [period(Some(40), 120, Method::None), period(None, 60, overtime(1, 30, 1))];
    let said = "40 moves in 2:00:00, then 1:00:00, then 0:00:30 for each move";
    assert_eq!(said_of(&both, Terms::default()), said);
}

#[test]
fn every_value_of_advance_is_described() {
    let two = [period(Some(35), 75, Method::None), period(None, 15, Method::None)];
    for (period_end, said) in [
        (PeriodEnd::Moves, "35 moves in 1:15:00, then 0:15:00"),
        (
            PeriodEnd::Zero,
            "35 moves in 1:15:00, then, when either player's time is used up, 0:15:00 for both",
        ),
        (PeriodEnd::MovesAtZero, "35 moves in 1:15:00, then, when that time is used up, 0:15:00"),
        (
            PeriodEnd::BlackCompletes { pause: false },
            "35 moves in 1:15:00, then, when Black completes move 35, 0:15:00 for both",
        ),
        (
            PeriodEnd::BlackCompletes { pause: true },
            "35 moves in 1:15:00, then, when Black completes move 35 (both clocks stop there), \
             0:15:00 for both",
        ),
    ] {
        assert_eq!(said_of(&two, Terms { period_end, ..Terms::default() }), said);
    }
    let zero = Terms { period_end: PeriodEnd::Zero, ..Terms::default() };
    let shown = [period(None, 75, Method::None), period(None, 15, Method::Increment(secs(5)))];
    let said = "1:15:00, then, when either player's time is used up, 0:15:00 for both with 5 s a \
                move";
    assert_eq!(said_of(&shown, zero), said);
    let set_back =
        Terms { period_end: PeriodEnd::BlackCompletes { pause: false }, ..Terms::default() };
    let thrice = [two[0], period(Some(20), 60, Method::None), two[1]];
    let said = said_of(&thrice, set_back);
    assert!(said.ends_with("then, when Black completes move 55, 0:15:00 for both"), "{said}");
}

#[test]
fn repeating_sides_and_draw_odds_are_said() {
    let again = Terms { repeat: true, ..Terms::default() };
    let twice = [period(Some(40), 120, Method::None), period(Some(20), 60, Method::None)];
    let said = "40 moves in 2:00:00, then 20 moves in 1:00:00 again and again";
    assert_eq!(said_of(&twice, again), said);
    let one = [period(Some(36), 90, Method::Increment(secs(5)))];
    let said = "36 moves in 1:30:00 again and again, 5 s a move from move 1";
    assert_eq!(said_of(&one, again), said);
    let mut sides = [period(None, 5, Method::None)];
    sides[0].time.black = secs(240);
    sides[0].method = PerSide { white: Method::None, black: overtime(1, 30, 1) };
    let odds = Terms { draw_odds: Some(Side::Black), ..Terms::default() };
    let said = "White: all moves in 0:05:00; Black: all moves in 0:04:00, then 0:00:30 for each \
                move; a draw wins for Black";
    assert_eq!(said_of(&sides, odds), said);
}

#[test]
fn a_period_that_only_begins_an_increment_is_not_said_as_one() {
    let plus = Method::Increment(secs(10));
    let norway = [period(Some(40), 120, Method::None), period(None, 0, plus)];
    let said = "all moves in 2:00:00, 10 s a move from move 41";
    assert_eq!(said_of(&norway, Terms::default()), said);
    let within =
        [period(Some(20), 90, Method::None), period(Some(20), 0, plus), period(None, 30, plus)];
    let said = "40 moves in 1:30:00, then 0:30:00, 10 s a move from move 21";
    assert_eq!(said_of(&within, Terms::default()), said);
    // The period without time is named if it repeats, or if the increment does not hold to the end.
    let again = [period(Some(40), 120, Method::None), period(Some(1), 0, plus)];
    let said = "40 moves in 2:00:00, then 1 move with no added time, and so on, 10 s a move \
                from move 41";
    assert_eq!(said_of(&again, Terms { repeat: true, ..Terms::default() }), said);
    let changes = [norway[0], period(Some(20), 0, plus), period(None, 15, Method::None)];
    let said = "40 moves in 2:00:00, then 20 moves with no added time, 10 s a move, then 0:15:00";
    assert_eq!(said_of(&changes, Terms::default()), said);
}

#[test]
fn a_period_without_time_is_said_plainly() {
    let finish = preset("g105-finish-after-black-40").expect("shipped").read().control;
    let said = "all moves in 1:45:00, then, when Black completes move 40, the last period, with no \
                added time";
    assert_eq!(describe(&finish), said);
    let zero = Terms { period_end: PeriodEnd::Zero, ..Terms::default() };
    let two = [period(None, 75, Method::None), period(None, 0, Method::Increment(secs(30)))];
    let said = "1:15:00, then, when either player's time is used up, no added time, 30 s a move";
    assert_eq!(said_of(&two, zero), said);
}

#[test]
fn a_control_without_main_time_is_said_with_its_increment_or_delay() {
    let said_of_notation = |text: &str| describe(&crate::text::parse_notation(text).unwrap());
    assert_eq!(said_of_notation("0+5"), "no main time, 5 s a move from move 1");
    assert_eq!(said_of_notation("G/0 d5"), "no main time, 5 s delay a move from move 1");
    let said = "40 moves with no main time, then 0:30:00, 30 s a move from move 1";
    assert_eq!(said_of_notation("40/0, G/30, +30"), said);
}

#[test]
fn that_move_1_has_no_increment_is_said_also_where_it_changes() {
    let thirty = period(Some(40), 90, Method::Increment(secs(30)));
    let two = [thirty, period(None, 30, Method::Increment(secs(10)))];
    let late = Terms { first_move_increment: false, ..Terms::default() };
    let said = "40 moves in 1:30:00 with 30 s a move from the first press on, then 0:30:00 with 10 s \
                a move";
    assert_eq!(said_of(&two, late), said);
}

#[test]
fn the_highest_numbers_are_said() {
    let many =
        [period(Some(u32::MAX), 60_000, Method::None), period(None, 0, Method::Delay(secs(1)))];
    let said = "all moves in 1000:00:00, 1 s delay a move from move 4294967296";
    assert_eq!(said_of(&many, Terms::default()), said);
}
