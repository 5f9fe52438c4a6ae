//! `clockctl illegal`: the last completed move was illegal.

use anyhow::Result;
use clock_dbus::OrMinus1;

use super::{
    command::{self, Phrases},
    readings, ruling,
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
    #[arg(long, value_name = "T", value_parser = ruling::award)]
    award: Option<u64>,
}

/// Takes the press back and gives the opponent the time. Shows the times of both sides before and
/// after that.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases =
        Phrases { wanted: "enter the illegal move", done: "the illegal move was entered" };
    let side = args.side.into();
    command::run_and_say(
        options,
        phrases,
        async |arbiter, revision, reason| {
            let award = OrMinus1(args.award);
            arbiter.illegal_move(side, args.claimed, award, revision, reason).await
        },
        readings::after_ruling,
    )
    .await
}
