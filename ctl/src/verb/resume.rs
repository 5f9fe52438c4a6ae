//! `clockctl resume`: starts a clock again after a pause.

use anyhow::Result;
use clock_dbus::Who;

use super::command::{self, Phrases};
use crate::options::{Options, Side};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whose clock is to run [default: that of the side on move]
    #[arg(long, value_enum)]
    side: Option<Side>,
}

/// Starts a clock again.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let side = args.side.map_or(Who::Nobody, Who::from);
    let phrases = Phrases { wanted: "start a clock again", done: "a clock was started again" };
    command::run(options, phrases, async |arbiter, revision, reason| {
        arbiter.resume(side, revision, reason).await
    })
    .await
}
