//! The command line.

use std::path::PathBuf;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use zbus::Address;

use crate::config::{Config, ConfigError};
use crate::shot::Shot;

/// The players' display of the chess clock.
///
/// Shows what the clock service publishes on D-Bus. `q` or Ctrl-C quits. Colours follow COLORTERM,
/// TERM and NO_COLOR; without a UTF-8 locale the marks are plain ASCII.
#[derive(Debug, Parser)]
#[command(version = clock_dbus::version(), after_help = EXIT_CODES)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Show the face in this terminal; the default.
    #[arg(long, conflicts_with = "screen")]
    pub terminal: bool,

    /// Show the face on the connected screen, without a window system. It waits for a screen where
    /// there is none.
    #[arg(long, conflicts_with = "demo")]
    pub screen: bool,

    /// Show the face in a window, on X11 or Wayland, if the program was built with its feature
    /// `window`. `f` fills the screen with the window, `q` quits.
    #[arg(long, conflicts_with_all = ["demo", "screen", "terminal"])]
    pub window: bool,

    /// Show no picture, only the seven segments, lamps and buzzer that the configuration names.
    #[arg(long, conflicts_with_all = ["terminal", "screen", "window", "demo"])]
    pub devices: bool,

    /// The D-Bus address of the bus the clock service is on [default: the system bus].
    #[arg(long, value_name = "ADDRESS", global = true)]
    pub bus: Option<Address>,

    /// How the face looks, and what is connected to it [default: /etc/chess-clock/display.toml, if
    /// it exists; in a terminal none].
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Make the keys the simulated buttons of `clockd --gpio sim:SOCKET`.
    #[arg(long, value_name = "SOCKET")]
    pub demo: Option<PathBuf>,
}

/// What to do instead of showing the face in this terminal.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a picture of the present face as a PNG file.
    Shot(Shot),
}

const EXIT_CODES: &str = "Exit codes: 0 quit, 1 no terminal, no window, no device, or the picture cannot be written, 2 wrong usage or configuration.";

impl Args {
    /// The arguments of the process. `--help`, `--version` and wrong arguments end the process
    /// here.
    pub fn of_process() -> Args {
        let args = Args::parse();
        let face = args.terminal || args.screen || args.window || args.devices;
        if args.command.is_some() && (face || args.config.is_some() || args.demo.is_some()) {
            let message = "`shot` shows no face: of the options before it, only --bus can be used";
            Args::command().error(ErrorKind::ArgumentConflict, message).exit();
        }
        args
    }

    /// The configuration. The face in a terminal reads only a file that is named with `--config`,
    /// and never the default file. An arbiter can start such a face over SSH. This face must not
    /// drive the lamps, because the face on the screen drives them.
    pub fn configuration(&self) -> Result<Config, ConfigError> {
        let in_terminal = !(self.screen || self.window || self.devices);
        match &self.config {
            None if in_terminal => Ok(Config::default()),
            named => Config::load(named.as_deref()),
        }
    }

    /// The address of the bus: the address in `--bus`, or else that of the system bus.
    ///
    /// # Errors
    ///
    /// `--bus` is not given, and `DBUS_SYSTEM_BUS_ADDRESS` cannot be parsed.
    pub fn address(&self) -> anyhow::Result<Address> {
        match &self.bus {
            Some(address) => Ok(address.clone()),
            None => Address::system().context("DBUS_SYSTEM_BUS_ADDRESS cannot be read"),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use clock_man_pages::check;
    use clock_man_pages::program::{Program, page};

    use super::Args;

    #[test]
    fn the_manual_page_is_up_to_date() {
        let program = Program {
            section: "1",
            tasks: vec![("A picture", vec!["shot"])],
            files: &[("/etc/chess-clock/display.toml", "the configuration")],
            environment: &[
                (
                    "CLOCK_LOG",
                    "the level of the log: `error`, `warn`, `info` (the default), `debug` or `trace`",
                ),
                ("NO_COLOR", "with any value, the face in a terminal has no colours"),
            ],
            see_also: &["display.toml(5)", "clockd(8)", "docs/face.md", "docs/devices.md"],
        };
        check("clock-display.1", &page(&Args::command(), &program)).unwrap();
    }
}
