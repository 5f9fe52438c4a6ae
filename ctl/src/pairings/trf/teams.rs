//! The records of a team tournament: the teams with their players (310; 013 in older files), line-ups
//! that differ from that order (300), the points of a bye (320), forfeited matches (330) and the
//! colours of the boards (352).

use std::collections::BTreeMap;

use clock_engine::text::FileError;

use super::super::round::without_place;
use super::{lines::Line, scoring::hundredths};

/// Where the players begin in the records of a team, in characters.
const PLAYERS_310: usize = 71;
const PLAYERS_013: usize = 36;

/// The records of teams.
#[derive(Default)]
pub(super) struct Teams {
    /// The players of each team in the order of their boards, by the number of the team.
    pub rosters: BTreeMap<u32, Vec<u32>>,
    /// The same of older files, in which teams have no numbers. A file may have both.
    old_rosters: Vec<Vec<u32>>,
    /// The players of a team in a round, 0 for an empty board.
    pub line_ups: BTreeMap<(usize, u32), Vec<u32>>,
    /// How many boards a match has, by the colours of the first team (352); 0 if it is not known.
    pub boards: usize,
    /// The match points and game points of the bye, in hundredths.
    pub bye: Option<(i32, i32)>,
    /// The rounds in which a team's match was forfeited, and whether the team got the points.
    pub forfeited: BTreeMap<(usize, u32), bool>,
}

impl Teams {
    pub fn exist(&self) -> bool {
        !self.rosters.is_empty()
    }

    /// Takes the teams of older files, if there are no others. To be called after the last record.
    pub fn complete(mut self) -> Teams {
        let old = std::mem::take(&mut self.old_rosters);
        if self.rosters.is_empty() {
            self.rosters = (1..).zip(old).collect();
        }
        self
    }

    /// Reads a record of teams.
    pub fn read(&mut self, line: &Line<'_>) -> Result<(), FileError> {
        let letters: Vec<char> = line.text.chars().collect();
        let from =
            |start: usize| letters.get(start..).unwrap_or_default().iter().collect::<String>();
        match line.text.get(..3) {
            Some("310") => {
                let number = letters.get(4..7).unwrap_or_default().iter().collect::<String>();
                let number = numbers(line, 4, &number)?;
                let number = *number.first().ok_or_else(|| {
                    line.error(5, "columns 5 to 7: expected the number of a team".to_owned())
                })?;
                let players = numbers(line, PLAYERS_310, &from(PLAYERS_310))?;
                match self.rosters.insert(number, players) {
                    Some(_) => Err(line.error(5, format!("team {number} is there twice"))),
                    None => Ok(()),
                }
            }
            Some("013") => {
                self.old_rosters.push(numbers(line, PLAYERS_013, &from(PLAYERS_013))?);
                Ok(())
            }
            Some("300") => {
                let values = numbers(line, 4, &from(4))?;
                let [round, team, _, players @ ..] = values.as_slice() else {
                    let why = "expected a round, two teams and the players of the first".to_owned();
                    return Err(line.error(5, why));
                };
                self.line_ups.insert((*round as usize, *team), players.to_vec());
                Ok(())
            }
            Some("352") => {
                self.boards = letters.iter().filter(|letter| matches!(letter, 'W' | 'B')).count();
                Ok(())
            }
            Some("320") => {
                let points = |start: usize| {
                    let text: String = letters.iter().skip(start).take(4).collect();
                    hundredths(text.trim())
                };
                self.bye = points(4).zip(points(9));
                Ok(())
            }
            Some("330") => self.read_forfeited(line, &from(4)),
            _ => Ok(()),
        }
    }

    /// `+-   3   1   2`: in round 3 the match of the teams 1 and 2 was won by team 1.
    fn read_forfeited(&mut self, line: &Line<'_>, text: &str) -> Result<(), FileError> {
        let (kind, rest) = text.trim_start().split_at_checked(2).unwrap_or_default();
        let values = numbers(line, 6, rest)?;
        let ([round, white, black], [first, second]) = (values.as_slice(), kind.as_bytes()) else {
            let why = "expected ++, +-, -+ or --, a round and two teams".to_owned();
            return Err(line.error(5, why));
        };
        self.forfeited.insert((*round as usize, *white), *first == b'+');
        self.forfeited.insert((*round as usize, *black), *second == b'+');
        Ok(())
    }

    /// The team of each player.
    pub fn of_players(&self) -> Result<BTreeMap<u32, u32>, FileError> {
        let mut of_players = BTreeMap::new();
        for (team, players) in &self.rosters {
            for player in players {
                if let Some(other) = of_players.insert(*player, *team) {
                    let why = format!("player {player} is in team {other} and in team {team}");
                    return Err(without_place(why));
                }
            }
        }
        Ok(of_players)
    }
}

/// Whole numbers with blanks between them, from this column on.
fn numbers(line: &Line<'_>, start: usize, text: &str) -> Result<Vec<u32>, FileError> {
    let number = |word: &str| {
        let found: String = word.chars().take(20).collect();
        let why = format!("from column {}: expected a number, found {found:?}", start + 1);
        word.parse().map_err(|_| line.error(start + 1, why))
    };
    text.split_whitespace().map(number).collect()
}
