//! Pairings of a Tournament Report File (FIDE Handbook, TRF16 and TRF26): lines of fixed columns,
//! one for each player. A round that is paired has an opponent and a colour, and no result yet.
//!
//! The file has no numbers of boards: `order` says from what they follow.

mod lines;
mod order;
mod player;
mod scoring;
mod teams;
mod tournament;

use clock_engine::text::{FileError, Place};

use self::lines::{Game, lines};
pub(super) use self::{
    lines::{Outcome, Round},
    player::{POINTS, Player, RESULT, round_start},
    scoring::Scoring,
    tournament::Tournament,
};
use super::round::{Pairing, Pairings, Slot, without_place};

/// Whether the text is a TRF: it has a line of a player.
pub(super) fn is_trf(text: &str) -> bool {
    lines(text).any(|line| line.text.starts_with("001 "))
}

/// Reads the games of `round`; of the latest paired round if it is `None`.
pub(super) fn parse(text: &str, round: Option<&str>) -> Result<Pairings, FileError> {
    let tournament = Tournament::parse(text)?;
    let round = tournament.wanted(round)?;
    tournament.pairings(round)
}

impl Tournament {
    fn pairings(&self, round: usize) -> Result<Pairings, FileError> {
        let is_team = self.system.is_team().unwrap_or(self.teams.exist());
        let games = self.games(round)?;
        let numbered = match (is_team, self.system.is_round_robin()) {
            (true, _) if self.system.without_boards() || !self.teams.exist() => {
                return Err(without_place(format!(
                    "the boards of this team tournament do not follow from the file ({}): {}",
                    self.system.code,
                    order::GIVE_A_TABLE
                )));
            }
            (true, _) => self.in_matches(games, round)?,
            (false, true) => self.in_schedule(games, round)?,
            (false, false) => self.by_scores(games, round),
        };
        let mut pairings = Pairings {
            event: self.event.clone(),
            round: Some(round.to_string()),
            byes: self.byes(round),
            ..Pairings::default()
        };
        for (board, game) in numbered {
            let is_forfeited = game.is_forfeited();
            let pairing = self.pairing(board, &game);
            if is_forfeited { &mut pairings.forfeited } else { &mut pairings.games }.push(pairing);
        }
        Ok(pairings)
    }

    fn pairing(&self, board: usize, game: &Game) -> Pairing {
        let name = |number: u32| {
            self.players.get(&number).map_or(String::new(), |player| player.name.clone())
        };
        Pairing {
            score: game.score(),
            place: self.players.get(&game.white).map_or(Place::START, |player| player.place),
            slot: Slot::Players { white: game.white, black: game.black },
            ..Pairing::new(&board.to_string(), &name(game.white), &name(game.black))
        }
    }
}

#[cfg(test)]
mod tests;
