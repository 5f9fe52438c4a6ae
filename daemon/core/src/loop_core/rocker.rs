//! The position of a rocker between the players.
//!
//! A rocker stays where it was pushed, so its position shows who is on move. While the clocks
//! stand, it can be moved without completing a move. If it was moved, a resume must name the side
//! on move. A throw is the contact under one side of the rocker. It is named after the player who
//! uses it. While the buttons are exchanged, the line of that throw has the name of the other
//! player.

use clock_engine::Side;
use serde::{Deserialize, Serialize};

/// The position of the rocker, and the position that it must have at a resume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rocker {
    /// The throw that is down; `None` if unknown.
    down: Option<Side>,
    /// The throw that must be down at a resume: the one that was down when a clock last ran. If the
    /// side on move was corrected since then, it is the throw of the side that is not on move.
    at_stop: Option<Side>,
}

impl Rocker {
    /// A rocker. `closed` says which throws are closed, in the order White, Black.
    pub fn new(closed: [bool; 2]) -> Rocker {
        Rocker { down: down(closed), at_stop: None }
    }

    /// Notes that the throw of this side was pushed down.
    pub fn press(&mut self, side: Side) {
        self.down = Some(side);
    }

    /// Exchanges the throws of the players. `at_stop` remains, because the exchange does not change
    /// the side on move. So the next resume must name the side on move, unless the rocker is pushed
    /// over before that resume.
    pub fn exchange(&mut self) {
        self.down = self.down.map(Side::other);
    }

    /// Sets the position after a time in which the rocker was not read. `closed` says which throws
    /// are closed, in the order White, Black.
    pub fn found(&mut self, closed: [bool; 2]) {
        self.down = down(closed);
    }

    /// Notes that a clock runs. The present position becomes the one that the rocker must have at
    /// the resume after the next stop.
    pub fn note_running(&mut self) {
        self.at_stop = self.down;
    }

    /// Notes that the arbiter put this side on move while the clocks stood. At the resume, the
    /// throw of the other side must be down.
    pub fn note_on_move(&mut self, side: Side) {
        self.at_stop = Some(side.other());
    }

    /// Returns `Some` with the throw that is down (`Some(None)` if it is unknown) if it differs
    /// from the throw that must be down at a resume. Returns `None` if it does not differ.
    pub fn moved(&self) -> Option<Option<Side>> {
        (self.down != self.at_stop).then_some(self.down)
    }
}

/// The throw that is down. It is unknown (`None`) if both throws are closed, or neither.
fn down(closed: [bool; 2]) -> Option<Side> {
    match closed {
        [true, false] => Some(Side::White),
        [false, true] => Some(Side::Black),
        [true, true] | [false, false] => None,
    }
}
