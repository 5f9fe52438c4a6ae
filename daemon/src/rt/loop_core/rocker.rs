//! A rocker between the players stays where it was pushed: it says who is on move, and when the
//! clocks stand it may be moved without anything happening.

use clock_engine::Side;

/// Where the rocker is, and where it was when the clocks were stopped.
#[derive(Clone, Copy, Debug)]
pub struct Rocker {
    /// The throw that is down; none if that is not certain.
    down: Option<Side>,
    /// The one that was when a clock last ran, or has to be since a correction.
    at_stop: Option<Side>,
}

impl Rocker {
    /// A rocker with these throws closed, White's and Black's.
    pub fn new(closed: [bool; 2]) -> Rocker {
        Rocker { down: down(closed), at_stop: None }
    }

    /// A throw was pushed down.
    pub fn press(&mut self, side: Side) {
        self.down = Some(side);
    }

    /// It was not watched for a while, and these throws are closed now.
    pub fn found(&mut self, closed: [bool; 2]) {
        self.down = down(closed);
    }

    /// A clock runs: what counts for a stop is where the rocker is then.
    pub fn note_running(&mut self) {
        self.at_stop = self.down;
    }

    /// The arbiter put this side on move while the clocks stand: the rocker is right where the
    /// other side has pushed it.
    pub fn note_on_move(&mut self, side: Side) {
        self.at_stop = Some(side.other());
    }

    /// The throw that is down, if it is not the one that was when a clock last ran.
    pub fn moved(&self) -> Option<Option<Side>> {
        (self.down != self.at_stop).then_some(self.down)
    }
}

/// With both throws closed or none, who pushed last cannot be told.
fn down(closed: [bool; 2]) -> Option<Side> {
    match closed {
        [true, false] => Some(Side::White),
        [false, true] => Some(Side::Black),
        [true, true] | [false, false] => None,
    }
}
