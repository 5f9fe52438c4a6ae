//! The numbers of the boards. A TRF has none: they follow from the order in which the pairings of a
//! Swiss tournament are published (FIDE Handbook C.04.2): by the score of the higher player of the
//! pair, then by the sum of both scores, then by the number of the higher player. The games of a
//! team tournament come match by match, those of a round robin in the order of its schedule.

use std::cmp::Reverse;

use clock_engine::text::FileError;

use super::{super::round::without_place, game::Game, round_robin, tournament::Tournament};

/// What to do if the boards do not follow from the file.
pub(super) const GIVE_A_TABLE: &str =
    "give a table (CSV) with the heads board, white, black in its place";

/// The place of a pair in the order of C.04.2, of players or of teams with these scores and numbers.
pub(super) fn by_score(one: (i32, u32), other: (i32, u32)) -> impl Ord + Copy {
    // The higher one has the higher score or, with equal scores, the lower number.
    let rank = |(score, number): (i32, u32)| (score, Reverse(number));
    let Reverse(higher) = rank(one).max(rank(other)).1;
    (Reverse(one.0.max(other.0)), Reverse(one.0 + other.0), higher)
}

impl Tournament {
    /// The games of a Swiss tournament with the numbers of their boards.
    pub(super) fn by_scores(&self, mut games: Vec<Game>, round: usize) -> Vec<(usize, Game)> {
        let score = |number: u32| (self.points_before(number, round), number);
        games.sort_by_key(|game| by_score(score(game.white), score(game.black)));
        (1..).zip(games).collect()
    }

    /// The games of a round robin with the numbers of their boards, which are those of the Berger
    /// tables (FIDE Handbook C.05, annex 1).
    pub(super) fn in_schedule(
        &self,
        games: Vec<Game>,
        round: usize,
    ) -> Result<Vec<(usize, Game)>, FileError> {
        let pairs: Vec<(u32, u32)> = games.iter().map(|game| (game.white, game.black)).collect();
        let numbers: Vec<u32> = self.players.keys().copied().collect();
        let order = round_robin::order(&numbers, &pairs).ok_or_else(|| {
            without_place(format!(
                "round {round} of this round robin does not follow the Berger tables, so the order \
                 of its boards is not known: {GIVE_A_TABLE}"
            ))
        })?;
        let mut placed: Vec<(u32, Game)> = order.into_iter().zip(games).collect();
        placed.sort_by_key(|(place, _)| *place);
        Ok((1..).zip(placed.into_iter().map(|(_, game)| game)).collect())
    }
}
