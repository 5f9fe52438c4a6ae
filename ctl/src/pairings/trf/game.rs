//! A game of a round in a TRF.

use super::{super::round::Score, played::Outcome};

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
