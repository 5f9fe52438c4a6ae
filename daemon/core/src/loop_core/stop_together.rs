//! The stop of a running clock by both players together, on a board without a call button.
//!
//! In unsupervised play, the players stop the clocks if both hold their buttons for [`HOLD`]. The
//! two presses must begin within [`WITHIN`] of each other, because a player can keep a finger on the
//! button during a whole turn. Both presses are inputs of the game at their first edges, as always.
//! The stop takes them back: the clock is then as it was before the first of them.

use super::line::Line;
use super::menu::plus;
use super::{Input, LoopCore, Output};
use crate::{Button, LINES};
use clock_engine::rules::Game;
use clock_engine::{EarlierClock, Instant, PerSide, Phase, Side, Span};

/// How long both buttons are held together.
const HOLD: Span = Span::from_secs(1);
/// The longest time between the two presses.
const WITHIN: Span = Span::from_secs(1);

/// The latest presses that can become a stop.
#[derive(Clone, Default)]
pub struct StopTogether {
    /// For each player's button, its latest press that was an input of the game, and the clock
    /// before this press.
    presses: PerSide<Option<(Instant, EarlierClock)>>,
}

impl StopTogether {
    /// Notes that a press is about to become an input of this game. Its stamp is not earlier than
    /// the latest instant that the game has handled.
    fn note(&mut self, side: Side, at: Instant, game: &Game) {
        let mut before = *game;
        // The instant is not too early, so the engine does not refuse it.
        let _ = before.handle_timeout(at);
        let counts = matches!(before.phase(), Phase::Ready | Phase::Paused | Phase::Running);
        self.presses[side] = counts.then(|| (at, EarlierClock::from(&before)));
    }

    /// When the players have held both buttons long enough, and the clock before their presses.
    fn due(&self, lines: &[Line; LINES]) -> Option<(Instant, &EarlierClock)> {
        let (white, black) = (self.presses.white.as_ref()?, self.presses.black.as_ref()?);
        let (first, second) = if white.0 <= black.0 { (white, black) } else { (black, white) };
        let due = plus(second.0, HOLD);
        let is_held = |side: Side, at| {
            lines[Button::Player(side).index()].debounce().press_state(at).lasts_until(due)
        };
        let held = is_held(Side::White, white.0) && is_held(Side::Black, black.0);
        (held && second.0.since(first.0) <= WITHIN).then_some((due, &first.1))
    }
}

impl LoopCore {
    /// Notes a press of a player's button that is about to become an input of the game.
    pub(super) fn note_press_for_stop(&mut self, button: Button, at: Instant) {
        let (Button::Player(side), true) = (button, self.inputs.stop_together) else { return };
        let game = self.clock.game();
        self.stop_together.presses[side] = None;
        if game.is_unsupervised() && at >= game.last() {
            self.stop_together.note(side, at, game);
        }
    }

    /// When both players have held their buttons long enough to stop the clock that runs, and the
    /// clock before their presses. `None` if no clock runs, or if they do not hold both buttons.
    pub(super) fn stop_due(&self) -> Option<(Instant, &EarlierClock)> {
        let runs = self.clock.game().phase() == Phase::Running;
        self.stop_together.due(&self.lines).filter(|_| runs)
    }

    /// Stops the clock if both players have held their buttons long enough at `until`.
    pub(super) fn stop_if_held_together(&mut self, until: Instant, out: &mut dyn Output) {
        if let Some((at, before)) = self.stop_due().filter(|(at, _)| *at <= until) {
            let input = Input::HeldTogether { before: *before, at };
            self.stop_together = StopTogether::default();
            self.carry_out(&input, out);
        }
    }
}
