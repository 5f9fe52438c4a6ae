//! Serves the clock on D-Bus: connects to the bus, serves the interfaces, and sends the signals.
//! `forward_updates` takes the updates of the clock loop, which answer commands and cause signals.
//!
//! The clock does not depend on the bus. If the bus hangs or is restarted, the clock continues, and
//! the service connects again as soon as the bus answers.

mod arbiter;
pub mod button_test;
mod callers;
mod clock;
mod command_log;
pub mod commits;
pub mod convert;
#[cfg(test)]
pub mod documentation;
mod dry_runs;
mod guarded_socket;
mod health;
pub mod history;
mod menu;
mod publisher;
mod served;
pub mod shared_state;
mod user_limits;

use crate::game::{Captains, journal};
use arbiter::{Arbiter, Arrivals};
use button_test::interface::ButtonTestInterface;
use callers::Callers;
use clock_dbus::{
    ARBITER_SERVICE, DRY_RUN_PATH, METHOD_TIMEOUT, MenuProperties, PATH, SERVICE, State,
};
use clockd_rt::channel::{Receiver, listen};
use clockd_rt::retained::SnapshotReader;
use clockd_rt::{Cause, Health, Update};
use dry_runs::DryRuns;
use guarded_socket::{Calls, GuardedSocket};
use health::DisplayReport;
pub use publisher::publication_queue;
use publisher::{PublicationReceiver, PublicationSender};
use served::{Members, Served};
use shared_state::SharedState;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::UnixStream;
use zbus::address::Transport;
use zbus::address::transport::UnixSocket;
use zbus::connection::Builder;
use zbus::names::OwnedUniqueName;
use zbus::{Address, Connection, fdo};

impl Members for Arbiter {}
impl Members for ButtonTestInterface {}
impl Members for history::interface::HistoryInterface {}

/// How long to wait before the next attempt to connect.
const RETRY: Duration = Duration::from_millis(250);
/// How long the first attempt is repeated while another process owns the name of the service. After
/// a kill, the bus keeps the name of the killed process until it has handled the messages of that
/// process.
const NAME_TAKEN_TIMEOUT: Duration = Duration::from_secs(5);
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

/// The connections to the bus: two that serve the interfaces, and one with which the bus is asked.
struct Connections {
    /// Asks the bus who has called.
    asking: Connection,
    /// Has the name [`SERVICE`], to which everyone may send, and sends the signals.
    all: Connection,
    /// Has the name [`ARBITER_SERVICE`], to which only arbiters may send. The bus has a queue for
    /// each connection, so the calls of other users cannot delay a command here.
    arbiters: Connection,
}

/// The bus on which the clock is served.
pub struct Bus {
    address: Option<String>,
    shared: Arc<SharedState>,
    captains: Captains,
    snapshots: Arc<SnapshotReader>,
}

