//! The inputs of the clock, and the trait [`Output`], which receives them and the updates that
//! follow from them.

use super::menu::MenuEvent;
use super::messages::{Request, Update};
use super::versioned_clock::VersionedClock;
use crate::Button;
use clock_engine::{EarlierClock, Instant, Side};
use serde::{Deserialize, Serialize};

/// An input of a [`VersionedClock`]. Equal clocks that are given equal inputs remain equal. So a
/// game is stored as the list of its inputs.
///
/// All instants are on CLOCK_MONOTONIC of the current boot, except `PowerCut::stopped`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "boxing a command would allocate in the clock loop")]
pub enum Input {
    /// The debounce has accepted a press of this button. The instant is the stamp of the first edge
    /// of the press. The button has its name from the wiring file, also after the players have
    /// exchanged their buttons.
    Press(Button, Instant),
    /// The button that is wired as this side's has been held for longer than the rules allow. The
    /// instant is the end of the time that the rules allow.
    Hold(Side, Instant),
    /// Both players have held their buttons together to stop the clocks, on a board without a call
    /// button ([`Inputs::stop_together`](super::Inputs::stop_together)).
    HeldTogether {
        /// The clock before the first of the two presses.
        before: EarlierClock,
        /// The end of the hold.
        at: Instant,
    },
    /// An arbiter's command.
    Request(Request),
    /// The button board is gone. The fields are the button whose line showed the loss, and the
    /// instant at which the loop noticed it.
    BoardGone(Button, Instant),
    /// The button board is back.
    BoardBack {
        /// Which throws of a rocker (the contacts of its two sides) are closed, first the one that
        /// is wired as White's.
        closed: [bool; 2],
        /// The first instant at which the lines of the board are read.
        at: Instant,
    },
    /// A change that needs no other input, such as a flag, is due at or before this instant.
    Time(Instant),
    /// The daemon was started again while the machine continued to run. No press was read between
    /// `since` and `at`.
    Restarted {
        /// The latest instant at which the earlier process is known to have read the buttons.
        since: Instant,
        /// The first instant at which the buttons are read again.
        at: Instant,
        /// Which throws of a rocker (the contacts of its two sides) are closed, first the one that
        /// is wired as White's; `None` if there is no button board.
        closed: Option<[bool; 2]>,
    },
    /// The machine was started again, so CLOCK_MONOTONIC has a new zero.
    PowerCut {
        /// The latest instant, on the clock of the previous boot, at which the daemon is known to
        /// have run.
        stopped: Instant,
        /// The instant at which the restored clock continues, on the clock of this boot.
        at: Instant,
        /// Which throws of a rocker (the contacts of its two sides) are closed, first the one that
        /// is wired as White's; `None` if there is no button board.
        closed: Option<[bool; 2]>,
    },
    /// The rocker was pushed while the presses went to the menu. This input gives the clock only
    /// the position of the rocker. It comes when the menu closes; before a command or the loss of
    /// the board is decided; and when a push arrives late that began before the menu closed.
    RockerFound {
        /// Which throws of the rocker are closed, first the one that is wired as White's.
        closed: [bool; 2],
        /// The instant at which the menu closed, or the stamp of the command, of the loss or of the
        /// push.
        at: Instant,
    },
    /// A wrong arbiter's code was entered in the menu at this instant. It changes nothing of the
    /// clock, and is an input so that the record has it.
    WrongCode(Instant),
}

impl Input {
    /// The stamp of the input.
    pub fn at(&self) -> Instant {
        match self {
            Input::Press(_, at)
            | Input::Hold(_, at)
            | Input::BoardGone(_, at)
            | Input::BoardBack { at, .. }
            | Input::HeldTogether { at, .. }
            | Input::Time(at)
            | Input::WrongCode(at)
            | Input::Restarted { at, .. }
            | Input::PowerCut { at, .. }
            | Input::RockerFound { at, .. } => *at,
            Input::Request(request) => request.at,
        }
    }
}

/// Receives the inputs and the updates of the core.
pub trait Output {
    /// Called with each input before it is decided. `_clock` is the clock before the input. The
    /// input must be stored before its effects can be seen outside the daemon.
    fn input(&mut self, _clock: &VersionedClock, _input: &Input) {}
    /// Called with each update, in the order of the decisions. The update is passed by reference,
    /// because it is large, and each copy would delay its publication.
    fn update(&mut self, update: &Update);
    /// Called with what the program that shows the menu must know. Nothing of it is stored.
    fn menu(&mut self, _event: MenuEvent) {}
}

/// A closure receives only the updates.
impl<F: FnMut(Update)> Output for F {
    fn update(&mut self, update: &Update) {
        self(*update);
    }
}
