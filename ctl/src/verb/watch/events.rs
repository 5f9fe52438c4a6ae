//! The signals about the clock, in the order in which the bus sent them.
//!
//! There is one stream for all of them. With a stream for each signal, the last transition of a service
//! that ended and the first of the next one could be read in the wrong order.

use clock_dbus::{CLOCK_INTERFACE, PATH, SERVICE, State};
use futures_util::StreamExt;
use tokio::{
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    task::JoinHandle,
};
use zbus::{
    Connection, MatchRule, Message, MessageStream,
    fdo::{DBusProxy, NameOwnerChanged},
    message::Type,
    names::OwnedUniqueName,
    proxy::CacheProperties,
};

use crate::{bus::bounded, failure::Failure};

const BUS: &str = "org.freedesktop.DBus";

/// One event.
pub enum Event {
    /// A service owns the name now.
    Appeared,
    /// Nobody owns the name any more.
    Disappeared,
    /// The state of the clock changed.
    Transition { cause: String, state: Box<State> },
}

/// The events of one connection.
pub struct EventStream {
    signals: UnboundedReceiver<Message>,
    reader: JoinHandle<()>,
    owner: Option<OwnedUniqueName>,
}

impl Drop for EventStream {
    fn drop(&mut self) {
        // The task keeps the connection, and with it the socket, open.
        self.reader.abort();
    }
}

impl EventStream {
    /// Subscribes, and then asks who owns the name.
    pub async fn open(connection: &Connection) -> Result<Self, Failure> {
        let (signals, reader) = read_all(connection);
        let mut events = EventStream { signals, reader, owner: None };
        let proxy = DBusProxy::builder(connection).cache_properties(CacheProperties::No);
        let bus = bounded(proxy.build()).await?;
        bounded(bus.add_match_rule(owner_rule()?)).await?;
        bounded(bus.add_match_rule(transition_rule()?)).await?;
        let name = SERVICE.try_into()?;
        events.owner = match bounded(bus.get_name_owner(name)).await {
            Ok(owner) => Some(owner),
            Err(Failure::NoService) => None,
            Err(failure) => return Err(failure),
        };
        Ok(events)
    }

    /// Whether the name was owned at the last event.
    pub fn has_service(&self) -> bool {
        self.owner.is_some()
    }

    /// The next event; `None` when the connection is closed.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            let message = self.signals.recv().await?;
            if let Some(event) = self.owner_change(&message).or_else(|| self.transition(&message)) {
                return Some(event);
            }
        }
    }

    fn owner_change(&mut self, message: &Message) -> Option<Event> {
        if message.header().sender()?.as_str() != BUS {
            return None;
        }
        let signal = NameOwnerChanged::from_message(message.clone())?;
        let args = signal.args().ok()?;
        if args.name().as_str() != SERVICE {
            return None;
        }
        let owner = args.new_owner().as_ref().map(|owner| owner.to_owned().into());
        if owner == self.owner {
            return None;
        }
        self.owner = owner;
        Some(if self.has_service() { Event::Appeared } else { Event::Disappeared })
    }

    fn transition(&self, message: &Message) -> Option<Event> {
        let header = message.header();
        // A match rule does not filter a signal that is sent to this connection by name.
        if header.sender()?.as_str() != self.owner.as_ref()?.as_str() {
            return None;
        }
        let expected = (CLOCK_INTERFACE, "Transition");
        if (header.interface()?.as_str(), header.member()?.as_str()) != expected {
            return None;
        }
        let (cause, state) = message.body().deserialize::<(String, Box<State>)>().ok()?;
        Some(Event::Transition { cause, state })
    }
}

/// Reads every signal of the connection as it arrives. A stream that is not read, for example while a
/// call waits for its answer, stops the whole connection.
fn read_all(connection: &Connection) -> (UnboundedReceiver<Message>, JoinHandle<()>) {
    let mut stream = MessageStream::from(connection);
    let (sender, receiver) = unbounded_channel();
    let task = tokio::spawn(async move {
        // The stream ends when either side closes the connection.
        while let Some(Ok(message)) = stream.next().await {
            if message.message_type() == Type::Signal && sender.send(message).is_err() {
                break;
            }
        }
    });
    (receiver, task)
}

fn owner_rule() -> Result<MatchRule<'static>, zbus::Error> {
    MatchRule::builder()
        .msg_type(Type::Signal)
        .sender(BUS)
        .interface(BUS)
        .member("NameOwnerChanged")
        .arg(0, SERVICE)
        .build()
}

fn transition_rule() -> Result<MatchRule<'static>, zbus::Error> {
    MatchRule::builder()
        .msg_type(Type::Signal)
        .sender(SERVICE)
        .path(PATH)
        .interface(CLOCK_INTERFACE)
        .member("Transition")
        .build()
}
