//! The user ids of the programs on the bus, by their unique names.
//!
//! The bus knows the user of a unique name only while its program is connected. When a command is
//! logged, the program can already have left the bus. So the bus is asked when a program connects
//! or sends its first message. While [`EARLY_LOOKUPS`] or more of these requests wait for an
//! answer, the bus is asked only about the senders of commands.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};
use tokio::task::JoinHandle;
use zbus::fdo::DBusProxy;
use zbus::names::OwnedUniqueName;
use zbus::{Connection, MatchRule, MessageStream};

/// How long the bus may take to give the user id of a name.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(1);
/// While this many requests for user ids wait for an answer of the bus, it is asked only about the
/// senders of commands.
const EARLY_LOOKUPS: usize = 64;
/// How many names of programs that left the bus can be queued for a task that waits for one of them
/// (`Callers::left`). If more names come, the task asks the bus again.
const LEFT_QUEUE: usize = 64;
/// How many user ids of programs that have left are kept, because the last calls of these programs
/// may not have been handled yet.
const REMEMBERED: usize = 256;

/// The user ids of the programs on the bus.
#[derive(Debug)]
pub struct Callers {
    known: Arc<Mutex<Known>>,
    /// The connection on which the bus is asked. It serves no calls. On a connection that serves
    /// calls, the answers of the bus would wait behind the calls.
    connection: Connection,
    /// Sends the names of the programs that leave the bus.
    left: broadcast::Sender<OwnedUniqueName>,
    follower: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Known {
    callers: HashMap<OwnedUniqueName, Caller>,
    /// The names of the programs that have left the bus, at most [`REMEMBERED`], the oldest first.
    left: VecDeque<OwnedUniqueName>,
    /// How many requests to the bus wait for an answer.
    lookups: usize,
}

/// Gives the user id of the program with a unique name as soon as the bus has answered.
#[derive(Clone, Debug)]
pub struct Caller(watch::Receiver<Option<Answer>>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    User(u32),
    /// The program has left the bus, or the bus does not answer.
    Unknown,
}

impl Caller {
    /// Waits for the user id, for a second at most. `None` if the program had left before the bus
    /// was asked, or if the bus does not answer.
    pub async fn uid(&self) -> Option<u32> {
        let mut answer = self.0.clone();
        match answer.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(Answer::User(uid))) => Some(*uid),
            _ => None,
        }
    }

    /// The user id, if the bus has already given it.
    pub fn known_uid(&self) -> Option<u32> {
        match *self.0.borrow() {
            Some(Answer::User(uid)) => Some(uid),
            Some(Answer::Unknown) | None => None,
        }
    }
}

impl Callers {
    /// Starts a task that looks up each program that connects to the bus from now on, and notes
    /// each program that leaves.
    pub async fn follow(connection: Connection) -> zbus::Result<Arc<Callers>> {
        let rule = MatchRule::builder()
            .msg_type(zbus::message::Type::Signal)
            .sender("org.freedesktop.DBus")
            .interface("org.freedesktop.DBus")
            .member("NameOwnerChanged")
            .build()?;
        let mut changes = MessageStream::for_match_rule(rule, &connection, None).await?;
        let known = Arc::new(Mutex::new(Known::default()));
        let (following, bus) = (Arc::clone(&known), connection.clone());
        let left = broadcast::Sender::new(LEFT_QUEUE);
        let leaves = left.clone();
        let follower = tokio::spawn(async move {
            while let Some(Ok(change)) = next(&mut changes).await {
                let body = change.body();
                let Ok((name, before, after)) = body.deserialize::<(&str, &str, &str)>() else {
                    continue;
                };
                // Names such as org.example.Name have owners too. They are skipped, because the
                // sender of a message is always a unique name.
                let Ok(name) = OwnedUniqueName::try_from(name) else { continue };
                if before.is_empty() && !after.is_empty() {
                    look_up_early(&following, &bus, &name);
                } else if after.is_empty() {
                    forget(&following, name.clone());
                    // Sending fails if no task waits for a program to leave.
                    let _ = leaves.send(name);
                }
            }
        });
        Ok(Arc::new(Callers { known, connection, left, follower }))
    }

    /// Asks the bus about this program, unless the bus has been asked already or [`EARLY_LOOKUPS`]
    /// requests wait for its answer.
    pub fn look_up_early(&self, name: &OwnedUniqueName) {
        look_up_early(&self.known, &self.connection, name);
    }

    /// The user id of the program with this unique name. Asks the bus if it has not been asked yet.
    pub fn find(&self, name: &OwnedUniqueName) -> Caller {
        find(&self.known, &self.connection, name)
    }

    /// The user id of the program with this unique name, if the bus has already given it. Never asks
    /// the bus.
    pub fn known_uid(&self, name: &OwnedUniqueName) -> Option<u32> {
        lock(&self.known).callers.get(name).and_then(Caller::known_uid)
    }

