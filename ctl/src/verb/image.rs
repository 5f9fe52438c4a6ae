//! `clockctl image`: the set-up file of a card.

mod apply;
mod args;
mod files;
mod set;
mod settings;
mod show;
mod start;
mod wireless;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;

use self::args::{Apply, Set};
pub(super) use self::settings::Applied;
use crate::options::Options;

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write a set-up file to a flashed card or to an image file
    Set(Set),
    /// Show the set-up file of a card, without the passphrase
    Show {
        /// The card, its image, or the folder where its boot partition is mounted
        #[arg(value_name = "CARD")]
        card: PathBuf,
    },
    /// Set this machine up as the file says, unless that was done before; the clock runs it at its start
    Apply(Apply),
}

pub fn run(options: &Options, args: &Args) -> Result<()> {
    match &args.action {
        Action::Set(args) => set::run(options, args),
        Action::Show { card } => show::run(options, card),
        Action::Apply(args) => apply::run(options, args),
    }
}
