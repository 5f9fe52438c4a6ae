//! Follows the clock: joins a state that was read and the signals after it.

mod join;

use crate::{ClockProxy, Error, Result, SERVICE, State, Timebase};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use join::{Join, Next, Signal};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use zbus::fdo::DBusProxy;
use zbus::message::{Sequence, Type};
use zbus::names::OwnedUniqueName;
use zbus::proxy::CacheProperties;
use zbus::{Connection, Message, MessageStream};

/// What a [`Follower`] has learnt of the clock.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// There is no clock service on the bus.
    NoService,
    /// The state was read: it is the first one of this service.
    Read {
        /// The state.
        state: Box<State>,
        /// The clocks of the machine of the service, read right after the state.
        timebase: Timebase,
    },
    /// Some signals did not come, and the state was read after that.
    Missed(Box<State>),
    /// The state changed.
    Transition {
        /// The word for what changed it.
        cause: String,
        /// The state right after the change.
        state: Box<State>,
    },
}

/// Every state of the clock, each once and in their order, over restarts of the service.
///
/// A signal that arrives before the answer to `GetState` can be older or newer than that state, and so
/// can one that arrives after it. Their `Sequence` tells. It counts from 1 again when the service is
/// restarted, so the state is read from, and signals are accepted from, the unique name that owns the
/// service's name.
///
/// While none of its methods is awaited, the follower reads nothing, and after 64 messages the connection
/// stands still. A caller that waits for something else awaits [`Follower::gather`] meanwhile.
pub struct Follower {
    connection: Connection,
    /// One stream for all signals: with one stream for each, the last signal of a service that ended
    /// and the first of the next one could be handled in the wrong order.
    messages: MessageStream,
    /// The signals that came while an answer was awaited, oldest first.
    waiting: VecDeque<Message>,
    /// The position of the answer that named the first owner. Signals before it are older than the state
    /// that was read from that owner.
    begin: Option<Sequence>,
    join: Join,
    /// What to do before the next signal is handled.
    next: Next,
}

impl Follower {
    /// Subscribes to the signals of the service, which need not be there yet.
    pub async fn new(connection: &Connection) -> Result<Follower> {
        let mut follower = Follower {
            connection: connection.clone(),
            messages: MessageStream::from(connection),
            waiting: VecDeque::new(),
            begin: None,
            join: Join::default(),
            next: Next::Signal,
        };
        let connection = connection.clone();
        let owner = follower.gathering(async move { subscribe(&connection).await }).await?;
        let (owner, position) = owner.unzip();
        follower.begin = position;
        follower.next = follower.join.start(owner);
        Ok(follower)
    }

    /// Waits for the next update; `None` if the connection is closed.
    ///
    /// After an error the state is still unread, and the next call reads it again. A call that is
    /// dropped loses nothing.
    pub async fn next(&mut self) -> Result<Option<Update>> {
        loop {
            match &self.next {
                Next::Signal => {}
                Next::Show(_) => match std::mem::replace(&mut self.next, Next::Signal) {
                    Next::Show(update) => return Ok(Some(update)),
                    other => self.next = other,
                },
                Next::Read { owner, missed } => {
                    let (owner, missed) = (owner.clone(), *missed);
                    match self.read(owner).await {
                        Ok((state, timebase)) => {
                            self.next = Next::Signal;
                            self.join.read(state.sequence);
                            let state = Box::new(state);
                            return Ok(Some(match missed {
                                true => Update::Missed(state),
                                false => Update::Read { state, timebase },
                            }));
                        }
                        // The owner has left the bus. The signal that says so follows.
                        Err(error) if is_absent(&error) => self.next = Next::Signal,
                        Err(error) => {
                            if self.connection.is_closed() {
                                self.next = Next::Signal;
                            }
                            return Err(error);
                        }
                    }
                }
            }
            let Some(message) = self.message().await else { return Ok(None) };
            if self.begin.is_none_or(|begin| message.recv_position() > begin)
                && let Some(signal) = Signal::of(&message)
            {
                self.next = self.join.handle(signal);
            }
        }
    }

    /// Takes in signals until the connection is closed, for [`next`](Follower::next) to handle.
    pub async fn gather(&mut self) {
        while let Some(Ok(message)) = self.messages.next().await {
            if message.message_type() == Type::Signal {
                self.waiting.push_back(message);
            }
        }
    }

    async fn message(&mut self) -> Option<Message> {
        match self.waiting.pop_front() {
            Some(message) => Some(message),
            None => self.messages.next().await?.ok(),
        }
    }

    /// Waits for an answer, and takes in the signals that come meanwhile. A full queue of signals would
    /// hold up the answer.
    async fn gathering<T>(&mut self, call: impl Future<Output = T>) -> T {
        match select(pin!(call), pin!(self.gather())).await {
            Either::Left((answer, _)) => answer,
            Either::Right(((), call)) => call.await,
        }
    }

    async fn read(&mut self, owner: OwnedUniqueName) -> Result<(State, Timebase)> {
        let connection = self.connection.clone();
        self.gathering(async move {
            let clock = ClockProxy::builder(&connection).destination(owner);
            let clock = clock.cache_properties(CacheProperties::No).build().await?;
            Ok((clock.get_state().await?, clock.get_timebase().await?))
        })
        .await
    }
}

/// Subscribes, and then asks the bus who owns the name of the service. Returns the owner, and the position
/// of the answer among all messages.
async fn subscribe(connection: &Connection) -> Result<Option<(OwnedUniqueName, Sequence)>> {
    let bus = DBusProxy::builder(connection).cache_properties(CacheProperties::No).build().await?;
    for rule in [join::owner_rule()?, join::transition_rule()?] {
        bus.add_match_rule(rule).await.map_err(zbus::Error::from)?;
    }
    let (name, path) = (Some(join::BUS), "/org/freedesktop/DBus");
    let answer = connection.call_method(name, path, name, "GetNameOwner", &SERVICE).await;
    match answer {
        Ok(answer) => Ok(Some((answer.body().deserialize()?, answer.recv_position()))),
        Err(error) => match error.into() {
            error if is_absent(&error) => Ok(None),
            error => Err(error),
        },
    }
}

/// Whether an error says that the called name is not on the bus, or left it before it answered.
fn is_absent(error: &Error) -> bool {
    use zbus::fdo::Error::{NameHasNoOwner, NoReply, ServiceUnknown};
    let Error::ZBus(error) = error else { return false };
    let error = zbus::fdo::Error::from(error.clone());
    matches!(error, ServiceUnknown(_) | NameHasNoOwner(_) | NoReply(_))
}
