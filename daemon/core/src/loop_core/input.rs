//! What the clock is given, in the order in which it is decided, and where the results go.

use super::messages::{Request, Update};
use super::versioned_clock::VersionedClock;
use crate::Button;
use clock_engine::{Instant, Side};
use serde::{Deserialize, Serialize};

/// One input of a [`VersionedClock`]. Equal clocks that are given equal inputs are equal
/// afterwards, so the inputs are what is kept of a game.
///
/// All instants are on CLOCK_MONOTONIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "boxing a command would allocate in the clock loop")]
pub enum Input {
    /// A press of a button that the debounce has accepted, with the instant of its first edge. The
    /// button has the name of its wiring.
    Press(Button, Instant),
    /// A button, named by its wiring, has been held for longer than the rules allow.
    Hold(Side, Instant),
    /// An arbiter's command.
    Request(Request),
    /// The button board was found gone at this instant, by this button's line.
    BoardGone(Button, Instant),
    /// The button board is back.
    BoardBack {
        /// The throws of a rocker that are closed, in the order of the wiring.
        closed: [bool; 2],
        /// When.
        at: Instant,
    },
    /// Something was due by itself at or before this instant, such as a flag.
    Time(Instant),
    /// The daemon was started again while the machine ran on. No press was read in between.
    Restarted {
        /// The latest instant at which the daemon before is known to have read the buttons.
        since: Instant,
        /// The first instant at which they are read again.
        at: Instant,
        /// The throws of a rocker that are closed, in the order of the wiring; `None` if there is
        /// no button board.
        closed: Option<[bool; 2]>,
    },
    /// The machine was started again.
    PowerCut {
        /// The latest instant, on the clock of the boot before, at which the daemon is known to
        /// have run.
        stopped: Instant,
        /// The present instant, on the clock of this boot.
        at: Instant,
        /// As for [`Input::Restarted`].
        closed: Option<[bool; 2]>,
    },
}

impl Input {
    /// The stamp of the input.
    pub fn at(&self) -> Instant {
        match self {
            Input::Press(_, at)
            | Input::Hold(_, at)
            | Input::BoardGone(_, at)
            | Input::BoardBack { at, .. }
            | Input::Time(at)
            | Input::Restarted { at, .. }
            | Input::PowerCut { at, .. } => *at,
            Input::Request(request) => request.at,
        }
    }
}

/// Where the core puts what it decides.
pub trait Output {
    /// An input is about to be decided. It is kept before anything that follows from it can be seen
    /// outside.
    fn input(&mut self, _clock: &VersionedClock, _input: &Input) {}
    /// A change, or an answer.
    fn update(&mut self, update: Update);
}

/// A function takes the updates alone.
impl<F: FnMut(Update)> Output for F {
    fn update(&mut self, update: Update) {
        self(update);
    }
}
