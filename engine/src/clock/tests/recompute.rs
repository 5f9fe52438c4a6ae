//! The times of a game whose turns are played again under another time control (S0 6.2a, FIDE
//! 6.10.2).
//!
//! `docs/laws.md` explains S0 and FIDE, which are the sources of the cited clauses.

use super::change_control::{
    Recorded, advancing_by, change, main_times, one_period, periods, played, two, unfit,
};
use super::*;
use crate::{Recompute, UnknownTurns};

#[test]
fn fide_6_10_2_recomputed_what_is_left_is_the_new_time_less_the_time_used() {
    let mut clock = played(two(36, "90m", "30m", Method::None), 3, "1m", "2m+1ns");
    let add = Command::Add { side: Side::White, delta_ns: 60_000_000_000 };
    clock.handle_command(add, clock.last()).unwrap();
    change(&mut clock, two(36, "75m", "15m", Method::None), true).unwrap();
    assert_eq!(main_times(&clock), (span("73m"), span("69m-3ns")), "the award stays");
    assert_eq!(periods(&clock), (1, 1));
}

#[test]
fn recomputed_a_side_is_in_the_period_that_its_moves_give_with_the_time_of_all_of_them() {
    // After 3 moves, both sides are in the second period, and its time was added.
    let mut clock = played(two(2, "10m", "5m", Method::None), 3, "1m", "2m");
    assert_eq!((periods(&clock), main_times(&clock)), ((2, 2), (span("12m"), span("9m"))));
    change(&mut clock, two(4, "20m", "7m", Method::None), true).unwrap();
    assert_eq!((periods(&clock), main_times(&clock)), ((1, 1), (span("17m"), span("14m"))));
    change(&mut clock, two(1, "10m", "6m", Method::None), true).unwrap();
    assert_eq!((periods(&clock), main_times(&clock)), ((2, 2), (span("13m"), span("10m"))));
    // Each period has one move and 4 minutes. After 3 moves, a side is in the fourth period and has
    // got 4 times 4 minutes.
    let terms = Terms { repeat: true, ..Terms::default() };
    let repeating = Control::new(&[period(1, "4m", Method::None)], terms).unwrap();
    change(&mut clock, repeating, true).unwrap();
    assert_eq!((periods(&clock), main_times(&clock)), ((4, 4), (span("13m"), span("10m"))));
    change(&mut clock, one_period("30m", Method::None), true).unwrap();
    assert_eq!((periods(&clock), main_times(&clock)), ((1, 1), (span("27m"), span("24m"))));
}

#[test]
fn recomputed_every_increment_so_far_counts() {
    // 3+2 was set up instead of 5+3. With both, move 1 already has its increment at the start.
    let mut clock = played(one_period("3m", increment("2s")), 4, "5s", "7s");
    assert_eq!(main_times(&clock), (span("2m50s"), span("2m42s")));
    change(&mut clock, one_period("5m", increment("3s")), true).unwrap();
    assert_eq!(main_times(&clock), (span("4m55s"), span("4m47s")));
    // Here move 1 has no increment at the start, and only the second period has an increment.
    let periods = [period(2, "5m", Method::None), period(0, "1m", increment("10s"))];
    let terms = Terms { first_move_increment: false, ..Terms::default() };
    change(&mut clock, Control::new(&periods, terms).unwrap(), true).unwrap();
    // Each side was in the second period after its moves 2, 3 and 4, so it gets three increments.
    assert_eq!(main_times(&clock), (span("6m10s"), span("6m2s")));
    change(&mut clock, one_period("3m", increment("2s")), true).unwrap();
    assert_eq!(main_times(&clock), (span("2m50s"), span("2m42s")), "and back again");
}

/// A control of 10 minutes with this increment. The clock runs on after the flag.
fn running_on(amount: &str) -> Control {
    single("10m", increment(amount), AfterFlag::Run)
}

/// A game with 10 minutes and 5 seconds in which White used 6 minutes and Black 1 minute in each of
/// 2 moves. White completed move 2 after its flag, so White got no increment for it.
fn with_a_move_after_the_flag() -> Recorded {
    let clock = played(running_on("5s"), 2, "6m", "1m");
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.moves, white.overrun), (2, span("1m50s")));
    clock
}

