//! `clockctl result`: ends the game.

use anyhow::Result;
use clock_engine::Outcome;

use super::command::{self, Phrases};
use crate::cli::Options;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// 1-0, 0-1, 1/2-1/2 or 0-0: White's score first
    #[arg(value_parser = result)]
    result: Outcome,
}

/// Not a clap enumeration: clap would suggest the most similar result, which is a different result.
fn result(text: &str) -> std::result::Result<Outcome, String> {
    Outcome::from_text(text).ok_or_else(|| {
        let all = Outcome::ALL.map(Outcome::as_str).join(", ");
        format!("a result is one of {all}")
    })
}

/// Ends the game. The times stay as they are.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let phrases = Phrases { wanted: "enter the result", done: "the result was entered" };
    command::run(options, phrases, async |arbiter, revision, reason| {
        arbiter.result(args.result.as_str(), revision, reason).await
    })
    .await
}
