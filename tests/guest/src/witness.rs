//! Writes down what the clock says, until it is killed.

use crate::button::now;
use anyhow::Result;
use clock_dbus::{ClockProxy, HealthProxy, METHOD_TIMEOUT};
use std::io::Write as _;
use std::time::Duration;
use zbus::connection::Builder;
use zbus::proxy::CacheProperties;

#[derive(clap::Args)]
pub struct Witness {
    /// How long to wait between two questions, in milliseconds.
    #[arg(long, default_value_t = 50)]
    every: u64,
}

impl Witness {
    /// Prints a JSON object for each answer: how many entries are recorded, and the state of the
    /// clock. Nothing is printed while the clock does not answer. Nothing is printed either if an
    /// entry was added while the state was read, because it is unknown which entries the state
    /// includes.
    pub async fn run(self) -> Result<()> {
        let bus = Builder::system().method_timeout(METHOD_TIMEOUT).build().await?;
        let clock = ClockProxy::builder(&bus).cache_properties(CacheProperties::No).build().await?;
        let health =
            HealthProxy::builder(&bus).cache_properties(CacheProperties::No).build().await?;
        let mut out = std::io::stdout();
        loop {
            tokio::time::sleep(Duration::from_millis(self.every)).await;
            let Ok(before) = entries(&health).await else { continue };
            let Ok(state) = clock.get_state().await else { continue };
            if entries(&health).await.is_ok_and(|after| after == before) {
                let line = serde_json::json!({
                    "now": now(), "recorded": before.0, "uncommitted": before.1,
                    "phase": state.phase.as_str(), "running": state.running.as_str(), "at": state.at_nsec,
                    "white": state.white.remaining_nsec, "black": state.black.remaining_nsec,
                    "moves": [state.white.moves, state.black.moves],
                });
                // The line is written in one write, so that a power cut does not leave a part of a
                // line that looks whole.
                out.write_all(format!("{line}\n").as_bytes())?;
            }
        }
    }
}

/// How many entries are on the disk, and how many are not on the disk yet.
async fn entries(health: &HealthProxy<'_>) -> zbus::Result<(u64, u64)> {
    let health = health.inner();
    Ok((
        health.get_property("RecordedEntries").await?,
        health.get_property("UncommittedEntries").await?,
    ))
}
