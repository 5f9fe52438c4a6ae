//! `clockctl`, the arbiter's tool: each run carries out one verb. A verb that needs the bus makes a
//! connection of its own.

#![forbid(unsafe_code)]

mod bus;
mod cli;
mod control;
mod failure;
mod local_time;
mod options;
mod out;
mod prompt;
mod report;
mod rules;
mod rulings;
mod text;
mod verb;

use std::process::ExitCode;

use clap::Parser;
use clockctl::{json, simulate};

use cli::Cli;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return report::usage(&error),
    };
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report::failure(&error, &cli.options),
    }
}

fn run(cli: &Cli) -> anyhow::Result<()> {
    // One thread is enough for a verb, and a runtime with one thread starts fastest.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(cli.verb.run(&cli.options))
}
