//! Which player uses which button (S0 6.4, Chess Organisers' Handbook).
//!
//! The clock can stand on either side of the board, so the arbiter decides which button is White's.
//! The lines, the debounce and the faults name a button after its wiring.

use clock_engine::{Instant, Side};
use serde::{Deserialize, Serialize};

/// Whether each player uses the button that is wired as the opponent's, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    exchanged: bool,
    /// The instant of the latest exchange; `None` if the placement holds for all instants. Presses
    /// with an earlier stamp belong to the earlier placement.
    since: Option<Instant>,
}

impl Placement {
    /// A placement that holds for all instants.
    pub fn new(exchanged: bool) -> Placement {
        Placement { exchanged, since: None }
    }

    /// Makes the placement hold for all instants. This is necessary after a restart of the machine,
    /// because `since` is then an instant of the previous boot.
    pub fn begin(&mut self) {
        self.since = None;
    }

    /// Whether the buttons are exchanged.
    pub fn is_exchanged(&self) -> bool {
        self.exchanged
    }

    /// Sets whether the buttons are exchanged from `at` on. Returns whether this is a change.
    pub fn set(&mut self, exchanged: bool, at: Instant) -> bool {
        let changes = exchanged != self.exchanged;
        if changes {
            *self = Placement { exchanged, since: Some(at) };
        }
        changes
    }

    /// The player who used a button at the instant `at`. `wired` is the side of the button by its
    /// wiring. A press can reach the loop after an exchange of the buttons that is later than its
    /// stamp, so the placement before the latest exchange is also needed.
    pub fn player(&self, wired: Side, at: Instant) -> Side {
        let was_before = self.since.is_some_and(|since| at < since);
        if self.exchanged == was_before { wired } else { wired.other() }
    }
}
