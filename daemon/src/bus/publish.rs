//! Tells the bus what changed. Runs beside everything else: a bus that hangs stops only this.

use clock_dbus::{CLOCK_INTERFACE, Changes, PATH, State, Who};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc;
use zbus::{Connection, DynamicType, Message, OwnedVariant};

/// News that may wait for a slow bus. What finds no room is dropped, and made up for by one
/// `PropertiesChanged` once the bus takes news again.
const QUEUE: usize = 256;

/// Where news goes in. Never waits.
pub struct Reporter {
    queue: mpsc::Sender<News>,
    behind: Arc<AtomicBool>,
}

/// Where the bus takes news out.
pub struct Feed {
    queue: mpsc::Receiver<News>,
    behind: Arc<AtomicBool>,
}

/// A queue of news.
pub fn news() -> (Reporter, Feed) {
    let (sender, receiver) = mpsc::channel(QUEUE);
    let behind = Arc::new(AtomicBool::new(false));
    let reporter = Reporter { queue: sender, behind: Arc::clone(&behind) };
    (reporter, Feed { queue: receiver, behind })
}

impl Reporter {
    /// Hands news on; notes it if there was no room.
    pub fn report(&self, news: News) {
        if self.queue.try_send(news).is_err() {
            self.behind.store(true, Ordering::Release);
        }
    }
}

impl Feed {
    /// Forgets what a bus that has gone did not take.
    pub fn clear(&mut self) {
        while self.queue.try_recv().is_ok() {}
        self.behind.store(false, Ordering::Release);
    }

    /// Whether all that came in is out, but something found no room before.
    fn fell_behind(&self) -> bool {
        self.queue.is_empty() && self.behind.swap(false, Ordering::AcqRel)
    }
}

/// A change on its way to the bus.
#[derive(Clone, Debug)]
pub struct News {
    /// The word for it.
    pub cause: &'static str,
    /// A signal of its own, where it has one.
    pub extra: Option<Extra>,
    /// The state right after.
    pub state: State,
    /// When the faults of the state were noticed.
    pub faults_at_nsec: u64,
}

/// A signal beside `Transition`.
#[derive(Clone, Debug)]
pub enum Extra {
    /// `FlagFell`.
    FlagFell { side: Who, period: u32, at_nsec: u64, first: bool },
    /// `ArbiterCalled`.
    ArbiterCalled { by: Who, at_nsec: u64 },
}

/// Publishes news until the connection breaks. `sent` is the state the bus already knows.
pub async fn publish(
    connection: &Connection,
    mut sent: State,
    feed: &mut Feed,
    present: impl Fn() -> (State, u64),
) -> zbus::Result<()> {
    while let Some(mut news) = feed.queue.recv().await {
        loop {
            // The change is out before the rest is put together, which takes as long again.
            if let Some(changed) = changed(connection, &sent, &news.state)? {
                connection.send(&changed).await?;
                // On a single core the bus would otherwise wait for all that is still to do here.
                rustix::thread::sched_yield();
            }
            connection.send_all(&told(connection, &sent, &news)?).await?;
            sent = news.state;
            if !feed.fell_behind() {
                break;
            }
            let (state, faults_at_nsec) = present();
            news = News { cause: "missed", extra: None, state, faults_at_nsec };
        }
    }
    Ok(())
}

/// One `PropertiesChanged` for all that changed, if anything did.
fn changed(connection: &Connection, sent: &State, state: &State) -> zbus::Result<Option<Message>> {
    let changes: Changes = state.changed_since(sent);
    if changes.is_empty() {
        return Ok(None);
    }
    let changes: HashMap<&str, OwnedVariant> = changes.into_iter().collect();
    let body = (CLOCK_INTERFACE, changes, &[] as &[&str]);
    signal(connection, "org.freedesktop.DBus.Properties", "PropertiesChanged", &body).map(Some)
}

/// The signals that tell of the news.
fn told(connection: &Connection, sent: &State, news: &News) -> zbus::Result<Vec<Message>> {
    let mut messages = Vec::with_capacity(3);
    messages.push(signal(connection, CLOCK_INTERFACE, "Transition", &(news.cause, &news.state))?);
    match news.extra {
        Some(Extra::FlagFell { side, period, at_nsec, first }) => {
            let body = (side, period, at_nsec, first);
            messages.push(signal(connection, CLOCK_INTERFACE, "FlagFell", &body)?);
        }
        Some(Extra::ArbiterCalled { by, at_nsec }) => {
            let body = (by, at_nsec);
            messages.push(signal(connection, CLOCK_INTERFACE, "ArbiterCalled", &body)?);
        }
        None => {}
    }
    if news.state.faults != sent.faults {
        let body = (&news.state.faults, news.faults_at_nsec);
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
