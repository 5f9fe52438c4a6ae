//! What the service, the bus and systemd's services say, on this machine or on another one.

use std::future::Future;

use clock_dbus::{ARBITER_SERVICE, HEALTH_INTERFACE, HealthProperties, PATH, SERVICE};
use zbus::{Connection, fdo::DBusProxy, names::BusName, proxy::CacheProperties};

use crate::{
    bus::{Bus, bounded},
    doctor::facts::{BusFacts, Clock, System, TimeService},
    failure::Failure,
    target::Target,
};

/// What was read over the bus.
pub struct OnBus {
    pub clock: Result<Clock, String>,
    pub bus: BusFacts,
    pub system: System,
    /// The process of the service, if it runs on this machine.
    pub process: Option<u32>,
}

/// Reads everything that the bus gives.
///
/// # Errors
///
/// The bus or the host cannot be reached.
pub async fn read(target: &Target) -> Result<OnBus, Failure> {
    let bus = Bus::connect(target).await?;
    let clock = clock(&bus).await;
    let clock = match clock {
        Ok(clock) => Ok(clock),
        Err(
            failure @ (Failure::NoService(_)
            | Failure::Timeout
            | Failure::ServiceGone
            | Failure::ClockTimeout(_)),
        ) => Err(failure.to_string()),
        Err(other) => return Err(other),
    };
    let names = DBusProxy::new(&bus.connection).await.ok();
    let may_command = match &clock {
        Ok(_) => may_command(target).await,
        Err(_) => None,
    };
    let users = match &names {
        Some(names) => users(names).await,
        None => None,
    };
    let process = match &names {
        Some(names) => process(names).await,
        None => None,
    };
    let is_system = matches!(target, Target::SystemBus | Target::Host(_));
    let system = system(&bus.connection).await;
    Ok(OnBus { clock, bus: BusFacts { is_system, may_command, users }, system, process })
}

async fn clock(bus: &Bus) -> Result<Clock, Failure> {
    let state = bus.state().await?;
    let version = bounded(bus.clock.version()).await?;
    let interface = Some("org.freedesktop.DBus.Properties");
    let all =
        bus.connection.call_method(Some(SERVICE), PATH, interface, "GetAll", &HEALTH_INTERFACE);
    let health: HealthProperties = bounded(async { all.await?.body().deserialize() }).await?;
    Ok(Clock { version, health, faults: state.faults })
}

/// Whether the bus lets the caller send to the name for commands. Only reading methods are called.
async fn may_command(target: &Target) -> Option<bool> {
    let bus = Bus::connect_as_arbiter(target).await.ok()?;
    match bus.monotonic_nsec().await {
        Ok(_) => Some(true),
        Err(Failure::Denied(_)) => Some(false),
        Err(_) => None,
    }
}

async fn users(names: &DBusProxy<'_>) -> Option<(u32, u32)> {
    let user = async |name| {
        let name = BusName::try_from(name).ok()?;
        bounded(names.get_connection_unix_user(name)).await.ok()
    };
    Some((user(SERVICE).await?, user(ARBITER_SERVICE).await?))
}

async fn process(names: &DBusProxy<'_>) -> Option<u32> {
    let name = BusName::try_from(SERVICE).ok()?;
    bounded(names.get_connection_unix_process_id(name)).await.ok()
}

/// The machine, as systemd-hostnamed tells it.
#[zbus::proxy(
    interface = "org.freedesktop.hostname1",
    default_service = "org.freedesktop.hostname1",
    default_path = "/org/freedesktop/hostname1"
)]
trait Hostname {
    #[zbus(property)]
    fn kernel_release(&self) -> zbus::Result<String>;
    #[zbus(property)]
    fn kernel_version(&self) -> zbus::Result<String>;
    #[zbus(property)]
    fn hardware_model(&self) -> zbus::Result<String>;
}

/// The time service, as systemd-timedated tells it.
#[zbus::proxy(
    interface = "org.freedesktop.timedate1",
    default_service = "org.freedesktop.timedate1",
    default_path = "/org/freedesktop/timedate1"
)]
trait Timedate {
    #[zbus(property, name = "NTPSynchronized")]
    fn ntp_synchronized(&self) -> zbus::Result<bool>;
}

/// A unit, as systemd tells it.
#[zbus::proxy(
    interface = "org.freedesktop.systemd1.Unit",
    default_service = "org.freedesktop.systemd1"
)]
trait Unit {
    #[zbus(property)]
    fn active_state(&self) -> zbus::Result<String>;
}

/// A unit that is a service, as systemd tells it.
#[zbus::proxy(
    interface = "org.freedesktop.systemd1.Service",
    default_service = "org.freedesktop.systemd1"
)]
trait Service {
    #[zbus(property, name = "NRestarts")]
    fn n_restarts(&self) -> zbus::Result<u32>;
}

async fn system(connection: &Connection) -> System {
    let mut system = System::default();
    if let Ok(host) =
        HostnameProxy::builder(connection).cache_properties(CacheProperties::No).build().await
    {
        // Without these properties, which came with systemd 249 and 251, the rest would wait, too.
        if let Some(release) = known(host.kernel_release()).await {
            let version = known(host.kernel_version()).await;
            system.kernel = Some((release, version.unwrap_or_default()));
            system.model = known(host.hardware_model()).await.filter(|model| !model.is_empty());
        }
    }
    system.restarts = restarts(connection).await;
    if let Ok(time) =
        TimedateProxy::builder(connection).cache_properties(CacheProperties::No).build().await
        && let Some(is_synchronized) = known(time.ntp_synchronized()).await
    {
        system.time = Some(TimeService {
            is_synchronized,
            has_chrony: is_active(connection, "chrony_2eservice").await,
            has_timesyncd: is_active(connection, "systemd_2dtimesyncd_2eservice").await,
        });
    }
    system
}

/// The answer, if it comes in time.
async fn known<T>(call: impl Future<Output = zbus::Result<T>>) -> Option<T> {
    bounded(call).await.ok()
}

/// The path of a unit, whose name has `_2e` for a point and `_2d` for a hyphen.
fn unit_path(unit: &str) -> String {
    format!("/org/freedesktop/systemd1/unit/{unit}")
}

async fn is_active(connection: &Connection, unit: &str) -> bool {
    let unit = UnitProxy::builder(connection).path(unit_path(unit));
    match unit.cache_properties(CacheProperties::No).build().await {
        Ok(unit) => known(unit.active_state()).await.as_deref() == Some("active"),
        Err(_) => false,
    }
}

async fn restarts(connection: &Connection) -> Option<u32> {
    let service = ServiceProxy::builder(connection).path(unit_path("clockd_2eservice"));
    let service = service.cache_properties(CacheProperties::No).build().await.ok()?;
    known(service.n_restarts()).await
}
