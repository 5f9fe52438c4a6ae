//! A verb on many clocks: it is carried out for all boards at the same time, and every board has its own
//! line in the output.

mod board_state;
mod finished;
mod games;
mod pairings;
mod runs;
mod watch;

use std::{env, ffi::OsString};

use anyhow::Result;

use self::{
    finished::Answers,
    runs::{Kind, Numbered, allowed, on_each},
};
use crate::{
    cli::{Cli, Verb},
    failure::Failure,
    hall::{Hall, beginning},
    options::{OnBoard, Options},
};

/// The only board that the command line names. Its verb is carried out as on this machine's clock.
/// `new` is an exception, because the hall file or the file of pairings has names for it, and
/// `export --into`, which knows boards by their numbers.
pub fn single(cli: &Cli, hall: &Hall) -> Option<OnBoard> {
    let has_names = cli.options.hall.is_some() || cli.needs_hall();
    let takes_names = matches!(cli.verb, Some(Verb::New(_))) && has_names;
    let gives_results = matches!(&cli.verb, Some(Verb::Export(args)) if args.into.is_some());
    match hall.boards.as_slice() {
        [board] if !takes_names && !gives_results => Some(OnBoard {
            target: board.target.clone(),
            beginning: beginning(&cli.options, &[board]),
            revision: board.revision,
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
    let is_force_for_shown = match pairings::apply(cli, &mut hall)? {
        Some(found) => pairings::confirm(cli, &mut hall, &found).await?,
        None => false,
    };
    on_all(cli, &hall, kind, &words, is_force_for_shown).await
}

/// Gives the command to each board. If `is_force_for_shown` is true, a board without a revision gets no
/// command. Such a board did not answer, so its game was not shown, and the user has not agreed to end it.
async fn on_all(
    cli: &Cli,
    hall: &Hall,
    kind: Kind,
    words: &[String],
    is_force_for_shown: bool,
) -> Result<u8> {
    let boards: Vec<Numbered> = hall.boards.iter().cloned().enumerate().collect();
    let mut answers = Answers::new(&cli.options, kind, &boards);
    let (verb, hall) = (cli.verb.clone(), hall.clone());
    let mut running = on_each(&cli.options, boards, move |options, board| {
        let mut verb = verb.clone();
        if let Some(Verb::New(args)) = &mut verb {
            // If there is no hall file, the name of the board is the name of its host, not its number.
            args.complete(&hall, board, options.hall.is_some());
        }
        let json = options.json || kind.needs_json();
        let cli = Cli { options: Options { json, ..options }, verb };
        let is_unseen = is_force_for_shown && board.revision.is_none();
        async move {
            if is_unseen {
                let why = "it gave no answer at the question, so nobody has seen its game";
                return Err(Failure::NotAgreed(why.to_owned()).into());
            }
            cli.run().await
        }
    });
    // If the output cannot be written, the other boards still get the command, and those that failed
    // are named.
    let mut printed = Ok(());
    while let Some(finished) = running.join_next().await {
        let added = answers.add(finished.map_err(anyhow::Error::from)?.0);
        printed = printed.and(added);
    }
    let is_given_again = kind.gives_commands() && !cli.options.dry_run;
    let exit = answers.end(is_given_again.then_some(words));
    printed.and(exit)
}