#[test]
fn recomputed_a_move_after_the_final_flag_had_no_increment() {
    let mut clock = with_a_move_after_the_flag();
    // White has used 12 minutes. The new control gives 12 minutes and three increments.
    change(&mut clock, one_period("12m", increment("5s")), true).unwrap();
    assert_eq!(main_times(&clock), (span("15s"), span("10m15s")));
    // The first change has annulled the flag and given the increment of move 2, so this increment
    // counts as given.
    change(&mut clock, one_period("12m", increment("9s")), true).unwrap();
    assert_eq!(main_times(&clock), (span("27s"), span("10m27s")));
}

#[test]
fn recomputed_a_move_after_the_final_flag_counts_where_the_flag_stays() {
    let mut clock = with_a_move_after_the_flag();
    let overrun = |clock: &Recorded| clock.view(clock.last()).sides.white.overrun;
    for _ in 0..2 {
        change(&mut clock, running_on("5s"), true).unwrap();
        assert_eq!(overrun(&clock), span("1m50s"), "as it was");
    }
}

#[test]
fn a_move_after_the_flag_that_is_taken_back_got_nothing() {
    let mut clock = played(running_on("5s"), 1, "6m", "1m");
    let resume = Command::Resume { side: None };
    clock.handle_command(resume, clock.last()).unwrap();
    clock.press(Side::White, "13m");
    clock.pause("13m");
    clock.handle_command(Command::UndoPress, clock.last()).unwrap();
    change(&mut clock, one_period("13m", increment("5s")), true).unwrap();
    assert_eq!(main_times(&clock).0, span("1m10s"));
}

#[test]
fn awards_and_cuts_are_given_again() {
    let mut clock = with_a_move_after_the_flag();
    let add = |delta_ns| Command::Add { side: Side::White, delta_ns };
    clock.handle_command(add(60_000_000_000), clock.last()).unwrap();
    let award = clock.clone();
    // White's flag would have fallen with the new increment, too, so all of the award is left.
    change(&mut clock, running_on("6s"), true).unwrap();
    assert_eq!(main_times(&clock).0, span("1m"));
    let mut clock = award;
    change(&mut clock, running_on("2m"), true).unwrap();
    assert_eq!(
        main_times(&clock).0,
        span("5m"),
        "10 min and 3 increments, less 12 min, 1 min more"
    );
    clock.handle_command(add(-200_000_000_000), clock.last()).unwrap();
    let refused = change(&mut clock, running_on("6s"), true);
    assert_eq!(refused, unfit(ControlUnfit::TurnsUnknown(UnknownTurns::Cut)));
}

#[test]
fn what_is_set_or_ruled_is_no_turn() {
    let new = one_period("60m", Method::None);
    let game = || played(one_period("30m", Method::None), 2, "1m", "1m");
    let time = Correction { time: one("white", span("20m")), ..Correction::default() };
    let moves = Correction { moves: one("white", 3), ..Correction::default() };
    for correction in [time, moves] {
        let mut clock = game();
        clock.handle_command(Command::Set(correction), clock.last()).unwrap();
        let refused = change(&mut clock, new, true);
        assert_eq!(refused, unfit(ControlUnfit::TurnsUnknown(UnknownTurns::Corrected)));
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("was corrected in this game; change"), "{message}");
    }
    // A correction that changes nothing, or only says whose turn it is, leaves the turns known.
    let same = Correction { time: one("white", span("28m")), ..Correction::default() };
    let black = Correction { on_move: Some(Side::Black), ..Correction::default() };
    for correction in [same, black] {
        let mut clock = game();
        clock.handle_command(Command::Set(correction), clock.last()).unwrap();
        change(&mut clock, new, true).unwrap();
        assert_eq!(main_times(&clock), (span("58m"), span("58m")));
    }
}

