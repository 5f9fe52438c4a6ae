//! The change of all instants of a game at once, which keeps their order: they are moved to another
//! time axis, or to a latest instant where they are later than it.

use crate::{Instant, MAX_EVENTS};

/// An upper bound of the number of instants: those that a clock and the facts of a game keep, and
/// one for each event of a full queue.
const MOST: usize = MAX_EVENTS + 32;

/// The instants of a game on the old and on the new axis, each once. A new instant can be inexact
/// where the new axis has no exact one, but two different instants stay different and in their
/// order.
pub(crate) struct Axis {
    /// The old and the new instant.
    known: [(Instant, Instant); MOST],
    len: usize,
}

impl Default for Axis {
    fn default() -> Axis {
        Axis { known: [(Instant::ZERO, Instant::ZERO); MOST], len: 0 }
    }
}

impl Axis {
    pub fn add(&mut self, at: Instant) {
        let known = &self.known[..self.len];
        if self.len < MOST && !known.iter().any(|(old, _)| *old == at) {
            self.known[self.len] = (at, at);
            self.len += 1;
        }
    }

    /// Moves the instants to the axis on which `from` is `to`. `from` must not be earlier than any
    /// of the instants. An instant that would be before zero becomes the earliest possible one,
    /// which is zero or just after it.
    pub fn move_to(&mut self, from: Instant, to: Instant) {
        let known = &mut self.known[..self.len];
        known.sort_unstable();
        let mut earliest = 0;
        for (old, new) in known {
            let back = from.since(*old).as_nanos();
            let nanos = to.as_nanos().saturating_sub(back).max(earliest);
            *new = Instant::from_nanos(nanos);
            earliest = nanos.saturating_add(1);
        }
    }

    /// Moves every instant that is later than `latest` to the latest possible one, which is
    /// `latest` or just before it.
    pub fn end_at(&mut self, latest: Instant) {
        let known = &mut self.known[..self.len];
        known.sort_unstable();
        let mut latest = latest.as_nanos();
        for (old, new) in known.iter_mut().rev() {
            let nanos = old.as_nanos().min(latest);
            *new = Instant::from_nanos(nanos);
            latest = nanos.saturating_sub(1);
        }
    }

    pub fn moved(&self, at: Instant) -> Instant {
        let found = self.known[..self.len].iter().find(|(old, _)| *old == at);
        found.map_or(at, |(_, new)| *new)
    }
}
