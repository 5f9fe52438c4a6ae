//! The numbers of the boards. A TRF has none: they follow from the order in which the pairings of a
//! Swiss tournament are published (FIDE Handbook C.04.2): by the score of the higher player of the
//! pair, then by the sum of both scores, then by the number of the higher player. The games of a
//! team tournament come match by match, those of a round robin in the order of its schedule, the Berger
//! tables (FIDE Handbook C.05, annex 1).
//!
//! In a round robin with an even number `n` of players, one player of the round meets player `n` on the
//! first board. The others sit around a table of `n - 1` places: those one place to either side of that
//! player meet on board 2, those two places away on board 3, and so on.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use clock_engine::text::FileError;

use super::{
    super::round::without_place,
    lines::{Game, Outcome},
    tournament::Tournament,
};

/// What to do if the boards do not follow from the file.
pub(super) const GIVE_A_TABLE: &str =
    "give a table (CSV) with the heads board, white, black in its place";

/// The place of a pair in the order of C.04.2, of players or of teams with these scores and numbers.
fn by_score(one: (i32, u32), other: (i32, u32)) -> impl Ord + Copy {
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
        let order = order(&numbers, &pairs).ok_or_else(|| {
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
            let order = order(&numbers, &matches).ok_or_else(|| {
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

/// For each pair, its position in the order of the boards. If the number of players is odd, the tables have
/// one player more, `n`, who does not exist. The opponent of `n` has a bye, and the games after it move up by
/// one board. `None` if the pairs are not those
/// of one round of the tables, or if the numbers of the players are not 1 to their count.
pub(super) fn order(numbers: &[u32], pairs: &[(u32, u32)]) -> Option<Vec<u32>> {
    let count = u32::try_from(numbers.len()).ok()?;
    if numbers.iter().zip(1..).any(|(number, expected)| *number != expected) {
        return None;
    }
    let last = count + count % 2;
    let places = pairs.iter().map(|pair| place(*pair, last)).collect::<Option<Vec<_>>>()?;
    let (first, _) = places.first()?;
    let is_one_round = places.iter().all(|(middle, _)| middle == first);
    is_one_round.then(|| places.into_iter().map(|(_, board)| board).collect())
}

/// The player who meets the last one in the round of this pair, and the pair's board from 0.
fn place((one, other): (u32, u32), last: u32) -> Option<(u32, u32)> {
    let seats = last.checked_sub(1).filter(|seats| *seats > 0)?;
    if one == last || other == last {
        return Some((one.min(other) % seats, 0));
    }
    // The middle of both: half of their sum, where half of 1 is `last / 2` seats.
    let middle =
        u32::try_from(u64::from(one + other) * u64::from(last / 2) % u64::from(seats)).ok()?;
    let distance = (one + seats - middle) % seats;
    Some((middle, distance.min(seats - distance)))
}

#[cfg(test)]
mod tests {
    use super::order;

    /// The rounds of FIDE's table for five and six players.
    const SIX: [[(u32, u32); 3]; 5] = [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ];
    /// Rounds 1, 2 and 9 of the table for nine and ten players.
    const TEN: [[(u32, u32); 5]; 3] = [
        [(1, 10), (2, 9), (3, 8), (4, 7), (5, 6)],
        [(10, 6), (7, 5), (8, 4), (9, 3), (1, 2)],
        [(5, 10), (6, 4), (7, 3), (8, 2), (9, 1)],
    ];

    #[test]
    fn the_boards_are_those_of_the_tables() {
        for round in SIX {
            assert_eq!(order(&[1, 2, 3, 4, 5, 6], &round), Some(vec![0, 1, 2]), "{round:?}");
            // The colours are exchanged in the second half of a double round robin.
            let exchanged = round.map(|(white, black)| (black, white));
            assert_eq!(order(&[1, 2, 3, 4, 5, 6], &exchanged), Some(vec![0, 1, 2]));
            // Of five players, the one who would meet number 6 has a bye.
            assert_eq!(order(&[1, 2, 3, 4, 5], &round[1..]), Some(vec![1, 2]), "{round:?}");
        }
        for round in TEN {
            let numbers: Vec<u32> = (1..=10).collect();
            assert_eq!(order(&numbers, &round), Some(vec![0, 1, 2, 3, 4]), "{round:?}");
        }
    }

    #[test]
    fn other_rounds_have_no_order() {
        assert_eq!(order(&[1, 2, 3, 4, 5, 6], &[(1, 6), (2, 4), (3, 5)]), None);
        assert_eq!(order(&[1, 2, 3, 7], &[(1, 7), (2, 3)]), None);
    }
}
