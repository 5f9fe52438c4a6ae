//! `edge-player` plays edges of buttons on the kernel's simulated GPIO chip (`gpio-sim`).
//!
//! It runs as root in a virtual machine beside the clock, changes the lines at planned instants,
//! and prints when it did, so that a test can compare this with what the clock says.

mod cli;

use cli::args::{self, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = match args::parse(std::env::args().skip(1)) {
        Ok(command) => command,
        Err(wrong) => {
            eprintln!("edge-player: {wrong}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("edge-player: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> cli::Result<()> {
    match command {
        Command::Help => cli::say(args::USAGE),
        Command::MakeChip { label, names } => cli::say(&cli::chip::make(&label, &names)?),
        Command::RemoveChip { label } => cli::chip::remove(&label),
        Command::Play(target) => cli::play::run(&target, cli::play::Column::Wait),
        Command::At(target) => cli::play::run(&target, cli::play::Column::Instant),
        Command::Bounce { target, bounce } => cli::bounce::run(&target, bounce),
        Command::CpuLoad { fifo, until } => cli::cpu_load::run(fifo, until),
    }
}
