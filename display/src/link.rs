//! Follows the clock service on D-Bus, and finds it again when it or the bus was away.

use std::time::Duration;

use clock_dbus::{ClockProxy, METHOD_TIMEOUT, Result, SERVICE, State, TransitionStream};
use futures_util::{FutureExt, StreamExt};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use zbus::fdo::DBusProxy;
use zbus::proxy::{CacheProperties, OwnerChangedStream};
use zbus::{Address, Connection, connection};

/// The first and the longest time before the bus or the service is tried again.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(1));
/// How often the state is read at most, if transitions arrive while it is being read.
const MAX_READS: usize = 3;

/// What is known of the clock.
#[derive(Clone, Debug)]
pub enum Link {
    /// There is no bus, or no clock service on it that answers.
    Down,
    Up(Box<Up>),
}

/// A clock service that answers.
#[derive(Clone, Debug)]
pub struct Up {
    /// The state after the latest transition.
    pub state: State,
    /// The connection, for the arbiter's commands of the demonstration.
    pub connection: Connection,
}

/// Follows the service for ever and keeps `link` current.
///
/// Every stream is read here all the time, into a `watch` that holds only the newest state. A stream
/// that nobody reads would stop the whole connection.
pub async fn follow(address: Address, link: watch::Sender<Link>) {
    let (first, longest) = BACK_OFF;
    let mut wait = first;
    loop {
        if let Ok(connection) = connect(&address).await {
            wait = first;
            // Whatever the reason for its end, the display shows that there is no service, and the
            // loop connects again.
            let _ = follow_connection(&connection, &link).await;
            link.send_replace(Link::Down);
        }
        sleep(wait).await;
        wait = (wait * 2).min(longest);
    }
}

/// The timeout is needed because a stopped bus daemon accepts a connection and never answers.
async fn connect(address: &Address) -> Result<Connection> {
    let build =
        connection::Builder::address(address.clone()).method_timeout(METHOD_TIMEOUT).build();
    match timeout(METHOD_TIMEOUT, build).await {
        Ok(connection) => Ok(connection?),
        Err(_) => Err(clock_dbus::Error::TimedOut("the bus does not answer".into())),
    }
}

/// Follows the service until the connection is lost.
async fn follow_connection(connection: &Connection, link: &watch::Sender<Link>) -> Result<()> {
    let clock =
        ClockProxy::builder(connection).cache_properties(CacheProperties::No).build().await?;
    // Subscribed before the state is read, so that no change is missed in between.
    let mut transitions = clock.receive_transition().await?;
    let mut owners = clock.inner().receive_owner_changed().await?;
    let mut presence = if is_owned(connection).await? { Presence::Unread } else { Presence::Gone };
    loop {
        if presence == Presence::Unread {
            presence = match read_state(&clock, &mut transitions).await {
                Ok(state) => show(connection, link, state),
                Err(_) => hide(link, Presence::Silent),
            };
        }
        presence = tokio::select! {
            () = connection.closed() => return Ok(()),
            owner = next_owner(&mut owners) => match owner {
                Some(Owner::Another) => Presence::Unread,
                Some(Owner::Nobody) => hide(link, Presence::Gone),
                None => return Ok(()),
            },
            transition = transitions.next() => match transition {
                Some(transition) => match transition.args() {
                    Ok(args) => show(connection, link, args.state),
                    Err(_) => Presence::Unread,
                },
                None => return Ok(()),
            },
            () = sleep(BACK_OFF.1), if presence == Presence::Silent => Presence::Unread,
        };
    }
}

/// Whether the service is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// Nobody owns the name.
    Gone,
    /// The name is owned, and the state is to be read.
    Unread,
    /// The name is owned, but the service did not answer. It is asked again after a while.
    Silent,
    /// The state was read, and the transitions are followed.
    Followed,
}

enum Owner {
    Nobody,
    Another,
}

fn show(connection: &Connection, link: &watch::Sender<Link>, state: State) -> Presence {
    link.send_replace(Link::Up(Box::new(Up { state, connection: connection.clone() })));
    Presence::Followed
}

fn hide(link: &watch::Sender<Link>, presence: Presence) -> Presence {
    link.send_replace(Link::Down);
    presence
}

async fn is_owned(connection: &Connection) -> Result<bool> {
    let bus = DBusProxy::builder(connection).cache_properties(CacheProperties::No).build().await?;
    let name = SERVICE.try_into()?;
    Ok(bus.name_has_owner(name).await.map_err(zbus::Error::from)?)
}

async fn next_owner(owners: &mut OwnerChangedStream<'_>) -> Option<Owner> {
    Some(match owners.next().await? {
        Some(_) => Owner::Another,
        None => Owner::Nobody,
    })
}

/// Reads the whole state.
///
/// A transition that arrives meanwhile may be older or newer than the answer, and their instants do
/// not tell which: a press has the instant of its first edge, which is before its decision. So the
/// state is read again until no transition arrived during the call.
async fn read_state(clock: &ClockProxy<'_>, transitions: &mut TransitionStream) -> Result<State> {
    let mut reads = 1;
    loop {
        let (state, undisturbed) = read_once(clock, transitions).await?;
        if undisturbed || reads == MAX_READS {
            return Ok(state);
        }
        reads += 1;
    }
}

/// One answer, and whether no transition arrived before it. The transitions are read while waiting,
/// because a full queue would delay the answer.
async fn read_once(
    clock: &ClockProxy<'_>,
    transitions: &mut TransitionStream,
) -> Result<(State, bool)> {
    let mut answer = std::pin::pin!(clock.get_state().fuse());
    let mut undisturbed = true;
    loop {
        tokio::select! {
            biased;
            Some(_) = transitions.next() => undisturbed = false,
            state = &mut answer => return Ok((state?, undisturbed)),
        }
    }
}
