//! `clockctl set-assistant`: whether a player's assistant may press the clock.

use anyhow::Result;
use clap::ValueEnum;
use clock_dbus::Side;

use super::command::{self, Phrases};
use crate::options::{Options, words};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The player
    #[arg(value_parser = words::<Side>())]
    side: Side,
    /// Whether the arbiter accepts the assistant
    #[arg(value_enum)]
    accepted: Accepted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Accepted {
    Yes,
    No,
}

/// Records whether the arbiter accepts the assistant.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases = Phrases { wanted: "record the assistant", done: "the assistant was recorded" };
    let (side, accepted) = (args.side.into(), args.accepted == Accepted::Yes);
    let name = args.side.name();
    let may = if accepted { "may press" } else { "may not press" };
    let done = format!("on record: {name}'s assistant {may} the clock");
    command::run_and_say_done(
        options,
        phrases,
        async |arbiter, revision, reason| {
            arbiter.set_assistant(side, accepted, revision, reason).await
        },
        |_, _| done,
    )
    .await
}
