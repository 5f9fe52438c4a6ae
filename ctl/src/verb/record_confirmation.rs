//! `clockctl record-confirmation`: records what a player confirms, mainly in play without an
//! arbiter.

use anyhow::Result;
use clap::ValueEnum;
use clock_dbus::Side;

use super::{
    command::{self, Phrases},
    readings,
};
use crate::options::{Options, word, words};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The player
    #[arg(value_parser = words::<Side>())]
    side: Side,
    /// What the player confirms [default: what both players can confirm now]
    #[arg(value_enum)]
    what: Option<What>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// That the game goes on
    Resume,
    /// That an illegal move is corrected although it was replied to; without an arbiter, that one
    /// correction of any kind is made
    Correction,
    /// That it cannot be established which flag fell first
    OrderUnknown,
}

/// Records the confirmation. It takes effect when both players have confirmed the same.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases =
        Phrases { wanted: "record the confirmation", done: "the confirmation was recorded" };
    let (side, what) = (args.side.into(), args.what.map_or_else(String::new, |what| word(&what)));
    command::run_and_say(
        options,
        phrases,
        async |arbiter, revision, reason| {
            arbiter.record_confirmation(side, &what, revision, reason).await
        },
        readings::after_ruling,
    )
    .await
}
