//! Queues the changes of the state, and sends them as signals. If the bus hangs, only the future
//! that sends the signals waits.

use clock_dbus::{CLOCK_INTERFACE, FurtherSignal, PATH, State};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc;
use zbus::message::Builder;
use zbus::names::OwnedUniqueName;
use zbus::{Connection, DynamicType, Message};

/// How many publications can wait for a slow bus. If there is no room, a publication is dropped,
/// and so are the following ones until the queue is empty. Then one `PropertiesChanged` and one
/// `Transition` with the cause `missed` replace all dropped ones. If publications were queued again
/// as soon as there is room, they would arrive before the `Transition` that says that some are
/// missing.
const QUEUE: usize = 256;

/// How many times this thread yields the processor after `PropertiesChanged`: once for the bus
/// daemon and once for the client, because both must handle the signal before a person sees the
/// change. On a single core, one yield was not enough: the kernel chose this thread again before
/// the client.
const PROCESSES_TO_A_CLIENT: usize = 2;

/// The sending end of the queue. Sending never waits.
pub struct PublicationSender {
    queue: mpsc::Sender<Publication>,
    overflowed: Arc<AtomicBool>,
}

/// The receiving end of the queue.
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
    /// Queues a publication. If there is no room, or if an earlier publication was dropped and
    /// `has_dropped` has not returned `true` since, the publication is dropped.
    pub fn send(&self, publication: Publication) {
        if self.overflowed.load(Ordering::Acquire) || self.queue.try_send(publication).is_err() {
            self.overflowed.store(true, Ordering::Release);
        }
    }
}

impl PublicationReceiver {
    /// Discards all publications. They were queued for a connection that is lost.
    pub fn clear(&mut self) {
        while self.queue.try_recv().is_ok() {}
        self.overflowed.store(false, Ordering::Release);
    }

    /// Whether the queue is empty and a publication was dropped since this last returned `true`.
    /// Returning `true` clears `overflowed`, so that publications are queued again.
    fn has_dropped(&self) -> bool {
        self.queue.is_empty() && self.overflowed.swap(false, Ordering::AcqRel)
    }
}

/// A change of the state that is to be sent as signals.
#[derive(Clone, Debug)]
pub struct Publication {
    /// The cause for the signal `Transition`.
    pub cause: &'static str,
    /// The other signals of this change.
    pub signals: Vec<FurtherSignal>,
    /// The state right after the change.
    pub state: Arc<State>,
    /// When the list of faults last changed, in nanoseconds of CLOCK_MONOTONIC.
    pub faults_at_nsec: u64,
}

/// The unique name of the connection that sends a signal.
type SenderName<'a> = Option<&'a OwnedUniqueName>;

/// Sends publications until the connection is lost. `sent` is the state that the clients of this
/// connection have. `present` returns the present state, and the instant at which its list of
/// faults last changed.
pub async fn publish(
    connection: &Connection,
    mut sent: Arc<State>,
    publications: &mut PublicationReceiver,
    present: impl Fn() -> (Arc<State>, u64),
) -> zbus::Result<()> {
    let sender = connection.unique_name();
    while let Some(mut publication) = publications.queue.recv().await {
        loop {
            // Building the other signals takes as long as building `PropertiesChanged`. So
            // `PropertiesChanged` is sent before they are built.
            if let Some(changed) = properties_changed(sender, &sent, &publication.state)? {
                connection.send(&changed).await?;
                // Without these yields, on a single core the bus daemon and the client would run
                // only after all signals have been sent.
                for _ in 0..PROCESSES_TO_A_CLIENT {
                    rustix::thread::sched_yield();
                }
            }
            connection.send_all(&signals(sender, &sent, &publication)?).await?;
            sent = publication.state;
            if !publications.has_dropped() {
                break;
            }
            let (state, faults_at_nsec) = present();
            publication =
                Publication { cause: "missed", signals: Vec::new(), state, faults_at_nsec };
        }
    }
    Ok(())
}

/// One `PropertiesChanged` for all properties in which `state` differs from `sent`; `None` if they
/// are equal.
fn properties_changed(
    sender: SenderName<'_>,
    sent: &State,
    state: &State,
) -> zbus::Result<Option<Message>> {
    let changes = state.changed_since(sent);
    if changes.is_empty() {
        return Ok(None);
    }
    let body = (CLOCK_INTERFACE, changes, &[] as &[&str]);
    signal(sender, "org.freedesktop.DBus.Properties", "PropertiesChanged", &body).map(Some)
}

