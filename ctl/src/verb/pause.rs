//! `clockctl pause`: stops both clocks.

use anyhow::Result;
use clap::ValueEnum;
use clock_dbus::Who;

use super::command::{self, Phrases};
use crate::options::{self, Options};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Who stops the clocks: the arbiter, or the player he does it for
    #[arg(long, value_enum, value_name = "WHO", default_value_t = Caller::Arbiter)]
    by: Caller,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Caller {
    #[value(aliases = options::WHITE)]
    White,
    #[value(aliases = options::BLACK)]
    Black,
    Arbiter,
}

impl From<Caller> for Who {
    fn from(caller: Caller) -> Self {
        match caller {
            Caller::White => Who::White,
            Caller::Black => Who::Black,
            Caller::Arbiter => Who::Arbiter,
        }
    }
}

/// Stops both clocks.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases = Phrases { wanted: "pause the clocks", done: "the clocks were paused" };
    command::run(options, phrases, async |arbiter, revision, reason| {
        arbiter.pause(args.by.into(), revision, reason).await
    })
    .await
}
