//! `clockctl health`: says whether the clock can be trusted.

mod reading;
mod shown;

use anyhow::{Context, Result};
use clock_dbus::{HEALTH_INTERFACE, PATH, SERVICE, State, Timebase};

use self::reading::Reading;
use self::shown::HealthJson;
use super::history::History;
use crate::bus::{Bus, bounded};
use crate::failure::Failure;
use crate::options::Options;
use crate::out;

/// The health of the clock at one instant.
struct Health {
    reading: Reading,
    state: State,
    version: String,
    /// The latest entry on record, where the storage does not take any more: since then nothing is recorded.
    last: Option<LastEntry>,
}

/// When the latest entry on record happened.
struct LastEntry {
    number: u64,
    wall_ns: Option<i64>,
    at_ns: u64,
    /// How long ago that was; not known if the machine was restarted since.
    age_nsec: Option<u64>,
}

/// Prints the health. Anything wrong makes the exit code 8.
pub async fn run(options: &Options) -> Result<()> {
    let health = read(options).await.context("cannot read the health of the clock")?;
    let wrong = health.wrong();
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
    let bus = Bus::connect(options.bus.as_ref()).await?;
    let state = bus.now().await?;
    let version = bounded(bus.clock.version()).await?;
    // One call for all properties, so that they are of one instant.
    let properties = Some("org.freedesktop.DBus.Properties");
    let all =
        bus.connection.call_method(Some(SERVICE), PATH, properties, "GetAll", &HEALTH_INTERFACE);
    let reading: Reading = bounded(async { all.await?.body().deserialize() }).await?;
    let last =
        if reading.storage_ok { None } else { last_entry(&bus, reading.recorded_entries).await };
    Ok(Health { reading, state, version, last })
}

/// When the latest entry on record happened. Where the record cannot be read, the rest is shown all the same.
async fn last_entry(bus: &Bus, number: u64) -> Option<LastEntry> {
    let history = History::of(bus).await.ok()?;
    let game = history.game(None).await.ok()?.value.game;
    let entry = history.entry(game, number).await.ok()?.value;
    let Timebase { monotonic_nsec, boot_id, .. } = bounded(bus.clock.get_timebase()).await.ok()?;
    let age_nsec = (boot_id == entry.boot).then(|| monotonic_nsec.saturating_sub(entry.at_ns));
    Some(LastEntry { number, wall_ns: entry.wall_ns, at_ns: entry.at_ns, age_nsec })
}

impl Health {
    /// What is wrong, one text for each thing. The faults of the clock have their own texts.
    fn wrong(&self) -> Vec<String> {
        let reading = &self.reading;
        let has = |code: &str| self.state.faults.iter().any(|fault| fault.code == code);
        let mut wrong: Vec<String> =
            self.state.faults.iter().map(|fault| fault.text.clone()).collect();
        if !reading.storage_ok {
            wrong.push(format!(
                "the record is not written: {}{}",
                reading.storage_error,
                self.since()
            ));
        }
        if reading.lost_entries > 0 && !has("record-lost") {
            let lost = reading.lost_entries;
            wrong.push(format!("{lost} entries of the record were lost since the service started"));
        }
        if !reading.realtime_ok && !has("no-realtime") {
            wrong.push("the clock loop has no real-time priority or no locked memory".to_owned());
        }
        for button in &reading.stuck_buttons {
            if !has(&format!("stuck-{button}")) {
                wrong.push(format!("the button {button} is stuck"));
            }
        }
        wrong
    }

    fn since(&self) -> String {
        let waiting = match self.reading.uncommitted_entries {
            0 => String::new(),
            1 => "; 1 entry waits in memory".to_owned(),
            entries => format!("; {entries} entries wait in memory"),
        };
        match &self.last {
            Some(last) => format!("; {}{waiting}", shown::since(last)),
            None => waiting,
        }
    }
}
