//! `clockctl reopen`: takes the result back.

use anyhow::Result;

use super::command::{self, Phrases};
use crate::options::Options;

/// Takes the result back. The clock returns to the state before the result; if a clock ran in that
/// state, the game is paused instead.
pub async fn run(options: &Options) -> Result<()> {
    let phrases = Phrases { wanted: "reopen the game", done: "the game was reopened" };
    command::run(options, phrases, async |arbiter, revision, reason| {
        arbiter.reopen(revision, reason).await
    })
    .await
}
