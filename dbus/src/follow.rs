//! Follows the clock: combines the state that `GetState` returns with the signals after it.

mod join;

use crate::{ClockProxy, Error, Result, SERVICE, State, Timebase};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use join::{Join, Next, Signal};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use zbus::fdo::DBusProxy;
use zbus::message::Sequence as ReceivePosition;
use zbus::names::OwnedUniqueName;
use zbus::proxy::CacheProperties;
use zbus::{Connection, Message, MessageStream};

/// The largest number of signals in `Follower::waiting`. A clock sends only a few in a second.
const MOST_WAITING: usize = 256;

/// What [`Follower::next`] returns.
#[derive(Clone, Debug, PartialEq)]
pub enum Followed {
    /// There is no clock service on the bus.
    NoService,
    /// The state was read, for the first time from the present process of the service.
    Read {
        /// The state.
        state: Box<State>,
        /// The readings of the clocks of the service's machine, taken right after the state was
        /// read.
        timebase: Timebase,
    },
    /// Signals were missing, so the state was read again. The states between the one that was
    /// returned last and this one are not returned.
    Missed(Box<State>),
    /// The state changed.
    Transition {
        /// The word for the cause of the change, such as `press`.
        cause: String,
        /// The state right after the change.
        state: Box<State>,
    },
}

/// Returns every state of the clock once and in order, also when the service is restarted. If
/// signals are missing, it returns [`Followed::Missed`] in the place of their states.
///
/// A signal can be older or newer than the state that `GetState` returns, whether it arrives before
/// or after that answer, so the follower compares their `Sequence`. A restarted service counts from
/// 1 again. The follower therefore reads the state from the unique name that owns the service's
/// name, and accepts signals only from that unique name.
///
/// The follower receives messages only while a call of one of its methods is awaited. When 64
/// messages wait, the connection receives nothing more. A caller that waits for something else must
/// therefore await [`Follower::gather`] at the same time.
pub struct Follower {
    connection: Connection,
    /// The stream of all signals. With a separate stream for each signal, the last `Transition` of
    /// a service that ended and the `NameOwnerChanged` after it could be handled in the wrong
    /// order.
    messages: MessageStream,
    /// The signals that were received and are not yet handled, the oldest first.
    waiting: VecDeque<Message>,
    /// The position, among all received messages, of the answer that named the owner of the
    /// service's name when the follower was made; `None` if there was no owner. Signals before that
    /// position are ignored, because they are older than the state that is read from this owner.
    begin: Option<ReceivePosition>,
    join: Join,
    /// What to do before the next signal is handled.
    next: Next,
}

impl Follower {
    /// Subscribes to the signals of the service, which need not be on the bus yet.
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

