//! `clockd`, the chess clock service: it reads the buttons, keeps exact time, and publishes the
//! state on D-Bus.

mod board_opener;
mod bus;
mod clock;
mod config;
#[cfg(test)]
mod counting;
mod gpio;
mod journal;
mod log;
mod notify;
mod rate_monitor;
mod recorder;
mod retained;
mod rt;
mod service;
mod storage_monitor;
mod store;

use clap::Parser;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// The chess clock service: reads the players' buttons, keeps the time, shows it on D-Bus.
#[derive(Parser)]
#[command(
    version,
    after_help = "Exit status: 0 ended by a signal, 1 failed, 2 wrong command line or \
        configuration, 4 the bus policy denies the name, 5 the name is owned, 7 the bus cannot be \
        reached."
)]
struct Args {
    /// The configuration [default: /etc/chess-clock/clockd.toml, which may be missing].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The bus to connect to [default: the system bus].
    #[arg(long, value_name = "ADDRESS")]
    bus: Option<String>,
    /// Simulated buttons at a Unix socket (sim:PATH) instead of the configured board's lines.
    #[arg(long, value_name = "sim:PATH", value_parser = service::simulated)]
    gpio: Option<PathBuf>,
    /// The file in which the games are recorded, or `none` [default: that of the configuration, otherwise
    /// record.sqlite3 in the folder $STATE_DIRECTORY, otherwise none].
    #[arg(long, value_name = "FILE|none")]
    record: Option<PathBuf>,
    /// The time control to start with, instead of the configured one: a name, a control file, or a
    /// notation such as 3+2 or '40/90, G/30, +30'. A game that is on record and has begun goes on instead.
    #[arg(long, value_name = "NAME|FILE|NOTATION")]
    control: Option<String>,
}

fn main() -> ExitCode {
    rt::keep_mappings_small();
    let args = Args::parse();
    if let Err(error) = log::start() {
        // If this cannot be written either, only the exit code reports the failure.
        let _ = writeln!(std::io::stderr(), "clockd: the log cannot be started: {error}");
        return ExitCode::FAILURE;
    }
    let code = service::run(args).map_or_else(
        |failure| {
            tracing::error!("{failure}");
            failure.exit_code()
        },
        |()| 0,
    );
    log::finish();
    ExitCode::from(code)
}
