//! `clockctl status`: prints the present state of the clock.

use anyhow::{Context, Result};

use crate::{bus::Bus, json::StatusJson, options::Options, out, text};

/// Prints the present state. It takes two calls on one connection.
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