#[test]
fn turns_of_another_state_are_refused() {
    let mut clock = played(one_period("30m", Method::None), 2, "1m", "1m");
    let new = one_period("60m", Method::None);
    let earlier = Recompute::from_turns(&new, clock.turns.iter().copied(), &clock);
    clock.handle_command(Command::Resume { side: None }, clock.last()).unwrap();
    clock.pause("5m");
    let mut present = *clock;
    let refused = present.change_control(new, &earlier, false, clock.last());
    assert_eq!(refused, unfit(ControlUnfit::TurnsUnknown(UnknownTurns::Changed)));
}

#[test]
fn recomputed_set_backs_go_by_blacks_moves() {
    let period_end = PeriodEnd::BlackCompletes { pause: true };
    let set_back = |moves, method| {
        advancing_by(period_end, &[period(moves, "10m", Method::None), period(0, "5m", method)])
    };
    for method in [Method::None, increment("10s")] {
        // After the change, the times must be those of a game that had the new control from the
        // start.
        for moves in [1, 2, 3, 5] {
            let right = played(set_back(2, method), moves, "1m", "2m");
            for wrong in [one_period("60m", Method::None), set_back(4, increment("3s"))] {
                let mut clock = played(wrong, moves, "1m", "2m");
                change(&mut clock, set_back(2, method), true).unwrap();
                assert_eq!(main_times(&clock), main_times(&right), "{moves} moves, {method:?}");
                assert_eq!(periods(&clock), periods(&right), "{moves} moves");
                change(&mut clock, wrong, true).unwrap();
                assert_eq!(main_times(&clock), main_times(&played(wrong, moves, "1m", "2m")));
            }
        }
    }
}

#[test]
fn a_time_that_would_be_used_up_is_refused_with_the_amounts() {
    let mut clock = played(one_period("90m", Method::None), 1, "75m", "1m");
    let refused = change(&mut clock, one_period("75m", Method::None), true);
    let (used, time) = (span("75m"), span("75m"));
    let (side, in_move) = (Side::White, Some(1));
    assert_eq!(refused, unfit(ControlUnfit::UsedUp { side, used, time, in_move }));
    let message = refused.unwrap_err().to_string();
    let expected =
        "White has used 1:15:00.0, and the new time control gives 1:15:00 by its move 1, in";
    assert!(message.starts_with(expected), "{message}");
    change(&mut clock, one_period("75m+1ns", Method::None), true).unwrap();
    assert_eq!(main_times(&clock).0, span("1ns"));
    // A delay is no time used.
    let mut clock = played(one_period("90m", Method::None), 1, "75m", "1m");
    let refused = change(&mut clock, one_period("74m", delay("10s")), true);
    let (used, time) = (span("74m50s"), span("74m"));
    assert_eq!(refused, unfit(ControlUnfit::UsedUp { side, used, time, in_move }));
}

#[test]
fn recomputed_a_flag_that_would_not_have_fallen_is_annulled() {
    for (after_flag, phase) in [(AfterFlag::Halt, Phase::Ruling), (AfterFlag::Run, Phase::Paused)] {
        let mut clock = Recorded::started(single("75m", Method::None, after_flag));
        clock.handle_timeout(instant("80m"));
        if after_flag == AfterFlag::Run {
            clock.pause("80m");
        }
        assert_eq!(clock.phase(), phase);
        // A control of 70 minutes leaves White no time, so White's flag stays.
        change(&mut clock, single("70m", Method::None, after_flag), true).unwrap();
        assert_eq!(
            (clock.phase(), clock.view(clock.last()).first_flag),
            (phase, Some(Side::White))
        );
        change(&mut clock, single("75m", Method::None, after_flag), true).unwrap();
        change(&mut clock, single("90m", Method::None, after_flag), true).unwrap();
        let view = clock.view(clock.last());
        assert_eq!((view.phase, view.first_flag), (Phase::Paused, None));
        let left = if after_flag == AfterFlag::Halt { span("15m") } else { span("10m") };
        assert_eq!((view.sides.white.remaining, view.sides.white.overrun), (left, Span::ZERO));
    }
}

