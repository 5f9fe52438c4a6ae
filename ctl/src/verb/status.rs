//! `clockctl status`: how the clock stands now.

use anyhow::{Context, Result};

use crate::{bus::Bus, cli::Options, json::StatusJson, out, text};

/// Prints the state as of now: two calls on one connection, nothing cached, nothing introspected.
pub async fn run(options: &Options) -> Result<()> {
    let state = async { Bus::connect(options.bus.as_ref()).await?.now().await }
        .await
        .context("cannot read the clock")?;
    if options.quiet {
        return Ok(());
    }
    if options.json {
        return out::print_json(&StatusJson::from(&state));
    }
    out::print(&text::status(&state))
}
