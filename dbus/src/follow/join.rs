//! Decides which states are new and when a state must be read. This module does no I/O.

use super::Followed;
use crate::{CLOCK_INTERFACE, PATH, SERVICE, State};
use zbus::fdo::NameOwnerChanged;
use zbus::message::Type;
use zbus::names::OwnedUniqueName;
use zbus::{MatchRule, Message};

pub(super) const BUS: &str = "org.freedesktop.DBus";

/// A signal that matters to a follower.
pub(super) enum Signal {
    /// `NameOwnerChanged`: the new owner of the service's name; `None` if nobody owns it.
    OwnerChanged(Option<OwnedUniqueName>),
    /// `Transition`. The body is `None` if it cannot be deserialized.
    Transition { sender: OwnedUniqueName, body: Option<(String, Box<State>)> },
}

/// What the follower does next.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    /// Wait for the next signal.
    Signal,
    /// Return this from `Follower::next`.
    Show(Followed),
    /// Read the state of this owner. `missed` says whether signals are missing before that state.
    Read { owner: OwnedUniqueName, missed: bool },
}

/// The owner of the service's name, and the number of its latest state.
#[derive(Default)]
pub(super) struct Join {
    owner: Option<OwnedUniqueName>,
    /// The `Sequence` of the latest state of this owner; `None` until its state was read.
    latest: Option<u64>,
}

impl Join {
    /// Begins to follow this owner of the service's name. Returns that its state is to be read
    /// first. If `owner` is `None`, returns that there is no service.
    pub fn start(&mut self, owner: Option<OwnedUniqueName>) -> Next {
        self.owner = owner;
        self.latest = None;
        match &self.owner {
            Some(owner) => Next::Read { owner: owner.clone(), missed: false },
            None => Next::Show(Followed::NoService),
        }
    }

    /// Notes that the state with this number was read from the present owner.
    pub fn read(&mut self, sequence: u64) {
        self.latest = self.latest.max(Some(sequence));
    }

    pub fn handle(&mut self, signal: Signal) -> Next {
        match signal {
            Signal::OwnerChanged(owner) if owner == self.owner => Next::Signal,
            Signal::OwnerChanged(owner) => self.start(owner),
            // Any program can send a signal directly to this connection, without a match rule. Only
            // signals of the owner count.
            Signal::Transition { sender, .. } if Some(&sender) != self.owner.as_ref() => {
                Next::Signal
            }
            Signal::Transition { sender, body } => self.transition(sender, body),
        }
    }

    fn transition(&mut self, sender: OwnedUniqueName, body: Option<(String, Box<State>)>) -> Next {
        // If the state of this owner was never read, the owner has left the bus. So its signals are
        // ignored.
        let Some(latest) = self.latest else { return Next::Signal };
        let again = Next::Read { owner: sender, missed: true };
        let Some((cause, state)) = body else { return again };
        if state.sequence <= latest {
            return Next::Signal;
        }
        self.latest = Some(state.sequence);
        if state.sequence == latest + 1 {
            Next::Show(Followed::Transition { cause, state })
        } else {
            again
        }
    }
}

impl Signal {
    /// Whether a message can be one of the signals that `Signal` describes. Only its header is
    /// checked.
    pub fn concerns(message: &Message) -> bool {
        let header = message.header();
        let (Some(interface), Some(member)) = (header.interface(), header.member()) else {
            return false;
        };
        match (interface.as_str(), member.as_str(), message.message_type()) {
            (BUS, "NameOwnerChanged", Type::Signal) => {
                header.sender().is_some_and(|sender| sender.as_str() == BUS)
            }
            (CLOCK_INTERFACE, "Transition", Type::Signal) => true,
            _ => false,
        }
    }

    /// Reads a signal from a message. Returns `None` if `Signal` does not describe the message, or
    /// if it is the `NameOwnerChanged` of a name other than that of the service.
    pub fn of(message: &Message) -> Option<Signal> {
        if !Signal::concerns(message) {
            return None;
        }
        let header = message.header();
        if header.member()?.as_str() == "NameOwnerChanged" {
            let signal = NameOwnerChanged::from_message(message.clone())?;
            let args = signal.args().ok()?;
            let owner = args.new_owner().as_ref().map(|owner| owner.to_owned().into());
            return (args.name().as_str() == SERVICE).then_some(Signal::OwnerChanged(owner));
        }
        let sender = header.sender()?.to_owned().into();
        Some(Signal::Transition { sender, body: message.body().deserialize().ok() })
    }
}

