//! What a TRF says of a tournament.

use std::collections::BTreeMap;

use clock_engine::text::{FileError, Place};

use super::{
    super::round::without_place,
    lines::{Game, Outcome, lines},
    player::{self, Player, ROUNDS, round_start},
    scoring::{Scores, Scoring},
    teams::Teams,
};

/// What a TRF says of a tournament, as far as the boards of a round need it.
pub(in super::super) struct Tournament {
    pub(super) event: Option<String>,
    pub players: BTreeMap<u32, Player>,
    pub scoring: Scoring,
    pub(super) teams: Teams,
    pub(super) system: System,
}

/// How the rounds are paired, as the records 092 and 192 say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct System {
    /// The type of the tournament, such as `Individual: Swiss-System`, in small letters.
    kind: String,
    /// The code of TRF26, such as `FIDE_TEAM_MP_GP`.
    pub code: String,
}

impl System {
    pub fn is_team(&self) -> Option<bool> {
        match (&*self.code, &*self.kind) {
            ("", "") => None,
            ("", kind) => Some(kind.contains("team")),
            (code, _) => {
                Some(["TEAM", "SCHEVENINGEN", "SCHILLER"].iter().any(|word| code.contains(word)))
            }
        }
    }

    pub fn is_round_robin(&self) -> bool {
        let kind = self.kind.replace(['-', ' '], "");
        self.code.contains("ROUNDROBIN") || kind.contains("roundrobin") || kind.contains("berger")
    }

    /// The word for systems whose matches have no board 1.
    pub fn without_boards(&self) -> bool {
        self.code.contains("SCHEVENINGEN") || self.code.contains("SCHILLER")
    }
}

impl Tournament {
    pub fn parse(text: &str) -> Result<Tournament, FileError> {
        let mut players: BTreeMap<u32, Player> = BTreeMap::new();
        let (mut event, mut scores) = (None, Scores::default());
        let (mut teams, mut system) = (Teams::default(), System::default());
        for line in lines(text) {
            let value = || line.text.get(4..).unwrap_or_default().trim();
            match line.text.get(..4).unwrap_or(line.text).trim_end() {
                "001" => {
                    let (number, player) = player::parse(&line)?;
                    if let Some(other) = players.get(&number) {
                        let first = other.place.line;
                        let why =
                            format!("player {number} is there twice: here and in line {first}");
                        return Err(line.error(5, why));
                    }
                    players.insert(number, player);
                }
                "012" => event = Some(value().to_owned()).filter(|name| !name.is_empty()),
                "092" => system.kind = value().to_lowercase(),
                "192" => system.code = value().to_uppercase(),
                "013" | "300" | "310" | "320" | "330" | "352" => teams.read(&line)?,
                _ => scores.read(&line)?,
            }
        }
        let scoring = scores.scoring();
        Ok(Tournament { event, players, scoring, teams: teams.complete(), system })
    }

    /// The number of the round that is asked for, from 1.
    pub fn wanted(&self, round: Option<&str>) -> Result<usize, FileError> {
        let is_paired = |round: &usize| {
            let of_round = self.players.values().filter_map(|player| player.round(*round));
            of_round.into_iter().any(|played| played.opponent.is_some())
        };
        let latest = (1..=ROUNDS).rev().find(is_paired);
        let latest = latest.ok_or_else(|| without_place("it has no paired round".to_owned()))?;
        let Some(text) = round else { return Ok(latest) };
        text.parse().ok().filter(is_paired).ok_or_else(|| {
            without_place(format!(
                "round {text} is not paired; the latest that is, is round {latest}"
            ))
        })
    }

    /// The games of the round that have colours. A game that was not played may have none: it has
    /// no board either.
    pub(super) fn games(&self, round: usize) -> Result<Vec<Game>, FileError> {
        let mut games = Vec::new();
        for (number, player) in &self.players {
            let Some(mine) = player.round(round) else { continue };
            let Some(opponent) = mine.opponent else { continue };
            let theirs = self.players.get(&opponent).and_then(|other| other.round(round));
            let theirs = theirs.filter(|theirs| theirs.opponent == Some(*number));
            let is_not_played =
                mine.is_not_played() && theirs.is_none_or(|theirs| theirs.is_not_played());
            let colours = (mine.is_white, theirs.and_then(|theirs| theirs.is_white));
            let fits = matches!(colours, (Some(mine), Some(theirs)) if mine != theirs);
            if !fits && !is_not_played {
                let message = format!(
                    "round {round}: player {number} plays against player {opponent}, whose line \
                     does not have this game with the other colour"
                );
                let column = round_start(round) + 1;
                return Err(FileError { place: Place { column, ..player.place }, message });
            }
            if let (true, Some(true), Some(theirs)) = (fits, mine.is_white, theirs) {
                let outcomes = (mine.outcome, theirs.outcome);
                games.push(Game { white: *number, black: opponent, outcomes });
            }
        }
        Ok(games)
    }

    /// The players who have no opponent in this round, or whose game has no colours and so was never
    /// set up.
    pub(super) fn byes(&self, round: usize) -> Vec<String> {
        let is_bye = |player: &&Player| {
            let bye = player.round(round).filter(|round| round.opponent.is_none());
            bye.is_some_and(|bye| {
                matches!(bye.outcome, Outcome::Letter('F' | 'H' | 'U' | 'Z' | '+'))
            })
        };
        self.players.values().filter(is_bye).map(|player| player.name.clone()).collect()
    }

    /// The points of a player before this round, in hundredths.
    pub(super) fn points_before(&self, number: u32, round: usize) -> i32 {
        self.players.get(&number).map_or(0, |player| player.points(&self.scoring, round - 1))
    }
}
