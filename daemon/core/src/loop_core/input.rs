//! The inputs of the clock, in the order in which they are decided, and the interface for the
//! results.

use super::messages::{Request, Update};
use super::versioned_clock::VersionedClock;
use crate::Button;
use clock_engine::{Instant, Side};
use serde::{Deserialize, Serialize};

/// An input of a [`VersionedClock`]. Equal clocks that are given equal inputs remain equal. So a
/// game is kept as the list of its inputs.
///
/// All instants are on CLOCK_MONOTONIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "boxing a command would allocate in the clock loop")]
pub enum Input {
    /// A press of a button that the debounce has accepted, with the instant of its first edge. The
    /// button is named by its wiring.
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
        /// The instant.
        at: Instant,
    },
    /// Something became due at or before this instant, such as a flag.
    Time(Instant),
    /// The daemon was started again while the machine continued to run. No press was read in
    /// between.
    Restarted {
        /// The latest instant at which the earlier process is known to have read the buttons.
        since: Instant,
        /// The first instant at which the buttons are read again.
        at: Instant,
        /// The throws of a rocker that are closed, in the order of the wiring; `None` if there is
        /// no button board.
        closed: Option<[bool; 2]>,
    },
    /// The machine was started again.
    PowerCut {
        /// The latest instant, on the clock of the previous boot, at which the daemon is known to
        /// have run.
        stopped: Instant,
        /// The present instant, on the clock of this boot.
        at: Instant,
        /// The throws of a rocker that are closed, in the order of the wiring; `None` if there is
        /// no button board.
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

/// Takes the decisions of the core.
pub trait Output {
    /// Called before an input is decided. The input must be stored before its effects can be seen
    /// outside.
    fn input(&mut self, _clock: &VersionedClock, _input: &Input) {}
    /// Called with a change or an answer.
    fn update(&mut self, update: Update);
}

/// A function takes the updates and ignores the inputs.
impl<F: FnMut(Update)> Output for F {
    fn update(&mut self, update: Update) {
        self(update);
    }
}
