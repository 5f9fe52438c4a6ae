//! The face of the chess clock in a terminal.
//!
//! Data's way: [`link`] follows the service on D-Bus, [`view`] turns a state into the texts to
//! show, [`paint`] paints them, [`tick`] says when a text changes next, [`app`] is the loop that
//! holds them together. [`demo`] is there only with `--demo`.

#![forbid(unsafe_code)]

mod app;
mod cli;
mod demo;
mod link;
mod paint;
mod terminal;
mod tick;
mod view;

use std::process::ExitCode;

use clap::Parser;

/// Exit code when there is no terminal to paint on, or it went away.
const NO_TERMINAL: u8 = 1;
/// Exit code of a bus address that cannot be parsed, clap's own and the same as of `clockctl` and
/// `clockd`. A bus that cannot be reached is none: the face waits for it.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let args = cli::Args::parse();
    let address = match args.address() {
        Ok(address) => address,
        Err(error) => return fail(USAGE, &error),
    };
    match terminal::run(|screen| app::run(&args, address, screen)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(NO_TERMINAL, &error),
    }
}

fn fail(code: u8, error: &anyhow::Error) -> ExitCode {
    eprintln!("clock-display: {error:#}");
    ExitCode::from(code)
}
