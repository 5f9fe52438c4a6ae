//! Serves the clock on D-Bus: connects to the bus, serves the interfaces, and sends the signals.
//! `forward_updates` takes the updates of the clock loop, which answer commands and cause signals.
//!
//! The clock does not depend on the bus. If the bus hangs or is restarted, the clock continues, and
//! the service connects again as soon as the bus answers.

mod arbiter;
mod arguments;
mod arrivals;
mod callers;
mod clock;
mod command_log;
pub mod commits;
pub mod convert;
mod dictionaries;
mod display_report;
#[cfg(test)]
pub mod documentation;
mod guarded_socket;
mod health;
pub mod history;
mod listed;
mod publisher;
mod rule_arguments;
mod served;
pub mod shared_state;

use crate::game::{Captains, journal};
use crate::rt::channel::{Receiver, listen};
use crate::rt::{Health, Update};
use arrivals::Arrivals;
use callers::Callers;
use clock_dbus::{METHOD_TIMEOUT, PATH, SERVICE, State};
use display_report::DisplayReport;
use guarded_socket::{GuardedSocket, MESSAGE_LIMIT, TooLong};
use listed::Listed;
pub use publisher::publication_queue;
use publisher::{PublicationReceiver, PublicationSender};
use served::Served;
use shared_state::SharedState;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::UnixStream;
use tokio::sync::mpsc;
use zbus::address::Transport;
use zbus::address::transport::UnixSocket;
use zbus::connection::Builder;
use zbus::{Address, Connection, fdo};

/// How long to wait before the next attempt to connect.
const RETRY: Duration = Duration::from_millis(250);
/// How long an attempt to connect may take. A bus that takes longer is treated as hanging.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Why the service cannot be reached on the bus.
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
    captains: Captains,
}

impl Bus {
    /// The bus at this address, or the system bus if there is no address.
    pub fn new(
        address: Option<String>,
        shared: Arc<SharedState>,
        captains: Captains,
    ) -> Result<Bus, BusError> {
        if let Some(address) = &address
            && address.parse::<Address>().is_err()
        {
            return Err(BusError::Address { address: address.clone() });
        }
        Ok(Bus { address, shared, captains })
    }

    fn name(&self) -> String {
        self.address.clone().unwrap_or_else(|| "of the system".to_owned())
    }

