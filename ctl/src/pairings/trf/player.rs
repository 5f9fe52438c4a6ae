//! The line of a player in a TRF (record 001).

use std::ops::Range;

use clock_engine::text::{FileError, Place};

use super::{
    lines::{Line, Outcome, Round},
    scoring::{Scoring, hundredths},
};

/// The most rounds that are looked for.
pub(super) const ROUNDS: usize = 99;

/// The columns of the player's points.
pub(in super::super) const POINTS: Range<usize> = 80..84;
/// The place of the first round in a player's line, in characters, and the width of each round.
const FIRST_ROUND: usize = 91;
const ROUND_WIDTH: usize = 10;
/// The places of the colour and of the result in a round.
const COLOUR: usize = 5;
pub(in super::super) const RESULT: usize = 7;

/// Where a round begins in a player's line, in characters from 0.
pub(in super::super) fn round_start(round: usize) -> usize {
    FIRST_ROUND + round.saturating_sub(1) * ROUND_WIDTH
}

/// A player with the rounds so far.
pub(in super::super) struct Player {
    pub name: String,
    /// As PGN writes it, such as `GM`.
    pub title: Option<&'static str>,
    pub rating: Option<String>,
    pub fide_number: Option<String>,
    /// The points that the line has, in hundredths, if it has any.
    pub stated_points: Option<i32>,
    pub rounds: Vec<Option<Round>>,
    /// The line in the text of the file.
    pub at: Range<usize>,
    pub place: Place,
}

impl Player {
    pub fn round(&self, round: usize) -> Option<Round> {
        self.rounds.get(round.checked_sub(1)?).copied().flatten()
    }

    /// The points of the first rounds, in hundredths.
    pub fn points(&self, scoring: &Scoring, rounds: usize) -> i32 {
        let rounds = self.rounds.iter().take(rounds).flatten();
        rounds.map(|round| scoring.points(round)).sum()
    }
}

/// Reads the line of a player: the number and the player.
pub(super) fn parse(line: &Line<'_>) -> Result<(u32, Player), FileError> {
    let letters: Vec<char> = line.text.chars().collect();
    let number = columns(&letters, 4..8);
    let number = number.parse().map_err(|_| {
        let found = format!("columns 5 to 8: expected the number of a player, found {number:?}");
        line.error(5, found)
    })?;
    let name = full_name(&columns(&letters, 14..47));
    if name.is_empty() {
        let why = "columns 15 to 47: expected the name of a player".to_owned();
        return Err(line.error(15, why));
    }
    let mut rounds = Vec::new();
    for round in 1..=ROUNDS {
        if round_start(round) >= letters.len() {
            break;
        }
        rounds.push(played(line, &letters, round_start(round))?);
    }
    let positive = |text: String| {
        Some(text)
            .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
            .filter(|text| text.bytes().any(|byte| byte != b'0'))
    };
    let player = Player {
        name,
        title: title(&columns(&letters, 10..13)),
        rating: positive(columns(&letters, 48..52)),
        fide_number: positive(columns(&letters, 57..68)),
        stated_points: hundredths(&columns(&letters, POINTS)),
        rounds,
        at: line.at.clone(),
        place: Place { line: line.number, column: 1 },
    };
    Ok((number, player))
}

/// A round: four columns for the opponent, a space, the colour, a space, the result.
fn played(line: &Line<'_>, letters: &[char], start: usize) -> Result<Option<Round>, FileError> {
    let at = |offset: usize| letters.get(start + offset).copied().unwrap_or(' ');
    let opponent = columns(letters, start..start + 4);
    let (colour, result) = (at(COLOUR), at(RESULT).to_ascii_uppercase());
    if opponent.is_empty() && colour == ' ' && result == ' ' {
        return Ok(None);
    }
    let wrong = |offset: usize, what: String| line.error(start + offset + 1, what);
    // The number 0 stands for no opponent.
    let opponent = match opponent.as_str() {
        "" => None,
        text => {
            let not_a_number = |_| wrong(0, format!("{text:?} is not the number of a player"));
            Some(text.parse::<u32>().map_err(not_a_number)?).filter(|number| *number != 0)
        }
    };
    let outcome = match result {
        ' ' => Outcome::Open,
        '1' | '+' | 'W' | 'F' | 'U' | '=' | 'D' | 'H' | '0' | '-' | 'L' | 'Z' => {
            Outcome::Letter(result)
        }
        other => {
            let what =
                format!("expected one of the results 1 = 0 + - W D L F H Z U, found {other:?}");
            return Err(wrong(RESULT, what));
        }
    };
    let is_white = match colour.to_ascii_lowercase() {
        'w' => Some(true),
        'b' => Some(false),
        // A game that was not played has no colour.
        '-' => None,
        ' ' if opponent.is_none()
            || matches!(outcome, Outcome::Letter('+' | '-' | 'F' | 'H' | 'U' | 'Z')) =>
        {
            None
        }
        _ if opponent.is_none() => None,
        other => {
            return Err(wrong(COLOUR, format!("expected the colour w or b, found {other:?}")));
        }
    };
    // lichess.org writes `Z` for a game that is still being played: it has a colour.
    let is_open = is_white.is_some() && opponent.is_some() && result == 'Z';
    let outcome = if is_open { Outcome::Open } else { outcome };
    Ok(Some(Round { opponent, is_white, outcome }))
}

/// The text in these columns, without the spaces around it.
fn columns(letters: &[char], at: Range<usize>) -> String {
    let text: String = letters.iter().skip(at.start).take(at.len()).collect();
    text.trim().to_owned()
}

/// `Mirzoev,Azer` as `Mirzoev, Azer`.
fn full_name(name: &str) -> String {
    let parts: Vec<&str> = name.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// A title as PGN writes it. Older files have one letter.
fn title(text: &str) -> Option<&'static str> {
    Some(match text.to_ascii_lowercase().as_str() {
        "g" | "gm" => "GM",
        "m" | "im" => "IM",
        "f" | "fm" => "FM",
        "c" | "cm" => "CM",
        "wg" | "wgm" => "WGM",
        "wm" | "wim" => "WIM",
        "wf" | "wfm" => "WFM",
        "wc" | "wcm" => "WCM",
        _ => return None,
    })
}
