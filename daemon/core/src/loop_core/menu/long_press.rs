//! A press, or the presses of both players together, that opens the menu if it lasts long enough.

use super::super::line::Line;
use super::RELEASE_WITHIN;
use crate::debounce::PressState;
use crate::{Button, LINES};
use clock_engine::{Instant, Side, Span};

/// A press that opens the menu if it lasts for the hold. The press of one player alone opens
/// nothing, but waits for a press of the other player (see [`LongPress::opens`]).
#[derive(Clone, Copy, Debug)]
pub struct LongPress {
    pub button: Button,
    /// The stamp of the press.
    pub at: Instant,
    /// The button of the other player, with the stamp of its press, if both must be held. Its press
    /// is the earlier one.
    pub other: Option<(Side, Instant)>,
}

impl LongPress {
    /// All buttons of the press, each with the stamp of its own press.
    pub fn buttons(self) -> impl Iterator<Item = (Button, Instant)> {
        let other = self.other.map(|(side, at)| (Button::Player(side), at));
        [Some((self.button, self.at)), other].into_iter().flatten()
    }

    /// Whether this button is one of the buttons of the press.
    pub fn contains(self, button: Button) -> bool {
        self.buttons().any(|(other, _)| other == button)
    }

    /// Whether the menu opens after the hold.
    pub fn opens(self) -> bool {
        self.button == Button::Call || self.other.is_some()
    }

    pub fn held_at(self, hold: Span) -> Instant {
        plus(self.at, hold)
    }

    /// The latest release that opens the menu.
    pub fn limit(self, hold: Span) -> Instant {
        plus(self.held_at(hold), RELEASE_WITHIN)
    }

    /// What is known of the press. A press of two buttons counts as released when one of them is
    /// released.
    pub fn state(self, lines: &[Line; LINES]) -> PressState {
        let states =
            self.buttons().map(|(button, at)| lines[button.index()].debounce().press_state(at));
        let first = states.min_by_key(|state| match state {
            PressState::Unknown => Instant::ZERO,
            PressState::Opened(up) => *up,
            PressState::Released(release) => release.up,
            PressState::Down => Instant::from_nanos(u64::MAX),
        });
        first.unwrap_or(PressState::Unknown)
    }

    /// Whether all buttons of the press were up at `at`.
    pub fn is_over(self, lines: &[Line; LINES], at: Instant) -> bool {
        self.buttons().all(|(button, first)| !was_down(&lines[button.index()], first, at))
    }
}

/// Whether the button of this line was down at `at` with the press that is stamped `first`: whether
/// it was released after `at`.
pub fn was_down(line: &Line, first: Instant, at: Instant) -> bool {
    line.debounce().press_state(first).lasts_until(plus(at, Span::from_nanos(1)))
}

/// `at + span`, or the latest instant if the sum is greater.
pub fn plus(at: Instant, span: Span) -> Instant {
    at.checked_add(span).unwrap_or(Instant::from_nanos(u64::MAX))
}
