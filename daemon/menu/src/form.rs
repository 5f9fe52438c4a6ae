//! The two forms: a correction of the clock, and a control of the players' own.

use crate::digits::Digits;
use clock_engine::{
    Control, ControlError, Correction, Method, PerSide, Period, Side, Span, Terms, View,
};

/// A field of a correction that is entered digit by digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Time(Side),
    Moves(Side),
    Period(Side),
}

/// The longest time to which steps lead, as in the entry of digits.
const LONGEST: Span = Span::from_secs(999 * 3600 + 3599);

/// The amount for each move until another one is entered.
const FIRST_AMOUNT: Span = Span::from_secs(3);

/// A number from the digits, at most that of a counter.
fn count(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// The digits of a field of a correction: the value that `draft` has for the field, or else the
/// value that the clock has.
pub(crate) fn correction_digits(view: &View, draft: &Correction, field: Field) -> Digits {
    match field {
        Field::Moves(side) => Digits::count(draft.moves[side].unwrap_or(view.sides[side].moves), 3),
        Field::Period(side) => {
            Digits::count(draft.period[side].unwrap_or(view.sides[side].period), 2)
        }
        Field::Time(side) => Digits::time(corrected_time(view, draft, side)),
    }
}

/// The draft with this value. `now` has the digits that the clock shows: a value that is as there is no
/// correction, so a time keeps its fraction of a second.
pub(crate) fn correct(mut draft: Correction, now: &Digits, field: Field, value: u64) -> Correction {
    let value = (now.number() != value).then_some(value);
    match field {
        Field::Time(side) => draft.time[side] = value.map(Span::from_secs),
        Field::Moves(side) => draft.moves[side] = value.map(count),
        Field::Period(side) => draft.period[side] = value.map(count),
    }
    draft
}

/// The steps in which a time is corrected: the side, and by how many seconds the time changes. A board
/// without a key that goes back has a step for each direction.
pub(crate) fn steps(has_back: bool) -> impl Iterator<Item = (Side, i64)> {
    let of_both = Side::BOTH.map(|side| [60, -60, 10, -10].map(|seconds| (side, seconds)));
    of_both.into_iter().flatten().filter(move |(_, seconds)| *seconds > 0 || !has_back)
}

pub(crate) fn corrected_time(view: &View, draft: &Correction, side: Side) -> Span {
    draft.time[side].unwrap_or(view.sides[side].remaining)
}

/// The correction with a time changed by one step. A time that would become 0 stays as it is.
pub(crate) fn stepped(mut draft: Correction, view: &View, side: Side, seconds: i64) -> Correction {
    let (now, step) = (corrected_time(view, &draft, side), Span::from_secs(seconds.unsigned_abs()));
    let changed = if seconds < 0 { now.minus(step) } else { now.plus(step) };
    if !changed.is_zero() && changed <= LONGEST {
        draft.time[side] = Some(changed).filter(|changed| *changed != view.sides[side].remaining);
    }
    draft
}

/// A control of the players' own, as it is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OwnForm {
    pub time: Span,
    /// The number of moves in the first period; 0 stands for all moves.
    pub moves: u32,
    pub method: Method,
    /// The time of the second period; 0: there is none.
    pub second: Span,
}

impl Default for OwnForm {
    fn default() -> OwnForm {
        let (time, method) = (Span::from_secs(300), Method::Increment(FIRST_AMOUNT));
        OwnForm { time, moves: 0, method, second: Span::ZERO }
    }
}

impl OwnForm {
    /// What the method gives for each move; `None` if it gives nothing.
    pub fn per_move(&self) -> Option<Span> {
        match self.method {
            Method::Increment(span) | Method::Delay(span) | Method::Bronstein(span) => Some(span),
            _ => None,
        }
    }

    pub fn with_per_move(self, value: u64) -> OwnForm {
        let span = Span::from_secs(value);
        let method = match self.method {
            Method::Delay(_) => Method::Delay(span),
            Method::Bronstein(_) => Method::Bronstein(span),
            _ => Method::Increment(span),
        };
        OwnForm { method, ..self }
    }

    /// The same form with the next method: increment, delay, Bronstein, hourglass, none, and again
    /// increment.
    pub fn with_next_method(self) -> OwnForm {
        let method = match self.method {
            Method::Increment(span) => Method::Delay(span),
            Method::Delay(span) => Method::Bronstein(span),
            Method::Bronstein(_) => Method::Hourglass,
            Method::Hourglass => Method::None,
            _ => Method::Increment(FIRST_AMOUNT),
        };
        OwnForm { method, ..self }
    }

    /// The form with this number of moves in the first period. Without one there is no second period.
    pub fn with_moves(self, value: u64) -> OwnForm {
        let moves = count(value);
        let second = if moves == 0 { Span::ZERO } else { self.second };
        OwnForm { moves, second, ..self }
    }

    /// The form with these minutes and this increment: 60 times the minutes, plus the seconds of the
    /// increment.
    pub fn with_both(self, value: u64) -> OwnForm {
        let form = OwnForm { time: Span::from_secs(value / 60 * 60), ..self };
        match value % 60 {
            0 => OwnForm { method: Method::None, ..form },
            seconds => OwnForm { method: Method::Increment(Span::from_secs(seconds)), ..form },
        }
    }

    /// The form with this time of the second period. A second period needs a number of moves in the
    /// first one. If there is none, it becomes 40.
    pub fn with_second(self, value: u64) -> OwnForm {
        let moves = match (value, self.moves) {
            (0, _) => 0,
            (_, 0) => 40,
            (_, moves) => moves,
        };
        OwnForm { second: Span::from_secs(value), moves, ..self }
    }

    /// The control.
    ///
    /// # Errors
    ///
    /// The first rule of controls that it breaks.
    pub fn control(&self) -> Result<Control, ControlError> {
        let method = PerSide::both(self.method);
        let period = |moves, time| Period { moves, time: PerSide::both(time), method };
        let moves = (self.moves > 0).then_some(self.moves);
        let periods = [period(moves, self.time), period(None, self.second)];
        let count = if self.second.is_zero() { 1 } else { 2 };
        // The last period can have a number of moves only if it is repeated.
        let terms = Terms { repeat: count == 1 && moves.is_some(), ..Terms::default() };
        Control::new(&periods[..count], terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::text::spoken;

    #[test]
    fn a_second_period_needs_moves_and_moves_alone_repeat() {
        let form = OwnForm::default().with_second(1800);
        assert_eq!((form.moves, form.second), (40, Span::from_secs(1800)));
        let form = form.with_second(0);
        assert_eq!(form.moves, 0);
        let form = OwnForm { time: Span::from_secs(3600), ..form.with_moves(20) };
        assert!(form.control().unwrap().terms().repeat);
        let form = form.with_moves(0);
        assert_eq!(spoken(&form.control().unwrap()).unwrap(), "G/60+3");
    }

    #[test]
    fn every_method_makes_a_control() {
        let mut form = OwnForm::default().with_per_move(7);
        for _ in 0..5 {
            assert!(form.control().is_ok(), "{form:?}");
            form = form.with_next_method();
        }
        assert_eq!(form, OwnForm::default(), "the amount is lost with the hourglass");
    }
}
