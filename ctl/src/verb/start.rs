//! `clockctl start`: starts White's clock.

use anyhow::Result;

use super::command::{self, Words};
use crate::cli::Options;

/// Starts White's clock.
pub async fn run(options: &Options) -> Result<()> {
    let words = Words { wanted: "start White's clock", done: "White's clock was started" };
    command::run(options, words, async |arbiter, revision, reason| {
        arbiter.start(revision, reason).await
    })
    .await
}
