//! `clockctl reopen`: the result is taken back.

use anyhow::Result;

use super::command::{self, Words};
use crate::cli::Options;

/// Takes the result back; the clock is as it stood.
pub async fn run(options: &Options) -> Result<()> {
    let words = Words { wanted: "reopen the game", done: "the game was reopened" };
    command::run(options, words, async |arbiter, revision, reason| {
        arbiter.reopen(revision, reason).await
    })
    .await
}