#[test]
fn recomputed_the_present_turn_goes_on_with_the_new_delay() {
    let mut clock = Recorded::started(one_period("60m", delay("5s")));
    clock.press(Side::White, "6s");
    clock.pause("8s");
    let shown =
        |clock: &Recorded| clock.view(clock.last()).sides.map(|side| (side.remaining, side.delay));
    change(&mut clock, one_period("30m", delay("5s")), true).unwrap();
    let white = (span("30m-1s"), span("5s"));
    assert_eq!(shown(&clock), PerSide { white, black: (span("30m"), span("3s")) });
    change(&mut clock, one_period("30m", bronstein("5s")), true).unwrap();
    let white = (span("30m4s"), Span::ZERO);
    assert_eq!(shown(&clock), PerSide { white, black: (span("30m3s"), Span::ZERO) });
    change(&mut clock, one_period("30m", delay("4s")), true).unwrap();
    assert_eq!(shown(&clock).black, (span("30m"), span("2s")), "the turn goes on");
    change(&mut clock, one_period("30m", delay("6s")), false).unwrap();
    assert_eq!(shown(&clock).black, (span("30m"), span("6s")), "another delay is whole");
    change(&mut clock, one_period("30m", Method::None), true).unwrap();
    assert_eq!(shown(&clock).black, (span("30m-2s"), Span::ZERO));
}

#[test]
fn before_the_overtime_its_main_time_is_recomputed() {
    let mut clock = played(one_period("30m", overtime(5, "30s", 1)), 2, "5m", "1m");
    change(&mut clock, one_period("20m", overtime(3, "1m", 1)), true).unwrap();
    assert_eq!(main_times(&clock), (span("10m"), span("18m")));
    change(&mut clock, one_period("10m", overtime(3, "1m", 1)), true).unwrap();
    let whole = Some(OvertimeLeft { periods: 3, moves: 1 });
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.remaining, white.overtime), (span("1m"), whole), "its first move is made");
    // White has no main time left, so White's overtime begins at once.
    let clear = Correction { time: one("white", Span::ZERO), ..Correction::default() };
    let mut clock = played(one_period("30m", Method::None), 2, "5m", "1m");
    clock.handle_command(Command::Set(clear), clock.last()).unwrap();
    change(&mut clock, one_period("30m", overtime(3, "1m", 1)), false).unwrap();
    let left = Some(OvertimeLeft { periods: 3, moves: 1 });
    assert_eq!(clock.view(clock.last()).sides.white.overtime, left);
}

#[test]
fn an_hourglass_is_recomputed_from_and_to_every_method() {
    let hourglass = |time| one_period(time, Method::Hourglass);
    let mut clock = played(hourglass("1m"), 1, "20s", "5s");
    assert_eq!(main_times(&clock), (span("45s"), span("75s")));
    change(&mut clock, hourglass("3m"), true).unwrap();
    assert_eq!(main_times(&clock), (span("2m45s"), span("3m15s")));
    change(&mut clock, one_period("5m", Method::None), true).unwrap();
    assert_eq!(main_times(&clock), (span("4m40s"), span("4m55s")));
    change(&mut clock, hourglass("1m"), true).unwrap();
    assert_eq!(main_times(&clock), (span("45s"), span("75s")));
    let refused = change(&mut clock, hourglass("20s"), true);
    let (side, in_move, used, time) = (Side::White, Some(1), span("20s"), span("20s"));
    assert_eq!(refused, unfit(ControlUnfit::UsedUp { side, used, time, in_move }));
}

#[test]
fn periods_that_end_when_their_time_is_used_up_are_played_again() {
    let periods_of = |method| [period(2, "10m", Method::None), period(0, "5m", method)];
    for (period_end, in_periods, white, black) in [
        // White's 10 minutes end in move 3, and the 5 minutes of both begin.
        (PeriodEnd::Zero, (2, 2), "3m5s", "9m5s"),
        (PeriodEnd::MovesAtZero, (2, 1), "3m5s", "4m"),
    ] {
        let control = advancing_by(period_end, &periods_of(increment("5s")));
        let right = played(control, 3, "4m", "2m");
        assert_eq!(periods(&right), in_periods);
        assert_eq!(main_times(&right), (span(white), span(black)));
        let mut clock = played(one_period("30m", delay("3s")), 3, "4m", "2m");
        change(&mut clock, control, true).unwrap();
        assert_eq!((periods(&clock), main_times(&clock)), (in_periods, (span(white), span(black))));
        change(&mut clock, one_period("60m", Method::None), true).unwrap();
        assert_eq!(main_times(&clock), (span("48m"), span("54m")));
    }
}

