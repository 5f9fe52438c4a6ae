//! Time controls.

use crate::{MAX_GIVEN, PerSide, Side, Span};
use core::fmt;

/// The most periods a time control can have.
pub const MAX_PERIODS: usize = 16;

/// What a move brings beside the main time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Nothing.
    #[default]
    None,
    /// Time added with each completed move (Fischer).
    Increment(Span),
    /// Time at the start of each turn before the main time falls; unused it is lost (US, FIDE
    /// time delay).
    Delay(Span),
    /// As a delay, shown as one number with the main time.
    Bronstein(Span),
}

impl Method {
    /// What a completed move adds.
    pub(crate) const fn increment(self) -> Span {
        match self {
            Method::Increment(span) => span,
            _ => Span::ZERO,
        }
    }

    /// An amount of 0 is no method: it must not decide what happens after a flag.
    const fn unless_zero(self) -> Method {
        match self {
            Method::Increment(span) | Method::Delay(span) | Method::Bronstein(span)
                if span.is_zero() =>
            {
                Method::None
            }
            method => method,
        }
    }

    /// What a turn has before the main time falls.
    pub(crate) const fn delay(self) -> Span {
        match self {
            Method::Delay(span) | Method::Bronstein(span) => span,
            _ => Span::ZERO,
        }
    }
}

/// One period of a time control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    /// The moves to be made in it; `None` is all the rest, for the last period only.
    pub moves: Option<u32>,
    /// The time each side gets for it.
    pub time: PerSide<Span>,
    /// What each side's moves bring.
    pub method: PerSide<Method>,
}

/// What happens at the final flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFlag {
    /// Both clocks stop and the arbiter is asked.
    Halt,
    /// The flagged side shows 0, its overrun is counted, play runs on.
    Run,
}

/// A time control: what each player must do in which time (FIDE 6.2).
///
/// A plain value of fixed size, checked when it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    periods: [Period; MAX_PERIODS],
    len: usize,
    after_flag: AfterFlag,
    first_move_increment: bool,
}

impl Control {
    /// A control of these periods; the last has no `moves`, all others do.
    ///
    /// `after_flag` of `None` takes the default: halt where the last period has an increment or a
    /// delay, else run. With `first_move_increment` 5+3 starts at 5:03 (as FIDE has it).
    pub fn new(
        periods: &[Period],
        after_flag: Option<AfterFlag>,
        first_move_increment: bool,
    ) -> Result<Control, ControlError> {
        check(periods)?;
        let mut all = [Period::default(); MAX_PERIODS];
        for (place, period) in all.iter_mut().zip(periods) {
            *place = Period { method: period.method.map(Method::unless_zero), ..*period };
        }
        let last = all[periods.len() - 1];
        let plain = Side::BOTH.iter().all(|&side| last.method[side] == Method::None);
        let default = if plain { AfterFlag::Run } else { AfterFlag::Halt };
        Ok(Control {
            periods: all,
            len: periods.len(),
            after_flag: after_flag.unwrap_or(default),
            first_move_increment,
        })
    }

    /// All moves in one time, the same for both sides; times above [`MAX_GIVEN`] are cut to it.
    pub fn single(time: Span, method: Method) -> Control {
        let cap = |span: Span| span.min(MAX_GIVEN);
        let method = match method {
            Method::None => Method::None,
            Method::Increment(span) => Method::Increment(cap(span)),
            Method::Delay(span) => Method::Delay(cap(span)),
            Method::Bronstein(span) => Method::Bronstein(cap(span)),
        };
        let period =
            Period { moves: None, time: PerSide::both(cap(time)), method: PerSide::both(method) };
        Control::new(&[period], None, true).expect("one period within the limits is a control")
    }

    /// The periods, first to last.
    pub fn periods(&self) -> &[Period] {
        &self.periods[..self.len]
    }

    /// What happens at the final flag.
    pub const fn after_flag(&self) -> AfterFlag {
        self.after_flag
    }

    /// Whether move 1 already has its increment at set-up.
    pub const fn first_move_increment(&self) -> bool {
        self.first_move_increment
    }

    /// The number of periods.
    pub fn count(&self) -> u32 {
        u32::try_from(self.len).expect("MAX_PERIODS fits")
    }

    /// The period with this number, from 1; beyond the last, the last.
    pub(crate) fn period(&self, number: u32) -> &Period {
        let index = usize::try_from(number).unwrap_or(MAX_PERIODS).clamp(1, self.len) - 1;
        &self.periods[index]
    }

    /// The counter at which this period's moves are made, counted from the start of the game;
    /// `None` in the last period.
    pub(crate) fn moves_due(&self, number: u32) -> Option<u32> {
        self.period(number).moves?;
        let count = usize::try_from(number).ok()?;
        self.periods().iter().take(count).map(|period| period.moves).sum()
    }
}

fn check(periods: &[Period]) -> Result<(), ControlError> {
    if periods.is_empty() || periods.len() > MAX_PERIODS {
        return Err(ControlError::PeriodCount(periods.len()));
    }
    let mut due = 0_u32;
    for (index, period) in periods.iter().enumerate() {
        let last = index + 1 == periods.len();
        match period.moves {
            None if !last => return Err(ControlError::MovesMissing(index + 1)),
            Some(_) if last => return Err(ControlError::MovesInLast),
            Some(0) => return Err(ControlError::NoMoves(index + 1)),
            Some(moves) => {
                due = due.checked_add(moves).ok_or(ControlError::TooManyMoves)?;
            }
            None => {}
        }
        for side in Side::BOTH {
            let method = period.method[side];
            if period.time[side].max(method.increment()).max(method.delay()) > MAX_GIVEN {
                return Err(ControlError::TooLong(index + 1));
            }
        }
    }
    Ok(())
}

/// Why a list of periods is no time control. Periods are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlError {
    /// No period, or more than [`MAX_PERIODS`].
    PeriodCount(usize),
    /// A period that is not the last has no moves.
    MovesMissing(usize),
    /// The last period has moves.
    MovesInLast,
    /// A period of no moves.
    NoMoves(usize),
    /// The moves of all periods together are more than a counter holds.
    TooManyMoves,
    /// A time, increment or delay longer than [`MAX_GIVEN`].
    TooLong(usize),
}

impl ControlError {
    /// The period it concerns, where it is one.
    pub const fn period(self) -> Option<usize> {
        match self {
            ControlError::MovesMissing(number)
            | ControlError::NoMoves(number)
            | ControlError::TooLong(number) => Some(number),
            ControlError::PeriodCount(_)
            | ControlError::MovesInLast
            | ControlError::TooManyMoves => None,
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
            ControlError::MovesInLast => {
                f.write_str("the last period has `moves`; all the remaining moves are made in it")
            }
            ControlError::NoMoves(number) => {
                write!(f, "period {number} has `moves = 0`; expected 1 or more")
            }
            ControlError::TooManyMoves => {
                f.write_str("the moves of all periods together are more than 4294967295")
            }
            ControlError::TooLong(number) => {
                write!(f, "period {number} has a time, increment or delay of more than 1000:00:00")
            }
        }
    }
}

impl core::error::Error for ControlError {}

#[cfg(test)]
mod tests;