    /// Connects to the bus and serves the interfaces and signals for ever. If the connection is
    /// lost, connects again after [`RETRY`].
    ///
    /// `ready` is called when the first connection has been made.
    ///
    /// # Errors
    ///
    /// The first attempt to connect failed. Later attempts are repeated until one succeeds.
    pub async fn serve(
        &self,
        mut publications: PublicationReceiver,
        ready: impl FnOnce(),
    ) -> Result<(), BusError> {
        let mut ready = Some(ready);
        let mut warned = false;
        loop {
            // The queue is cleared before the service owns its name. A client reads the state only
            // after that, so no discarded publication is newer than the state that it reads.
            publications.clear();
            let known = self.shared.state();
            match self.connect().await {
                Ok((connection, too_long)) => {
                    match ready.take() {
                        Some(ready) => ready(),
                        None => tracing::info!("on the bus again"),
                    }
                    warned = false;
                    self.publish(&connection, known, &mut publications, too_long).await;
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
        too_long: mpsc::Receiver<TooLong>,
    ) {
        tokio::select! {
            ended = publisher::publish(connection, known, publications, || self.shared.state_and_faults_at()) => {
                tracing::warn!(reason = ?ended.err(), "publishing failed");
            }
            () = refuse(too_long, connection) => {}
            () = connection.closed() => tracing::warn!("the bus has gone; the clock runs on"),
        }
    }

    async fn connect(&self) -> Result<(Connection, mpsc::Receiver<TooLong>), BusError> {
        let (builder, _) = self.builder(None).await?;
        let second_connection = self.build(builder).await?;
        let callers =
            Callers::follow(second_connection).await.map_err(|error| self.error(&error))?;
        let arrivals = Arc::new(Arrivals::new(Arc::clone(&callers)));
        let clock = clock::ClockInterface { shared: Arc::clone(&self.shared) };
        let arbiter =
            arbiter::Arbiter::new(Arc::clone(&self.shared), Arc::clone(&arrivals), self.captains);
        let history = history::interface::HistoryInterface { shared: Arc::clone(&self.shared) };
        let health = health::HealthInterface {
            shared: Arc::clone(&self.shared),
            display: DisplayReport::new(callers),
        };
        let (builder, too_long) = self.builder(Some(arrivals)).await?;
        let serving = builder
            .serve_at(PATH, Served::new(Listed(clock)))
            .serve_at(PATH, Served::new(arbiter))
            .serve_at(PATH, Served::new(history))
            .serve_at(PATH, Served::new(Listed(health)))
            .allow_name_replacements(false)
            .replace_existing_names(false)
            .name(SERVICE);
        let connection = self.build(serving).await?;
        Ok((connection, too_long))
    }

    /// A builder of a connection to the bus, and a queue. The queue gets the messages that the
    /// connection receives and that are too long.
    async fn builder(
        &self,
        arrivals: Option<Arc<Arrivals>>,
    ) -> Result<(Builder<'_>, mpsc::Receiver<TooLong>), BusError> {
        let address = match &self.address {
            Some(address) => address.as_str().try_into(),
            None => Address::system(),
        };
        let address = address.map_err(|error| self.error(&error))?;
        let stream = open(&address).await.map_err(|error| self.unreachable(error.to_string()))?;
        let (builder, too_long) = match stream {
            Some(stream) => {
                let (socket, too_long) = GuardedSocket::new(stream, arrivals);
                (Builder::socket(socket), too_long)
            }
            None => (Builder::address(address), mpsc::channel(1).1),
        };
        Ok((builder.method_timeout(METHOD_TIMEOUT), too_long))
    }

    async fn build(&self, builder: Builder<'_>) -> Result<Connection, BusError> {
        match tokio::time::timeout(CONNECT_TIMEOUT, builder.build()).await {
            Ok(connected) => connected.map_err(|error| self.error(&error)),
            Err(_) => {
                Err(self.unreachable(format!("no answer in {} s", CONNECT_TIMEOUT.as_secs())))
            }
        }
    }

    fn unreachable(&self, reason: String) -> BusError {
        BusError::Unreachable { bus: self.name(), reason }
    }

    fn error(&self, error: &zbus::Error) -> BusError {
        let bus = self.name();
        match error {
            zbus::Error::NameTaken => BusError::NameTaken { bus },
            zbus::Error::Address(_) => BusError::Address { address: bus },
            zbus::Error::FDO(fdo) if matches!(**fdo, fdo::Error::AccessDenied(_)) => {
                BusError::NotAllowed { bus }
            }
            other => self.unreachable(other.to_string()),
        }
    }
}

/// Connects to the Unix socket of a bus on this machine. Returns `None` for every other address,
/// for example `tcp:`. For such an address, zbus makes the connection, without a [`GuardedSocket`].
async fn open(address: &Address) -> std::io::Result<Option<UnixStream>> {
    match address.transport() {
        Transport::Unix(unix) => match unix.path() {
            UnixSocket::File(path) => UnixStream::connect(path).await.map(Some),
            UnixSocket::Abstract(name) => {
                // The path of an abstract socket is a NUL byte and the name.
                let mut path = std::ffi::OsString::from("\0");
                path.push(name);
                UnixStream::connect(path).await.map(Some)
            }
            _ => Ok(None),
        },
        _ => Ok(None),
    }
}

/// Answers each method call that was too long with an error, for ever.
async fn refuse(mut too_long: mpsc::Receiver<TooLong>, connection: &Connection) {
    while let Some(TooLong { header, size }) = too_long.recv().await {
        if header.message_type() == zbus::message::Type::MethodCall {
            let text = format!("a message of {size} bytes; expected at most {MESSAGE_LIMIT}");
            let error = fdo::Error::LimitsExceeded(text);
            // Sending fails only if the connection is lost. Then no answer can reach the caller.
            let _ = connection.reply_dbus_error(&header.header(), error).await;
        }
    }
    // The queue ends when the socket is closed. `Connection::closed` reports that, so this waits.
    std::future::pending().await
}

/// Updates that were taken from the clock loop and are not yet written to the log. Dropping this
/// value logs them.
struct Unlogged<'a> {
    updates: Vec<Update>,
    health: &'a Health,
}

impl Unlogged<'_> {
    fn log(&mut self) {
        for update in self.updates.drain(..) {
            journal::update(&update, self.health);
        }
    }
}

impl Drop for Unlogged<'_> {
    fn drop(&mut self) {
        self.log();
    }
}

/// Takes each update of the clock loop: answers the command that caused it, queues its publication
/// for the bus (if it has one), and logs it. Never waits for the bus.
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
        // The yield lets the task that sends the signals run before the log is written, because the
        // players' displays wait for the signals.
        tokio::task::yield_now().await;
        unlogged.log();
    }
}

#[cfg(test)]
mod tests;
