//! Connects to the bus, reads the state of the clock over the connection, and limits the wait for
//! an answer.

mod ssh;

use std::{
    future::Future,
    io::{self, IsTerminal},
    time::Duration,
};

use clock_dbus::{
    ARBITER_SERVICE, ArbiterProxy, ClockProxy, DRY_RUN_PATH, METHOD_TIMEOUT, PATH, SERVICE, State,
};
use tokio::time::timeout;
use zbus::{Address, Connection, connection::Builder, proxy::CacheProperties};

use crate::{
    failure::{Failure, Place},
    one_of_many,
    options::Options,
    target::Target,
};

/// The longest wait for an answer: 500 ms longer than `METHOD_TIMEOUT`, the timeout of the
/// connection. The connection's timeout does not end a write that blocks because the bus has
/// stopped reading; this one does.
const CALL_TIMEOUT: Duration = METHOD_TIMEOUT.saturating_add(Duration::from_millis(500));

/// A connection, and the clock's interfaces on it.
pub struct Bus {
    pub connection: Connection,
    /// Whether commands are tried out: `clock` and `arbiter` are then those of the object that plays
    /// commands on a copy of the clock.
    pub is_dry_run: bool,
    pub clock: ClockProxy<'static>,
    pub arbiter: ArbiterProxy<'static>,
}

impl Bus {
    /// Connects to the bus of the clock. The connection is for verbs that read and give no command.
    pub async fn connect(target: &Target) -> Result<Self, Failure> {
        Bus::connect_to(target, SERVICE, false).await
    }

    /// Connects as [`Bus::connect`] does, but to the name to which commands are sent. A user who is
    /// no arbiter cannot send to that name, and so cannot delay the answers from it.
    pub async fn connect_as_arbiter(target: &Target) -> Result<Self, Failure> {
        Bus::connect_to(target, ARBITER_SERVICE, false).await
    }

    /// Connects as [`Bus::connect_as_arbiter`] does, to give a command. With `--dry-run`, commands
    /// are tried out.
    pub async fn connect_for_command(options: &Options) -> Result<Self, Failure> {
        Bus::connect_to(&options.target(), ARBITER_SERVICE, options.dry_run).await
    }

    async fn connect_to(
        target: &Target,
        service: &'static str,
        is_dry_run: bool,
    ) -> Result<Self, Failure> {
        let connection = connect(target).await?;
        Bus::on(connection, service, is_dry_run).await.map_err(Failure::from)
    }

    async fn on(
        connection: Connection,
        service: &'static str,
        is_dry_run: bool,
    ) -> zbus::Result<Self> {
        let path = if is_dry_run { DRY_RUN_PATH } else { PATH };
        // No properties are read here, so a property cache would only cost round trips and a task.
        let clock = ClockProxy::builder(&connection)
            .destination(service)
            .path(path)
            .cache_properties(CacheProperties::No)
            .build()
            .await?;
        let arbiter = ArbiterProxy::builder(&connection)
            .path(path)
            .cache_properties(CacheProperties::No)
            .build()
            .await?;
        Ok(Bus { connection, is_dry_run, clock, arbiter })
    }

    /// Reads the state as the service returns it. Its times are those of the instant at which the
    /// clock last changed.
    pub async fn state(&self) -> Result<State, Failure> {
        bounded(self.clock.get_state()).await
    }

    /// Reads the state and computes it for the present instant. Both calls are sent at once, which
    /// saves a round trip. The service takes them in order, so the instant is not before the state.
    pub async fn now(&self) -> Result<State, Failure> {
        let (state, now_nsec) = tokio::try_join!(self.state(), self.monotonic_nsec())?;
        Ok(state.at(now_nsec))
    }

    /// The present instant on the clock's machine.
    pub async fn monotonic_nsec(&self) -> Result<u64, Failure> {
        Ok(bounded(self.clock.get_timebase()).await?.monotonic_nsec)
    }
}

/// Waits for an answer, for at most `CALL_TIMEOUT`.
pub async fn bounded<T, E: Into<Failure>>(
    call: impl Future<Output = Result<T, E>>,
) -> Result<T, Failure> {
    match timeout(CALL_TIMEOUT, call).await {
        Err(_) => Err(Failure::Timeout),
        Ok(answer) => answer.map_err(Into::into),
    }
}

fn system_bus() -> Result<Address, Failure> {
    let cannot = |error| format!("DBUS_SYSTEM_BUS_ADDRESS cannot be read: {error}");
    Address::system().map_err(|error| Failure::Usage(cannot(error)))
}

/// Connects to the bus of a clock. If there is one clock, `ssh` may ask on the terminal for a password, or
/// whether an unknown host is the right one. If there are many clocks, `ssh` asks nothing.
async fn connect(target: &Target) -> Result<Connection, Failure> {
    match target {
        Target::SystemBus => connect_here(system_bus()?).await.map_err(|failure| {
            let is_default = std::env::var_os("DBUS_SYSTEM_BUS_ADDRESS").is_none();
            without_bus(failure, is_default)
        }),
        Target::Bus(address) => connect_here(address.clone()).await,
        Target::Host(host) => {
            ssh::connect(host, io::stdin().is_terminal() && !one_of_many::is_here()).await
        }
    }
}

/// The failure to connect to the system bus. Where this machine has no such bus it has no clock
/// either, which helps the user more. `is_default`: whether nobody has named the address of the bus.
fn without_bus(failure: Failure, is_default: bool) -> Failure {
    match failure {
        Failure::NoBus { is_missing: true, .. } if is_default => Failure::NoService(Place::Here),
        other => other,
    }
}

/// Connects to a bus of this machine.
async fn connect_here(address: Address) -> Result<Connection, Failure> {
    let bus = address.to_string();
    let build = Builder::address(address).method_timeout(METHOD_TIMEOUT).build();
    match timeout(METHOD_TIMEOUT, build).await {
        Err(_) => Err(Failure::BusSilent { bus }),
        Ok(Err(error)) => Err(no_bus(bus, error)),
        Ok(Ok(connection)) => Ok(connection),
    }
}

fn no_bus(bus: String, error: zbus::Error) -> Failure {
    let (why, is_missing) = match error {
        zbus::Error::Connection(why, _) => (why.to_string(), why.kind() == io::ErrorKind::NotFound),
        zbus::Error::FDO(error) => (error.to_string(), false),
        other => (other.to_string(), false),
    };
    Failure::NoBus { bus, why, is_missing }
}

#[cfg(test)]
mod tests {
    use super::without_bus;
    use crate::failure::{Failure, Place};

    #[test]
    fn a_machine_without_a_system_bus_has_no_clock() {
        let missing = |is_missing| Failure::NoBus {
            bus: "unix:path=/run/dbus/system_bus_socket".to_owned(),
            why: "it is not there".to_owned(),
            is_missing,
        };
        let here = without_bus(missing(true), true);
        assert!(matches!(here, Failure::NoService(Place::Here)), "{here}");
        assert_eq!(here.exit(), 3);
        assert!(here.to_string().contains("name one with -H HOST or --hall FILE"), "{here}");
        // An address that somebody has named, and a bus that refuses, are told as they are.
        assert_eq!(without_bus(missing(true), false).code(), "no-bus");
        assert_eq!(without_bus(missing(false), true).code(), "no-bus");
    }
}
