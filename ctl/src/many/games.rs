//! What is made of the records of many clocks: one file with all games, or one report.

use std::{path::Path, time::Duration};

use anyhow::Result;
use clockctl::record::{Record, file};

use super::{
    finished::Answers,
    runs::{BoardFinished, Numbered, start_all},
    verbs::Kind,
};
use crate::{
    cli::{Cli, Verb},
    failure::Failure,
    hall::{Board, Hall, beginning, child::Run},
    out,
    text::plain,
    verb::{
        earlier::Earlier,
        export::pgn_of,
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
    if let Some(path) = output.filter(|path| path.exists()) {
        return Err(out::exists_already(path).into());
    }
    let earlier = Earlier::read(earlier)?;
    let is_changed = earlier.warn_of_changed();
    let boards: Vec<Numbered> = hall.boards.iter().cloned().enumerate().collect();
    let mut answers = Answers::new(&cli.options, kind, &boards);
    let mut games = Vec::new();
    let mut running = start_all(boards, |_, board: &Board| Run {
        words: ["export", "--format", "json"].map(Into::into).into(),
        beginning: beginning(&cli.options, &[board]),
        folder: ".".into(),
        sent_file: None,
        deadline: Duration::from_secs(cli.options.deadline),
    });
    while let Some(finished) = running.join_next().await {
        let finished = finished.map_err(anyhow::Error::from)?;
        if !finished.output().is_empty() {
            let BoardFinished { index, board, .. } = &finished;
            games.push((*index, board.name.clone(), finished.output().to_owned()));
        }
        answers.add(finished)?;
    }
    games.sort_unstable();
    let mut games = parsed(games)?;
    if games.is_empty() {
        // The file would keep the next try from being written.
        return answers.end(false);
    }
    let mut records: Vec<&mut Record> =
        games.iter_mut().map(|game| &mut game.file.record).collect();
    if let Err(failure) = earlier.join(&mut records) {
        // The board with the game may be one that has not answered.
        answers.end(false)?;
        return Err(failure.into());
    }
    match &cli.verb {
        Some(Verb::Report(args)) => report::write(&cli.options, args, &games)?,
        _ => write_games(cli, output, &games)?,
    }
    match answers.end(false)? {
        0 if is_changed => {
            Err(Failure::NotInOrder("a file of --earlier was changed".to_owned()).into())
        }
        exit => Ok(exit),
    }
}

fn parsed(games: Vec<(usize, String, String)>) -> Result<Vec<GameOfBoard>, Failure> {
    let parsed = |(_, board, text): (usize, String, String)| {
        let wrong = |error| Failure::Protocol(format!("board {board}: {error}"));
        let file = file::parse(&text).map_err(wrong)?;
        Ok(GameOfBoard { board, file })
    };
    games.into_iter().map(parsed).collect()
}

/// Writes the games one after the other; PGN wants an empty line between them.
fn write_games(cli: &Cli, output: Option<&Path>, games: &[GameOfBoard]) -> Result<()> {
    let texts: Vec<String> = games.iter().map(|game| pgn_of(&game.file.record)).collect();
    let text = texts.join("\n");
    let Some(path) = output else { return out::print(&text) };
    out::write_new(path, &text)?;
    if cli.options.quiet {
        return Ok(());
    }
    let path = plain(&path.display().to_string());
    out::print(&format!("{} games: written to {path}\n", games.len()))
}
