//! The clock on D-Bus: the interfaces, the signals, and the connection they need.
//!
//! The clock does not depend on the bus. If the bus hangs or is restarted, the clock goes on, and the
//! service connects again once the bus answers.

mod arbiter;
mod clock;
pub mod convert;
#[cfg(test)]
mod documentation;
mod health;
mod publisher;
pub mod shared_state;

use crate::rt::channel::{Receiver, listen};
use crate::rt::{Health, Update};
use clock_dbus::{METHOD_TIMEOUT, PATH, SERVICE, State};
pub use publisher::publication_queue;
use publisher::{PublicationReceiver, PublicationSender};
use shared_state::SharedState;
use std::sync::Arc;
use std::time::Duration;
use zbus::{Connection, connection};

/// How long to wait before the bus is tried again.
const RETRY: Duration = Duration::from_millis(250);
/// How long a connection attempt may take. A bus that takes longer is treated as hanging.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Why the service cannot be on the bus.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    /// The address cannot be parsed.
    #[error(
        "`{address}` is no D-Bus address; expected one such as unix:path=/run/dbus/system_bus_socket"
    )]
    Address { address: String },
    /// Another process owns the name of the service.
    #[error("the name {SERVICE} is owned on the bus {bus}: another clockd runs there")]
    NameTaken { bus: String },
    /// The bus policy does not let this user own the name.
    #[error("the bus {bus} does not let this user own {SERVICE}: is its policy file installed?")]
    NotAllowed { bus: String },
    /// There is no bus at this address, or it does not answer.
    #[error("cannot reach the bus {bus}: {reason}")]
    Unreachable { bus: String, reason: String },
}

/// The bus on which the clock is served.
pub struct Bus {
    address: Option<String>,
    shared: Arc<SharedState>,
}

impl Bus {
    /// The bus at this address, or the system bus if there is no address.
    pub fn new(address: Option<String>, shared: Arc<SharedState>) -> Result<Bus, BusError> {
        if let Some(address) = &address
            && address.parse::<zbus::Address>().is_err()
        {
            return Err(BusError::Address { address: address.clone() });
        }
        Ok(Bus { address, shared })
    }

    fn name(&self) -> String {
        self.address.clone().unwrap_or_else(|| "of the system".to_owned())
    }

    /// Connects to the bus and publishes for ever, on this connection and on every later one.
    ///
    /// `ready` is called when the first connection is established. If the first attempt fails, its
    /// error is returned; every later attempt is repeated until it succeeds.
    pub async fn serve(
        &self,
        mut publications: PublicationReceiver,
        ready: impl FnOnce(),
    ) -> Result<(), BusError> {
        let mut ready = Some(ready);
        let mut warned = false;
        loop {
            // Discarded before the name is owned: a client that reads the state after that gets
            // this state or a later one.
            publications.clear();
            let known = self.shared.state();
            match self.connect().await {
                Ok(connection) => {
                    match ready.take() {
                        Some(ready) => ready(),
                        None => tracing::info!("on the bus again"),
                    }
                    warned = false;
                    self.publish(&connection, known, &mut publications).await;
                }
                Err(error) if ready.is_some() => return Err(error),
                Err(error) if !warned => {
                    warned = true;
                    tracing::warn!(%error, "not on the bus");
                }
                Err(_) => {}
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn publish(
        &self,
        connection: &Connection,
        known: State,
        publications: &mut PublicationReceiver,
    ) {
        tokio::select! {
            ended = publisher::publish(connection, known, publications, || self.shared.state_and_faults_at()) => {
                tracing::warn!(reason = ?ended.err(), "publishing failed");
            }
            () = connection.closed() => tracing::warn!("the bus has gone; the clock runs on"),
        }
    }

    async fn connect(&self) -> Result<Connection, BusError> {
        let query_connection = self.build(self.builder()).await?;
        let boot_id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
        let clock = clock::ClockInterface {
            shared: Arc::clone(&self.shared),
            boot_id: boot_id.unwrap_or_default().trim().to_owned(),
        };
        let serving = self
            .builder()
            .serve_at(PATH, clock)
            .serve_at(PATH, arbiter::Arbiter { shared: Arc::clone(&self.shared), query_connection })
            .serve_at(PATH, health::HealthInterface { shared: Arc::clone(&self.shared) })
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
        match tokio::time::timeout(CONNECT_TIMEOUT, builder.build()).await {
            Ok(connected) => connected.map_err(|error| self.error(&error)),
            Err(_) => Err(BusError::Unreachable {
                bus: self.name(),
                reason: format!("no answer in {} s", CONNECT_TIMEOUT.as_secs()),
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

/// Updates that were published and are not in the log yet. They are logged when this is dropped, too.
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

/// Takes each update of the clock loop, answers the command that it belongs to, queues it for the
/// bus, and writes it to the log. It never waits for the bus.
pub async fn forward_updates(
    updates: Receiver<Update>,
    shared: &SharedState,
    publications: &PublicationSender,
) -> std::io::Result<()> {
    let mut updates = listen(updates)?;
    let mut unlogged = Unlogged { updates: Vec::new(), health: &shared.health };
    loop {
        let mut ready = updates.readable_mut().await?;
        ready.clear_ready();
        let updates = ready.get_inner_mut();
        updates.clear_notification();
        while let Some(update) = updates.pop() {
            if let Some(publication) = shared.apply(&update) {
                publications.send(publication);
            }
            unlogged.updates.push(update);
        }
        // The players' displays wait for the signals, and nobody waits for the log, so the
        // publisher runs first.
        tokio::task::yield_now().await;
        unlogged.log();
    }
}
