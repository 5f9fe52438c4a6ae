//! Finds out which program made a call, and when the call arrived.

use super::callers::{Caller, Callers};
use super::guarded_socket::Calls;
use clock_engine::Instant;
use clockd_rt::clock::monotonic_now;
use std::sync::{Arc, Mutex};
use zbus::message::Header;
use zbus::names::OwnedUniqueName;

/// The calls of the connections that serve the interfaces, and who made them.
pub struct Arrivals {
    pub callers: Arc<Callers>,
    pub calls: [Arc<Mutex<Calls>>; 2],
}

impl Arrivals {
    /// The caller and the instant of arrival of the call with this header; `None` if the header has
    /// no sender. If the instant is not known, because a connection is not guarded, the present
    /// instant is returned.
    pub fn of(&self, header: &Header<'_>) -> Option<(Caller, Instant)> {
        let arrived_at = |calls: &Arc<Mutex<Calls>>| {
            calls.lock().expect("nothing panics while it holds the lock").arrived_at(header)
        };
        let at = self.calls.iter().find_map(arrived_at);
        Some((self.caller(header)?, at.unwrap_or_else(monotonic_now)))
    }

    /// The caller of the call with this header; `None` if the header has no sender.
    pub fn caller(&self, header: &Header<'_>) -> Option<Caller> {
        let sender = OwnedUniqueName::from(header.sender()?.to_owned());
        Some(self.callers.find(&sender))
    }
}
