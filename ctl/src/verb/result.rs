//! `clockctl result`: the game ends.

use anyhow::Result;

use super::command::{self, Words};
use crate::cli::Options;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// White's score first
    #[arg(value_parser = ["1-0", "0-1", "1/2-1/2", "0-0"])]
    result: String,
}

/// Ends the game; the times freeze.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let words = Words { wanted: "enter the result", done: "the result was entered" };
    command::run(options, words, async |arbiter, revision, reason| {
        arbiter.result(&args.result, revision, reason).await
    })
    .await
}
