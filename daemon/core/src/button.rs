//! The buttons of the clock, the kind of switch that the players use, and the result of one reading of
//! a button's line: the edges that were queued, and the level after them.

use clock_engine::{Instant, Side};
use core::fmt;
use serde::{Deserialize, Serialize};

/// How many lines a board can have.
pub const LINES: usize = Button::ALL.len();

/// A button of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Button {
    /// A player's button.
    Player(Side),
    /// The button that calls the arbiter.
    Call,
}

impl Button {
    /// All buttons, in the order of their [`Button::index`].
    pub const ALL: [Button; 3] =
        [Button::Player(Side::White), Button::Player(Side::Black), Button::Call];

    /// The index of the button in an array with one element for each button, such as the array of
    /// the GPIO lines.
    pub const fn index(self) -> usize {
        match self {
            Button::Player(Side::White) => 0,
            Button::Player(Side::Black) => 1,
            Button::Call => 2,
        }
    }

    /// The name of the button in wiring files and on the simulated board.
    pub const fn as_str(self) -> &'static str {
        match self {
            Button::Player(side) => side.as_str(),
            Button::Call => "call",
        }
    }

    /// The button with this name, as [`Button::as_str`] returns it.
    pub fn from_text(text: &str) -> Option<Button> {
        Button::ALL.into_iter().find(|button| button.as_str() == text)
    }
}

impl fmt::Display for Button {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The kind of switch that the players use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputKind {
    /// One button for each player. Its contact opens when the player releases it.
    #[default]
    Buttons,
    /// One rocker between the players. It has a contact for each side; such a contact is called a
    /// throw. The throw of the side that pushed last stays closed.
    Rocker,
}

/// A change of a line. `active` means that the button is pressed, for either polarity of the
/// wiring.
///
/// The two fields are not taken at the same instant. The kernel takes the stamp in the hard
/// interrupt. The interrupt's thread reads the level later (usually 25 to 100 µs later) and this
/// level becomes `active`. Both versions of the kernel's GPIO interface, uAPI v1 and v2, do so. So
/// a first contact that is shorter than that delay is reported as one inactive edge. If a further
/// edge comes before the thread has run, the stamp of that edge replaces the first stamp. So a
/// press has the stamp of its first contact, or a stamp that is later by at most the delay of the
/// interrupt's thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// CLOCK_MONOTONIC, in nanoseconds, taken by the kernel in the hard interrupt.
    pub at: Instant,
    /// The level that the interrupt's thread read shortly after `at`.
    pub active: bool,
}

/// How many edges uAPI v1 queues for a line. While the queue is full, the kernel drops new edges.
pub const QUEUE: usize = 16;

/// The result of one reading of a line.
#[derive(Clone, Debug)]
pub struct LineReading {
    edges: [Edge; LineReading::CAPACITY],
    count: usize,
    /// Whether the kernel's queue was full, so that the kernel may have dropped edges.
    pub overflowed: bool,
    /// The number of edges that are known to be lost: those that the kernel dropped, according to
    /// its sequence numbers, and those for which [`LineReading::push`] had no room.
    pub lost: u32,
    /// Whether all edges that were queued have been read.
    pub drained: bool,
    /// Whether the button was pressed when the level of the line was read, which is done after the edges are
    /// read. `None` if the level was not read.
    pub level: Option<bool>,
}

impl LineReading {
    /// The largest number of edges that one reading of a line takes. If edges are still queued
    /// after that, they arrive faster than they can be read.
    pub const CAPACITY: usize = 64;

    /// A reading without edges.
    pub const EMPTY: LineReading = LineReading {
        edges: [Edge { at: Instant::ZERO, active: false }; LineReading::CAPACITY],
        count: 0,
        overflowed: false,
        lost: 0,
        drained: true,
        level: None,
    };

    /// Resets this to [`LineReading::EMPTY`].
    pub fn clear(&mut self) {
        (self.count, self.overflowed, self.lost) = (0, false, 0);
        (self.drained, self.level) = (true, None);
    }

    /// Adds an edge. If there is no room, the edge is counted as lost.
    pub fn push(&mut self, edge: Edge) {
        match self.edges.get_mut(self.count) {
            Some(slot) => {
                *slot = edge;
                self.count += 1;
            }
            None => self.lost = self.lost.saturating_add(1),
        }
    }

    /// Adds the edges that one read of the kernel's queue returned. If there are at least
    /// [`QUEUE`] of them, the queue was full, so this sets `overflowed`.
    pub fn add(&mut self, edges: &[Edge]) {
        edges.iter().for_each(|edge| self.push(*edge));
        self.overflowed |= edges.len() >= QUEUE;
    }

    /// The edges, oldest first.
    pub fn edges(&self) -> &[Edge] {
        &self.edges[..self.count]
    }
}
