//! `clockctl resume-adjourned`: takes up an adjourned game again.

use anyhow::Result;

use super::command::{self, Phrases};
use crate::options::{Options, whole};

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The number of an adjourned game on record [default: the game on the clock]
    #[arg(value_parser = whole::<u64>(1..=u64::MAX))]
    game: Option<u64>,
}

const HELP: &str = "\
clockctl log --games lists the adjourned games. A game that is taken up again after other games is a new game in the record, with the \
whole state of the adjourned one.";

/// Takes the game up again. Both clocks still stand; `clockctl resume` starts the clock of the side
/// on move.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases =
        Phrases { wanted: "take up the adjourned game", done: "the adjourned game was taken up" };
    command::run(options, phrases, async |arbiter, revision, reason| {
        // 0 is the game on the clock.
        arbiter.resume_adjourned(args.game.unwrap_or_default(), revision, reason).await
    })
    .await
}
