//! Finds numbers without a unit whose usual meaning is not the one that the notation gives them:
//! hours in US Chess (`40/2, SD/1`), seconds in PGN's tag (`300+3`), moves after their time
//! (`90/40`).

use super::super::{NotationError, PGN, pgn, shortened};
use super::given::{Given, Number};
use crate::Control;

/// The longest time, in minutes, that can be meant as hours.
const MOST_HOURS: u64 = 6;

/// The longest time of a last period, in minutes, that can be meant as hours if the period is not
/// written with `SD`.
const MOST_HOURS_OF_REST: u64 = 2;

/// The least moves for each hour with which a time can be meant as hours. `40/2` can be 40 moves in
/// 2 hours; `2/3` cannot be 2 moves in 3 hours.
const MOVES_PER_HOUR: u64 = 6;

/// The longest time without a unit, in minutes, except that of a single move.
pub(in super::super) const MOST_MINUTES: u64 = 300;

/// From this number on, the `180` of `180+2` is refused without its unit.
const MANY_MINUTES: u64 = 180;

/// The least moves and the least time with which `90/40` can be a time before its moves.
const MANY_MOVES: u64 = 60;
const FEW_MOVES: u64 = 20;

/// With fewer moves than these, as in `60/50`, the time must also be a usual number of moves.
const VERY_MANY_MOVES: u64 = 75;
const USUAL_MOVES: u64 = 45;

/// Where a time stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// After its number of moves: `40/90`.
    Moves(u32),
    /// Before its number of moves: `90 for 40 moves`.
    TimeFirst(u32),
    /// `SD/30`.
    SuddenDeath,
    /// `G/30`, `30 rest`.
    Game,
    /// A time with nothing that says its moves: `3`.
    Bare,
}

/// A time without a unit.
struct Noted {
    number: u64,
    at: usize,
    end: usize,
    place: Place,
    /// The moves of the periods before this one.
    moves_before: u64,
}

/// The times without a unit, and what else decides whether they are clear.
#[derive(Default)]
pub(super) struct UnclearTimes {
    noted: Vec<Noted>,
    /// How many periods there are.
    periods: usize,
    /// The moves of all periods.
    moves: u64,
    has_sudden_death: bool,
    /// Whether a time stands before its number of moves.
    pub has_time_first: bool,
    /// Whether an increment of at most 2, without a unit, follows a `+`.
    has_small_amount: bool,
}

impl UnclearTimes {
    /// Notes the time of a period.
    pub fn note(&mut self, given: &Given<'_>, place: Place) {
        let moves_before = self.moves;
        self.periods += 1;
        if let Place::Moves(moves) | Place::TimeFirst(moves) = place {
            self.moves += u64::from(moves);
        }
        self.has_sudden_death |= place == Place::SuddenDeath;
        let numbers = [Some(given.white), given.black].into_iter().flatten();
        if numbers.clone().any(|number| number.has_unit_after()) {
            return;
        }
        for Number { text, at, .. } in numbers.filter(Number::is_bare) {
            let number = text.parse().unwrap_or(u64::MAX);
            let end = at + text.len();
            self.noted.push(Noted { number, at, end, place, moves_before });
        }
    }

    /// Notes an increment without a unit after a `+`.
    pub fn note_amount(&mut self, amount: &str) {
        self.has_small_amount |= amount.parse().is_ok_and(|seconds: u64| seconds <= 2);
    }

    /// An error with the accepted spellings if a number can mean something else.
    pub fn check(&self, text: &str) -> Result<(), NotationError> {
        if self.noted.iter().any(|time| self.can_be_hours(time)) {
            let [hours, minutes] = ["h", "m"].map(|unit| {
                self.with_units(text, |time| if self.can_be_hours(time) { unit } else { "m" })
            });
            let message = format!(
                "`{}` is in hours in US Chess and in minutes elsewhere; write `{hours}` or \
                 `{minutes}`",
                shortened(text)
            );
            let spellings = Some(Box::new([hours, minutes]));
            return Err(NotationError { message, spellings });
        }
        if let Some(time) = self.noted.iter().find(|time| self.can_be_seconds(time)) {
            return Err(self.seconds_or_minutes(text, time));
        }
        match self.noted.iter().find_map(|time| Some((time, self.moves_or_minutes(time)?))) {
            Some((time, moves)) => Err(time_or_moves(text, time, moves)),
            None => Ok(()),
        }
    }

