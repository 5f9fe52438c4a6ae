//! Follows the clock service on D-Bus, and finds it again when it or the bus was away.

use std::time::Duration;

use clock_dbus::{Error, Follower, METHOD_TIMEOUT, Result, State, Update};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use zbus::{Address, Connection, connection};

/// The first and the longest time before the bus or the service is tried again.
const BACK_OFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(1));

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
        Err(_) => Err(Error::TimedOut("the bus does not answer".into())),
    }
}

/// Follows the service until the connection is lost.
async fn follow_connection(connection: &Connection, link: &watch::Sender<Link>) -> Result<()> {
    let mut follower = Follower::new(connection).await?;
    loop {
        match follower.next().await {
            Ok(Some(Update::NoService)) => {
                link.send_replace(Link::Down);
            }
            Ok(Some(
                Update::Read { state, .. }
                | Update::Missed(state)
                | Update::Transition { state, .. },
            )) => {
                let up = Up { state: *state, connection: connection.clone() };
                link.send_replace(Link::Up(Box::new(up)));
            }
            Ok(None) => return Ok(()),
            // The service is there and does not answer. It is asked again after a while.
            Err(_) => {
                link.send_replace(Link::Down);
                let _ = timeout(BACK_OFF.1, follower.gather()).await;
            }
        }
    }
}
