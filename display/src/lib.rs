//! The face of the chess clock, on a screen, in a window or in a terminal. The program is [`main`];
//! everything else is public only for the tests and benchmarks.
//!
//! `cli` reads the arguments and `config` the configuration; `messages` writes the log. `link`
//! follows the service on D-Bus, and `signals` counts its signals for the buzzer. `presenter`
//! provides the present content, with the time from which a time is low (`low_time`), and waits until
//! it changes (`next_change`). `content` converts a
//! state to texts and marks, adds the battery (`battery`), and leaves out what the rule profile
//! keeps off the display (`rules`). `paint` paints the texts and marks in a terminal, with the
//! characters that the terminal's font has (`glyphs`, `console_font`). `pixels` paints them as a
//! picture. `texts` and `name` provide `paint` and `pixels` with texts that fit into the available
//! room. The main loops are `app` in a terminal (`terminal` for the output, `keys` for the input),
//! `screen` on a graphics card and `window` in a window. A signal (`StopSignals`) ends them. `shot` writes
//! one picture. `devices` drives the outputs beside the picture, and `backlight` sets the
//! brightness of the screen. `demo` is used only with `--demo`. `pending` waits for a future that
//! may not exist. `language` chooses the words of
//! `clock-languages`.

#![deny(unsafe_code)]

mod app;
pub mod backlight;
pub mod battery;
mod cli;
pub mod config;
mod console_font;
pub mod content;
mod demo;
pub mod devices;
mod glyphs;
mod keys;
pub mod language;
mod link;
pub mod low_time;
mod messages;
mod name;
mod next_change;
mod paint;
mod pending;
pub mod pixels;
mod presenter;
pub mod rules;
mod screen;
mod shot;
mod signals;
mod terminal;
mod texts;
#[cfg(feature = "window")]
mod window;

use std::process::ExitCode;

use config::Config;

/// The exit code of every error after the arguments and the configuration were accepted. Examples:
/// there is no terminal or window, the terminal or window was lost, the picture cannot be written,
/// or no device is configured.
const NO_OUTPUT: u8 = 1;
/// The exit code for a bus address that cannot be parsed, and for a configuration that cannot be
/// used (`--screen` without `--config` then uses the default values and goes on). clap, `clockctl`
/// and `clockd` use the same code for wrong arguments. A bus that cannot be reached is no error,
/// because the display waits for it.
const USAGE: u8 = 2;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let (code, reason) = match run() {
        Ok(()) => (ExitCode::SUCCESS, None),
        Err((code, error)) => (ExitCode::from(code), Some(format!("{error:#}"))),
    };
    messages::finish(reason.as_deref());
    code
}

/// Runs the command that the arguments choose, or shows the face on the output that they choose. If
/// that fails, returns the exit code of the program and the error.
fn run() -> Result<(), (u8, anyhow::Error)> {
    let args = cli::Args::of_process();
    messages::set_level();
    // Before anything that can fail, so that no old time stays on the screen then.
    let kept = args.screen.then(screen::take_kept_card).flatten();
    let address = match args.address() {
        Ok(address) => address,
        Err(error) => return Err((USAGE, error)),
    };
    let outcome = match &args.command {
        Some(cli::Command::Shot(shot)) => shot::run(shot, address),
        None => match args.configuration() {
            Ok(config) if args.devices => devices::without_picture::run(&config, address),
            Ok(config) if args.screen => screen::run(&config, kept, address),
            #[cfg(feature = "window")]
            Ok(config) if args.window => window::run(&config, address),
            #[cfg(not(feature = "window"))]
            Ok(_) if args.window => Err(anyhow::anyhow!(
                "this clock-display opens no window; one that is built with `--features window` does"
            )),
            Ok(config) => app::run(&args, &config, address),
            // On the screen of the appliance, the face must run even if the installed
            // configuration has a mistake.
            Err(error) if args.screen && args.config.is_none() => {
                messages::report(&format!("{error}; the face has its default values"));
                screen::run(&Config::default(), kept, address)
            }
            Err(error) => return Err((USAGE, error.into())),
        },
    };
    outcome.map_err(|error| (NO_OUTPUT, error))
}