    fn can_be_hours(&self, time: &Noted) -> bool {
        let hours = time.number;
        let is_several = self.periods > 1;
        let few = match time.place {
            _ if self.has_sudden_death && is_several => MOST_HOURS,
            Place::Moves(moves) | Place::TimeFirst(moves) => {
                MOST_HOURS.min(u64::from(moves) / MOVES_PER_HOUR)
            }
            Place::SuddenDeath => MOST_HOURS_OF_REST,
            Place::Game => most_hours_of_rest(time.moves_before),
            Place::Bare => 0,
        };
        (1..=few).contains(&hours)
    }

    fn can_be_seconds(&self, time: &Noted) -> bool {
        match time.place {
            // A day for one move: `1/1440 repeat`.
            Place::Moves(1) | Place::TimeFirst(1) => false,
            Place::Bare => {
                time.number >= MANY_MINUTES || (time.number >= 60 && self.has_small_amount)
            }
            _ => time.number > MOST_MINUTES,
        }
    }

    /// The number of moves before a time, if it can be meant as minutes.
    fn moves_or_minutes(&self, time: &Noted) -> Option<u32> {
        let Place::Moves(moves) = time.place else { return None };
        (can_be_time_first(moves, time.number) || self.has_time_first).then_some(moves)
    }

    fn seconds_or_minutes(&self, text: &str, time: &Noted) -> NotationError {
        let with = |unit| self.with_units(text, |_| unit);
        let is_tag = pgn::parse(text).is_ok_and(|control: Control| pgn::is_plausible(&control));
        let seconds = if is_tag { format!("{PGN}{text}") } else { with("s") };
        let why = format!(
            "minutes or seconds? Write `{}`, or `{seconds}` for seconds; `{PGN}` before the text \
             stands for PGN's TimeControl",
            with("m")
        );
        NotationError::at(text, time.at, &why)
    }

    /// The text in which each time has its unit.
    fn with_units<'a>(&self, text: &str, unit: impl Fn(&Noted) -> &'a str) -> String {
        let mut spelling = text.to_owned();
        for time in self.noted.iter().rev() {
            insert_unit(&mut spelling, time.end, unit(time));
        }
        spelling
    }
}

/// Whether a period of this number of moves and minutes, written without a unit after its moves, is
/// refused.
pub(in super::super) fn needs_unit(moves: u32, minutes: u64) -> bool {
    let hours = MOST_HOURS.min(u64::from(moves) / MOVES_PER_HOUR);
    (1..=hours).contains(&minutes) || can_be_time_first(moves, minutes)
}

/// Whether a last period of this number of minutes, after this number of moves, is refused without
/// a unit.
pub(in super::super) fn rest_needs_unit(moves_before: u64, minutes: u64) -> bool {
    (1..=most_hours_of_rest(moves_before)).contains(&minutes)
}

/// The longest time, as a number without a unit, that can be meant as hours for the moves after
/// these. `30/90, G/1` can have an hour; `2/3, G/1` and `G/1` cannot.
fn most_hours_of_rest(moves_before: u64) -> u64 {
    MOST_HOURS_OF_REST.min(moves_before / MOVES_PER_HOUR)
}

/// Whether `90/40` can be 90 minutes for 40 moves.
fn can_be_time_first(moves: u32, minutes: u64) -> bool {
    let moves = u64::from(moves);
    let most = if moves < VERY_MANY_MOVES { USUAL_MOVES } else { moves - 1 };
    moves >= MANY_MOVES && (FEW_MOVES..=most).contains(&minutes)
}

/// Inserts a unit at this byte, and a space if letters or digits follow.
fn insert_unit(text: &mut String, end: usize, unit: &str) {
    let space = if text[end..].starts_with(|c: char| c.is_alphanumeric()) { " " } else { "" };
    text.insert_str(end, &format!("{unit}{space}"));
}

fn time_or_moves(text: &str, time: &Noted, moves: u32) -> NotationError {
    let minutes = time.number;
    let why = format!(
        "{moves} moves or {moves} minutes? Write {moves}/{minutes}m for {moves} moves in {minutes} \
         minutes, or {minutes}/{moves} for {minutes} moves in {moves} minutes"
    );
    NotationError::at(text, time.at, &why)
}