    /// Waits until there is a new state or a change between service and no service. Returns `None`
    /// if the connection is closed.
    ///
    /// After an error, the next call reads the state again. This method is cancel safe: if the
    /// future is dropped, no signal is lost.
    pub async fn next(&mut self) -> Result<Option<Followed>> {
        loop {
            match std::mem::replace(&mut self.next, Next::Signal) {
                Next::Signal => {}
                Next::Show(followed) => return Ok(Some(followed)),
                Next::Read { owner, missed } => {
                    // `self.next` stays the same until there is an answer, because the call can
                    // fail, and its future can be dropped.
                    self.next = Next::Read { owner: owner.clone(), missed };
                    if let Some(followed) = self.read_state(owner, missed).await? {
                        return Ok(Some(followed));
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

    /// Stores the signals that arrive until the connection is closed. [`next`](Follower::next)
    /// handles them later.
    pub async fn gather(&mut self) {
        while let Some(Ok(message)) = self.messages.next().await {
            if Signal::concerns(&message) {
                store(&mut self.waiting, message);
            }
        }
    }

    async fn message(&mut self) -> Option<Message> {
        match self.waiting.pop_front() {
            Some(message) => Some(message),
            None => self.messages.next().await?.ok(),
        }
    }

    /// Waits for the answer to `call`, and stores the signals that arrive meanwhile. If they were
    /// not received, a full queue of signals would block the answer.
    async fn gathering<T>(&mut self, call: impl Future<Output = T>) -> T {
        match select(pin!(call), pin!(self.gather())).await {
            Either::Left((answer, _)) => answer,
            Either::Right(((), call)) => call.await,
        }
    }

    /// Reads the state of this owner. Returns `None` if the owner has left the bus; in that case a
    /// signal `NameOwnerChanged` arrives later.
    async fn read_state(
        &mut self,
        owner: OwnedUniqueName,
        missed: bool,
    ) -> Result<Option<Followed>> {
        let connection = self.connection.clone();
        let call = async move { call_owner(&connection, owner).await };
        let answer = self.gathering(call).await;
        let is_absent = answer.as_ref().is_err_and(is_absent);
        if answer.is_ok() || is_absent || self.connection.is_closed() {
            self.next = Next::Signal;
        }
        if is_absent {
            return Ok(None);
        }
        let (state, timebase) = answer?;
        self.join.read(state.sequence);
        let state = Box::new(state);
        Ok(Some(if missed { Followed::Missed(state) } else { Followed::Read { state, timebase } }))
    }
}

/// Adds a signal to those that wait. If [`MOST_WAITING`] signals wait already, the oldest
/// `Transition` is dropped: the `Sequence` of the next `Transition` shows the gap, or another owner
/// follows, and in both cases the state is read again. A `NameOwnerChanged` is never dropped,
/// because nothing else tells that the owner has changed. Only the bus sends it, once for each
/// start and end of the service.
fn store(waiting: &mut VecDeque<Message>, message: Message) {
    let is_transition = |message: &Message| {
        message.header().member().is_some_and(|member| member.as_str() == "Transition")
    };
    if waiting.len() >= MOST_WAITING
        && let Some(oldest) = waiting.iter().position(is_transition)
    {
        waiting.remove(oldest);
    }
    waiting.push_back(message);
}

async fn call_owner(connection: &Connection, owner: OwnedUniqueName) -> Result<(State, Timebase)> {
    let clock = ClockProxy::builder(connection).destination(owner);
    let clock = clock.cache_properties(CacheProperties::No).build().await?;
    Ok((clock.get_state().await?, clock.get_timebase().await?))
}

/// Subscribes to the signals, and then asks the bus who owns the name of the service. Returns the
/// owner, and the position of the answer among all messages; `None` if there is no owner.
async fn subscribe(connection: &Connection) -> Result<Option<(OwnedUniqueName, ReceivePosition)>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CLOCK_INTERFACE, PATH};

    fn signal(interface: &str, member: &str, body: u64) -> Message {
        Message::signal(PATH, interface, member).build(&body).unwrap()
    }

    #[test]
    fn of_too_many_signals_the_oldest_transition_is_dropped_and_no_change_of_the_owner() {
        let mut waiting = VecDeque::new();
        let most = u64::try_from(MOST_WAITING).unwrap();
        for number in 0..most + 20 {
            // The numbers 0 and 265 are changes of the owner.
            let message = match number {
                0 | 265 => signal(join::BUS, "NameOwnerChanged", number),
                _ => signal(CLOCK_INTERFACE, "Transition", number),
            };
            store(&mut waiting, message);
        }
        let numbers: Vec<u64> =
            waiting.iter().map(|message| message.body().deserialize().unwrap()).collect();
        let expected: Vec<u64> = std::iter::once(0).chain(21..most + 20).collect();
        assert_eq!(numbers, expected);
        // A service that starts and ends without a pause loses no change of its owner.
        for number in 0..2 * most {
            store(&mut waiting, signal(join::BUS, "NameOwnerChanged", number));
        }
        store(&mut waiting, signal(CLOCK_INTERFACE, "Transition", 0));
        assert_eq!(waiting.len(), 2 * MOST_WAITING + 3);
    }
}
