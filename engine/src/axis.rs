//! Changes all instants of a game at once and keeps their order. Either all instants move to
//! another time axis, or the instants that are later than a limit move back to this limit.

use crate::{Instant, MAX_EVENTS};

/// An upper bound of the number of instants: those that a clock and the facts of a game keep, and
/// one for each event of a full queue.
const MOST: usize = MAX_EVENTS + 32;

/// The instants of a game, each once, with their values before and after the change. Some new
/// values cannot be exact, for example because they would be before zero. Even then, two different
/// instants stay different and in their order.
pub(crate) struct Axis {
    /// Pairs of an old and a new instant. Only the first `len` pairs are in use.
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

    /// Moves the instants to another time axis: `from` becomes `to`, and every instant keeps its
    /// distance from it. `from` must not be earlier than any of the instants. An instant that would
    /// be before zero becomes zero. Several such instants become 0, 1, 2, … nanoseconds, so that
    /// they stay different.
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

    /// Moves every instant that is later than `latest` to `latest`. If several instants would then
    /// be equal, the latest of them becomes `latest` and each earlier one is a nanosecond earlier
    /// than the next, so that they stay different.
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
