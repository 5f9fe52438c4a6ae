//! Time controls: the periods, the method of each side in a period, and the terms of all periods.
//!
//! `docs/laws.md` explains FIDE, which is the source of the cited clause.

mod error;
mod serialization;

pub use error::ControlError;

use crate::{MAX_GIVEN, PerSide, Side, Span};
use serde::{Deserialize, Serialize};

/// The most periods a time control can have.
pub const MAX_PERIODS: usize = 16;

/// The shortest overtime period and the shortest slice of a gong, 1 ms. These end without a press,
/// and the clock loop needs time for other work between them.
pub const MIN_SLICE: Span = Span::from_nanos(1_000_000);

/// How a side's time runs in a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Method {
    /// The main time falls, and nothing is added.
    #[default]
    None,
    /// This time is added with each completed move (Fischer).
    Increment(Span),
    /// In each turn, this time passes before the main time falls. The part that the player does not
    /// use is lost (US delay, FIDE time delay).
    Delay(Span),
    /// Like `Delay`, but shown as one number together with the main time.
    Bronstein(Span),
    /// When the main time is used up, periods of overtime follow (byo-yomi, Canadian, move timer).
    Overtime(Overtime),
    /// The time that the running side uses is added to the opponent's main time.
    Hourglass,
    /// Both sides get slices of this length in turn, with a gong between them. A press completes no
    /// move.
    Gong(Span),
    /// The time used is counted up, to the limit if there is one.
    CountUp {
        /// The flag falls when this much time is used.
        limit: Option<Span>,
    },
}

/// The overtime after the main time of the last period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overtime {
    /// The number of overtime periods: one for Canadian overtime and for a move timer.
    pub periods: u32,
    /// The time of each period.
    pub time: Span,
    /// The moves after which a period starts again with its whole time: one for byo-yomi and for a
    /// move timer.
    pub moves: u32,
}

impl Method {
    /// The increment that a completed move adds; 0 if the method is not an increment.
    pub(crate) const fn increment(self) -> Span {
        match self {
            Method::Increment(span) => span,
            _ => Span::ZERO,
        }
    }

    /// The increment or the delay of each move; 0 if the method has neither.
    pub const fn amount(self) -> Span {
        match self {
            Method::Increment(span) | Method::Delay(span) | Method::Bronstein(span) => span,
            _ => Span::ZERO,
        }
    }

    /// Whether the method is an increment, a delay, Bronstein, or none of these ([`Method::None`]).
    /// Only these methods can be changed during a game.
    pub(crate) const fn adds_time(self) -> bool {
        matches!(
            self,
            Method::None | Method::Increment(_) | Method::Delay(_) | Method::Bronstein(_)
        )
    }

    /// Returns [`Method::None`] for an increment or a delay of 0, so that an amount of 0 does not
    /// change the default of `after_flag`.
    pub(crate) const fn unless_zero(self) -> Method {
        match self {
            Method::Increment(span) | Method::Delay(span) | Method::Bronstein(span)
                if span.is_zero() =>
            {
                Method::None
            }
            method => method,
        }
    }

    /// The delay at the start of a turn.
    pub(crate) const fn delay(self) -> Span {
        match self {
            Method::Delay(span) | Method::Bronstein(span) => span,
            _ => Span::ZERO,
        }
    }

    /// The length of a gong's slice; `None` for every other method.
    pub(crate) const fn slice(self) -> Option<Span> {
        match self {
            Method::Gong(span) => Some(span),
            _ => None,
        }
    }
}

/// One period of a time control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// The moves to be made in this period; `None` for all remaining moves. The last period has
    /// `None`, unless it repeats. Every other period must have `Some`, except with
    /// [`PeriodEnd::Zero`].
    pub moves: Option<u32>,
    /// The time that each side gets for this period; zero for a gong and for counting up.
    pub time: PerSide<Span>,
    /// How each side's time runs.
    pub method: PerSide<Method>,
}

/// When the next period's time is added. The time left is always kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum PeriodEnd {
    /// At the press that completes the period's moves. The player who presses gets the time of the
    /// next period.
    #[default]
    Moves,
    /// When either player's time is used up. Both players get the time of the next period, except a
    /// player whom the arbiter has put in a later period already. The number of moves is only
    /// shown.
    Zero,
    /// When a player's time is used up, if the player has made the period's moves. That player gets
    /// the time of the next period.
    MovesAtZero,
    /// At Black's press that completes the period's moves. Both players get the time of the next
    /// period (set back).
    BlackCompletes {
        /// Whether both clocks stop at the set-back, so that their times can be noted.
        pause: bool,
    },
}

impl PeriodEnd {
    /// The word used in control files.
    pub const fn as_str(self) -> &'static str {
        match self {
            PeriodEnd::Moves => "moves",
            PeriodEnd::Zero => "zero",
            PeriodEnd::MovesAtZero => "moves-at-zero",
            PeriodEnd::BlackCompletes { .. } => "black-completes",
        }
    }
}

/// What happens at the final flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AfterFlag {
    /// Both clocks stop and the arbiter is asked.
    Halt,
    /// The flagged side shows 0, or its limit if time is counted up; its overrun is counted, and
    /// play goes on.
    Run,
}

impl AfterFlag {
    /// The word used in control files.
    pub const fn as_str(self) -> &'static str {
        match self {
            AfterFlag::Halt => "halt",
            AfterFlag::Run => "run",
        }
    }
}

