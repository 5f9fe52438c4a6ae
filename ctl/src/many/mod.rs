//! A verb on many clocks: each board has a process of its own, or for `status` a connection, all of
//! them run at the same time, and every board has its own line in the output.

mod board_state;
mod finished;
mod games;
mod kind;
mod pairings;
mod progress;
mod results;
mod runs;
mod watch;

use std::{env, ffi::OsString, time::Duration};

use anyhow::Result;

use self::{
    finished::Answers,
    kind::{Kind, kind},
    runs::{Numbered, read_all, start_all},
};
use crate::{
    cli::{Cli, Verb},
    failure::Failure,
    hall::{Board, Hall, beginning, child::Run},
    options::OnBoard,
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
            revision: board.revision,
            is_one_of_many: false,
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
    let kind = allowed(cli, &hall, &words)?;
    match kind {
        Kind::Games => return games::run(cli, &hall, kind).await,
        Kind::Watch => return watch::run(cli, hall).await,
        _ => {}
    }
    if let Some(found) = pairings::apply(cli, &mut hall)? {
        pairings::confirm(cli, &hall, &found).await?;
    }
    on_all(cli, &hall, kind, &words).await
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
        return Err(Failure::Usage(
            "--if-revision is the revision of one clock: give each board its own, such as --boards \
             3@212,4@97"
                .to_owned(),
        ));
    }
    Ok(kind)
}

async fn on_all(cli: &Cli, hall: &Hall, kind: Kind, words: &[String]) -> Result<u8> {
    let boards: Vec<Numbered> = hall.boards.iter().cloned().enumerate().collect();
    let mut answers = Answers::new(&cli.options, kind, &boards);
    let run = |_, board: &Board| Run {
        words: words_of_board(cli, hall, kind, board, words),
        beginning: beginning(&cli.options, &[board]),
        deadline: Duration::from_secs(cli.options.deadline),
    };
    let mut running = match kind {
        Kind::Status => read_all(cli, boards),
        _ => start_all(boards, run),
    };
    while let Some(finished) = running.join_next().await {
        answers.add(finished.map_err(anyhow::Error::from)?)?;
    }
    let is_given_again = kind.gives_commands() && !cli.options.dry_run;
    answers.end(is_given_again.then_some(words))
}

/// The words of the process for one board.
fn words_of_board(
    cli: &Cli,
    hall: &Hall,
    kind: Kind,
    board: &Board,
    given: &[String],
) -> Vec<OsString> {
    let mut words = Vec::new();
    if kind.needs_json() && !cli.options.json {
        words.push("--json".to_owned());
    }
    words.extend(given.iter().cloned());
    if kind == Kind::New {
        words.extend(names(cli, hall, board));
    }
    words.into_iter().map(OsString::from).collect()
}

/// The options of `new` for this board: what the hall file says of it, unless the command line says it
/// for all. Each is one word, so that a name that begins with a dash is still a name.
fn names(cli: &Cli, hall: &Hall, board: &Board) -> Vec<String> {
    let Some(Verb::New(args)) = &cli.verb else { return Vec::new() };
    // Without a hall file the name of the board is that of its host.
    let number = cli.options.hall.is_some().then(|| board.name.clone());
    let all = [
        ("board", &number),
        ("white", &board.white),
        ("black", &board.black),
        ("round", &hall.round),
        ("event", &hall.event),
    ];
    let missing = all.into_iter().filter(|(key, _)| !args.has(key));
    missing.filter_map(|(key, value)| Some(format!("--{key}={}", value.as_ref()?))).collect()
}
