//! A press, or the presses of both players together, that opens the menu if it lasts long enough; and its
//! deferral: which presses are deferred, and when that ends.

use super::super::line::Line;
use super::RELEASE_WITHIN;
use super::state::{MenuState, Stage};
use crate::debounce::PressState;
use crate::{Button, LINES};
use clock_engine::{Instant, PerSide, Side, Span};

/// A deferred press, or the deferred presses of both players.
#[derive(Clone, Copy)]
pub struct Deferred {
    pub press: LongPress,
    /// Whether `press.other` is deferred, too. If not, it was decided when it began.
    other_waits: bool,
    /// Whether [`MenuEvent::HoldBegan`](super::MenuEvent::HoldBegan) was reported.
    pub is_shown: bool,
    /// For each player's button: the instant of the [`Input::Hold`](crate::Input::Hold) that was
    /// due while its press is deferred. If the press becomes an input of the game, this input is
    /// decided with it.
    pub holds: PerSide<Option<Instant>>,
}

impl Deferred {
    /// The earlier one of two deferred presses.
    pub fn first_of_two(self) -> Option<(Side, Instant)> {
        self.press.other.filter(|_| self.other_waits)
    }

    /// The stamp of the earliest deferred press.
    pub fn since(self) -> Instant {
        self.first_of_two().map_or(self.press.at, |(_, at)| at)
    }
}

impl MenuState {
    pub fn deferred(&self) -> Option<Deferred> {
        match self.stage {
            Stage::Deferred(deferred) => Some(deferred),
            Stage::Closed | Stage::Held(_) | Stage::Open(_) => None,
        }
    }

    /// Defers a press if it can become a long press, alone or with a press of the other player.
    /// Both clocks must stand.
    pub fn defers_press(&mut self, button: Button, at: Instant, lines: &[Line; LINES]) -> bool {
        if !self.may_open {
            return false;
        }
        if let Some(deferred) = self.deferred() {
            let Some(press) = self.pair(button, at, lines) else { return false };
            let both = Deferred { press, other_waits: true, ..deferred };
            self.stage = Stage::Deferred(both);
            return true;
        }
        let other = match button {
            Button::Call => None,
            Button::Player(_) if !self.by_players => return false,
            Button::Player(side) => {
                let other = side.other();
                let is_down = |first: &Instant| {
                    was_down(&lines[Button::Player(other).index()], *first, at)
                        && at.since(*first) <= RELEASE_WITHIN
                };
                self.in_game[other].filter(is_down).map(|first| (other, first))
            }
        };
        let press = LongPress { button, at, other };
        let (is_shown, holds) = (false, PerSide::default());
        self.stage = Stage::Deferred(Deferred { press, other_waits: false, is_shown, holds });
        true
    }

    /// Joins this press with the deferred press of the other player. `None` unless exactly one
    /// player's press is deferred, this press is the other player's, and the earlier of the two
    /// still lasts when the later one begins. If this press arrives late, the deferred press is the
    /// later one.
    pub fn pair(&self, button: Button, at: Instant, lines: &[Line; LINES]) -> Option<LongPress> {
        let alone = self.deferred()?.press;
        let (Button::Player(waits), Button::Player(side)) = (alone.button, button) else {
            return None;
        };
        if alone.other.is_some() || waits == side {
            return None;
        }
        let [first, second] = match at < alone.at {
            true => [(side, at), (waits, alone.at)],
            false => [(waits, alone.at), (side, at)],
        };
        let line = &lines[Button::Player(first.0).index()];
        was_down(line, first.1, second.1).then_some(LongPress {
            button: Button::Player(second.0),
            at: second.1,
            other: Some(first),
        })
    }

    /// Whether the [`Input::Hold`](crate::Input::Hold) of this side waits for the decision of a
    /// deferred press.
    pub fn defers_hold(&self, side: Side) -> bool {
        let waits = |one: Deferred| one.press.contains(Button::Player(side));
        self.deferred().is_some_and(waits)
    }

    /// Notes an [`Input::Hold`](crate::Input::Hold) for which [`MenuState::defers_hold`] returned
    /// `true`.
    pub fn defer_hold(&mut self, side: Side, at: Instant) {
        if let Stage::Deferred(deferred) = &mut self.stage {
            deferred.holds[side] = Some(at);
        }
    }

    pub fn note_shown(&mut self) {
        if let Stage::Deferred(deferred) = &mut self.stage {
            deferred.is_shown = true;
        }
    }

    /// Ends the deferral, because the press is decided as an input of the game.
    pub fn take_deferred(&mut self) -> Option<Deferred> {
        let deferred = self.deferred()?;
        self.stage = Stage::Closed;
        Some(deferred)
    }

    /// Ends the deferral, because the presses belong to the menu although it does not open.
    pub fn drop_deferred(&mut self) {
        let Some(deferred) = self.take_deferred() else { return };
        let press = deferred.press;
        self.take((press.button, press.at));
        if let Some((side, at)) = deferred.first_of_two() {
            self.take((Button::Player(side), at));
        }
    }

    /// Ends the deferral of the earlier one of two presses, because it is decided as an input of
    /// the game.
    pub fn take_first_of_two(&mut self) -> Option<(Side, Instant)> {
        let Stage::Deferred(deferred) = &mut self.stage else { return None };
        let first = deferred.first_of_two()?;
        deferred.other_waits = false;
        Some(first)
    }
}

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
