//! `clockctl adjourn`: adjourns the game with a sealed move.

use anyhow::Result;
use clock_dbus::Side;

use super::command::{self, Phrases};
use crate::options::{Options, words};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The player who seals
    #[arg(value_parser = words::<Side>())]
    side: Side,
    /// The number of the sealed move, or what the arbiter writes on the envelope
    #[arg(value_name = "MOVE")]
    sealed_move: String,
}

/// Adjourns the game: the sealed move is complete, and both clocks stand.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases = Phrases { wanted: "adjourn the game", done: "the game was adjourned" };
    command::run(options, phrases, async |arbiter, revision, reason| {
        arbiter.adjourn(args.side.into(), &args.sealed_move, revision, reason).await
    })
    .await
}
