//! `export --into` and `export -o results.csv`: the results of the boards, for the pairing program.

use std::{fs::canonicalize, path::Path};

use anyhow::Result;
use clockctl::{
    pairings::{Filled, GameResult, Score},
    record::pgn::{is_forfeit, result},
};

use crate::{
    failure::Failure,
    hall::{read_pairings, wrong_at},
    options::Options,
    out,
    text::plain,
    verb::{export::Args, report::GameOfBoard},
};

/// Whether `--into` and `-o` name the same file, which is then replaced: both were typed, so it is
/// not overwritten unseen, and a result that it has is never changed.
pub fn is_same_file(args: &Args, output: &Path) -> bool {
    let Some(into) = &args.into else { return false };
    matches!((canonicalize(into), canonicalize(output)), (Ok(into), Ok(output)) if into == output)
}

/// Refuses a file of `--into` that cannot be read, before the boards are asked.
pub fn check(args: &Args) -> Result<(), Failure> {
    let Some(path) = &args.into else { return Ok(()) };
    let file = read_pairings(path)?;
    file.pairings(None).map(drop).map_err(|error| wrong_at(path, &error))
}

/// Writes the results, and says what was left out.
pub fn write(options: &Options, args: &Args, games: &[GameOfBoard]) -> Result<()> {
    let results: Vec<GameResult> = games.iter().map(|game| game_result(options, game)).collect();
    let Some(into) = &args.into else { return write_table(options, args, &results) };
    let output = args.output().unwrap_or(into);
    let file = read_pairings(into)?;
    let filled = file.with_results(&results).map_err(|error| wrong_at(into, &error))?;
    if filled.written > 0 {
        match is_same_file(args, output) {
            true => out::replace(output, &filled.bytes)?,
            false => out::write_new(output, &filled.bytes)?,
        }
    }
    if !options.quiet {
        out::print(&said(&filled, output))?;
    }
    match filled.contradicted {
        0 => Ok(()),
        count => Err(Failure::Incomplete {
            code: "results-left-out",
            message: format!(
                "left out, because the file has something else: {count} of the results"
            ),
        }
        .into()),
    }
}

fn said(filled: &Filled, output: &Path) -> String {
    let round = filled.round.as_ref().map(|round| format!(" of round {round}"));
    let round = round.unwrap_or_default();
    let mut text = match filled.written {
        0 => format!("no new result{round}: no file was written\n"),
        1 => format!("1 result{round}: written to {}\n", output.display()),
        count => format!("{count} results{round}: written to {}\n", output.display()),
    };
    text.extend(filled.notes.iter().map(|note| format!("{note}\n")));
    text.lines().map(|line| plain(line) + "\n").collect()
}

/// The result of a board. Without a hall file its number is that of the game.
fn game_result(options: &Options, game: &GameOfBoard) -> GameResult {
    let record = &game.file.record;
    let has_number = options.hall.is_some() || record.game.board.is_empty();
    GameResult {
        board: if has_number { game.board.clone() } else { record.game.board.clone() },
        white: record.game.white.clone(),
        black: record.game.black.clone(),
        round: record.game.round.clone(),
        score: Score::of_record(&result(record), is_forfeit(record)),
    }
}

/// A table with a line for each board; the result of a game that is not over is empty.
fn write_table(options: &Options, args: &Args, results: &[GameResult]) -> Result<()> {
    let line = |game: &GameResult| {
        format!("{};{}\n", quoted(&game.board), game.score.map_or("", Score::text))
    };
    let text: String =
        ["board;result\n".to_owned()].into_iter().chain(results.iter().map(line)).collect();
    let Some(path) = args.output() else { return out::print(&text) };
    out::write_new(path, &text)?;
    if options.quiet {
        return Ok(());
    }
    let over = results.iter().filter(|game| game.score.is_some()).count();
    let path = plain(&path.display().to_string());
    out::print(&format!("{over} results of {} boards: written to {path}\n", results.len()))
}

/// A name as a cell of a table with semicolons. A spreadsheet must not take it for a formula.
fn quoted(name: &str) -> String {
    let mark = if name.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    match name.contains([';', '"', '\r', '\n']) {
        true => format!("\"{mark}{}\"", name.replace('"', "\"\"")),
        false => format!("{mark}{name}"),
    }
}
