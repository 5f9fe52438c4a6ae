//! The command line.

use clap::Parser;
use std::path::PathBuf;

/// The chess clock service: reads the players' buttons, keeps the time, shows it on D-Bus.
#[derive(Parser)]
#[command(
    version = clock_dbus::version(),
    after_help = "Exit status: 0 ended by a signal, 1 failed, 2 wrong command line, or \
        a configuration that --check refuses, 4 the bus policy denies the name, 5 the name is owned, 7 the bus cannot be \
        reached."
)]
pub struct Args {
    /// The configuration [default: /etc/chess-clock/clockd.toml, which may be missing].
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Only checks the configuration and the files that it names: prints what is configured, or the
    /// file, line and column of the first mistake.
    #[arg(long)]
    pub check: bool,
    /// The bus to connect to [default: the system bus].
    #[arg(long, value_name = "ADDRESS")]
    pub bus: Option<String>,
    /// Simulated buttons at a Unix socket (sim:PATH) instead of the configured wiring.
    #[arg(long, value_name = "sim:PATH", value_parser = simulated)]
    pub gpio: Option<PathBuf>,
    /// The folder in which the games are recorded, or `none` [default: that of the configuration,
    /// otherwise `games` in the folder $STATE_DIRECTORY, otherwise none].
    #[arg(long, value_name = "FOLDER|none")]
    pub record: Option<PathBuf>,
    /// Runs no clock, but drives a line as a button would, for `clockctl doctor --loopback`: a line
    /// of the configured chip or of CHIP. Only root may do that.
    #[arg(long, value_name = "[CHIP:]LINE", conflicts_with_all = ["check", "bus", "gpio", "record", "control"])]
    pub drive_line: Option<String>,
    /// The time control to start with, instead of the configured one: a name, a control file, or a
    /// notation such as 3+2 or '40/90, G/30, +30'. A game that is on record and has begun goes on
    /// instead.
    #[arg(long, value_name = "NAME|FILE|NOTATION")]
    pub control: Option<String>,
}

/// Reads the argument of `--gpio`.
fn simulated(text: &str) -> Result<PathBuf, String> {
    match text.strip_prefix("sim:") {
        Some(path) if !path.is_empty() => Ok(PathBuf::from(path)),
        _ => Err("expected sim:PATH; real buttons are configured with the key wiring".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::CommandFactory;
    use clock_man_pages::check;
    use clock_man_pages::program::{Program, page};

    #[test]
    fn the_manual_page_is_up_to_date() {
        let program = Program {
            section: "8",
            tasks: Vec::new(),
            files: &[
                ("/etc/chess-clock/clockd.toml", "the configuration"),
                (
                    "/etc/chess-clock/controls/, /etc/chess-clock/rules/",
                    "your own time controls and rule profiles",
                ),
                ("/var/lib/chess-clock/games/", "the games on record"),
            ],
            environment: &[(
                "CLOCK_LOG",
                "the level of the log: `error`, `warn`, `info` (the default), `debug` or `trace`",
            )],
            see_also: &["clockd.toml(5)", "clockctl(1)", "clock-display(1)", "docs/reliability.md"],
        };
        check("clockd.8", &page(&Args::command(), &program)).unwrap();
    }
}