    /// Whether the program with this unique name is one of the last [`REMEMBERED`] that have left.
    pub fn has_left(&self, name: &OwnedUniqueName) -> bool {
        lock(&self.known).left.contains(name)
    }

    /// Waits until the program with this unique name is no longer on the bus.
    pub async fn left(&self, name: &OwnedUniqueName) {
        let mut left = self.left.subscribe();
        loop {
            // The program may have left before this subscription, which reports only later
            // departures. So the bus is asked, too. If the bus does not answer, this function waits
            // until the bus signals that the program has left.
            if let Ok(bus) = DBusProxy::new(&self.connection).await
                && matches!(bus.name_has_owner(name.inner().as_ref().into()).await, Ok(false))
            {
                return;
            }
            loop {
                match left.recv().await {
                    Ok(gone) if gone == *name => return,
                    Ok(_) => {}
                    // The queue of names was full, so this name may have been dropped. The bus is
                    // asked again.
                    Err(RecvError::Lagged(_)) => break,
                    Err(RecvError::Closed) => return,
                }
            }
        }
    }
}

impl Drop for Callers {
    fn drop(&mut self) {
        self.follower.abort();
    }
}

async fn next(stream: &mut MessageStream) -> Option<zbus::Result<zbus::Message>> {
    std::future::poll_fn(|context| {
        zbus::export::futures_core::Stream::poll_next(std::pin::Pin::new(&mut *stream), context)
    })
    .await
}

fn lock(known: &Mutex<Known>) -> std::sync::MutexGuard<'_, Known> {
    known.lock().expect("nothing panics while it holds the lock")
}

fn look_up_early(known: &Arc<Mutex<Known>>, connection: &Connection, name: &OwnedUniqueName) {
    if lock(known).lookups < EARLY_LOOKUPS {
        find(known, connection, name);
    }
}

fn find(known: &Arc<Mutex<Known>>, connection: &Connection, name: &OwnedUniqueName) -> Caller {
    if let Some(caller) = lock(known).callers.get(name) {
        return caller.clone();
    }
    let (answer, caller) = watch::channel(None);
    let caller = Caller(caller);
    {
        let mut known = lock(known);
        known.callers.insert(name.clone(), caller.clone());
        known.lookups += 1;
    }
    let (known, connection, name) = (Arc::clone(known), connection.clone(), name.clone());
    tokio::spawn(async move {
        let answered = tokio::time::timeout(LOOKUP_TIMEOUT, ask(&connection, &name)).await;
        lock(&known).lookups -= 1;
        match answered {
            Ok(Ok(uid)) => {
                // Sending fails if every `Caller` of this program has been dropped.
                let _ = answer.send(Some(Answer::User(uid)));
            }
            Ok(Err(_)) | Err(_) => {
                // The caller is removed from the map, so that the next `find` asks the bus again.
                lock(&known).callers.remove(&name);
                let _ = answer.send(Some(Answer::Unknown));
            }
        }
    });
    caller
}

async fn ask(connection: &Connection, name: &OwnedUniqueName) -> zbus::fdo::Result<u32> {
    let bus = DBusProxy::new(connection).await?;
    bus.get_connection_unix_user(name.inner().as_ref().into()).await
}

fn forget(known: &Mutex<Known>, name: OwnedUniqueName) {
    let mut known = lock(known);
    known.left.push_back(name);
    if known.left.len() > REMEMBERED
        && let Some(oldest) = known.left.pop_front()
    {
        known.callers.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Pid, Signal, kill_process};

    #[tokio::test]
    async fn while_the_bus_does_not_answer_it_is_asked_about_64_programs_and_senders_of_commands() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("bus");
        let mut bus = clock_test_bus::start(&socket, "").unwrap();
        let address = clock_test_bus::address(&socket);
        let builder = zbus::connection::Builder::address(address.as_str());
        let callers = Callers::follow(builder.build().await.unwrap()).await.unwrap();
        kill_process(Pid::from_child(&bus), Signal::STOP).unwrap();
        for number in 0..1000 {
            callers.look_up_early(&format!(":1.{number}").try_into().unwrap());
        }
        assert_eq!(lock(&callers.known).callers.len(), EARLY_LOOKUPS);
        let sender = callers.find(&":1.1000".try_into().unwrap());
        assert_eq!(lock(&callers.known).callers.len(), EARLY_LOOKUPS + 1);
        // After the last request has timed out, the bus is asked about all programs again.
        assert_eq!(sender.uid().await, None);
        callers.look_up_early(&":1.1001".try_into().unwrap());
        assert!(lock(&callers.known).callers.contains_key(":1.1001"));
        bus.kill().unwrap();
        bus.wait().unwrap();
    }
}
