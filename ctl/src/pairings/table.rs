//! Pairings as a table: a line with the heads of the columns, then one line for each game. The
//! separator is a comma, a semicolon or a tab. Lines before the heads are skipped: chess-results.com
//! writes where the list is from, the name of the tournament and the round there.

use clock_engine::text::{FileError, Place};

use super::{
    cells::{Cell, Rows},
    heads::{Columns, is_no_player, known_heads, round_name, round_of_line},
    round::{Pairing, Pairings, Score, Slot, is_same_round, round_number, without_place},
};

/// How many lines may come before the heads. Some programs write the standings first.
const LINES_BEFORE: usize = 10_000;

/// The separators that are tried, if the file does not name its own with `sep=;`.
const SEPARATORS: [char; 3] = [';', '\t', ','];

/// Reads the games of `round`; of the latest round in the table if it is `None`.
pub(super) fn parse(text: &str, round: Option<&str>) -> Result<Pairings, FileError> {
    let separator = separator(text)?;
    let mut columns: Option<Columns> = None;
    let mut rounds: Vec<(Option<String>, Pairings)> = Vec::new();
    let mut of_section: Option<String> = None;
    for row in Rows::new(text, separator) {
        let row = row?;
        if let Some(found) = Columns::of(&row) {
            columns = Some(found);
        } else if let Some(name) = round_of_section(&row) {
            of_section = Some(name);
        } else if let Some(columns) = &columns {
            let name = columns.round.map(|round| round_name(cell(&row, round)));
            let name = name.filter(|name| !name.is_empty()).or(of_section.clone());
            add_row(of_round(&mut rounds, name), &row, columns)?;
        }
    }
    chosen(rounds, round)
}

/// The pairings of this round so far.
fn of_round(rounds: &mut Vec<(Option<String>, Pairings)>, name: Option<String>) -> &mut Pairings {
    let index = rounds.iter().position(|(other, _)| *other == name).unwrap_or_else(|| {
        rounds.push((name, Pairings::default()));
        rounds.len() - 1
    });
    &mut rounds[index].1
}

/// The text in this column; empty if the row is too short.
fn cell(row: &[Cell], column: usize) -> &str {
    row.get(column).map_or("", |cell| &cell.text)
}

/// The round that a line between the lists names: its only text.
fn round_of_section(row: &[Cell]) -> Option<String> {
    let mut texts = row.iter().filter(|cell| !cell.text.is_empty());
    let only = texts.next().filter(|_| texts.next().is_none())?;
    round_of_line(&only.text)
}

fn add_row(to: &mut Pairings, row: &[Cell], columns: &Columns) -> Result<(), FileError> {
    let (board, white, black) =
        (cell(row, columns.board), cell(row, columns.white), cell(row, columns.black));
    match (is_no_player(white), is_no_player(black)) {
        // An empty line, or a line after the list.
        (true, true) => return Ok(()),
        (false, true) => to.byes.push(white.to_owned()),
        (true, false) => to.byes.push(black.to_owned()),
        (false, false) => {
            if let Some(cell) = row.iter().skip(columns.count).find(|cell| !cell.text.is_empty()) {
                let message = format!(
                    "this game has {} cells, and the line with the heads {}; a name that has the \
                     separator stands in quotation marks",
                    row.len(),
                    columns.count
                );
                return Err(FileError { place: cell.place, message });
            }
            let place = row.first().map_or(Place::START, |cell| cell.place);
            if board.is_empty() {
                let place = row.get(columns.board).map_or(place, |cell| cell.place);
                return Err(FileError { place, message: "this game has no board".to_owned() });
            }
            let score = columns.result.and_then(|result| Score::of_cell(cell(row, result)));
            let game = Pairing {
                score,
                place: row.get(columns.board).map_or(place, |cell| cell.place),
                slot: slot(row, columns),
                ..Pairing::new(board, white, black)
            };
            let is_forfeited = score.is_some_and(Score::is_forfeit);
            if is_forfeited { &mut to.forfeited } else { &mut to.games }.push(game);
        }
    }
    Ok(())
}

/// Where the result of this row goes.
fn slot(row: &[Cell], columns: &Columns) -> Slot {
    let Some(result) = columns.result else { return Slot::None };
    match (row.get(result), row.last()) {
        (Some(cell), _) => Slot::Cell { at: cell.at.clone(), separators: 0 },
        (None, Some(last)) => {
            Slot::Cell { at: last.at.end..last.at.end, separators: result + 1 - row.len() }
        }
        (None, None) => Slot::None,
    }
}

/// The separator with which the table has the heads of a list of pairings.
pub(super) fn separator(text: &str) -> Result<char, FileError> {
    let first = text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    let named = first.trim_end().strip_prefix("sep=").and_then(|rest| rest.chars().next());
    let tried = named.map_or(SEPARATORS.to_vec(), |named| vec![named]);
    let mut nearest: Vec<Cell> = Vec::new();
    let mut error = None;
    for separator in tried {
        for row in Rows::new(text, separator).take(LINES_BEFORE) {
            let row = match row {
                Ok(row) if Columns::of(&row).is_some() => return Ok(separator),
                Ok(row) => row,
                Err(why) => {
                    error.get_or_insert(why);
                    break;
                }
            };
            let is_nearer = (known_heads(&row), row.len()) > (known_heads(&nearest), nearest.len());
            if is_nearer || nearest.is_empty() {
                nearest = row;
            }
        }
    }
    if known_heads(&nearest) == 0
        && let Some(error) = error
    {
        return Err(error);
    }
    Err(without_heads(&nearest))
}

/// The error for a table without heads, with the line that is nearest to them.
fn without_heads(nearest: &[Cell]) -> FileError {
    const SHOWN: usize = 200;
    let place = nearest.first().map_or(Place::START, |cell| cell.place);
    let found: Vec<&str> = nearest.iter().map(|cell| cell.text.as_str()).collect();
    let found = found.join(", ");
    let found: String = match found.is_empty() {
        true => "nothing".to_owned(),
        false => found.chars().take(SHOWN).collect(),
    };
    let message = format!(
        "expected a line with the heads board, white and black (or board and twice name), and \
         found {found}"
    );
    FileError { place, message }
}

/// The pairings of the round that is asked for.
fn chosen(
    rounds: Vec<(Option<String>, Pairings)>,
    wanted: Option<&str>,
) -> Result<Pairings, FileError> {
    let has_names = rounds.iter().any(|(name, _)| name.is_some());
    // Of rounds without a number the last one in the file is the latest.
    let number = |name: &Option<String>| name.as_deref().and_then(round_number);
    let latest = rounds.iter().max_by_key(|(name, _)| number(name));
    let latest = latest.map(|(name, _)| name.clone()).unwrap_or_default();
    let of_name = |name: &Option<String>| match (wanted, name) {
        (Some(wanted), Some(name)) => is_same_round(wanted, name),
        (Some(_), None) => !has_names,
        (None, name) => *name == latest,
    };
    let found = rounds.into_iter().find(|(name, _)| of_name(name));
    match (found, wanted, &latest) {
        (Some((name, pairings)), _, _) => {
            Ok(Pairings { round: name.or(wanted.map(str::to_owned)), ..pairings })
        }
        (None, Some(wanted), Some(latest)) => {
            Err(without_place(format!("it has no round {wanted}; the latest is {latest}")))
        }
        (None, wanted, _) => {
            Ok(Pairings { round: wanted.map(str::to_owned), ..Pairings::default() })
        }
    }
}

#[cfg(test)]
mod tests;
