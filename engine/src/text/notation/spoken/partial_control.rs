//! The control as far as it has been read, and how it becomes a control.

use super::super::NotationError;
use crate::{Control, Method, Overtime, PerSide, Period, Side, Terms};

/// The control as far as it has been parsed.
#[derive(Default)]
pub(super) struct PartialControl {
    pub periods: Vec<Period>,
    /// The position of a time that has no `G/`, no number of moves and no unit.
    pub bare: Option<usize>,
    /// The position of the last period.
    pub last_at: usize,
    pub repeat: bool,
    pub method: Option<MoveAmount>,
    pub overtime: Option<(Overtime, usize)>,
    pub draw_odds: Option<Side>,
}

/// An increment or a delay.
pub(super) struct MoveAmount {
    pub method: PerSide<Method>,
    /// The number of moves before the first move that has this increment or delay; `None` if the
    /// text names no move.
    pub moves_before: Option<u32>,
    /// Whether the first move was said as in `from 40th move`.
    pub is_ordinal: bool,
    /// How many periods stand in the text before this method. If the text gives the method several
    /// times, the last time counts.
    pub periods_before: usize,
    pub at: usize,
}

impl MoveAmount {
    pub fn from(&self) -> u32 {
        self.moves_before.unwrap_or(0)
    }
}

impl PartialControl {
    /// The moves of all periods so far, if the last of them has a number of moves and does not
    /// repeat, so that a period for the rest can follow.
    pub fn moves_so_far(&self) -> Option<u64> {
        let moves = self.periods.iter().map(|period| period.moves.map(u64::from));
        let moves: Option<u64> = moves.sum();
        moves.filter(|_| !self.repeat && !self.periods.is_empty())
    }

    pub fn finish(&self, text: &str) -> Result<Control, NotationError> {
        let PartialControl { bare, repeat, overtime, draw_odds, .. } = *self;
        let mut periods = self.periods.clone();
        let wrong = |at, why: &str| Err(NotationError::at(text, at, why));
        let Some(last) = periods.last() else {
            let message = "no time; expected the moves and minutes of each period, as in `40/90, \
                           G/30` or `3+2`";
            return Err(NotationError::new(message.into()));
        };
        if let (Some(at), true) = (bare, periods.len() > 1) {
            return wrong(at, "minutes for which moves? G/30 is for all the rest of them");
        }
        if let (Some(_), false) = (last.moves, repeat) {
            let moves = periods.iter().filter_map(|period| period.moves.map(u64::from));
            let moves: u64 = moves.sum();
            let message = format!(
                "no time for the moves after move {moves}; expected a last period such as G/30, or \
                 `repeat`"
            );
            return Err(NotationError::new(message));
        }
        let has_amount = |given: &&MoveAmount| given.method != PerSide::default();
        let given = self.method.as_ref().filter(has_amount);
        if let Some(given) = given {
            self.check_ordinal(given, text)?;
            let Some(first) = begin_period(&mut periods, given.from(), repeat) else {
                return wrong(
                    given.at,
                    "it begins within the period that repeats; expected the first move of a \
                     period, or a move before",
                );
            };
            for period in &mut periods[first..] {
                period.method = given.method;
            }
        }
        if let Some((overtime, at)) = overtime {
            if given.is_some() || repeat {
                return wrong(
                    at,
                    "an overtime goes with no increment, no delay and no period that repeats",
                );
            }
            if let Some(last) = periods.last_mut() {
                last.method = PerSide::both(Method::Overtime(overtime));
            }
        }
        let terms = Terms { repeat, draw_odds, ..Terms::default() };
        Control::new(&periods, terms).map_err(|error| NotationError::new(error.to_string()))
    }

    /// Refuses `from the 40th move` after a period of 40 moves: it is said of an increment that
    /// begins with the period after move 40, too.
    fn check_ordinal(&self, given: &MoveAmount, text: &str) -> Result<(), NotationError> {
        let move_number = u64::from(given.from()) + 1;
        let mut moves = 0;
        let is_last_of_period = self.periods.iter().any(|period| {
            moves += u64::from(period.moves.unwrap_or(0));
            period.moves.is_some() && moves == move_number
        });
        if !given.is_ordinal || !is_last_of_period {
            return Ok(());
        }
        let why = format!(
            "move {move_number} is the last of a period; write `from {move_number}`, or `from {}` \
             if the increment begins with the next period",
            move_number + 1
        );
        Err(NotationError::at(text, given.at, &why))
    }
}

/// The index of the period that begins after this number of moves. If there is none, the period in
/// which these moves end is divided in two. The second part gets no time; because the time left is
/// kept, nothing else changes. `None` if a repeating period would have to be divided.
fn begin_period(periods: &mut Vec<Period>, mut moves_before: u32, repeat: bool) -> Option<usize> {
    for index in 0..periods.len() {
        if moves_before == 0 {
            return Some(index);
        }
        match periods[index].moves {
            _ if repeat && index + 1 == periods.len() => return None,
            Some(moves) if moves <= moves_before => moves_before -= moves,
            moves => {
                periods[index].moves = Some(moves_before);
                let rest = moves.map(|moves| moves - moves_before);
                periods.insert(index + 1, Period { moves: rest, ..Period::default() });
                return Some(index + 1);
            }
        }
    }
    // Without `repeat` the last period has all remaining moves.
    None
}
