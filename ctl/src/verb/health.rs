//! `clockctl health`: says whether the clock can be trusted.

mod properties;
mod shown;

use anyhow::{Context, Result};
use clock_dbus::{HEALTH_INTERFACE, HealthProperties, PATH, SERVICE, Timebase};

use self::properties::{Health, LastEntry};
use self::shown::HealthJson;
use super::history::History;
use crate::bus::{Bus, bounded};
use crate::failure::Failure;
use crate::options::Options;
use crate::out;

/// Prints the health. If anything is wrong, the exit code is 8.
pub async fn run(options: &Options) -> Result<()> {
    let health = read(options).await.context("cannot read the health of the clock")?;
    let wrong = shown::wrong(&health);
    if !options.quiet {
        if options.json {
            out::print_json(&HealthJson::new(&health, wrong.is_empty()))?;
        } else {
            out::print(&shown::text(&health, &wrong))?;
        }
    }
    match wrong.len() {
        0 => Ok(()),
        1 => Err(Failure::NotInOrder("one thing is wrong with the clock".to_owned()).into()),
        more => Err(Failure::NotInOrder(format!("{more} things are wrong with the clock")).into()),
    }
}

async fn read(options: &Options) -> Result<Health, Failure> {
    let bus = Bus::connect(&options.target()).await?;
    let state = bus.now().await?;
    let version = bounded(bus.clock.version()).await?;
    // One call reads all properties, so that they are of one instant.
    let interface = Some("org.freedesktop.DBus.Properties");
    let all =
        bus.connection.call_method(Some(SERVICE), PATH, interface, "GetAll", &HEALTH_INTERFACE);
    let properties: HealthProperties = bounded(async { all.await?.body().deserialize() }).await?;
    let last = if properties.storage_ok {
        None
    } else {
        last_entry(&bus, properties.recorded_entries).await
    };
    Ok(Health { properties, state, version, last })
}

/// When the latest entry on record, number `number`, was made. `None` if the service does not
/// return the entry; the health is then shown without it.
async fn last_entry(bus: &Bus, number: u64) -> Option<LastEntry> {
    let history = History::of(bus).await.ok()?;
    let game = history.game(None).await.ok()?.value.game;
    let entry = history.entry(game, number).await.ok()?.value;
    let Timebase { monotonic_nsec, boot_id, .. } = bounded(bus.clock.get_timebase()).await.ok()?;
    let age_nsec = (boot_id == entry.boot).then(|| monotonic_nsec.saturating_sub(entry.at_ns));
    Some(LastEntry { number, wall_ns: entry.wall_ns, at_ns: entry.at_ns, age_nsec })
}
