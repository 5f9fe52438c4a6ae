//! The buttons' lines, as the clock loop sees them.
//!
//! One narrow trait has three implementations, chosen at run time: the kernel's GPIO character
//! device with its uAPI v2 ([`v2`]) or v1 ([`v1`]), and a simulated board ([`sim`]).

mod chip;
pub mod sim;
pub mod v1;
mod v2;

use crate::config::Wiring;
use clock_engine::{Instant, Side};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

/// How many lines a board can have.
pub const LINES: usize = Button::ALL.len();
/// The label that the kernel shows for the lines; the interrupts' threads are `irq/NN-clockd`.
const CONSUMER: &str = "clockd";

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
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

/// How many edges uAPI v1 queues for a line. It drops further edges.
pub const QUEUE: usize = 16;

/// The lines of a board. None of these calls may block or allocate.
pub trait Lines: Send {
    /// The descriptor to wait on for this button; `None` if the board has no such button.
    fn fd(&self, button: Button) -> Option<BorrowedFd<'_>>;

    /// Whether one descriptor, with one queue, carries the edges of all lines.
    fn share_descriptor(&self) -> bool {
        false
    }

    /// Reads the queued edges of the wanted lines, oldest first, and returns the lines that cannot
    /// be read any more. The edges of other lines stay queued, or are discarded if all lines share
    /// a queue.
    fn read_edges(
        &mut self,
        wanted: &[bool; LINES],
        readings: &mut [LineReading; LINES],
    ) -> [bool; LINES];

    /// Reads whether each of the wanted buttons is pressed now. A line whose level cannot be read
    /// gets none.
    fn read_levels(&self, wanted: &[bool; LINES], readings: &mut [LineReading; LINES]);

    /// Whether the board has this button.
    fn has(&self, button: Button) -> bool {
        self.fd(button).is_some()
    }
}

/// The version of the kernel's interface for GPIO lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Uapi {
    /// v2, and v1 if the kernel lacks v2.
    #[default]
    Auto,
    /// Linux 5.10 and later have it.
    V2,
    /// Kernels have it if `CONFIG_GPIO_CDEV_V1` is set.
    V1,
}

/// Requests the lines of a board from the kernel; returns them with the version that is in use.
pub fn open(wiring: &Wiring, uapi: Uapi) -> Result<(Box<dyn Lines>, &'static str), GpioError> {
    let v1 = || v1::V1Lines::open(wiring).map(|lines| Box::new(lines) as Box<dyn Lines>);
    let v2 = || v2::V2Lines::open(wiring).map(|lines| Box::new(lines) as Box<dyn Lines>);
    choose(uapi, v1, v2)
}

/// Opens the lines with the wanted version; returns them with the version that is in use.
fn choose<T>(
    uapi: Uapi,
    v1: impl FnOnce() -> Result<T, GpioError>,
    v2: impl FnOnce() -> Result<T, GpioError>,
) -> Result<(T, &'static str), GpioError> {
    let with_v1 = || v1().map(|lines| (lines, "v1"));
    match uapi {
        Uapi::V1 => with_v1(),
        Uapi::V2 => v2().map(|lines| (lines, "v2")),
        Uapi::Auto => match v2() {
            Err(error) if error.is_unsupported() => with_v1(),
            other => other.map(|lines| (lines, "v2")),
        },
    }
}

/// Makes reads of this file return at once if nothing is queued.
fn set_non_blocking(file: impl AsFd) -> io::Result<()> {
    let mode = rustix::fs::fcntl_getfl(&file)?;
    Ok(rustix::fs::fcntl_setfl(&file, mode | rustix::fs::OFlags::NONBLOCK)?)
}

/// The result of one reading of a line.
#[derive(Clone, Debug)]
pub struct LineReading {
    edges: [Edge; LineReading::CAPACITY],
    count: usize,
    /// The kernel's queue was full, so the kernel may have dropped edges.
    pub overflowed: bool,
    /// How many edges the kernel has certainly dropped before some of these.
    pub lost: u32,
    /// All edges that were queued have been read.
    pub drained: bool,
    /// Whether the button was pressed after all these edges; `None` if the level was not read.
    pub level: Option<bool>,
}

impl LineReading {
    /// How many edges of a line are read in one go. If edges are still queued after that, they
    /// arrive faster than they can be read.
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

    /// Adds an edge. One for which there is no room is counted as lost.
    pub fn push(&mut self, edge: Edge) {
        match self.edges.get_mut(self.count) {
            Some(slot) => {
                *slot = edge;
                self.count += 1;
            }
            None => self.lost = self.lost.saturating_add(1),
        }
    }

    /// Adds the edges of one read of a queue of [`QUEUE`] edges.
    pub fn add(&mut self, edges: &[Edge]) {
        edges.iter().for_each(|edge| self.push(*edge));
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
    #[error("no GPIO chip {wanted}; this machine has {found}")]
    NoChip { wanted: String, found: String },
    /// The chip has no such line.
    #[error("GPIO chip `{chip}` has no line {line} for the {button} button; it has {found}")]
    NoLine { chip: String, line: String, button: Button, found: String },
    /// The kernel refused a line.
    #[error("cannot watch {lines} of GPIO chip `{chip}`: {reason}")]
    Request {
        chip: String,
        lines: String,
        button: Option<Button>,
        reason: String,
        #[source]
        source: io::Error,
    },
    /// The socket of the simulated board cannot be used.
    #[error("cannot listen for simulated buttons at {path}: {hint}")]
    Socket { path: String, hint: String },
}

impl GpioError {
    /// The button that the error concerns, if it concerns one.
    pub fn button(&self) -> Option<Button> {
        match self {
            GpioError::NoLine { button, .. } => Some(*button),
            GpioError::Request { button, .. } => *button,
            GpioError::NoChip { .. } | GpioError::Socket { .. } => None,
        }
    }

    /// Whether the kernel refuses the request itself, as one does that lacks this uAPI.
    fn is_unsupported(&self) -> bool {
        let GpioError::Request { source, .. } = self else { return false };
        source.raw_os_error() == Some(libc::EINVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_takes_v1_only_from_a_kernel_without_v2() {
        let refused = |errno: i32| {
            let source = io::Error::from_raw_os_error(errno);
            let (chip, lines, reason) = (String::new(), String::new(), String::new());
            Err(GpioError::Request { chip, lines, button: None, reason, source })
        };
        let auto = |v2: Result<u8, GpioError>| choose(Uapi::Auto, || Ok(1), || v2);
        assert_eq!(auto(Ok(2)).expect("v2"), (2, "v2"));
        assert_eq!(auto(refused(libc::EINVAL)).expect("v1"), (1, "v1"));
        // Another program has the line: v1 would be refused too, with less to say.
        assert!(auto(refused(libc::EBUSY)).is_err());
        let named = |uapi, v1, v2| choose::<u8>(uapi, || v1, || v2).is_err();
        assert!(named(Uapi::V2, Ok(1), refused(libc::EINVAL)));
        assert!(named(Uapi::V1, refused(libc::EINVAL), Ok(2)));
    }
}