impl Bus {
    /// The bus at this address, or the system bus if there is no address. `snapshots` reads the
    /// clock of which the dry runs are made.
    pub fn new(
        address: Option<String>,
        shared: Arc<SharedState>,
        captains: Captains,
        snapshots: SnapshotReader,
    ) -> Result<Bus, BusError> {
        if let Some(address) = &address
            && address.parse::<Address>().is_err()
        {
            return Err(BusError::Address { address: address.clone() });
        }
        Ok(Bus { address, shared, captains, snapshots: Arc::new(snapshots) })
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
    /// The first attempt to connect failed, or another process has owned the name for
    /// [`NAME_TAKEN_TIMEOUT`]. Later attempts are repeated until one succeeds.
    pub async fn serve(
        &self,
        mut publications: PublicationReceiver,
        ready: impl FnOnce(),
    ) -> Result<(), BusError> {
        let mut ready = Some(ready);
        let mut warned = false;
        let begun = tokio::time::Instant::now();
        loop {
            // The queue of publications is cleared before the service owns its name. A client can
            // read the state only when the service owns the name, so no discarded publication is
            // newer than the state that a client reads.
            publications.clear();
            let known = self.shared.state();
            let menu = self.shared.menu.borrow().clone();
            match self.connect().await {
                Ok(connections) => {
                    match ready.take() {
                        Some(ready) => ready(),
                        None => tracing::info!("on the bus again"),
                    }
                    warned = false;
                    self.publish(connections, (known, menu), &mut publications).await;
                }
                Err(BusError::NameTaken { .. })
                    if ready.is_some() && begun.elapsed() < NAME_TAKEN_TIMEOUT => {}
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
        connections: Connections,
        (known, menu): (Arc<State>, MenuProperties),
        publications: &mut PublicationReceiver,
    ) {
        let Connections { asking, all: connection, arbiters } = connections;
        tokio::select! {
            ended = publisher::publish(&connection, known, publications, || self.shared.state_and_faults_at()) => {
                tracing::warn!(reason = ?ended.err(), "publishing failed");
            }
            ended = menu::publish(&connection, menu, self.shared.menu.subscribe()) => {
                tracing::warn!(reason = ?ended.err(), "publishing the menu failed");
            }
            () = connection.closed() => tracing::warn!("the bus has gone; the clock runs on"),
            () = arbiters.closed() => tracing::warn!("the bus has gone; the clock runs on"),
            () = asking.closed() => tracing::warn!("the bus has gone; the clock runs on"),
        }
    }

    async fn connect(&self) -> Result<Connections, BusError> {
        let asking = self.build(self.builder(None, None).await?).await?;
        let callers = Callers::follow(asking.clone()).await.map_err(|error| self.error(&error))?;
        let calls = <[Arc<Mutex<Calls>>; 2]>::default();
        let arrivals = Arc::new(Arrivals { callers: Arc::clone(&callers), calls: calls.clone() });
        let shared = || Arc::clone(&self.shared);
        let clock = |dry_runs| Served::new(clock::ClockInterface { shared: shared(), dry_runs });
        let arbiter = || Arbiter::new(shared(), Arc::clone(&arrivals), self.captains);
        // The copies belong to the programs on this bus, so they end with the connection to it.
        let has_left = {
            let callers = Arc::clone(&callers);
            Box::new(move |program: &OwnedUniqueName| callers.has_left(program))
        };
        let dry_runs = Arc::new(DryRuns::new(Arc::clone(&self.snapshots), has_left));
        let trial =
            (clock(Some(Arc::clone(&dry_runs))), Served::new(arbiter().played_on(dry_runs)));
        let (clock, arbiter) = (clock(None), Served::new(arbiter()));
        let history = |callers| {
            Served::new(history::interface::HistoryInterface { shared: shared(), callers })
        };
        let of_arbiters = history(None);
        let of_all = history(Some(Arc::clone(&callers)));
        let button_test = ButtonTestInterface::new(shared(), Arc::clone(&callers));
        let button_test = Served::new(button_test);
        let display = DisplayReport::new(Arc::clone(&callers));
        let health = Served::new(health::HealthInterface { shared: shared(), display });
        let menu = Served::new(menu::MenuInterface { shared: shared() });
        let serve = async |name, calls, history: Served<_>| {
            let serving = self.builder(Some(calls), Some(Arc::clone(&callers))).await?;
            let serving = serving
                .serve_at(PATH, clock.clone())
                .serve_at(PATH, arbiter.clone())
                .serve_at(PATH, history)
                .serve_at(PATH, health.clone())
                .serve_at(PATH, menu.clone())
                .serve_at(PATH, button_test.clone())
                .serve_at(DRY_RUN_PATH, trial.0.clone())
                .serve_at(DRY_RUN_PATH, trial.1.clone())
                .allow_name_replacements(false)
                .replace_existing_names(false)
                .name(name);
            self.build(serving).await
        };
        // `SERVICE` is requested last, so that a client that has found this name can use both
        // names.
        let [calls_of_arbiters, calls_of_all] = calls;
        let arbiters = serve(ARBITER_SERVICE, calls_of_arbiters, of_arbiters).await?;
        let all = serve(SERVICE, calls_of_all, of_all).await?;
        Ok(Connections { asking, all, arbiters })
    }

    /// A builder of a connection to the bus. If the connection serves interfaces, the calls to it are kept in
    /// `Calls`, and `callers` looks up who sends them. `None` is for a connection that serves none.
    async fn builder(
        &self,
        calls: Option<Arc<Mutex<Calls>>>,
        callers: Option<Arc<Callers>>,
    ) -> Result<Builder<'_>, BusError> {
        let address = match &self.address {
            Some(address) => address.as_str().try_into(),
            None => Address::system(),
        };
        let address = address.map_err(|error| self.error(&error))?;
        let stream = open(&address).await.map_err(|error| self.unreachable(error.to_string()))?;
        let builder = match stream {
            Some(stream) => Builder::socket(GuardedSocket::new(stream, calls, callers)),
            None => Builder::address(address),
        };
        Ok(builder.method_timeout(METHOD_TIMEOUT))
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

/// Takes each update of the clock loop: answers the command that caused it (if any), queues its
/// publication for the bus (if it has one), and logs it. Never waits for the bus.
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
            let publication = shared.apply(&update);
            // A number that was published before is nothing new.
            if publication.is_some() || update.cause != Cause::GameNumber {
                unlogged.updates.push(update);
            }
            if let Some(publication) = publication {
                publications.send(publication);
            }
        }
        // The yield lets the task that sends the signals run before the log is written, because the
        // players' displays wait for the signals.
        tokio::task::yield_now().await;
        unlogged.log();
    }
}

#[cfg(test)]
mod tests;
