//! `clockd`, the chess clock service: it reads the buttons, keeps exact time, and publishes the
//! state on D-Bus.

mod args;
mod board_opener;
mod bus;
mod config;
#[cfg(test)]
#[path = "../../engine/tests/counting/mod.rs"]
mod counting;
mod drive_line;
mod game;
mod log;
mod menu;
mod notify;
mod rate_monitor;
mod record;
mod saved_time;
mod service;

use args::Args;
use clap::Parser;
use clock_engine::text::plain_system_errors;
use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    clockd_rt::keep_mappings_small();
    let args = Args::parse();
    if let Err(error) = log::start() {
        // If this line cannot be written either, only the exit code reports the failure.
        let _ = writeln!(std::io::stderr(), "clockd: the log cannot be started: {error}");
        return ExitCode::FAILURE;
    }
    let done = if let Some(line) = &args.drive_line {
        drive_line::run(&args, line)
    } else {
        service::run(args)
    };
    let code = done.map_or_else(
        |failure| {
            tracing::error!("{}", plain_system_errors(&failure.to_string()));
            failure.exit_code()
        },
        |()| 0,
    );
    log::finish();
    ExitCode::from(code)
}
