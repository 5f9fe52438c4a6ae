//! `clock-display --devices`: shows the clock on the devices, without a picture.

use anyhow::{Context, bail};
use tokio::sync::watch;
use zbus::Address;

use super::Devices;
use crate::app::{StopSignals, block_on};
use crate::config::Config;
use crate::link::{self, Link};

/// Shows the clock on the devices until one of the `StopSignals` arrives.
pub fn run(config: &Config, address: Address) -> anyhow::Result<()> {
    block_on(show(config, address))
}

async fn show(config: &Config, address: Address) -> anyhow::Result<()> {
    let mut stop = StopSignals::new().context("no signal handlers")?;
    let (sender, link) = watch::channel(Link::Down(None));
    let devices = Devices::start(config, link, crate::messages::report)?;
    if devices.is_empty() {
        bail!(
            "no device: display.toml names no seven segments and enables neither lamps nor buzzer"
        );
    }
    tokio::select! {
        () = stop.recv() => Ok(()),
        () = link::follow(address, sender) => Ok(()),
    }
}
