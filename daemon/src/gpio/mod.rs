//! The buttons' lines, as the clock loop sees them.
//!
//! One narrow trait has two implementations, chosen at run time: the kernel's GPIO character device
//! ([`cdev`]) and a simulated board ([`sim`]).

pub mod cdev;
pub mod sim;

use clock_engine::{Instant, Side};
use std::fmt;
use std::io;
use std::os::fd::BorrowedFd;

/// A button of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// The index of the button in an array of `Button::ALL.len()`.
    pub const fn index(self) -> usize {
        match self {
            Button::Player(Side::White) => 0,
            Button::Player(Side::Black) => 1,
            Button::Call => 2,
        }
    }

    /// The word in board files and on the simulated board.
    pub const fn as_str(self) -> &'static str {
        match self {
            Button::Player(side) => side.as_str(),
            Button::Call => "call",
        }
    }

    /// The button of this name.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputKind {
    /// One button for each player, which opens when it is released.
    #[default]
    Buttons,
    /// One rocker between the players. The throw of the side that pushed last stays closed.
    Rocker,
}

/// A change of a line. A pressed button is active, whatever the wiring.
///
/// The two fields are not taken at the same instant. The kernel takes the stamp in the hard
/// interrupt. The interrupt's thread reads the level later (usually 25 to 100 µs later) to name the
/// direction; uAPI v1 and v2 do the same. So a first contact that is shorter than that delay is
/// reported as (its own stamp, inactive). A further edge before the thread has run overwrites the
/// stamp. The stamp of a press is therefore that of its first contact, or at most the delay of the
/// interrupt's thread later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// CLOCK_MONOTONIC, in nanoseconds, taken by the kernel in the hard interrupt.
    pub at: Instant,
    /// The level that the interrupt's thread read afterwards.
    pub active: bool,
}

/// How many edges the kernel queues for a line. It drops further edges.
pub const QUEUE: usize = 16;

/// The lines of a board. None of these calls may block or allocate.
pub trait Lines: Send {
    /// The descriptor to wait on for this button; `None` if the board has no such button.
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>>;

    /// Reads up to [`QUEUE`] edges, oldest first; 0 when there are none left.
    fn read(&mut self, button: Button, edges: &mut [Edge; QUEUE]) -> io::Result<usize>;

    /// Whether the button is pressed now.
    fn level(&self, button: Button) -> io::Result<bool>;

    /// Whether the board has this button.
    fn has(&self, button: Button) -> bool {
        self.fd(button).is_some()
    }
}

/// The result of one reading of a line.
#[derive(Clone, Debug)]
pub struct LineReading {
    edges: [Edge; QUEUE * LineReading::MAX_READS],
    count: usize,
    /// The kernel's queue was full, so the kernel may have dropped edges.
    pub overflowed: bool,
    /// All edges that were queued have been read.
    pub drained: bool,
    /// Whether the button was pressed after all these edges; `None` if the level was not read.
    pub level: Option<bool>,
}

impl LineReading {
    /// How many times a line is read in one go. If edges are still queued after that, they arrive
    /// faster than they can be read.
    pub const MAX_READS: usize = 4;

    /// A reading without edges.
    pub const EMPTY: LineReading = LineReading {
        edges: [Edge { at: Instant::ZERO, active: false }; QUEUE * LineReading::MAX_READS],
        count: 0,
        overflowed: false,
        drained: true,
        level: None,
    };

    /// Resets this to [`LineReading::EMPTY`].
    pub fn clear(&mut self) {
        (self.count, self.overflowed, self.drained, self.level) = (0, false, true, None);
    }

    /// Adds the edges of one call of [`Lines::read`], as far as there is room.
    pub fn add(&mut self, edges: &[Edge]) {
        for (slot, edge) in self.edges[self.count..].iter_mut().zip(edges) {
            *slot = *edge;
            self.count += 1;
        }
        self.overflowed |= edges.len() >= QUEUE;
    }

    /// The edges, oldest first.
    pub fn edges(&self) -> &[Edge] {
        &self.edges[..self.count]
    }
}

/// Why a board cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GpioError {
    /// There is no such chip; the message lists the chips that exist.
    #[error("no GPIO chip `{wanted}`; this machine has {found}")]
    NoChip { wanted: String, found: String },
    /// The chip has no such line.
    #[error("GPIO chip `{chip}` has no line {line} for the {button} button; it has {found}")]
    NoLine { chip: String, line: String, button: Button, found: String },
    /// The kernel refused a line.
    #[error("cannot watch line {line} of GPIO chip `{chip}` for the {button} button: {hint}")]
    Request {
        chip: String,
        line: u32,
        button: Button,
        hint: String,
        #[source]
        source: gpio_cdev::Error,
    },
    /// The socket of the simulated board cannot be used.
    #[error("cannot listen for simulated buttons at {path}: {hint}")]
    Socket { path: String, hint: String },
}

impl GpioError {
    /// The button that the error concerns, if it concerns one.
    pub fn button(&self) -> Option<Button> {
        match self {
            GpioError::NoLine { button, .. } | GpioError::Request { button, .. } => Some(*button),
            GpioError::NoChip { .. } | GpioError::Socket { .. } => None,
        }
    }
}
