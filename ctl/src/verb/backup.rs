//! `clockctl backup`: the record and settings of this clock in one file.

mod list;
mod load;
mod record;
mod save;
mod target;

use anyhow::Result;
use clap::Subcommand;

use self::{list::List, load::Load, save::Save};
use crate::{failure::Failure, options::Options, target::Target};

/// What the help ends with.
const HELP: &str = "\
Only root may do this, on the machine of the clock. The file has no keys of arbiters, no passwords and no copy of the system itself.";

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Debug, Subcommand)]
enum Action {
    /// Write a backup to the USB stick, or to a folder or a file
    Save(Save),
    /// List the backups on the USB stick, or in a folder, the newest first
    List(List),
    /// Take over the record and settings of a backup; what is there is kept aside
    Load(Load),
}

impl Args {
    /// Whether `--dry-run` has a meaning.
    pub fn takes_dry_run(&self) -> bool {
        matches!(self.action, Action::Load(_))
    }
}

pub async fn run(options: &Options, args: &Args) -> Result<()> {
    if matches!(options.target(), Target::Host(_)) {
        let why = "backup works on the machine of the clock: ssh HOST sudo clockctl backup save";
        return Err(Failure::Usage(why.to_owned()).into());
    }
    match &args.action {
        Action::Save(args) => save::run(options, args),
        Action::List(args) => list::run(options, args),
        Action::Load(args) => load::run(options, args).await,
    }
}
