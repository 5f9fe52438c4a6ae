//! The checks that every time control has passed.

use super::{AfterFlag, ControlError, MAX_PERIODS, MIN_SLICE, Method, Period, PeriodEnd, Terms};
use crate::{MAX_GIVEN, PerSide, Side};

pub(super) fn check(periods: &[Period], terms: Terms) -> Result<(), ControlError> {
    if periods.is_empty() || periods.len() > MAX_PERIODS {
        return Err(ControlError::PeriodCount(periods.len()));
    }
    if terms.repeat && terms.period_end != PeriodEnd::Moves {
        return Err(ControlError::RepeatPeriodEnd);
    }
    let mut due = 0_u32;
    for (number, period) in (1..).zip(periods) {
        let last = number == periods.len();
        check_moves(number, last, period.moves, terms)?;
        let sum = due.checked_add(period.moves.unwrap_or(0));
        due = sum.ok_or(ControlError::TooManyMoves)?;
        for side in Side::BOTH {
            check_method(number, period, side)?;
            let overtime = matches!(period.method[side], Method::Overtime(_));
            if overtime && (terms.repeat || !last) {
                return Err(ControlError::OvertimeNotLast(number));
            }
        }
        check_alone(periods, period.method, terms)?;
    }
    Ok(())
}

/// Checks the number of moves of one period. With `period_end = "zero"` this number is only shown
/// and may be omitted.
fn check_moves(
    number: usize,
    last: bool,
    moves: Option<u32>,
    terms: Terms,
) -> Result<(), ControlError> {
    match moves {
        Some(0) => Err(ControlError::NoMoves(number)),
        Some(_) if last && !terms.repeat => Err(ControlError::MovesInLast),
        None if last && terms.repeat => Err(ControlError::RepeatWithoutMoves),
        None if !last && terms.period_end != PeriodEnd::Zero => {
            Err(ControlError::MovesMissing(number))
        }
        _ => Ok(()),
    }
}

fn check_method(number: usize, period: &Period, side: Side) -> Result<(), ControlError> {
    let (time, method) = (period.time[side], period.method[side]);
    let long = match method {
        Method::Overtime(overtime) => overtime.time,
        Method::Gong(slice) => slice,
        Method::CountUp { limit: Some(limit) } => limit,
        method => method.increment().max(method.delay()),
    };
    if time.max(long) > MAX_GIVEN {
        return Err(ControlError::TooLong(number));
    }
    match method {
        Method::Overtime(overtime) if overtime.periods == 0 || overtime.moves == 0 => {
            Err(ControlError::NoOvertime(number))
        }
        Method::Overtime(overtime) if overtime.time < MIN_SLICE => {
            Err(ControlError::TooShort(number))
        }
        Method::Gong(slice) if slice < MIN_SLICE => Err(ControlError::TooShort(number)),
        Method::Gong(_) | Method::CountUp { .. } if !time.is_zero() => {
            Err(ControlError::TimeGiven(number))
        }
        _ => Ok(()),
    }
}

/// Checks that a control with an hourglass, a gong or counting up has only one period, and the same
/// kind of method for both sides. These methods concern both sides and the whole game.
fn check_alone(
    periods: &[Period],
    method: PerSide<Method>,
    terms: Terms,
) -> Result<(), ControlError> {
    let kinds = method.map(|method| match method {
        Method::Hourglass => Some("hourglass"),
        Method::Gong(_) => Some("gong"),
        Method::CountUp { .. } => Some("count_up"),
        _ => None,
    });
    let Some(kind) = kinds.white.or(kinds.black) else {
        return Ok(());
    };
    if periods.len() > 1 || terms.repeat || kinds.white != kinds.black {
        return Err(ControlError::NotAlone(kind));
    }
    if kind != "count_up" && terms.after_flag == Some(AfterFlag::Run) {
        return Err(ControlError::CannotRun(kind));
    }
    Ok(())
}
