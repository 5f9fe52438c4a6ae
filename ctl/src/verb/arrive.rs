//! `clockctl arrive`: a player has come to the board.

use anyhow::Result;
use clock_dbus::Side;

use super::command::{self, Phrases};
use crate::options::{Options, words};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The player
    #[arg(value_parser = words::<Side>())]
    side: Side,
}

/// Records the arrival. A press of the player's button records it, too.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases = Phrases { wanted: "record the arrival", done: "the arrival was recorded" };
    let done = format!("on record: {} has come to the board", args.side.name());
    command::run_and_say_done(
        options,
        phrases,
        async |arbiter, revision, reason| arbiter.arrive(args.side.into(), revision, reason).await,
        |_, _| done,
    )
    .await
}