/// US Chess forum, topic 15715: G/30 d5 was announced and the clock was set to something else. White
/// used 30 s and Black 3 s for one move.
#[test]
fn us_5f_a_delay_that_was_not_set_or_wrongly_set() {
    let control = |time, method| one_period(time, method);
    let cases = [
        (control("30m", increment("10s")), control("30m", delay("5s")), "29m35s", "30m"),
        (control("30m", Method::None), control("30m", delay("5s")), "29m35s", "30m"),
        (control("30m", delay("5s")), control("30m", Method::None), "29m30s", "29m57s"),
        (control("30m", delay("5s")), control("30m", increment("5s")), "29m40s", "30m7s"),
        (control("30m", delay("5s")), control("30m", delay("10s")), "29m40s", "30m"),
        (control("30m", delay("5s")), control("25m", delay("5s")), "24m35s", "25m"),
        (control("30m", delay("5s")), control("30m", bronstein("5s")), "29m35s", "30m"),
    ];
    for (wrong, new, white, black) in cases {
        let mut clock = played(wrong, 1, "30s", "3s");
        change(&mut clock, new, true).unwrap();
        assert_eq!(main_times(&clock), (span(white), span(black)), "{wrong:?} {new:?}");
        change(&mut clock, wrong, true).unwrap();
        assert_eq!(main_times(&clock), main_times(&played(wrong, 1, "30s", "3s")), "and back");
    }
    // After 20 moves.
    let mut clock = played(control("30m", delay("5s")), 20, "30s", "3s");
    change(&mut clock, control("30m", increment("5s")), true).unwrap();
    assert_eq!(main_times(&clock), (span("21m45s"), span("30m45s")));
}

#[test]
fn a_set_back_that_was_taken_back_is_settled_when_the_times_are_recomputed() {
    let period_end = PeriodEnd::BlackCompletes { pause: false };
    let periods = [period(1, "10m", Method::None), period(0, "5m", Method::None)];
    let mut clock = Recorded::started(advancing_by(period_end, &periods));
    clock.press(Side::White, "1m");
    clock.press(Side::Black, "2m");
    // White uses 12 of the 14 minutes, and then Black's press with the set-back is taken back.
    clock.pause("14m");
    clock.handle_command(Command::UndoPress, instant("14m")).unwrap();
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.remaining, white.owed), (Span::ZERO, span("3m")));
    change(&mut clock, one_period("60m", Method::None), true).unwrap();
    let white = clock.view(clock.last()).sides.white;
    assert_eq!((white.remaining, white.owed), (span("47m"), Span::ZERO), "13 minutes are used");
}

#[test]
fn time_that_a_person_gave_settles_again_what_was_owed() {
    let period_end = PeriodEnd::BlackCompletes { pause: false };
    let periods = [period(1, "10m", Method::None), period(0, "5m", Method::None)];
    let control = advancing_by(period_end, &periods);
    let mut clock = Recorded::started(control);
    clock.press(Side::White, "1m");
    clock.press(Side::Black, "2m");
    clock.pause("14m");
    clock.handle_command(Command::UndoPress, instant("14m")).unwrap();
    let add = Command::Add { side: Side::White, delta_ns: 60_000_000_000 };
    clock.handle_command(add, clock.last()).unwrap();
    let white = |clock: &Recorded| clock.view(clock.last()).sides.white;
    assert_eq!((white(&clock).remaining, white(&clock).owed), (span("1m"), Span::ZERO));
    change(&mut clock, control, true).unwrap();
    assert_eq!((white(&clock).remaining, white(&clock).owed), (span("1m"), Span::ZERO));
}
