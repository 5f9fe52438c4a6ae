//! The boards of a team tournament: match by match.

use std::collections::BTreeMap;

use clock_engine::text::FileError;

use super::{
    super::round::without_place,
    game::Game,
    order::{GIVE_A_TABLE, by_score},
    played::Outcome,
    round_robin,
    tournament::Tournament,
};

/// A match of two teams, the one with the lower number first.
type Match = (u32, u32);

impl Tournament {
    /// The games of a team tournament with the numbers of their boards: match by match, in each
    /// match its board 1 first. Each match has as many boards as the longest line-up, so a board
    /// that a team leaves empty keeps its number.
    pub(super) fn in_matches(
        &self,
        games: Vec<Game>,
        round: usize,
    ) -> Result<Vec<(usize, Game)>, FileError> {
        let matches = self.matches(games)?;
        let mut boards_of_match = self.teams.boards;
        let mut ordered = Vec::new();
        for (teams, games) in matches {
            let line_ups = (self.line_up(teams.0, round), self.line_up(teams.1, round));
            boards_of_match = boards_of_match.max(line_ups.0.len()).max(line_ups.1.len());
            ordered.push((teams, boards_in_match(games, &line_ups).ok_or_else(|| {
                without_place(format!(
                    "the order of the boards in the match of the teams {} and {} does not follow \
                     from the file: {GIVE_A_TABLE}",
                    teams.0, teams.1
                ))
            })?));
        }
        let order =
            self.order_of_matches(ordered.iter().map(|(teams, _)| *teams).collect(), round)?;
        let mut numbered = Vec::new();
        for (teams, games) in ordered {
            let place = order.iter().position(|other| *other == teams).unwrap_or_default();
            let first = place * boards_of_match + 1;
            numbered.extend(games.into_iter().map(|(board, game)| (first + board, game)));
        }
        numbered.sort_by_key(|(board, _)| *board);
        Ok(numbered)
    }

    /// The games of each match.
    fn matches(&self, games: Vec<Game>) -> Result<BTreeMap<Match, Vec<Game>>, FileError> {
        let of_players = self.teams.of_players()?;
        let team = |player: u32| {
            let team = of_players.get(&player).copied();
            team.ok_or_else(|| without_place(format!("player {player} is in no team (310 or 013)")))
        };
        let mut matches: BTreeMap<Match, Vec<Game>> = BTreeMap::new();
        let mut opponents: BTreeMap<u32, u32> = BTreeMap::new();
        for game in games {
            let (one, other) = (team(game.white)?, team(game.black)?);
            for (mine, theirs) in [(one, other), (other, one)] {
                if *opponents.entry(mine).or_insert(theirs) != theirs || mine == theirs {
                    return Err(without_place(format!(
                        "team {mine} plays against two teams or against itself: {GIVE_A_TABLE}"
                    )));
                }
            }
            matches.entry((one.min(other), one.max(other))).or_default().push(game);
        }
        Ok(matches)
    }

    /// The players of a team in this round, in the order of their boards: as the file says, or those
    /// who have a game, in the order of the team.
    fn line_up(&self, team: u32, round: usize) -> Vec<u32> {
        if let Some(line_up) = self.teams.line_ups.get(&(round, team)) {
            return line_up.clone();
        }
        let plays = |player: &&u32| {
            let of_round = self.players.get(player).and_then(|player| player.round(round));
            of_round.is_some_and(|round| {
                // Reserves have a loss without an opponent, as the players of an empty board do.
                round.opponent.is_some() || round.outcome == Outcome::Letter('+')
            })
        };
        let roster = self.teams.rosters.get(&team).into_iter().flatten();
        roster.filter(plays).copied().collect()
    }

