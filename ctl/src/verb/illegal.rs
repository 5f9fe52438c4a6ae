//! `clockctl illegal`: the last completed move was illegal.

use anyhow::Result;

use super::{
    command::{self, Phrases},
    readings, rule,
};
use crate::options::{Options, Side};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The player who made the illegal move
    #[arg(value_enum)]
    side: Side,
    /// The opponent claims the extra time
    #[arg(long)]
    claimed: bool,
    /// The opponent's extra time, which can be 0 [default: what the rule profile says]
    #[arg(long, value_name = "T", value_parser = rule::award)]
    award: Option<u64>,
}

/// Takes the press back, gives the opponent the time, and shows both readings.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases =
        Phrases { wanted: "enter the illegal move", done: "the illegal move was entered" };
    let (side, award_nsec) = (args.side.into(), args.award.map_or(-1, u64::cast_signed));
    command::run_and_say(
        options,
        phrases,
        async |arbiter, revision, reason| {
            arbiter.illegal_move(side, args.claimed, award_nsec, revision, reason).await
        },
        readings::after_ruling,
    )
    .await
}