/// The terms of a time control that concern all its periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// When the next period's time is added.
    // The serialised field keeps its earlier name, so that records of earlier versions can be read.
    #[serde(rename = "advance")]
    pub period_end: PeriodEnd,
    /// Whether the last period repeats without end.
    pub repeat: bool,
    /// What happens at the final flag. `None` is the default: [`AfterFlag::Run`] if both sides have
    /// no method or count up in the last period, otherwise [`AfterFlag::Halt`].
    pub after_flag: Option<AfterFlag>,
    /// Whether move 1 already has its increment at set-up. If so, a clock with FIDE's 5+3 starts at
    /// 5:03.
    pub first_move_increment: bool,
    /// The side for which a draw is a win (Armageddon).
    pub draw_odds: Option<Side>,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            period_end: PeriodEnd::Moves,
            repeat: false,
            after_flag: None,
            first_move_increment: true,
            draw_odds: None,
        }
    }
}

/// A time control: what each player must do in which time (FIDE 6.2).
///
/// It is a plain value of fixed size, and it is checked when it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    periods: [Period; MAX_PERIODS],
    len: usize,
    terms: Terms,
}

impl Control {
    /// Creates a control of these periods with these terms.
    ///
    /// # Errors
    ///
    /// The first rule that the periods and the terms break; see [`ControlError`].
    pub fn new(periods: &[Period], terms: Terms) -> Result<Control, ControlError> {
        error::check(periods, terms)?;
        let mut all = [Period::default(); MAX_PERIODS];
        for (place, period) in all.iter_mut().zip(periods) {
            *place = Period { method: period.method.map(Method::unless_zero), ..*period };
        }
        Ok(Control { periods: all, len: periods.len(), terms })
    }

    /// Creates a control with all moves in one time, the same for both sides. A main time, an
    /// increment or a delay above [`MAX_GIVEN`] is reduced to it.
    ///
    /// # Panics
    ///
    /// Panics with a method that [`Control::new`] would refuse, such as an overtime without
    /// periods, a gong together with main time, or a limit above [`MAX_GIVEN`].
    pub fn single(time: Span, method: Method) -> Control {
        let cap = |span: Span| span.min(MAX_GIVEN);
        let method = match method {
            Method::Increment(span) => Method::Increment(cap(span)),
            Method::Delay(span) => Method::Delay(cap(span)),
            Method::Bronstein(span) => Method::Bronstein(cap(span)),
            other => other,
        };
        let period =
            Period { moves: None, time: PerSide::both(cap(time)), method: PerSide::both(method) };
        Control::new(&[period], Terms::default()).expect("one good period is a control")
    }

    /// The periods, from the first to the last.
    pub fn periods(&self) -> &[Period] {
        &self.periods[..self.len]
    }

    /// The terms that concern all its periods.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// What happens at the final flag.
    pub fn after_flag(&self) -> AfterFlag {
        let last = self.periods[self.len - 1];
        let runs = |method| matches!(method, Method::None | Method::CountUp { .. });
        let default = match Side::BOTH.iter().all(|&side| runs(last.method[side])) {
            true => AfterFlag::Run,
            false => AfterFlag::Halt,
        };
        self.terms.after_flag.unwrap_or(default)
    }

    /// This control with `after_flag` in its terms. A control with an hourglass or a gong stays
    /// unchanged, because it always halts at the flag.
    #[must_use]
    pub(crate) fn with_after_flag(mut self, after_flag: Option<AfterFlag>) -> Control {
        let halts = |method| matches!(method, Method::Hourglass | Method::Gong(_));
        let first = self.periods[0].method;
        if !(halts(first.white) || halts(first.black)) {
            self.terms.after_flag = after_flag;
        }
        self
    }

    /// This control with clocks that run on after the final flag, also with an hourglass.
    #[must_use]
    pub(crate) fn running_on(mut self) -> Control {
        self.terms.after_flag = Some(AfterFlag::Run);
        self
    }

    /// The number of periods. The last one may repeat.
    pub fn count(&self) -> u32 {
        u32::try_from(self.len).expect("MAX_PERIODS fits")
    }

    /// The number of the last period; `None` if it repeats.
    pub fn last(&self) -> Option<u32> {
        (!self.terms.repeat).then(|| self.count())
    }

    /// The period with this number, from 1. A number beyond the last gives the last period.
    pub(crate) fn period(&self, number: u32) -> &Period {
        let index = usize::try_from(number).unwrap_or(MAX_PERIODS).clamp(1, self.len) - 1;
        &self.periods[index]
    }

    /// Whether no further period can come after the one with this number.
    pub(crate) fn is_last(&self, number: u32) -> bool {
        number >= self.last().unwrap_or(u32::MAX)
    }

    /// The press counter at which the moves of the period with this number, from 1, are made: 60
    /// for the second of two periods of 40 and 20 moves. `None` if this period or one before it
    /// asks for no moves. If the result is larger than `u32::MAX`, no press counter reaches it.
    pub fn moves_due(&self, number: u32) -> Option<u64> {
        let last = u64::from(self.period(number).moves?);
        let count = usize::try_from(number).unwrap_or(usize::MAX);
        let listed = self.periods().iter().take(count);
        let moves: Option<u64> = listed.map(|period| period.moves.map(u64::from)).sum();
        let repeated = u64::from(number.saturating_sub(self.count()));
        moves.map(|moves| moves + repeated * last)
    }
}

#[cfg(test)]
mod tests;
