//! The lines of a TRF, the rounds of a player in them, and the games. FIDE's text wants each line to end
//! with CR; programs also write LF and CR LF.

use std::ops::Range;

use clock_engine::text::{FileError, Place};

use crate::pairings::round::Score;

/// A line without its end.
pub(in super::super) struct Line<'a> {
    pub text: &'a str,
    /// Where it is in the text of the file.
    pub at: Range<usize>,
    /// Its number, from 1.
    pub number: usize,
}

impl Line<'_> {
    /// An error in this line; the column counts characters, from 1.
    pub fn error(&self, column: usize, message: String) -> FileError {
        FileError { place: Place { line: self.number, column }, message }
    }
}

/// The lines of the text, without a byte order mark.
pub(in super::super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut offset = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut number = 0;
    std::iter::from_fn(move || {
        let rest = text.get(offset..).filter(|rest| !rest.is_empty())?;
        let length = rest.find(['\r', '\n']).unwrap_or(rest.len());
        let end = if rest[length..].starts_with("\r\n") { 2 } else { (rest.len() - length).min(1) };
        let at = offset..offset + length;
        offset += length + end;
        number += 1;
        Some(Line { text: &rest[..length], at, number })
    })
}

/// One round of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Round {
    /// `None` for a bye.
    pub opponent: Option<u32>,
    /// `None` if the line has no colour.
    pub is_white: Option<bool>,
    pub outcome: Outcome,
}

/// What the column of the result has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Outcome {
    /// No result yet.
    Open,
    /// A result, in a capital letter.
    Letter(char),
}

impl Round {
    /// Whether nobody plays this game: it was forfeited, or it has no colour.
    pub fn is_not_played(&self) -> bool {
        self.is_white.is_none()
            || matches!(self.outcome, Outcome::Letter('+' | '-' | 'F' | 'H' | 'U'))
    }
}

/// A game of the round, with the numbers of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Game {
    pub white: u32,
    pub black: u32,
    /// What the lines of White and of Black have for it.
    pub outcomes: (Outcome, Outcome),
}

impl Game {
    /// Whether nobody plays this game.
    pub fn is_forfeited(&self) -> bool {
        let is = |outcome| matches!(outcome, Outcome::Letter('+' | '-' | 'F' | 'H' | 'U'));
        is(self.outcomes.0) && is(self.outcomes.1)
    }

    /// The result that the file has already.
    pub fn score(&self) -> Option<Score> {
        let (Outcome::Letter(white), Outcome::Letter(black)) = self.outcomes else {
            return self.has_half().then_some(Score::Other);
        };
        Some(match (white, black) {
            ('1' | 'W', '0' | 'L') => Score::White,
            ('0' | 'L', '1' | 'W') => Score::Black,
            ('=' | 'D', '=' | 'D') => Score::Draw,
            ('0' | 'L', '0' | 'L') => Score::Nobody,
            ('=' | 'D', '0' | 'L') => Score::HalfWhite,
            ('0' | 'L', '=' | 'D') => Score::HalfBlack,
            ('+', '-') => Score::ForfeitWhite,
            ('-', '+') => Score::ForfeitBlack,
            ('-', '-') => Score::ForfeitBoth,
            _ => Score::Other,
        })
    }

    /// Whether only one of both lines has a result.
    fn has_half(&self) -> bool {
        (self.outcomes.0 == Outcome::Open) != (self.outcomes.1 == Outcome::Open)
    }
}
