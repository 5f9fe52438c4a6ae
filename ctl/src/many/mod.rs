//! A verb on many clocks: each board has a process of its own, or for `status` a connection, all of
//! them run at the same time, and every board has its own line in the output.

mod board_state;
mod finished;
mod games;
mod new;
mod pairings;
mod progress;
mod results;
mod runs;
mod status;
mod verbs;
mod watch;

use std::{env, ffi::OsString, path::PathBuf, time::Duration};

use anyhow::Result;
use clap::Parser;

use self::{
    finished::Answers,
    runs::{Numbered, read_all, start_all},
    verbs::{Kind, kind},
};
use crate::{
    cli::{Cli, Verb},
    control,
    failure::Failure,
    hall::{
        Board, Hall, beginning,
        child::Run,
        last_command::{Ended, Given, GivenBoard, LastCommand},
    },
    options::OnBoard,
    out,
};

/// The only board that the command line names. Its verb is carried out as on this machine's clock.
/// `new` is an exception, because the hall file has names for it, and `export --into`, which knows
/// boards by their numbers.
pub fn single(cli: &Cli, hall: &Hall) -> Option<OnBoard> {
    let takes_names = matches!(cli.verb, Some(Verb::New(_))) && cli.options.hall.is_some();
    let gives_results = matches!(&cli.verb, Some(Verb::Export(args)) if args.into.is_some());
    match hall.boards.as_slice() {
        [board] if !takes_names && !gives_results => Some(OnBoard {
            target: board.target.clone(),
            beginning: beginning(&cli.options, &[board]),
            sent_file: None,
        }),
        _ => None,
    }
}

/// Carries the verb out on all boards of the hall. Returns the exit code.
pub async fn run(cli: &Cli, mut hall: Hall) -> Result<u8> {
    let words = env::args_os().skip(1).map(OsString::into_string).collect::<Result<Vec<_>, _>>();
    let words = words.map_err(|word| {
        Failure::Usage(format!("{word:?} is no text, and many clocks take only text"))
    })?;
    let words = with_hall(cli, words);
    let folder = env::current_dir().map_err(|error| Failure::Usage(error.to_string()))?;
    let kind = allowed(cli, &hall, &words)?;
    match kind {
        Kind::Games => return games::run(cli, &hall, kind).await,
        Kind::Watch => return watch::run(cli, hall).await,
        _ => {}
    }
    if let Some(found) = pairings::apply(cli, &mut hall)? {
        pairings::confirm(cli, &hall, &found).await?;
    }
    // A dry run is not noted, because `--retry` must not repeat it in place of a command.
    let is_noted = kind.gives_commands() && !cli.options.dry_run;
    let command = if is_noted { Some(noted(cli, words, folder, &hall)?) } else { None };
    let boards = hall.boards.iter().cloned().enumerate().collect();
    on_all(cli, &hall, kind, command, boards).await
}

/// The words with the hall file that was implied, so that `--retry` means the same file.
fn with_hall(cli: &Cli, words: Vec<String>) -> Vec<String> {
    match &cli.options.hall {
        Some(hall) if cli.options.is_hall_implied => {
            let hall = ["--hall".to_owned(), hall.to_string_lossy().into_owned()];
            hall.into_iter().chain(words).collect()
        }
        _ => words,
    }
}

/// Notes the command with everything that was decided from files.
fn noted(
    cli: &Cli,
    words: Vec<String>,
    folder: PathBuf,
    hall: &Hall,
) -> Result<LastCommand, Failure> {
    let decided = |board: &Board| GivenBoard {
        name: board.name.clone(),
        white: board.white.clone(),
        black: board.black.clone(),
    };
    let boards = hall.boards.iter().map(decided).collect();
    let (event, round) = (hall.event.clone(), hall.round.clone());
    let control = match &cli.verb {
        Some(Verb::New(args)) => args.control_given(),
        Some(Verb::ChangeTimeControl(args)) => Some(args.control_given()),
        _ => None,
    };
    let path = control.filter(|control| control::is_file(control));
    let text = path.map(control::read).transpose()?.map(|(_, text)| text);
    LastCommand::begin(Given { words, folder, event, round, boards }, path.zip(text.as_deref()))
}

