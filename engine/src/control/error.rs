//! The errors of a time control.

use super::MAX_PERIODS;
use core::fmt;

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
