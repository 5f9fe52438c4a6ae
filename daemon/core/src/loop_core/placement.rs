//! Which player uses which button (S0 6.4).
//!
//! The clock can stand on either side of the board, so the arbiter decides which button is White's.
//! The lines, the debounce and the faults of the buttons keep the names of the wiring.

use clock_engine::{Instant, Side};
use serde::{Deserialize, Serialize};

/// Whether the buttons are exchanged, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    exchanged: bool,
    /// The instant of the latest exchange. A press with an earlier stamp belongs to the placement
    /// before it.
    since: Option<Instant>,
}

impl Placement {
    /// A placement that holds from the first instant on.
    pub fn new(exchanged: bool) -> Placement {
        Placement { exchanged, since: None }
    }

    /// The placement holds from the first instant of a new boot on.
    pub fn begin(&mut self) {
        self.since = None;
    }

    /// Whether the buttons are exchanged.
    pub fn is_exchanged(&self) -> bool {
        self.exchanged
    }

    /// The buttons are placed like this from `at` on. Returns whether that is a change.
    pub fn set(&mut self, exchanged: bool, at: Instant) -> bool {
        let changes = exchanged != self.exchanged;
        if changes {
            *self = Placement { exchanged, since: Some(at) };
        }
        changes
    }

    /// The player whose button was wired as `wired`'s at `at`. An edge can reach the loop after an
    /// exchange that is later than its stamp, so the instant of the latest exchange is kept.
    pub fn player(&self, wired: Side, at: Instant) -> Side {
        let was_before = self.since.is_some_and(|since| at < since);
        if self.exchanged == was_before { wired } else { wired.other() }
    }
}
