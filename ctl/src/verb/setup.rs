//! `clockctl setup`: the set-up file of a card.

mod apply;
mod check;
mod files;
mod settings;
mod start;
mod wireless;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

use self::apply::Apply;
use crate::options::Options;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Debug, Subcommand)]
enum Action {
    /// Check a set-up file and show what it sets, without the passphrase
    Check {
        /// The set-up file: chessclock.toml(5)
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Write a set-up file for each board of a table: FOLDER/board-7/chessclock.toml
    Boards {
        /// The set-up file of all boards
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// A CSV file with one line for each board, whose titles are board, host_name or other keys of
        /// the file; the values of the line replace those of the file
        #[arg(value_name = "TABLE")]
        table: PathBuf,
        /// A folder that does not exist yet
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
    },
    /// Set this machine up as the file says, unless that was done before; the clock runs it at its start
    Apply(Apply),
}

pub fn run(options: &Options, args: &Args) -> Result<()> {
    match &args.action {
        Action::Check { file } => check::check(options, file),
        Action::Boards { file, table, folder } => check::boards(options, file, table, folder),
        Action::Apply(args) => apply::run(options, args),
    }
}
