//! What is a time control and what is none.

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
    ];
    for (error, period, part) in errors {
        assert_eq!(error.period(), period);
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn what_is_no_control_is_refused() {
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
