//! `clockctl resume`: starts a clock again after a pause.

use anyhow::Result;
use clock_dbus::{Phase, Side, State, Who};

use super::command::{self, Phrases};
use crate::options::{Options, words};
use crate::text;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Whose clock is to run [default: that of the side on move]
    #[arg(long, value_parser = words::<Side>())]
    side: Option<Side>,
}

const RUNNING_ALREADY: &str = "the clock was running already; no command was sent";

/// Starts a clock again. A clock that runs already needs no command.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let side = args.side.map_or(Who::Nobody, Who::from);
    let phrases = Phrases { wanted: command::RESUME, done: "a clock was started again" };
    let connected = command::connect(options, phrases).await?;
    let runs = |state: &State| {
        state.phase == Phase::Running && (side == Who::Nobody || side == state.running)
    };
    if connected.is_already(options, runs) {
        return connected.show_already(options, RUNNING_ALREADY).await;
    }
    let resumed = connected
        .send(options, async |arbiter, revision, reason| {
            arbiter.resume(side, revision, reason).await
        })
        .await?;
    resumed.show(options, |_, after| text::brief_and_questions(after)).await
}
