//! Which periods and terms make a time control, and which are refused.

use super::*;

fn secs(secs: u64) -> Span {
    Span::from_secs(secs)
}

#[test]
fn an_error_of_the_control_names_its_period() {
    let errors = [
        (ControlError::MovesMissing(2), Some(2), "period 2"),
        (ControlError::NoMoves(3), Some(3), "period 3"),
        (ControlError::TooLong(4), Some(4), "period 4"),
        (ControlError::PeriodCount(17), None, "17 periods"),
        (ControlError::MovesInLast, None, "last period"),
        (ControlError::TooManyMoves, None, "4294967295"),
        (ControlError::TooShort(1), Some(1), "1 ms"),
        (ControlError::NoOvertime(2), Some(2), "0 periods or 0 moves"),
        (ControlError::OvertimeNotLast(3), Some(3), "period 3 has overtime"),
        (ControlError::TimeGiven(1), Some(1), "`time`"),
        (ControlError::NotAlone("gong"), None, "`gong`"),
        (ControlError::CannotRun("hourglass"), None, "`hourglass`"),
        (ControlError::RepeatWithoutMoves, None, "`repeat = true` and no `moves`"),
        (ControlError::RepeatPeriodEnd, None, "goes with `period_end"),
    ];
    for (error, period, part) in errors {
        assert_eq!(error.period(), period);
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn periods_that_are_no_time_control_are_refused() {
    let period = Period { time: PerSide::both(secs(300)), ..Period::default() };
    let none = Period { moves: Some(0), ..period };
    assert_eq!(Control::new(&[none, period], Terms::default()), Err(ControlError::NoMoves(1)));
    assert_eq!(Control::new(&[], Terms::default()), Err(ControlError::PeriodCount(0)));
    assert_eq!(Control::new(&[period; 17], Terms::default()), Err(ControlError::PeriodCount(17)));
    let over = Span::from_nanos(MAX_GIVEN.as_nanos() + 1);
    for method in [Method::Increment(over), Method::Delay(over), Method::Bronstein(over)] {
        let mut long = period;
        long.method.black = method;
        assert_eq!(Control::new(&[long], Terms::default()), Err(ControlError::TooLong(1)));
        let capped = Control::single(Span::MAX, method).periods()[0];
        assert_eq!(capped.time.white, MAX_GIVEN);
        assert_eq!(capped.method.white.delay().max(capped.method.white.increment()), MAX_GIVEN);
    }
    let mut long = period;
    long.time.white = over;
    assert_eq!(Control::new(&[long], Terms::default()), Err(ControlError::TooLong(1)));
}

#[test]
fn an_amount_of_0_is_no_method_and_decides_nothing_after_a_flag() {
    for method in [Method::Increment, Method::Delay, Method::Bronstein] {
        let control = Control::single(Span::from_secs(300), method(Span::ZERO));
        assert_eq!(control, Control::single(Span::from_secs(300), Method::None));
        assert_eq!(control.after_flag(), AfterFlag::Run);
    }
}

fn of(method: Method) -> Period {
    Period { moves: None, time: PerSide::both(Span::ZERO), method: PerSide::both(method) }
}

fn with_moves(moves: u32, method: Method) -> Period {
    Period { moves: Some(moves), ..of(method) }
}

fn made(periods: &[Period]) -> Result<(), ControlError> {
    Control::new(periods, Terms::default()).map(|_| ())
}

const OVERTIME: Overtime = Overtime { periods: 1, time: MIN_SLICE, moves: 1 };

#[test]
fn overtime_has_periods_and_moves_and_is_in_the_last_period_only() {
    let overtime = Method::Overtime;
    let short = Span::from_nanos(MIN_SLICE.as_nanos() - 1);
    for (given, error) in [
        (Overtime { periods: 0, ..OVERTIME }, ControlError::NoOvertime(1)),
        (Overtime { moves: 0, ..OVERTIME }, ControlError::NoOvertime(1)),
        (Overtime { time: short, ..OVERTIME }, ControlError::TooShort(1)),
        (Overtime { time: Span::MAX, ..OVERTIME }, ControlError::TooLong(1)),
    ] {
        assert_eq!(made(&[of(overtime(given))]), Err(error));
    }
    let most = Overtime { periods: u32::MAX, time: MAX_GIVEN, moves: u32::MAX };
    assert_eq!(made(&[of(overtime(most))]), Ok(()));
    assert_eq!(made(&[with_moves(1, Method::None), of(overtime(OVERTIME))]), Ok(()));
    let first = with_moves(1, overtime(OVERTIME));
    assert_eq!(made(&[first, of(Method::None)]), Err(ControlError::OvertimeNotLast(1)));
    let repeating = Terms { repeat: true, ..Terms::default() };
    let error = Control::new(&[first], repeating).unwrap_err();
    assert_eq!(error, ControlError::OvertimeNotLast(1), "no period is the last");
}

#[test]
fn hourglass_gong_and_count_up_stand_alone_and_for_both_sides() {
    let slice = Method::Gong(MIN_SLICE);
    for (kind, method) in [
        ("hourglass", Method::Hourglass),
        ("gong", slice),
        ("count_up", Method::CountUp { limit: None }),
    ] {
        let alone = Err(ControlError::NotAlone(kind));
        assert_eq!(made(&[of(method)]), Ok(()));
        assert_eq!(made(&[with_moves(1, method), of(method)]), alone);
        assert_eq!(made(&[with_moves(1, Method::None), of(method)]), alone);
        let black = PerSide { white: Method::None, black: method };
        assert_eq!(made(&[Period { method: black, ..of(method) }]), alone);
        let repeating = Terms { repeat: true, ..Terms::default() };
        assert_eq!(Control::new(&[with_moves(1, method)], repeating).map(|_| ()), alone);
    }
    assert_eq!(made(&[of(Method::Gong(Span::ZERO))]), Err(ControlError::TooShort(1)));
    assert_eq!(made(&[of(Method::Gong(Span::MAX))]), Err(ControlError::TooLong(1)));
    let limit = Some(Span::MAX);
    assert_eq!(made(&[of(Method::CountUp { limit })]), Err(ControlError::TooLong(1)));
    for method in [slice, Method::CountUp { limit: None }] {
        let timed = Period { time: PerSide::both(secs(1)), ..of(method) };
        assert_eq!(made(&[timed]), Err(ControlError::TimeGiven(1)));
    }
}

#[test]
fn play_cannot_run_on_after_the_flag_of_an_hourglass_or_with_a_gong() {
    let run = Terms { after_flag: Some(AfterFlag::Run), ..Terms::default() };
    for (kind, method) in [("hourglass", Method::Hourglass), ("gong", Method::Gong(secs(10)))] {
        assert_eq!(Control::new(&[of(method)], run), Err(ControlError::CannotRun(kind)));
    }
    assert!(Control::new(&[of(Method::CountUp { limit: None })], run).is_ok());
}

#[test]
fn a_repeating_period_has_moves_and_advances_with_the_moves() {
    let repeating = Terms { repeat: true, ..Terms::default() };
    let plain = of(Method::None);
    assert_eq!(Control::new(&[plain], repeating), Err(ControlError::RepeatWithoutMoves));
    assert_eq!(made(&[with_moves(1, Method::None)]), Err(ControlError::MovesInLast));
    for period_end in
        [PeriodEnd::Zero, PeriodEnd::MovesAtZero, PeriodEnd::BlackCompletes { pause: false }]
    {
        let terms = Terms { period_end, ..repeating };
        let error = Control::new(&[with_moves(1, Method::None)], terms).unwrap_err();
        assert_eq!(error, ControlError::RepeatPeriodEnd);
        let terms = Terms { period_end, ..Terms::default() };
        let without = Control::new(&[plain, plain], terms).map(|_| ());
        let expected =
            if period_end == PeriodEnd::Zero { Ok(()) } else { Err(ControlError::MovesMissing(1)) };
        assert_eq!(without, expected, "at zero the moves are only shown");
    }
}

#[test]
fn the_default_after_the_flag_is_that_of_the_last_period() {
    let inc = Method::Increment(secs(1));
    for (last, expected) in [
        (Method::None, AfterFlag::Run),
        (inc, AfterFlag::Halt),
        (Method::Delay(secs(1)), AfterFlag::Halt),
        (Method::Bronstein(secs(1)), AfterFlag::Halt),
        (Method::Overtime(OVERTIME), AfterFlag::Halt),
    ] {
        for first in [Method::None, inc] {
            let control = Control::new(&[with_moves(1, first), of(last)], Terms::default());
            assert_eq!(control.unwrap().after_flag(), expected, "{last:?}");
        }
    }
    let alone = |method| Control::new(&[of(method)], Terms::default()).unwrap().after_flag();
    assert_eq!(alone(Method::Hourglass), AfterFlag::Halt);
    assert_eq!(alone(Method::CountUp { limit: Some(secs(1)) }), AfterFlag::Run);
    for (method, expected) in [(inc, AfterFlag::Halt), (Method::None, AfterFlag::Run)] {
        let repeating = Terms { repeat: true, ..Terms::default() };
        let control = Control::new(&[with_moves(1, method)], repeating).unwrap();
        assert_eq!(control.after_flag(), expected, "of the repeating period");
        let given = Terms { after_flag: Some(AfterFlag::Run), ..repeating };
        let control = Control::new(&[with_moves(1, method)], given).unwrap();
        assert_eq!(control.after_flag(), AfterFlag::Run, "an explicit one wins");
    }
}

#[test]
fn the_moves_of_a_repeating_period_are_counted_on() {
    let periods = [with_moves(40, Method::None), with_moves(20, Method::None)];
    let terms = Terms { repeat: true, ..Terms::default() };
    let control = Control::new(&periods, terms).unwrap();
    let due = |number| control.moves_due(number);
    assert_eq!([due(1), due(2), due(3), due(9)], [Some(40), Some(60), Some(80), Some(200)]);
    assert_eq!(due(u32::MAX), Some(60 + 20 * (u64::from(u32::MAX) - 2)));
    assert_eq!((control.last(), control.count()), (None, 2));
    assert!(!control.is_last(u32::MAX - 1) && control.is_last(u32::MAX));
}
