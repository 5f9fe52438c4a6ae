//! `clockctl`, the arbiter's tool: each run carries out one verb. A verb that needs the bus makes a
//! connection of its own.

#![forbid(unsafe_code)]

mod backup;
mod bus;
mod cli;
mod completion;
mod control;
mod doctor;
mod failure;
mod hall;
mod help;
mod local_time;
mod many;
mod one_of_many;
mod options;
mod out;
mod prompt;
mod report;
mod rules;
mod rulings;
mod target;
mod text;
mod verb;

use std::process::ExitCode;

use clap::{FromArgMatches, Parser};
use clockctl::{json, simulate};
use tokio::task::LocalSet;

use cli::Cli;

fn main() -> ExitCode {
    // One thread is enough for a verb, and a runtime with one thread starts fastest.
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("clockctl: {error}");
            return ExitCode::FAILURE;
        }
    };
    if let Some(words) = completion::asked() {
        runtime.block_on(completion::run(&words));
        return ExitCode::SUCCESS;
    }
    // The tasks and the examples of the help take longer to put together than the words take to
    // read, so they are left out until the help or an error needs them.
    let parsed = Cli::try_parse().or_else(|_| {
        let mut command = help::command().color(options::color_given());
        let parsed = command.try_get_matches_from_mut(std::env::args_os());
        let parsed = parsed.and_then(|matches| Cli::from_arg_matches(&matches));
        parsed.map_err(|error| error.format(&mut command))
    });
    let mut cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            let _runtime = runtime.enter();
            return report::usage(&error);
        }
    };
    out::choose_colour(cli.options.color);
    // The boards of a hall are tasks of this thread.
    let done = LocalSet::new().block_on(&runtime, run(&mut cli));
    out::end_page();
    match done {
        Ok(exit) => ExitCode::from(exit),
        Err(error) => report::failure(error, &cli),
    }
}

/// Carries the verb out on the clock or the clocks that the command line names. Returns the exit
/// code.
async fn run(cli: &mut Cli) -> anyhow::Result<u8> {
    cli.options.check()?;
    cli.check_dry_run()?;
    let needs_hall = cli.needs_hall();
    hall::imply(&mut cli.options, needs_hall)?;
    if let Some(hall) = hall::Hall::of(&cli.options)? {
        match many::single(cli, &hall) {
            Some(board) => cli.options.be_for(board),
            None => return many::run(cli, hall).await,
        }
    }
    text::commands_begin_with(cli.options.beginning());
    cli.run().await
}