    /// The matches as they are published: in a round robin in the order of its schedule, else by the
    /// scores of the teams, as C.04.2 orders players.
    fn order_of_matches(
        &self,
        mut matches: Vec<Match>,
        round: usize,
    ) -> Result<Vec<Match>, FileError> {
        if self.system.is_round_robin() {
            let numbers: Vec<u32> = self.teams.rosters.keys().copied().collect();
            let order = round_robin::order(&numbers, &matches).ok_or_else(|| {
                without_place(format!(
                    "round {round} of this round robin does not follow the Berger tables, so the \
                     order of its matches is not known: {GIVE_A_TABLE}"
                ))
            })?;
            let mut placed: Vec<(u32, Match)> = order.into_iter().zip(matches).collect();
            placed.sort_unstable();
            return Ok(placed.into_iter().map(|(_, teams)| teams).collect());
        }
        let scores = self.team_scores(round);
        let score = |team: u32| (scores.get(&team).copied().unwrap_or_default(), team);
        matches.sort_by_key(|(one, other)| by_score(score(*one), score(*other)));
        Ok(matches)
    }

    /// The points of each team before this round, in hundredths: match points, or game points if the
    /// code of the tournament names them first.
    pub(super) fn team_scores(&self, round: usize) -> BTreeMap<u32, i32> {
        let by_games = self.system.code.contains("GP_MP") || self.system.code.ends_with("_GP");
        let by_games = by_games && !self.system.code.contains("MP_GP");
        let of_players = self.teams.of_players().unwrap_or_default();
        let mut scores = BTreeMap::new();
        for round in 1..round {
            let games = |team: u32| self.game_points(team, round);
            for (team, roster) in &self.teams.rosters {
                let opponent = roster.iter().find_map(|player| {
                    let opponent = self.players.get(player)?.round(round)?.opponent?;
                    of_players.get(&opponent).copied()
                });
                let is_bye = |letter| self.has_letter(roster, round, letter);
                let (of_match, of_games) =
                    match (self.teams.forfeited.get(&(round, *team)), opponent) {
                        (Some(true), _) => (self.scoring.match_win, games(*team)),
                        (Some(false), _) => (self.scoring.match_loss, games(*team)),
                        (None, Some(other)) => {
                            let (mine, theirs) = (games(*team), games(other));
                            let points = match mine.cmp(&theirs) {
                                std::cmp::Ordering::Greater => self.scoring.match_win,
                                std::cmp::Ordering::Equal => self.scoring.match_draw,
                                std::cmp::Ordering::Less => self.scoring.match_loss,
                            };
                            (points, mine)
                        }
                        (None, None) if is_bye('U') => {
                            self.teams.bye.unwrap_or((self.scoring.match_bye, games(*team)))
                        }
                        (None, None) if is_bye('F') => (self.scoring.match_win, games(*team)),
                        (None, None) if is_bye('H') => (self.scoring.match_draw, games(*team)),
                        (None, None) => (0, 0),
                    };
                *scores.entry(*team).or_insert(0) += if by_games { of_games } else { of_match };
            }
        }
        scores
    }

    fn has_letter(&self, roster: &[u32], round: usize, letter: char) -> bool {
        let of_round = roster.iter().filter_map(|player| self.players.get(player)?.round(round));
        of_round.into_iter().any(|round| round.outcome == Outcome::Letter(letter))
    }

    fn game_points(&self, team: u32, round: usize) -> i32 {
        let roster = self.teams.rosters.get(&team).into_iter().flatten();
        let rounds = roster.filter_map(|player| self.players.get(player)?.round(round));
        rounds.map(|round| self.scoring.points(&round)).sum()
    }
}

/// The games of a match with their boards from 0. `None` if both line-ups have them in another
/// order.
fn boards_in_match(
    games: Vec<Game>,
    line_ups: &(Vec<u32>, Vec<u32>),
) -> Option<Vec<(usize, Game)>> {
    let place = |line_up: &Vec<u32>, game: &Game| {
        line_up.iter().position(|player| [game.white, game.black].contains(player))
    };
    let mut placed = Vec::new();
    for game in games {
        placed.push((place(&line_ups.0, &game)?, place(&line_ups.1, &game)?, game));
    }
    placed.sort_by_key(|(one, other, _)| (*one, *other));
    let mut numbered: Vec<(usize, Game)> = Vec::new();
    let mut before = None;
    for (one, other, game) in placed {
        if before.is_some_and(|(first, second)| one <= first || other <= second) {
            return None;
        }
        before = Some((one, other));
        // The team that has left a board empty may lack it in its line-up.
        let next = numbered.last().map_or(0, |(board, _)| board + 1);
        numbered.push((one.max(other).max(next), game));
    }
    Some(numbered)
}
