//! What is made of the records of many clocks: one file with all games, or one report.

use std::{collections::BTreeMap, ffi::OsString, path::Path, time::Duration};

use anyhow::Result;
use clockctl::pairings::Player;
use clockctl::record::{
    Record,
    file::{self, RecordFile},
    joined::{part_before, put_before},
};
use serde::Deserialize;

use super::{
    finished::Answers,
    kind::Kind,
    results,
    runs::{BoardFinished, Numbered, start_all},
};
use crate::{
    cli::{Cli, Verb},
    failure::Failure,
    hall::{Board, Hall, beginning, child::Run},
    out,
    text::plain,
    verb::{
        earlier::Earlier,
        export::{in_order, pgn_of},
        report::{self, GameOfBoard},
    },
};

/// What a board prints for `export --format json --json`.
#[derive(Deserialize)]
struct Exported {
    text: String,
}

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
    let is_replaced = |path: &&Path| matches!(&cli.verb, Some(Verb::Export(args)) if results::is_same_file(args, path));
    if let Some(path) = output.filter(|path| path.exists() && !is_replaced(path)) {
        return Err(out::exists_already(path).into());
    }
    // A file that cannot be read is found before the boards are read.
    let players = match &cli.verb {
        Some(Verb::Export(args)) => results::check(args).and_then(|()| args.players())?,
        _ => BTreeMap::new(),
    };
    let earlier = Earlier::read(earlier)?;
    let is_earlier_changed = earlier.warn_of_doubt();
    let boards: Vec<Numbered> = hall.boards.iter().cloned().enumerate().collect();
    let mut answers = Answers::new(&cli.options, kind, &boards);
    let mut games = Vec::new();
    let mut running = start_all(boards, |_, board| export(cli, board, None));
    while let Some(finished) = running.join_next().await {
        let finished = finished.map_err(anyhow::Error::from)?;
        games.extend(BoardGame::of(&finished)?);
        answers.add(finished)?;
    }
    if games.is_empty() {
        // The file would keep the next try from being written.
        return answers.end(None);
    }
    games.sort_unstable_by_key(|game| game.index);
    add_parts_before(cli, &mut games, &mut answers).await?;
    let mut games: Vec<GameOfBoard> = games.into_iter().map(BoardGame::reported).collect();
    let mut records: Vec<&mut Record> =
        games.iter_mut().map(|game| &mut game.file.record).collect();
    if let Err(failure) = earlier.join(&mut records) {
        // The board with the game may be one that has not answered.
        answers.end(None)?;
        return Err(failure.into());
    }
    match &cli.verb {
        Some(Verb::Report(args)) => report::write(&cli.options, args, &games)?,
        Some(Verb::Export(args)) if args.into.is_some() || args.is_results() => {
            results::write(&cli.options, args, &games)?;
        }
        _ => write_games(cli, output, &games, &players)?,
    }
    let exit = answers.end(None)?;
    let of_boards: Vec<_> =
        games.iter().map(|game| (Some(game.board.as_str()), &game.file)).collect();
    in_order(&of_boards, is_earlier_changed)?;
    Ok(exit)
}

/// The run that exports a game of the board; `None` is the present one.
fn export(cli: &Cli, board: &Board, game: Option<u64>) -> Run {
    let mut words: Vec<OsString> = ["export", "--format", "json", "--json"].map(Into::into).into();
    words.extend(game.map(|game| game.to_string().into()));
    Run {
        words,
        beginning: beginning(&cli.options, &[board]),
        deadline: Duration::from_secs(cli.options.deadline),
    }
}

/// A game with its board.
struct BoardGame {
    index: usize,
    board: Board,
    file: RecordFile,
}

impl BoardGame {
    /// The game that a board has exported; `None` if it has exported none.
    fn of(finished: &BoardFinished) -> Result<Option<BoardGame>, Failure> {
        let BoardFinished { index, board, .. } = finished;
        let first = finished.output().lines().next().unwrap_or_default();
        let Ok(exported) = serde_json::from_str::<Exported>(first) else { return Ok(None) };
        let wrong = |error| Failure::Protocol(format!("board {}: {error}", board.name));
        let file = file::parse(&exported.text).map_err(wrong)?;
        Ok(Some(BoardGame { index: *index, board: board.clone(), file }))
    }

    /// The board, and the number of the part before the game that the same clock has.
    fn part_before(&self) -> Option<(Numbered, u64)> {
        let game = part_before(&self.file.record)?;
        Some(((self.index, self.board.clone()), game))
    }

    fn reported(self) -> GameOfBoard {
        GameOfBoard { board: self.board.name, file: self.file }
    }
}

/// Puts the parts before each game that its clock has as other games: a game that was adjourned and
/// taken up again has such a part. Each round reads one part of every board that has a further one.
async fn add_parts_before(
    cli: &Cli,
    games: &mut [BoardGame],
    answers: &mut Answers<'_>,
) -> Result<()> {
    let mut parts: Vec<(Numbered, u64)> = games.iter().filter_map(BoardGame::part_before).collect();
    while !parts.is_empty() {
        let boards = parts.iter().map(|(board, _)| board.clone()).collect();
        let number = |index| parts.iter().find(|((of, _), _)| *of == index).map(|(_, game)| *game);
        let mut running = start_all(boards, |index, board| export(cli, board, number(index)));
        let mut further = Vec::new();
        while let Some(finished) = running.join_next().await {
            let finished = finished.map_err(anyhow::Error::from)?;
            let Some(part) = BoardGame::of(&finished)? else {
                // A part that the record has no more is left out, like a part on another clock.
                if finished.failure_code().as_deref() != Some("not-found") {
                    answers.add(finished)?;
                }
                continue;
            };
            let game = games.iter_mut().find(|game| game.index == part.index);
            let Some(game) = game else { continue };
            if put_before(&mut game.file.record, &part.file.record) {
                game.file.add_doubt(&part.file);
                further.extend(game.part_before());
            }
        }
        parts = further;
    }
    Ok(())
}

/// Writes the games one after the other; PGN wants an empty line between them.
fn write_games(
    cli: &Cli,
    output: Option<&Path>,
    games: &[GameOfBoard],
    players: &BTreeMap<String, Player>,
) -> Result<()> {
    let texts: Vec<String> = games.iter().map(|game| pgn_of(&game.file.record, players)).collect();
    let text = texts.join("\n");
    let Some(path) = output else { return out::print(&text) };
    out::write_new(path, &text)?;
    if cli.options.quiet {
        return Ok(());
    }
    let path = plain(&path.display().to_string());
    out::print(&format!("{} games: written to {path}\n", games.len()))
}
