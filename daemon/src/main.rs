//! `clockd`, the chess clock service: buttons in, exact time kept, state on D-Bus.

mod bus;
mod clock;
mod config;
mod controls;
mod gpio;
mod journal;
mod log;
mod rt;
mod service;

use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;

/// The chess clock service: reads the players' buttons, keeps the time, shows it on D-Bus.
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit status: 0 ended by a signal, 1 failed, 2 wrong command line \
    or configuration, 5 the bus name is owned, 7 the bus cannot be reached."
)]
struct Args {
    /// The configuration [default: /etc/chess-clock/clockd.toml, which may be missing].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The bus to be on [default: the system bus].
    #[arg(long, value_name = "ADDRESS")]
    bus: Option<String>,
    /// Simulated buttons at a Unix socket (sim:PATH) instead of the configured board.
    #[arg(long, value_name = "sim:PATH", value_parser = service::simulated)]
    gpio: Option<PathBuf>,
    /// The time control to come up with, instead of the configured one.
    #[arg(long, value_name = "NAME|FILE")]
    control: Option<String>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = log::start().map_err(service::Failure::from).and_then(|()| service::run(args));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("clockd: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
