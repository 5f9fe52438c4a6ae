//! The checks that every time control has passed, and why one is not valid.

use core::fmt;

use super::{AfterFlag, MAX_PERIODS, MIN_SLICE, Method, Period, PeriodEnd, Terms};
use crate::{MAX_GIVEN, PerSide, Side};

/// Why a list of periods is not a time control. A `usize` is the number of the period, from 1,
/// except in [`ControlError::PeriodCount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlError {
    /// There is no period, or there are more than [`MAX_PERIODS`]. The value is their number.
    PeriodCount(usize),
    /// A period that is not the last has no moves, and `period_end` is not `"zero"`.
    MovesMissing(usize),
    /// The last period has moves and does not repeat.
    MovesInLast,
    /// A period has 0 moves.
    NoMoves(usize),
    /// The moves of all periods together are more than a counter holds.
    TooManyMoves,
    /// A time, or the amount of a method, is longer than [`MAX_GIVEN`](crate::MAX_GIVEN).
    TooLong(usize),
    /// An overtime period or a slice is shorter than [`MIN_SLICE`](crate::MIN_SLICE).
    TooShort(usize),
    /// An overtime has 0 periods or 0 moves.
    NoOvertime(usize),
    /// A period has overtime, although another period can follow it.
    OvertimeNotLast(usize),
    /// A main time is given together with a gong or with counting up, which have none.
    TimeGiven(usize),
    /// The method of this name needs a single period that does not repeat, and both sides must have
    /// it.
    NotAlone(&'static str),
    /// `after_flag` is `"run"`, but with the method of this name play cannot go on after the flag.
    CannotRun(&'static str),
    /// The last period repeats and has no moves.
    RepeatWithoutMoves,
    /// `repeat` is allowed with `period_end = "moves"` only.
    RepeatPeriodEnd,
}

impl ControlError {
    /// The number of the period that the error concerns, if it concerns a single one.
    pub const fn period(self) -> Option<usize> {
        match self {
            ControlError::MovesMissing(number)
            | ControlError::NoMoves(number)
            | ControlError::TooLong(number)
            | ControlError::TooShort(number)
            | ControlError::NoOvertime(number)
            | ControlError::OvertimeNotLast(number)
            | ControlError::TimeGiven(number) => Some(number),
            ControlError::PeriodCount(_)
            | ControlError::MovesInLast
            | ControlError::TooManyMoves
            | ControlError::NotAlone(_)
            | ControlError::CannotRun(_)
            | ControlError::RepeatWithoutMoves
            | ControlError::RepeatPeriodEnd => None,
        }
    }
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ControlError::PeriodCount(given) => {
                write!(f, "{given} periods; a time control has 1 to {MAX_PERIODS}")
            }
            ControlError::MovesMissing(number) => write!(
                f,
                "period {number} is not the last and has no `moves`; only the last period may \
                 leave them out"
            ),
            ControlError::MovesInLast => f.write_str(
                "the last period has `moves`; all the remaining moves are made in it, unless it \
                 has `repeat = true`",
            ),
            ControlError::NoMoves(number) => {
                write!(f, "period {number} has `moves = 0`; expected 1 or more")
            }
            ControlError::TooManyMoves => {
                f.write_str("the moves of all periods together are more than 4294967295")
            }
            ControlError::TooLong(number) => {
                write!(f, "period {number} has a time or an amount of more than 1000:00:00")
            }
            ControlError::TooShort(number) => {
                write!(f, "period {number} has an overtime period or a slice shorter than 1 ms")
            }
            ControlError::NoOvertime(number) => write!(
                f,
                "period {number} has an overtime of 0 periods or 0 moves; expected 1 or more"
            ),
            ControlError::OvertimeNotLast(number) => write!(
                f,
                "period {number} has overtime; only a last period that does not repeat may have it"
            ),
            ControlError::TimeGiven(number) => write!(
                f,
                "period {number} has a `time`, which does not go with `gong` and `count_up`"
            ),
            ControlError::NotAlone(kind) => write!(
                f,
                "`{kind}` is the method of one period that is the only one, the same for both \
                 sides"
            ),
            ControlError::CannotRun(kind) => {
                write!(f, "`after_flag = \"run\"` does not go with `{kind}`; expected \"halt\"")
            }
            ControlError::RepeatWithoutMoves => {
                f.write_str("the last period has `repeat = true` and no `moves`")
            }
            ControlError::RepeatPeriodEnd => {
                f.write_str("`repeat = true` goes with `period_end = \"moves\"` only")
            }
        }
    }
}

impl core::error::Error for ControlError {}

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
