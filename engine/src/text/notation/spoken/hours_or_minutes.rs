//! Finds the controls whose times US Chess writes in hours and everybody else in minutes:
//! `40/2, SD/1`.

use super::super::NotationError;
use super::is_number;

/// The longest time, in minutes, that can be meant as hours.
const MOST: u8 = 6;

/// What was read of the times of all periods.
#[derive(Default)]
pub(super) struct SuddenDeath {
    /// Whether the last period is written with `SD`.
    pub said: bool,
    /// The byte after each time that has no unit and can be hours.
    ends: Vec<usize>,
    /// Whether there is a time that can only be meant in one way.
    is_clear: bool,
}

impl SuddenDeath {
    /// Notes the time of a period. `is_alone` is `false` if a unit or the time of the other side
    /// follows.
    pub fn note(&mut self, time: &str, at: usize, is_alone: bool) {
        let number = is_number(time).then(|| time.parse::<u8>().ok()).flatten();
        if is_alone && number.is_some_and(|number| number <= MOST) {
            self.ends.push(at + time.len());
        } else {
            self.is_clear = true;
        }
    }

    /// An error with both spellings if the text can mean hours.
    pub fn check(&self, text: &str) -> Result<(), NotationError> {
        if !self.said || self.is_clear || self.ends.len() < 2 {
            return Ok(());
        }
        let [hours, minutes] = ["h", "m"].map(|unit| self.with_unit(text, unit));
        let message = format!(
            "`{text}` is in hours in US Chess and in minutes elsewhere; write `{hours}` or `{minutes}`"
        );
        Err(NotationError { message, spellings: Some(Box::new([hours, minutes])) })
    }

    fn with_unit(&self, text: &str, unit: &str) -> String {
        let mut spelling = text.to_owned();
        for end in self.ends.iter().rev() {
            spelling.insert_str(*end, unit);
        }
        spelling
    }
}
