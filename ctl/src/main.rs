//! `clockctl`, the arbiter's tool: each run carries out one verb over one connection to the bus.

#![forbid(unsafe_code)]

mod bus;
mod cli;
mod control;
mod failure;
mod out;
mod report;
mod rules;
mod rulings;
mod text;
mod verb;

use std::process::ExitCode;

use clap::Parser;
use clockctl::{json, simulate};

use cli::{Cli, Options, Verb};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return report::usage(&error),
    };
    match run(&cli.options, &cli.verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report::failure(&error, &cli.options),
    }
}

fn run(options: &Options, verb: &Verb) -> anyhow::Result<()> {
    // A command needs one thread only, and one thread starts fastest.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        match verb {
            Verb::Status => verb::status::run(options).await,
            Verb::Watch => verb::watch::run(options).await,
            Verb::Start => verb::start::run(options).await,
            Verb::Pause(args) => verb::pause::run(options, args).await,
            Verb::Resume(args) => verb::resume::run(options, args).await,
            Verb::New(args) => verb::new::run(options, args).await,
            Verb::Set(args) => verb::set::run(options, args).await,
            Verb::Add(args) => verb::add::run(options, args).await,
            Verb::Undo => verb::undo::run(options).await,
            Verb::Result(args) => verb::result::run(options, args).await,
            Verb::Reopen => verb::reopen::run(options).await,
            Verb::Claim(args) => verb::claim::run(options, args).await,
            Verb::Flag(args) => verb::flag::run(options, args).await,
            Verb::Rule(args) => verb::rule::run(options, args).await,
            Verb::Penalty(args) => verb::penalty::run(options, args).await,
            Verb::Illegal(args) => verb::illegal::run(options, args).await,
            Verb::Arrive(args) => verb::arrive::run(options, args).await,
            Verb::Confirm(args) => verb::confirm::run(options, args).await,
            Verb::Refer => verb::refer::run(options).await,
            Verb::Attach(args) => verb::attach::run(options, args).await,
            Verb::Incident(args) => verb::incident::run(options, args).await,
            Verb::Assistant(args) => verb::assistant::run(options, args).await,
            Verb::Adjourn(args) => verb::adjourn::run(options, args).await,
            Verb::Continue => verb::continue_game::run(options).await,
            Verb::SetRules(args) => verb::set_rules::run(options, args).await,
            Verb::Restore(args) => verb::restore::run(options, args).await,
            Verb::Import(args) => verb::import::run(options, args).await,
            Verb::Health => verb::health::run(options).await,
            Verb::Log(args) => verb::log::run(options, args).await,
            Verb::Export(args) => verb::export::run(options, args).await,
            Verb::Buttons(args) => verb::buttons::run(options, args).await,
            Verb::Method(args) => verb::method::run(options, args).await,
            Verb::Control(args) => verb::control::run(options, args).await,
            Verb::Rules(args) => verb::rules::run(options, args).await,
            Verb::Simulate(args) => verb::simulate::run(options, args),
        }
    })
}
