//! The results of a round, written into a copy of the file of pairings. Everything else stays byte
//! for byte as it was: line ends, encoding, and what the pairing program alone understands.

use std::ops::Range;

use clock_engine::text::FileError;

use super::{
    file::PairingFile,
    round::{Pairing, Pairings, Score, Slot, is_same_round, without_place},
    table,
    trf::{self, Outcome, POINTS, Player, RESULT, Scoring, Tournament, round_start},
};

/// The game of a board, as its clock has it on record.
#[derive(Clone, Debug)]
pub struct GameResult {
    pub board: String,
    pub white: String,
    pub black: String,
    /// The round of the game; empty if the clock knows none.
    pub round: String,
    /// The result; `None` if the game is not over.
    pub score: Option<Score>,
}

/// A file of pairings with the results of a round.
#[derive(Debug)]
pub struct Filled {
    pub bytes: Vec<u8>,
    pub round: Option<String>,
    /// How many results were written that the file did not have.
    pub written: usize,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// How many results on the clocks contradict the file.
    pub contradicted: usize,
}

/// A part of the text, and what replaces it.
type Edit = (Range<usize>, String);

impl PairingFile {
    /// The file with the results of these games, all of one round.
    ///
    /// # Errors
    ///
    /// The file cannot be read, it does not have this round, or its table has no column for results.
    pub fn with_results(&self, games: &[GameResult]) -> Result<Filled, FileError> {
        let round = round_of(games);
        let pairings = self.pairings(round.as_deref())?;
        let SortedOut { results, mut notes, contradicted } = sorted_out(&pairings, games);
        let edits = match trf::is_trf(&self.text) {
            true => {
                let (edits, note) = self.edits_of_trf(&pairings, &results)?;
                notes.extend(note);
                edits
            }
            false => self.edits_of_table(&pairings, &results)?,
        };
        let bytes = self.encoding.encode(&edited(&self.text, edits));
        let written = results.len();
        Ok(Filled { bytes, round: pairings.round, written, notes, contradicted })
    }

    fn edits_of_table(
        &self,
        pairings: &Pairings,
        results: &[(&Pairing, Score)],
    ) -> Result<Vec<Edit>, FileError> {
        let separator = table::separator(&self.text)?.to_string();
        let cell = |pairing: &Pairing| match &pairing.slot {
            Slot::Cell { at, .. } => self.text.get(at.clone()).unwrap_or_default(),
            _ => "",
        };
        // chess-results.com writes `1 - 0`, and ` - ` for a game without a result.
        let has_spaces = pairings.games.iter().any(|pairing| cell(pairing).contains(" - "));
        let edit = |(pairing, score): &(&Pairing, Score)| {
            let Slot::Cell { at, separators } = &pairing.slot else {
                return Err(without_place(
                    "the table has no column for the results: add one with the head result"
                        .to_owned(),
                ));
            };
            let text = match (score, has_spaces) {
                (score, false) => score.text().to_owned(),
                (score, true) if score.is_forfeit() => score.text().to_owned(),
                (score, true) => score.text().replace("1/2", "½").replace('-', " - "),
            };
            let text = if text.contains(&separator) { format!("\"{text}\"") } else { text };
            Ok((at.clone(), separator.repeat(*separators) + &text))
        };
        results.iter().map(edit).collect()
    }

    /// The lines of the players with their results, and a note if points are left as they are.
    fn edits_of_trf(
        &self,
        pairings: &Pairings,
        results: &[(&Pairing, Score)],
    ) -> Result<(Vec<Edit>, Option<String>), FileError> {
        let tournament = Tournament::parse(&self.text)?;
        let round = tournament.wanted(pairings.round.as_deref())?;
        let mut edits = Vec::new();
        let mut without_points = Vec::new();
        for (pairing, score) in results {
            let Slot::Players { white, black } = pairing.slot else { continue };
            let Some((of_white, of_black)) = letters(*score) else { continue };
            for (number, letter) in [(white, of_white), (black, of_black)] {
                let Some(player) = tournament.players.get(&number) else { continue };
                let line = self.text.get(player.at.clone()).unwrap_or_default();
                let points = points_with(player, line, round, letter, &tournament.scoring);
                if points.is_none() {
                    without_points.push(number.to_string());
                }
                edits.push((player.at.clone(), line_with(line, round, letter, points)));
            }
        }
        without_points.sort_by_key(|number| number.parse::<u32>().ok());
        let note = (!without_points.is_empty()).then(|| {
            let numbers = without_points.join(", ");
            format!(
                "the points of these players in the file are not those of their results, and are \
                 left as they are: {numbers}"
            )
        });
        Ok((edits, note))
    }
}

/// The round of most games. A board without a game in this round may still show an earlier one.
fn round_of(games: &[GameResult]) -> Option<String> {
    let count = |round: &str| games.iter().filter(|game| is_same_round(&game.round, round)).count();
    let rounds = games.iter().map(|game| &game.round).filter(|round| !round.is_empty());
    rounds.max_by_key(|round| count(round)).cloned()
}

/// What becomes of the results of the clocks.
struct SortedOut<'a> {
    /// Those that the file does not have yet.
    results: Vec<(&'a Pairing, Score)>,
    notes: Vec<String>,
    contradicted: usize,
}

