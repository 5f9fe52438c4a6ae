//! The two forms: a correction of the clock, and a control of the players' own.

use crate::digits::Digits;
use clock_engine::{
    Control, ControlError, Correction, Method, PerSide, Period, Side, Span, Terms, View,
};

/// A field of a correction that is entered digit by digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The time that this side shows.
    Time(Side),
    /// The press counter of this side.
    Moves(Side),
    /// The period of this side.
    Period(Side),
    /// The periods of overtime that this side has left.
    OvertimePeriods(Side),
    /// The moves of this side in the running period of overtime.
    OvertimeMoves(Side),
}

/// The longest time to which steps lead, as in the entry of digits.
const LONGEST: Span = Span::from_secs(999 * 3600 + 3599);

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
        Field::OvertimePeriods(side) => {
            let now = view.sides[side].overtime.map_or(0, |left| left.periods);
            Digits::count(draft.overtime_periods[side].unwrap_or(now), 2)
        }
        Field::OvertimeMoves(side) => {
            let now = view.sides[side].overtime.map_or(0, |left| left.moves);
            Digits::count(draft.overtime_moves[side].unwrap_or(now), 2)
        }
        Field::Time(side) => Digits::time(draft.time[side].unwrap_or(view.sides[side].remaining)),
    }
}

/// The correction with this value.
pub(crate) fn correct(mut draft: Correction, field: Field, value: u64) -> Correction {
    match field {
        Field::Time(side) => draft.time[side] = Some(Span::from_secs(value)),
        Field::Moves(side) => draft.moves[side] = Some(count(value)),
        Field::Period(side) => draft.period[side] = Some(count(value)),
        Field::OvertimePeriods(side) => draft.overtime_periods[side] = Some(count(value)),
        Field::OvertimeMoves(side) => draft.overtime_moves[side] = Some(count(value)),
    }
    draft
}

/// The steps in which a time is corrected: the side, and how many seconds.
pub(crate) const STEPS: [(Side, u64); 4] =
    [(Side::White, 60), (Side::White, 10), (Side::Black, 60), (Side::Black, 10)];

/// A correction in steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    pub draft: Correction,
    /// The index of the chosen step. After the last one, the exact form is offered.
    pub at: usize,
}

impl Steps {
    /// The chosen step; `None` if the exact form is offered.
    pub fn step(&self) -> Option<(Side, u64)> {
        STEPS.get(self.at).copied()
    }

    /// The time of a side with the correction.
    pub fn time(&self, view: &View, side: Side) -> Span {
        self.draft.time[side].unwrap_or(view.sides[side].remaining)
    }

    /// The correction with a time changed by one step. A time that would become 0 stays as it is.
    pub fn changed(mut self, view: &View, (side, seconds): (Side, u64), more: bool) -> Steps {
        let (now, step) = (self.time(view, side), Span::from_secs(seconds));
        let changed = if more { now.plus(step) } else { now.minus(step) };
        if !changed.is_zero() && changed <= LONGEST {
            let is_new = changed != view.sides[side].remaining;
            self.draft.time[side] = is_new.then_some(changed);
        }
        self
    }
}

/// The methods of an own control, in the order in which they are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnMethod {
    None,
    Increment,
    Delay,
    Bronstein,
    Hourglass,
}

impl OwnMethod {
    const ALL: [OwnMethod; 5] = [
        OwnMethod::None,
        OwnMethod::Increment,
        OwnMethod::Delay,
        OwnMethod::Bronstein,
        OwnMethod::Hourglass,
    ];

    pub fn next(self) -> OwnMethod {
        OwnMethod::ALL[(self as usize + 1) % OwnMethod::ALL.len()]
    }

    fn with(self, per_move: Span) -> Method {
        match self {
            OwnMethod::None => Method::None,
            OwnMethod::Increment => Method::Increment(per_move),
            OwnMethod::Delay => Method::Delay(per_move),
            OwnMethod::Bronstein => Method::Bronstein(per_move),
            OwnMethod::Hourglass => Method::Hourglass,
        }
    }
}

/// A control of the players' own, as it is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OwnForm {
    /// The place where it is kept, from 0.
    pub place: usize,
    pub time: Span,
    /// The number of moves in the first period; 0 stands for all moves.
    pub moves: u32,
    pub method: OwnMethod,
    pub per_move: Span,
    /// The time of the second period; 0: there is none.
    pub second: Span,
}

impl OwnForm {
    /// The form of a place: the control that is kept there, if the form can express it, or 5
    /// minutes with 3 seconds a move.
    pub fn of(place: usize, control: Option<&Control>) -> OwnForm {
        let first = OwnForm {
            place,
            time: Span::from_secs(300),
            moves: 0,
            method: OwnMethod::Increment,
            per_move: Span::from_secs(3),
            second: Span::ZERO,
        };
        let Some(control) = control else { return first };
        let periods = control.periods();
        let (method, per_move) = match periods[0].method.white {
            Method::None => (OwnMethod::None, Span::ZERO),
            Method::Increment(span) => (OwnMethod::Increment, span),
            Method::Delay(span) => (OwnMethod::Delay, span),
            Method::Bronstein(span) => (OwnMethod::Bronstein, span),
            Method::Hourglass => (OwnMethod::Hourglass, Span::ZERO),
            Method::Overtime(_) | Method::Gong(_) | Method::CountUp { .. } => return first,
        };
        let (time, moves) = (periods[0].time.white, periods[0].moves.unwrap_or(0));
        let second = periods.get(1).map_or(Span::ZERO, |period| period.time.white);
        let form = OwnForm { place, time, moves, method, per_move, second };
        if form.control().is_ok_and(|same| same == *control) { form } else { first }
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
        let (time, per_move) = (Span::from_secs(value / 60 * 60), Span::from_secs(value % 60));
        let method = if per_move.is_zero() { OwnMethod::None } else { OwnMethod::Increment };
        OwnForm { time, per_move, method, ..self }
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
        let method = PerSide::both(self.method.with(self.per_move));
        let period = |moves, time| Period { moves, time: PerSide::both(time), method };
        let moves = (self.moves > 0).then_some(self.moves);
        match self.second.is_zero() {
            // If there are moves but no second period, the first period is repeated.
            true => {
                let terms = Terms { repeat: moves.is_some(), ..Terms::default() };
                Control::new(&[period(moves, self.time)], terms)
            }
            false => {
                let periods = [period(moves, self.time), period(None, self.second)];
                Control::new(&periods, Terms::default())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::text::{parse_notation, spoken};

    #[test]
    fn a_kept_control_fills_the_form_again() {
        for notation in ["7+4", "G/5", "15 d5", "40/90, G/30, +30", "40/120, G/60", "40/60 repeat"]
        {
            let Ok(control) = parse_notation(notation) else { panic!("{notation}") };
            let form = OwnForm::of(2, Some(&control));
            assert_eq!((form.control().unwrap(), form.place), (control, 2), "{notation}");
        }
        // The form cannot express it.
        let control = parse_notation("40/120, 20/60, G/30").unwrap();
        assert_eq!(OwnForm::of(0, Some(&control)), OwnForm::of(0, None));
    }

    #[test]
    fn a_second_period_needs_moves_and_moves_alone_repeat() {
        let form = OwnForm::of(0, None).with_second(1800);
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
        let mut form = OwnForm::of(0, None);
        for _ in OwnMethod::ALL {
            assert!(form.control().is_ok(), "{form:?}");
            assert_eq!(OwnForm::of(0, form.control().as_ref().ok()).method, form.method);
            form.method = form.method.next();
        }
        assert_eq!(form, OwnForm::of(0, None));
    }
}
