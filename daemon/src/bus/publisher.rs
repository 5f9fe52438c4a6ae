//! Sends the signals, in a task of its own: a bus that hangs stops only this task.

use clock_dbus::{CLOCK_INTERFACE, PATH, State, Who};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc;
use zbus::{Connection, DynamicType, Message};

/// How many publications can wait for a slow bus. A publication that finds no room is dropped; once
/// the queue is empty again, one `PropertiesChanged` and a `Transition` with the cause `missed`
/// replace those that were dropped.
const QUEUE: usize = 256;

/// The end of the queue that publications are put into. It never waits.
pub struct PublicationSender {
    queue: mpsc::Sender<Publication>,
    overflowed: Arc<AtomicBool>,
}

/// The end of the queue that the bus connection reads.
pub struct PublicationReceiver {
    queue: mpsc::Receiver<Publication>,
    overflowed: Arc<AtomicBool>,
}

/// A queue of publications.
pub fn publication_queue() -> (PublicationSender, PublicationReceiver) {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let overflowed = Arc::new(AtomicBool::new(false));
    let sender = PublicationSender { queue: sender, overflowed: Arc::clone(&overflowed) };
    (sender, PublicationReceiver { queue: receiver, overflowed })
}

impl PublicationSender {
    /// Queues a publication, or notes that there was no room for it.
    pub fn send(&self, publication: Publication) {
        if self.queue.try_send(publication).is_err() {
            self.overflowed.store(true, Ordering::Release);
        }
    }
}

impl PublicationReceiver {
    /// Discards everything queued for a connection that was lost.
    pub fn clear(&mut self) {
        while self.queue.try_recv().is_ok() {}
        self.overflowed.store(false, Ordering::Release);
    }

    /// Whether the queue is empty now and a publication was dropped before. Resets the flag.
    fn has_dropped(&self) -> bool {
        self.queue.is_empty() && self.overflowed.swap(false, Ordering::AcqRel)
    }
}

/// One change of the state, to be sent as signals.
#[derive(Clone, Debug)]
pub struct Publication {
    /// The word for `Transition`.
    pub cause: &'static str,
    /// The additional signal of this change, if it has one.
    pub signal: Option<FurtherSignal>,
    /// The state right after the change.
    pub state: State,
    /// When the faults of the state were noticed.
    pub faults_at_nsec: u64,
}

/// A signal sent after `Transition`.
#[derive(Clone, Debug)]
pub enum FurtherSignal {
    /// `FlagFell`.
    FlagFell { side: Who, period: u32, at_nsec: u64, first: bool },
    /// `ArbiterCalled`.
    ArbiterCalled { by: Who, at_nsec: u64 },
}

/// Sends publications until the connection is lost. `sent` is the state that the clients of this
/// connection know; `present` gives the present state and when its faults were noticed.
pub async fn publish(
    connection: &Connection,
    mut sent: State,
    publications: &mut PublicationReceiver,
    present: impl Fn() -> (State, u64),
) -> zbus::Result<()> {
    while let Some(mut publication) = publications.queue.recv().await {
        loop {
            // Sent before the other signals are built, because building them takes as long again.
            if let Some(changed) = properties_changed(connection, &sent, &publication.state)? {
                connection.send(&changed).await?;
                // On a single core the bus daemon would otherwise wait until the rest is sent.
                rustix::thread::sched_yield();
            }
            connection.send_all(&signals(connection, &sent, &publication)?).await?;
            sent = publication.state;
            if !publications.has_dropped() {
                break;
            }
            let (state, faults_at_nsec) = present();
            publication = Publication { cause: "missed", signal: None, state, faults_at_nsec };
        }
    }
    Ok(())
}

/// One `PropertiesChanged` for all properties that differ, if any does.
fn properties_changed(
    connection: &Connection,
    sent: &State,
    state: &State,
) -> zbus::Result<Option<Message>> {
    let changes = state.changed_since(sent);
    if changes.is_empty() {
        return Ok(None);
    }
    let body = (CLOCK_INTERFACE, changes, &[] as &[&str]);
    signal(connection, "org.freedesktop.DBus.Properties", "PropertiesChanged", &body).map(Some)
}

/// `Transition`, and after it the further signals of this change.
fn signals(
    connection: &Connection,
    sent: &State,
    publication: &Publication,
) -> zbus::Result<Vec<Message>> {
    let state = &publication.state;
    let mut messages = Vec::with_capacity(3);
    let body = (publication.cause, state);
    messages.push(signal(connection, CLOCK_INTERFACE, "Transition", &body)?);
    match publication.signal {
        Some(FurtherSignal::FlagFell { side, period, at_nsec, first }) => {
            let body = (side, period, at_nsec, first, state.sequence);
            messages.push(signal(connection, CLOCK_INTERFACE, "FlagFell", &body)?);
        }
        Some(FurtherSignal::ArbiterCalled { by, at_nsec }) => {
            let body = (by, at_nsec, state.sequence);
            messages.push(signal(connection, CLOCK_INTERFACE, "ArbiterCalled", &body)?);
        }
        None => {}
    }
    if state.faults != sent.faults {
        let body = (&state.faults, publication.faults_at_nsec, state.sequence);
        messages.push(signal(connection, CLOCK_INTERFACE, "FaultsChanged", &body)?);
    }
    Ok(messages)
}

fn signal<B: Serialize + DynamicType>(
    connection: &Connection,
    interface: &str,
    name: &str,
    body: &B,
) -> zbus::Result<Message> {
    let mut builder = Message::signal(PATH, interface, name);
    if let Some(sender) = connection.unique_name() {
        builder = builder.sender(sender);
    }
    builder.build(body)
}
