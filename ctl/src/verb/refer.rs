//! `clockctl refer`: sends a claim to the designated arbiter.

use anyhow::Result;

use super::{
    command::{self, Phrases},
    readings,
};
use crate::options::Options;

/// Refers the claim to the designated arbiter. The documents that the rules require must have been
/// attached before, with `clockctl record-attachment`.
pub async fn run(options: &Options) -> Result<()> {
    let phrases = Phrases { wanted: "refer the claim", done: "the claim was referred" };
    command::run_and_say(
        options,
        phrases,
        async |arbiter, revision, reason| arbiter.refer(revision, reason).await,
        readings::after_ruling,
    )
    .await
}
