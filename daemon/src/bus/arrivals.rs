//! Looks up the sender of each call when zbus gets the call, and notes the instant of arrival of
//! each call to the arbiter's interface.

use super::callers::{Caller, Callers};
use clock_dbus::ARBITER_INTERFACE;
use clock_engine::Instant;
use clockd_rt::clock::monotonic_now;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use zbus::message::{Header, Message, Type};
use zbus::names::OwnedUniqueName;

/// How many instants are kept: more than the number of calls that zbus has received but not yet
/// handled. zbus queues 64 calls.
const KEPT: usize = 256;

/// The arrivals of calls on one connection.
pub struct Arrivals {
    callers: Arc<Callers>,
    instants: Mutex<Instants>,
}

/// The calls with the instants of their arrival, the oldest first. A call is identified by its
/// sender and its serial number.
#[derive(Default)]
struct Instants(VecDeque<(OwnedUniqueName, u32, Instant)>);

impl Instants {
    fn note(&mut self, sender: OwnedUniqueName, serial: u32, at: Instant) {
        // zbus itself answers a call whose arguments have wrong types. `take` was not called for
        // such a call, so its instant is still here. Its sender may now use the same serial number
        // again, so the old instant is removed first.
        self.take(&sender, serial);
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back((sender, serial, at));
    }

    fn take(&mut self, sender: &OwnedUniqueName, serial: u32) -> Option<Instant> {
        let is_it = |(from, number, _): &(_, _, _)| *number == serial && from == sender;
        let place = self.0.iter().position(is_it)?;
        self.0.remove(place).map(|(_, _, at)| at)
    }
}

impl Arrivals {
    /// At first no call is noted. `callers` looks up the senders.
    pub fn new(callers: Arc<Callers>) -> Arrivals {
        Arrivals { callers, instants: Mutex::default() }
    }

    /// Looks up the sender of `message`, if the message is a call. If it is a call to the arbiter's
    /// interface, also notes `at`, the instant at which it was read from the socket.
    pub fn note(&self, message: &Message, at: Instant) {
        let header = message.header();
        let (Type::MethodCall, Some(sender)) = (message.message_type(), header.sender()) else {
            return;
        };
        let sender = OwnedUniqueName::from(sender.to_owned());
        if header.interface().is_some_and(|interface| *interface == ARBITER_INTERFACE) {
            self.callers.find(&sender);
            let serial = header.primary().serial_num().get();
            self.lock().note(sender, serial, at);
        } else {
            self.callers.look_up_early(&sender);
        }
    }

    /// Whether the program with this unique name left the bus a short time ago.
    pub fn has_left(&self, name: &OwnedUniqueName) -> bool {
        self.callers.has_left(name)
    }

    /// The caller and the instant of arrival of the call with this header; `None` if the header has
    /// no sender. If the instant is no longer kept, the present instant is returned.
    pub fn of(&self, header: &Header<'_>) -> Option<(Caller, Instant)> {
        let sender = OwnedUniqueName::from(header.sender()?.to_owned());
        let at = self.lock().take(&sender, header.primary().serial_num().get());
        Some((self.callers.find(&sender), at.unwrap_or_else(monotonic_now)))
    }

    /// The caller of the call with this header; `None` if the header has no sender. The instant of
    /// the call's arrival stays noted.
    pub fn caller(&self, header: &Header<'_>) -> Option<Caller> {
        let sender = OwnedUniqueName::from(header.sender()?.to_owned());
        Some(self.callers.find(&sender))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Instants> {
        self.instants.lock().expect("nothing panics while it holds the lock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_that_of_its_sender_and_serial_and_the_oldest_are_forgotten() {
        let name = |name: &str| OwnedUniqueName::try_from(name).unwrap();
        let at = Instant::from_nanos;
        let mut instants = Instants::default();
        instants.note(name(":1.1"), 7, at(1));
        instants.note(name(":1.2"), 7, at(2));
        instants.note(name(":1.1"), 8, at(3));
        assert_eq!(instants.take(&name(":1.2"), 7), Some(at(2)));
        assert_eq!(instants.take(&name(":1.2"), 7), None);
        assert_eq!(instants.take(&name(":1.1"), 8), Some(at(3)));
        instants.note(name(":1.1"), 7, at(5));
        assert_eq!(instants.take(&name(":1.1"), 7), Some(at(5)), "not the first call with it");
        for serial in 0..1000 {
            instants.note(name(":1.3"), serial, at(4));
        }
        assert_eq!((instants.0.len(), instants.take(&name(":1.3"), 7)), (KEPT, None));
    }
}
