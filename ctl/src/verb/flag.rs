//! `clockctl flag`: calls a flag that is down, for the arbiter unless somebody else is named.

use anyhow::Result;
use clock_engine::rules::Evidence;

use super::claim::{self, Claimant};
use crate::options::Options;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Who calls the flag
    #[arg(long, value_enum, value_name = "WHO", default_value_t = Claimant::Arbiter)]
    by: Claimant,
}

/// Calls the flag.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    claim::call_flag(options, args.by, Evidence::Flag).await
}