fn sorted_out<'a>(pairings: &'a Pairings, games: &[GameResult]) -> SortedOut<'a> {
    let all = || pairings.games.iter().chain(&pairings.forfeited);
    let mut contradicted = 0;
    let (mut results, mut notes, mut not_over) = (Vec::new(), Vec::new(), Vec::new());
    let mut found = Vec::new();
    for game in games {
        let board = &game.board;
        let is_other_round = pairings
            .round
            .as_ref()
            .is_some_and(|round| !game.round.is_empty() && !is_same_round(round, &game.round));
        let Some(pairing) = all().find(|pairing| pairing.is_on(board)) else {
            notes.push(format!("board {board}: the file does not have it in this round"));
            continue;
        };
        if is_other_round {
            notes.push(format!("board {board}: its game is one of round {}", game.round));
            continue;
        }
        found.push(&pairing.board);
        if (&game.white, &game.black) != (&pairing.white, &pairing.black) {
            contradicted += usize::from(game.score.is_some());
            notes.push(format!(
                "board {board}: the clock has {} - {}, and the file {} - {}",
                game.white, game.black, pairing.white, pairing.black
            ));
            continue;
        }
        match (game.score, pairing.score) {
            (Some(score), None) => results.push((pairing, score)),
            (Some(score), Some(other)) if score != other => {
                contradicted += 1;
                notes.push(format!(
                    "board {board}: the clock has {}, and the file has {} already",
                    score.text(),
                    other.text()
                ));
            }
            (Some(_), Some(_)) => {}
            (None, _) => not_over.push(board.clone()),
        }
    }
    let (results, several) = of_one_clock(results);
    contradicted += several.len();
    notes.extend(several);
    if !not_over.is_empty() {
        notes.push(format!("not over: {}", not_over.join(", ")));
    }
    let missing: Vec<&str> = pairings
        .games
        .iter()
        .filter(|pairing| pairing.score.is_none() && !found.contains(&&pairing.board))
        .map(|pairing| pairing.board.as_str())
        .collect();
    if !missing.is_empty() {
        notes.push(format!("no clock has the game of board: {}", missing.join(", ")));
    }
    SortedOut { results, notes, contradicted }
}

/// Each pairing once, without those of which several clocks have different results; and a note for each of
/// the latter. Several clocks have the game of a board if one was replaced.
fn of_one_clock(results: Vec<(&Pairing, Score)>) -> (Vec<(&Pairing, Score)>, Vec<String>) {
    let (mut kept, mut notes) = (Vec::<(&Pairing, Score)>::new(), Vec::new());
    for (index, (pairing, score)) in results.iter().enumerate() {
        let is_same = |(other, _): &&(&Pairing, Score)| other.board == pairing.board;
        if results[..index].iter().any(|other| is_same(&other)) {
            continue;
        }
        let scores: Vec<Score> = results.iter().filter(is_same).map(|(_, score)| *score).collect();
        if scores.iter().all(|other| other == score) {
            kept.push((*pairing, *score));
        } else {
            let scores: Vec<&str> = scores.into_iter().map(Score::text).collect();
            let scores = scores.join(", ");
            notes.push(format!(
                "board {}: its clocks have different results: {scores}",
                pairing.board
            ));
        }
    }
    (kept, notes)
}

/// The letters of a TRF for White's and for Black's result.
fn letters(score: Score) -> Option<(char, char)> {
    Some(match score {
        Score::White => ('1', '0'),
        Score::Black => ('0', '1'),
        Score::Draw => ('=', '='),
        Score::Nobody => ('0', '0'),
        Score::HalfWhite => ('=', '0'),
        Score::HalfBlack => ('0', '='),
        Score::ForfeitWhite => ('+', '-'),
        Score::ForfeitBlack => ('-', '+'),
        Score::ForfeitBoth => ('-', '-'),
        Score::Other => return None,
    })
}

/// The player's points with this result, as the columns of the points have them. `None` if the
/// points in the file are not the sum of the results there by the scoring system of the file: then
/// something else counts too, such as a penalty of the arbiter.
fn points_with(
    player: &Player,
    line: &str,
    round: usize,
    letter: char,
    scoring: &Scoring,
) -> Option<String> {
    let rounds = player.rounds.len();
    let has_one_decimal = line.chars().nth(POINTS.end - 2) == Some('.');
    let stated = player.stated_points.filter(|_| has_one_decimal)?;
    let played = player.round(round)?;
    let outcome = Outcome::Letter(letter);
    let points = stated + scoring.points(&trf::Round { outcome, ..played });
    (stated == player.points(scoring, rounds) && points % 10 == 0 && (0..100_000).contains(&points))
        .then(|| format!("{:>4}", format!("{}.{}", points / 100, points % 100 / 10)))
        .filter(|text| text.len() == POINTS.len())
}

/// The line of a player with the result of the round, and with new points if they are known.
fn line_with(line: &str, round: usize, letter: char, points: Option<String>) -> String {
    let mut characters: Vec<char> = line.chars().collect();
    let result = round_start(round) + RESULT;
    if characters.len() <= result {
        characters.resize(result + 1, ' ');
    }
    characters[result] = letter;
    for (index, digit) in POINTS.zip(points.unwrap_or_default().chars()) {
        characters[index] = digit;
    }
    characters.into_iter().collect()
}

/// The text with all parts replaced. No two of them overlap.
fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(at, _)| at.start);
    let mut new = String::with_capacity(text.len() + edits.len());
    let mut end = 0;
    for (at, part) in edits {
        new.push_str(text.get(end..at.start).unwrap_or_default());
        new.push_str(&part);
        end = at.end;
    }
    new.push_str(text.get(end..).unwrap_or_default());
    new
}

#[cfg(test)]
mod tests;