pub(super) fn owner_rule() -> zbus::Result<MatchRule<'static>> {
    let rule = MatchRule::builder().msg_type(Type::Signal).sender(BUS).interface(BUS);
    rule.member("NameOwnerChanged").arg(0, SERVICE).build()
}

pub(super) fn transition_rule() -> zbus::Result<MatchRule<'static>> {
    let rule = MatchRule::builder().msg_type(Type::Signal).sender(SERVICE).path(PATH);
    rule.interface(CLOCK_INTERFACE).member("Transition").build()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = ":1.4";
    const NEW: &str = ":1.9";

    fn owner(name: &str) -> OwnedUniqueName {
        name.try_into().expect("a unique name")
    }

    fn state(sequence: u64) -> Box<State> {
        Box::new(State { sequence, ..State::default() })
    }

    fn transition(sender: &str, sequence: u64) -> Signal {
        let body = Some((format!("cause {sequence}"), state(sequence)));
        Signal::Transition { sender: owner(sender), body }
    }

    fn shown(sequence: u64) -> Next {
        let (cause, state) = (format!("cause {sequence}"), state(sequence));
        Next::Show(Followed::Transition { cause, state })
    }

    /// Returns a `Join` that has read the state with this number from `OLD`.
    fn joined(sequence: u64) -> Join {
        let mut join = Join::default();
        assert_eq!(join.start(Some(owner(OLD))), Next::Read { owner: owner(OLD), missed: false });
        join.read(sequence);
        join
    }

    /// The signals arrive in their order. The answer to `GetState` can arrive between any two of
    /// them, with any of the states.
    #[test]
    fn each_state_after_the_one_read_is_shown_once_whenever_its_signal_comes() {
        for read in 3..=8 {
            for first in 2..=read + 1 {
                let mut join = joined(read);
                let next = (first..=8).map(|sequence| join.handle(transition(OLD, sequence)));
                let next: Vec<Next> = next.filter(|next| *next != Next::Signal).collect();
                let expected: Vec<Next> = (read + 1..=8).map(shown).collect();
                assert_eq!(next, expected, "read {read}, first signal {first}");
            }
        }
    }

    #[test]
    fn a_missing_number_leads_to_another_reading_and_what_it_includes_is_not_shown() {
        let mut join = joined(3);
        let again = || Next::Read { owner: owner(OLD), missed: true };
        assert_eq!(join.handle(transition(OLD, 5)), again());
        // Two more changes happened before the state was read.
        join.read(7);
        for sequence in 5..=7 {
            assert_eq!(join.handle(transition(OLD, sequence)), Next::Signal, "{sequence}");
        }
        assert_eq!(join.handle(transition(OLD, 8)), shown(8));
        let unreadable = Signal::Transition { sender: owner(OLD), body: None };
        assert_eq!(join.handle(unreadable), again());
        // A service cannot return a state that is older than a signal it has already sent. Even if
        // it returned such a state, the follower would not take signals for missing.
        join.read(6);
        assert_eq!(join.handle(transition(OLD, 9)), shown(9));
    }

    #[test]
    fn each_owner_counts_by_itself() {
        let mut join = joined(50);
        let replaced = join.handle(Signal::OwnerChanged(Some(owner(NEW))));
        assert_eq!(replaced, Next::Read { owner: owner(NEW), missed: false });
        // Signals arrive from both owners, the first one before the state of the new owner was
        // read.
        assert_eq!(join.handle(transition(NEW, 2)), Next::Signal);
        join.read(2);
        assert_eq!(join.handle(transition(OLD, 51)), Next::Signal);
        assert_eq!(join.handle(transition(NEW, 2)), Next::Signal);
        assert_eq!(join.handle(transition(NEW, 3)), shown(3));
        assert_eq!(join.handle(Signal::OwnerChanged(None)), Next::Show(Followed::NoService));
        assert_eq!(join.handle(transition(NEW, 4)), Next::Signal);
        assert_eq!(join.handle(Signal::OwnerChanged(None)), Next::Signal);
    }

    #[test]
    fn nobody_at_the_beginning_is_no_service() {
        assert_eq!(Join::default().start(None), Next::Show(Followed::NoService));
    }
}