/// The signal `Transition`, and after it the other signals of this change.
fn signals(
    sender: SenderName<'_>,
    sent: &State,
    publication: &Publication,
) -> zbus::Result<Vec<Message>> {
    let state = &*publication.state;
    let mut messages = Vec::with_capacity(2 + publication.signals.len());
    let body = (publication.cause, state);
    messages.push(signal(sender, CLOCK_INTERFACE, "Transition", &body)?);
    let faults = (state.faults != sent.faults).then(|| FurtherSignal::FaultListChanged {
        faults: state.faults.clone(),
        at_nsec: publication.faults_at_nsec,
    });
    for further in publication.signals.iter().chain(&faults) {
        let header = header(sender, CLOCK_INTERFACE, further.name());
        messages.push(further.message(header, state.sequence)?);
    }
    Ok(messages)
}

/// A signal of the clock's object.
pub(super) fn signal<B: Serialize + DynamicType>(
    sender: SenderName<'_>,
    interface: &str,
    name: &str,
    body: &B,
) -> zbus::Result<Message> {
    header(sender, interface, name).build(body)
}

/// The header of a signal. The caller adds the arguments.
fn header<'a>(sender: SenderName<'a>, interface: &'a str, name: &'a str) -> Builder<'a> {
    let builder = Message::signal(PATH, interface, name);
    match sender {
        Some(sender) => builder.sender(sender),
        None => builder,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counting::calls;
    use clock_dbus::{SideState, Who};
    use std::collections::HashMap;
    use zbus::OwnedVariant;

    #[test]
    fn after_a_drop_nothing_is_queued_until_the_queue_is_empty() {
        let publication = |sequence| Publication {
            cause: "press",
            signals: Vec::new(),
            state: Arc::new(State { sequence, ..State::default() }),
            faults_at_nsec: 0,
        };
        let (sender, mut receiver) = publication_queue();
        let sequences = 1..=u64::try_from(QUEUE).unwrap();
        sequences.clone().for_each(|sequence| sender.send(publication(sequence)));
        sender.send(publication(1000));
        for sequence in sequences {
            assert!(!receiver.has_dropped());
            assert_eq!(receiver.queue.try_recv().unwrap().state.sequence, sequence);
            // There is room again, but publication 1000 was dropped, so this one is dropped, too.
            sender.send(publication(1000 + sequence));
        }
        assert!(receiver.has_dropped() && !receiver.has_dropped());
        sender.send(publication(2000));
        assert_eq!(receiver.queue.try_recv().unwrap().state.sequence, 2000);
    }

    #[test]
    fn a_press_allocates_for_its_message_and_not_for_each_property() {
        let before = State {
            white: SideState { moves: 1, ..SideState::default() },
            running: Who::White,
            ..State::default()
        };
        let after = State {
            sequence: 7,
            at_nsec: 5,
            on_move: Who::Black,
            running: Who::Black,
            white: SideState { remaining_nsec: 3, moves: 2, ..before.clone().white },
            ..before.clone()
        };
        let calls_before = calls();
        let message = properties_changed(None, &before, &after).unwrap().expect("a change");
        // If each property were copied into a map, there would be about 90 calls of the allocator.
        let allocations = calls() - calls_before;
        assert!(allocations <= 50, "{allocations}");

        let body = message.body();
        let (interface, changed, invalidated): (&str, HashMap<String, OwnedVariant>, Vec<String>) =
            body.deserialize().unwrap();
        assert_eq!((interface, invalidated.len()), (CLOCK_INTERFACE, 0));
        let mut names: Vec<&str> = changed.keys().map(String::as_str).collect();
        names.sort_unstable();
        let changed_names =
            ["AtNSec", "OnMove", "Running", "Sequence", "WhiteMoves", "WhiteRemainingNSec"];
        assert_eq!(names, changed_names);
        assert_eq!(u64::try_from(&changed["Sequence"]), Ok(7));
        assert_eq!(u32::try_from(&changed["WhiteMoves"]), Ok(2));
        assert_eq!(<&str>::try_from(&changed["Running"]), Ok("black"));
        assert!(properties_changed(None, &after, &after).unwrap().is_none());
    }
}
