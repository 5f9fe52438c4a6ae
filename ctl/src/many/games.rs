//! Makes one file of the records of many clocks: all games, one report, or the results for the pairing
//! program.

use std::{collections::BTreeMap, fs::canonicalize, path::Path};

use anyhow::{Context, Result};
use clockctl::{
    pairings::{Filled, GameResult, Player, Score},
    record::{
        Record,
        csv::quoted,
        pgn::{is_forfeit, result},
    },
};

use super::{
    finished::{Answers, DIFFERENT},
    runs::{Kind, Numbered, on_each},
};
use crate::{
    cli::{Cli, Verb},
    failure::Failure,
    hall::{Hall, read_pairings, wrong_at},
    options::Options,
    out,
    text::plain,
    verb::{
        export::{Args, in_order, pgn_of, whole_from_clock},
        record_file::Earlier,
        report::{self, GameOfBoard},
    },
};

/// Reads the present game of each clock, and writes what the verb makes of them. Returns the exit
/// code. The boards that could not be read are reported, and the file has the others. No file is
/// written if there is no game.
pub async fn run(cli: &Cli, hall: &Hall, kind: Kind) -> Result<u8> {
    let (earlier, output) = match &cli.verb {
        Some(Verb::Export(args)) => (&args.earlier, args.output()),
        Some(Verb::Report(args)) => (&args.earlier, args.output()),
        _ => return Ok(0),
    };
    if cli.options.json {
        let why = "of many clocks --json writes no games: leave it out";
        return Err(Failure::Usage(why.to_owned()).into());
    }
    // Otherwise the boards would be read in vain.
    let is_replaced =
        |path: &&Path| matches!(&cli.verb, Some(Verb::Export(args)) if is_same_file(args, path));
    if let Some(path) = output.filter(|path| path.exists() && !is_replaced(path)) {
        return Err(out::exists_already(path).into());
    }
    // A file that cannot be read is found before the boards are read.
    let players = match &cli.verb {
        Some(Verb::Export(args)) => check_into(args).and_then(|()| args.players())?,
        _ => BTreeMap::new(),
    };
    let earlier = Earlier::read(earlier)?;
    let is_earlier_changed = earlier.warn_of_doubt();
    let boards: Vec<Numbered> = hall.boards.iter().cloned().enumerate().collect();
    let mut answers = Answers::new(&cli.options, kind, &boards);
    let mut games = Vec::new();
    let mut running = on_each(&cli.options, boards, |options, _| async move {
        let cannot = "cannot export the game";
        let (_, file) = whole_from_clock(&options, None).await.context(cannot)?;
        Ok(file)
    });
    while let Some(finished) = running.join_next().await {
        let (finished, file) = finished.map_err(anyhow::Error::from)?;
        let board = finished.board.name.clone();
        games.extend(file.map(|file| (finished.index, GameOfBoard { board, file })));
        answers.add(finished)?;
    }
    if games.is_empty() {
        // The file would keep the next try from being written.
        return answers.end(None);
    }
    games.sort_unstable_by_key(|(index, _)| *index);
    let mut games: Vec<GameOfBoard> = games.into_iter().map(|(_, game)| game).collect();
    let mut records: Vec<&mut Record> =
        games.iter_mut().map(|game| &mut game.file.record).collect();
    if let Err(failure) = earlier.join(&mut records) {
        // The board with the game may be one that has not answered.
        answers.end(None)?;
        return Err(failure.into());
    }
    let written = match &cli.verb {
        Some(Verb::Report(args)) => report::write(&cli.options, args, &games),
        Some(Verb::Export(args)) if args.into.is_some() || args.is_results() => {
            write_results(&cli.options, args, &games)
        }
        _ => write_games(cli, output, &games, &players),
    };
    let of_boards: Vec<_> =
        games.iter().map(|game| (Some(game.board.as_str()), &game.file)).collect();
    let written = written.and_then(|()| Ok(in_order(&of_boards, is_earlier_changed)?));
    // The boards that failed are named before any other error.
    match (answers.end(None)?, written) {
        (exit, Ok(())) => Ok(exit),
        (0, Err(error)) => Err(error),
        (exit, Err(error)) => {
            out::report(&format!("clockctl: {}\n", plain(&format!("{error:#}"))));
            Ok(if Failure::codes_of(&error).1 == exit { exit } else { DIFFERENT })
        }
    }
}

/// Writes the games one after the other. The format PGN requires an empty line between two games.
fn write_games(
    cli: &Cli,
    output: Option<&Path>,
    games: &[GameOfBoard],
    players: &BTreeMap<String, Player>,
) -> Result<()> {
    let texts: Vec<String> = games.iter().map(|game| pgn_of(&game.file.record, players)).collect();
    let text = texts.join("\n");
    report::write_or_print(&cli.options, output, &text, &format!("{} games", games.len()))
}

/// Whether the options `--into` and `-o` name the same file. If they do, the file may be replaced: the user
/// has named it twice, and every result that is already in the file is kept.
fn is_same_file(args: &Args, output: &Path) -> bool {
    let Some(into) = &args.into else { return false };
    matches!((canonicalize(into), canonicalize(output)), (Ok(into), Ok(output)) if into == output)
}

/// Refuses a file of `--into` that cannot be read, before the boards are asked.
fn check_into(args: &Args) -> Result<(), Failure> {
    let Some(path) = &args.into else { return Ok(()) };
    let file = read_pairings(path)?;
    file.pairings(None).map(drop).map_err(|error| wrong_at(path, &error))
}

/// Writes the results. Prints which boards and players have no result in the file.
fn write_results(options: &Options, args: &Args, games: &[GameOfBoard]) -> Result<()> {
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

/// The result of a board. If there is no hall file, the number of the board is the one that the game on
/// record names.
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

/// A table with one line for each board. If the game of a board is not over, its result is empty.
fn write_table(options: &Options, args: &Args, results: &[GameResult]) -> Result<()> {
    let line = |game: &GameResult| {
        format!("{};{}\n", quoted(&game.board, ';'), game.score.map_or("", Score::text))
    };
    let text: String =
        ["board;result\n".to_owned()].into_iter().chain(results.iter().map(line)).collect();
    let over = results.iter().filter(|game| game.score.is_some()).count();
    let what = format!("{over} results of {} boards", results.len());
    report::write_or_print(options, args.output(), &text, &what)
}