/// Gives the last command again to the boards on which it was not done. Each board gets the players,
/// the event, the round and the time control that were decided when the command was given; only where
/// its clock is comes from the hall file, which may have been wrong there.
pub async fn retry(options: &Cli) -> Result<u8> {
    let command = LastCommand::read()?;
    let gone = |error: std::io::Error| {
        Failure::Usage(format!("{}: {error}", command.given.folder.display()))
    };
    env::set_current_dir(&command.given.folder).map_err(gone)?;
    let words = ["clockctl".to_owned()].into_iter().chain(command.given.words.iter().cloned());
    let cli = Cli::try_parse_from(words);
    let cli = cli.map_err(|error| Failure::Usage(format!("the last command: {error}")))?;
    let mut hall = Hall::of(&cli.options)?.unwrap_or_default();
    let kind = allowed(&cli, &hall, &command.given.words)?;
    hall.event.clone_from(&command.given.event);
    hall.round.clone_from(&command.given.round);
    let mut boards = Vec::new();
    for (index, GivenBoard { name, white, black }) in command.given.boards.iter().enumerate() {
        let board = hall.boards.iter().find(|board| board.name == *name);
        let gone = || Failure::Usage(format!("board {name} is not in the hall file any more"));
        let board = board.ok_or_else(gone)?;
        if command.ended(index) != Ended::Done {
            let (white, black) = (white.clone(), black.clone());
            boards.push((index, Board { white, black, ..board.clone() }));
        }
    }
    if !options.options.quiet {
        let names: Vec<&str> = boards.iter().map(|(_, board)| board.name.as_str()).collect();
        let what = command.given.words.join(" ");
        match names.len() {
            0 => out::report(&format!("done on every board: clockctl {what}\n")),
            _ => out::report(&format!("again on {}: clockctl {what}\n", names.join(", "))),
        }
    }
    on_all(&cli, &hall, kind, Some(command), boards).await
}

/// How the verb is carried out on many clocks, or why it cannot be.
fn allowed(cli: &Cli, hall: &Hall, words: &[String]) -> Result<Kind, Failure> {
    let kind = kind(cli.verb.as_ref()).map_err(Failure::Usage)?;
    if kind == Kind::OneGame && !hall.are_chosen {
        return Err(Failure::Usage(format!(
            "this concerns single games, and the hall has {} boards: say which ones, such as \
             --boards {}, or --boards all",
            hall.boards.len(),
            hall.boards.first().map_or("7", |board| &board.name)
        )));
    }
    if words.iter().any(|word| word == "--") {
        return Err(Failure::Usage("-- cannot be used with many clocks".to_owned()));
    }
    if cli.options.revision.is_some() {
        let why = "--if-revision is the revision of one clock; many clocks have different ones";
        return Err(Failure::Usage(why.to_owned()));
    }
    Ok(kind)
}

async fn on_all(
    cli: &Cli,
    hall: &Hall,
    kind: Kind,
    command: Option<LastCommand>,
    boards: Vec<Numbered>,
) -> Result<u8> {
    let mut answers = Answers::new(&cli.options, kind, &boards);
    let folder = env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let run = |index, board: &Board| Run {
        words: words(cli, hall, kind, board, command.as_ref()),
        beginning: beginning(&cli.options, &[board]),
        folder: folder.clone(),
        sent_file: command.as_ref().map(|command| command.sent_file(index)),
        deadline: Duration::from_secs(cli.options.deadline),
    };
    let mut running = match kind {
        Kind::Status => read_all(cli, boards),
        _ => start_all(boards, run),
    };
    while let Some(finished) = running.join_next().await {
        let finished = finished.map_err(anyhow::Error::from)?;
        if let (0, Some(command)) = (finished.exit(), &command) {
            command.note_done(finished.index);
        }
        answers.add(finished)?;
    }
    answers.end(command.is_some())
}

/// The words of the process for one board.
fn words(
    cli: &Cli,
    hall: &Hall,
    kind: Kind,
    board: &Board,
    command: Option<&LastCommand>,
) -> Vec<OsString> {
    let given: Vec<OsString> = match command {
        Some(command) => command.given.words.iter().map(OsString::from).collect(),
        None => env::args_os().skip(1).collect(),
    };
    let mut words: Vec<OsString> = Vec::new();
    if kind.needs_json() && !cli.options.json {
        words.push("--json".into());
    }
    words.extend(given);
    if kind == Kind::New {
        words.extend(new::words(cli, hall, board).into_iter().map(OsString::from));
    }
    words
}
