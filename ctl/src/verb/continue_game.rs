//! `clockctl continue`: takes up an adjourned game again.

use anyhow::Result;

use super::command::{self, Phrases};
use crate::options::Options;

/// Takes the game up again. Both clocks still stand; `clockctl resume` starts one.
pub async fn run(options: &Options) -> Result<()> {
    let phrases =
        Phrases { wanted: "take up the adjourned game", done: "the adjourned game was taken up" };
    command::run(options, phrases, async |arbiter, revision, reason| {
        arbiter.continue_game(revision, reason).await
    })
    .await
}
