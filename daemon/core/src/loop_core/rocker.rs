//! The position of a rocker between the players.
//!
//! A rocker stays where it was pushed, so its position says who is on move. While the clocks stand
//! it can be moved without a press; a resume must then name the side on move. A throw has the name
//! of the player who uses it, which is not that of its line while the buttons are exchanged.

use clock_engine::Side;
use serde::{Deserialize, Serialize};

/// The position of the rocker now, and its position when the clocks were stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rocker {
    /// The throw that is down; `None` if that is unknown.
    down: Option<Side>,
    /// The throw that was down when a clock last ran, or that must be down after a correction.
    at_stop: Option<Side>,
}

impl Rocker {
    /// A rocker with these throws closed, White's and Black's.
    pub fn new(closed: [bool; 2]) -> Rocker {
        Rocker { down: down(closed), at_stop: None }
    }

    /// This side's throw was pushed down.
    pub fn press(&mut self, side: Side) {
        self.down = Some(side);
    }

    /// The players have exchanged the throws. What must be down at a resume depends on the side on
    /// move, so that is unchanged: the arbiter names the side on move, or the rocker is pushed
    /// over.
    pub fn exchange(&mut self) {
        self.down = self.down.map(Side::other);
    }

    /// Sets the throws that are closed now, after a time in which the rocker was not read.
    pub fn found(&mut self, closed: [bool; 2]) {
        self.down = down(closed);
    }

    /// A clock runs. The position at the next stop is compared with the present position.
    pub fn note_running(&mut self) {
        self.at_stop = self.down;
    }

    /// The arbiter put this side on move while the clocks stand: the throw of the other side must
    /// then be down.
    pub fn note_on_move(&mut self, side: Side) {
        self.at_stop = Some(side.other());
    }

    /// The throw that is down, if it differs from the one that must be down.
    pub fn moved(&self) -> Option<Option<Side>> {
        (self.down != self.at_stop).then_some(self.down)
    }
}

/// If both throws are closed, or neither, it is unknown who pushed last.
fn down(closed: [bool; 2]) -> Option<Side> {
    match closed {
        [true, false] => Some(Side::White),
        [false, true] => Some(Side::Black),
        [true, true] | [false, false] => None,
    }
}
