//! `clockctl start`: starts White's clock.

use anyhow::Result;

use super::command::{self, Phrases};
use crate::options::Options;

/// Starts White's clock.
pub async fn run(options: &Options) -> Result<()> {
    let phrases = Phrases { wanted: "start White's clock", done: "White's clock was started" };
    command::run(options, phrases, async |arbiter, revision, reason| {
        arbiter.start(revision, reason).await
    })
    .await
}
