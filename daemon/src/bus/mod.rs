//! The clock on D-Bus.
//!
//! A bus may hang or go away: the clock runs on, and is on the bus again once the bus is back.

mod arbiter;
mod clock;
pub mod convert;
mod health;
pub mod hub;
mod publish;

use crate::rt::channel::{Receiver, listen};
use crate::rt::{Health, Update};
use clock_dbus::{METHOD_TIMEOUT, PATH, SERVICE, State};
use hub::Hub;
pub use publish::news;
use publish::{Feed, Reporter};
use std::sync::Arc;
use std::time::Duration;
use zbus::{Connection, connection};

/// How often a bus that is away is looked for.
const RETRY: Duration = Duration::from_millis(250);
/// A bus that has not answered by then hangs.
const CONNECT: Duration = Duration::from_secs(10);

/// Why the clock is not on the bus.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    /// Not an address.
    #[error(
        "`{address}` is no D-Bus address; expected one such as unix:path=/run/dbus/system_bus_socket"
    )]
    Address { address: String },
    /// Another clock service has the name.
    #[error("the name {SERVICE} is owned on the bus {bus}: another clockd runs there")]
    NameTaken { bus: String },
    /// The policy does not let this user have the name.
    #[error("the bus {bus} does not let this user own {SERVICE}: is its policy file installed?")]
    NotAllowed { bus: String },
    /// No bus.
    #[error("cannot reach the bus {bus}: {reason}")]
    Unreachable { bus: String, reason: String },
}

/// The bus the clock is on.
pub struct Bus {
    address: Option<String>,
    hub: Arc<Hub>,
}

impl Bus {
    /// The bus at this address, or the system bus.
    pub fn new(address: Option<String>, hub: Arc<Hub>) -> Result<Bus, BusError> {
        if let Some(address) = &address
            && address.parse::<zbus::Address>().is_err()
        {
            return Err(BusError::Address { address: address.clone() });
        }
        Ok(Bus { address, hub })
    }

    fn name(&self) -> String {
        self.address.clone().unwrap_or_else(|| "of the system".to_owned())
    }

    /// Puts the clock on the bus and publishes for ever, on this connection and on every later
    /// one. An error of the first is the end; `ready` is called once it stands.
    pub async fn serve(&self, mut feed: Feed, ready: impl FnOnce()) -> Result<(), BusError> {
        let mut ready = Some(ready);
        let mut told = false;
        loop {
            // Before the name is there: who reads the clock afterwards has seen this or later.
            feed.clear();
            let known = self.hub.state();
            match self.connect().await {
                Ok(connection) => {
                    match ready.take() {
                        Some(ready) => ready(),
                        None => tracing::info!("on the bus again"),
                    }
                    told = false;
                    self.publish(&connection, known, &mut feed).await;
                }
                Err(error) if ready.is_some() => return Err(error),
                Err(error) if !told => {
                    told = true;
                    tracing::warn!(%error, "not on the bus");
                }
                Err(_) => {}
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn publish(&self, connection: &Connection, known: State, feed: &mut Feed) {
        tokio::select! {
            ended = publish::publish(connection, known, feed, || self.hub.state_and_faults_at()) => {
                tracing::warn!(reason = ?ended.err(), "publishing failed");
            }
            () = connection.closed() => tracing::warn!("the bus has gone; the clock runs on"),
        }
    }

    async fn connect(&self) -> Result<Connection, BusError> {
        let asking = self.build(self.builder()).await?;
        let boot_id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
        let clock = clock::ClockInterface {
            hub: Arc::clone(&self.hub),
            boot_id: boot_id.unwrap_or_default().trim().to_owned(),
        };
        let serving = self
            .builder()
            .serve_at(PATH, clock)
            .serve_at(PATH, arbiter::Arbiter { hub: Arc::clone(&self.hub), asking })
            .serve_at(PATH, health::HealthInterface { hub: Arc::clone(&self.hub) })
            .allow_name_replacements(false)
            .replace_existing_names(false)
            .name(SERVICE);
        self.build(serving).await
    }

    fn builder(&self) -> connection::Builder<'_> {
        let builder = match &self.address {
            Some(address) => connection::Builder::address(address.as_str()),
            None => connection::Builder::system(),
        };
        builder.method_timeout(METHOD_TIMEOUT)
    }

    async fn build(&self, builder: connection::Builder<'_>) -> Result<Connection, BusError> {
        match tokio::time::timeout(CONNECT, builder.build()).await {
            Ok(connected) => connected.map_err(|error| self.error(&error)),
            Err(_) => Err(BusError::Unreachable {
                bus: self.name(),
                reason: format!("no answer in {} s", CONNECT.as_secs()),
            }),
        }
    }

    fn error(&self, error: &zbus::Error) -> BusError {
        let bus = self.name();
        match error {
            zbus::Error::NameTaken => BusError::NameTaken { bus },
            zbus::Error::Address(_) => BusError::Address { address: bus },
            zbus::Error::FDO(fdo) if matches!(**fdo, zbus::fdo::Error::AccessDenied(_)) => {
                BusError::NotAllowed { bus }
            }
            other => BusError::Unreachable { bus, reason: other.to_string() },
        }
    }
}

/// Updates that are out but not in the log yet. They get there even if the pump is dropped.
struct Unlogged<'a> {
    updates: Vec<Update>,
    health: &'a Health,
}

impl Unlogged<'_> {
    fn log(&mut self) {
        for update in self.updates.drain(..) {
            crate::journal::update(&update, self.health);
        }
    }
}

impl Drop for Unlogged<'_> {
    fn drop(&mut self) {
        self.log();
    }
}

/// Takes the clock loop's updates: to those who wait, to the bus, into the log. Never waits for
/// the bus.
pub async fn pump(
    updates: Receiver<Update>,
    hub: &Hub,
    reporter: &Reporter,
) -> std::io::Result<()> {
    let mut updates = listen(updates)?;
    let mut unlogged = Unlogged { updates: Vec::new(), health: &hub.health };
    loop {
        let mut ready = updates.readable_mut().await?;
        ready.clear_ready();
        let updates = ready.get_inner_mut();
        updates.hush_bell();
        while let Some(update) = updates.pop() {
            if let Some(news) = hub.take(&update) {
                reporter.report(news);
            }
            unlogged.updates.push(update);
        }
        // The players' faces wait for the news, nobody for the log: the publisher goes first.
        tokio::task::yield_now().await;
        unlogged.log();
    }
}
