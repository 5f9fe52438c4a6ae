//! Judges a press by the state at its own stamp: which player used the button (S0 6.4, Chess Organisers'
//! Handbook), and whether the press would have taken effect.
//!
//! An edge can reach the loop after an input or a flag with a later stamp was decided. A press that
//! begins with such an edge is judged by the state at its own stamp. If the press would have had no
//! effect in that state, it must not complete a move of a later turn.

use clock_engine::{Instant, Phase, Side, View};
use serde::{Deserialize, Serialize};

/// How many changes the history contains. Edges are late by some tens of milliseconds at most, and
/// a clock changes only a few times in that time.
const LENGTH: usize = 16;

/// The latest changes of the side on move and of the side whose press has an effect, the oldest
/// first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnHistory {
    entries: [Entry; LENGTH],
    set_up: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    since: Instant,
    /// The side whose press has an effect; `None` if no press has an effect.
    side: Option<Side>,
    /// The number of the turn. A turn ends when the side on move changes: by a completed move, or
    /// by a command. A pause does not end it.
    turn: u64,
    on_move: Side,
}

impl TurnHistory {
    /// The history of a clock that is set up at `at`.
    pub fn new(view: &View, at: Instant) -> TurnHistory {
        let first = Entry { since: at, side: pressing_side(view), turn: 0, on_move: view.on_move };
        // No press had an effect before the clock was set up.
        let before = Entry { since: Instant::ZERO, side: None, ..first };
        let mut entries = [before; LENGTH];
        entries[LENGTH - 1] = first;
        TurnHistory { entries, set_up: at }
    }

    /// Notes that the clock has this view from `at` on.
    pub fn note(&mut self, view: &View, at: Instant) {
        let [.., last] = self.entries;
        let (side, on_move) = (pressing_side(view), view.on_move);
        if (side, on_move) == (last.side, last.on_move) {
            return;
        }
        let turn = last.turn + u64::from(on_move != last.on_move);
        self.entries.rotate_left(1);
        self.entries[LENGTH - 1] = Entry { since: at, side, turn, on_move };
    }

    /// The instant at which the game was set up, or was continued after a restart of the machine.
    /// Inputs with an earlier stamp belong to the previous game or to the previous boot.
    pub fn set_up(&self) -> Instant {
        self.set_up
    }

    /// Whether a press of this side at `at` would have had an effect, and the turn of that instant
    /// still continues.
    pub fn would_count(&self, side: Side, at: Instant) -> bool {
        let [.., present] = self.entries;
        let then = self.entries.iter().rev().find(|entry| entry.since <= at);
        then.is_some_and(|then| then.side == Some(side) && then.turn == present.turn)
    }
}

/// The side whose press has an effect: the side whose clock runs, or Black before the start. `None`
/// while the clocks stand later in the game.
fn pressing_side(view: &View) -> Option<Side> {
    match view.phase {
        Phase::Ready => Some(Side::Black),
        Phase::Running => Some(view.on_move),
        Phase::Paused | Phase::Ruling | Phase::Over => None,
    }
}

/// Whether each player uses the button that is wired as the opponent's, and since when. The clock can
/// stand on either side of the board, so the arbiter decides which button is White's. The lines, the
/// debounce and the faults name a button after its wiring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    exchanged: bool,
    /// The instant of the latest exchange; `None` if the placement holds for all instants. Presses
    /// with an earlier stamp belong to the earlier placement.
    since: Option<Instant>,
}

impl Placement {
    /// A placement that holds for all instants.
    pub fn new(exchanged: bool) -> Placement {
        Placement { exchanged, since: None }
    }

    /// Makes the placement hold for all instants. This is necessary after a restart of the machine,
    /// because `since` is then an instant of the previous boot.
    pub fn begin(&mut self) {
        self.since = None;
    }

    /// Whether the buttons are exchanged.
    pub fn is_exchanged(&self) -> bool {
        self.exchanged
    }

    /// Sets whether the buttons are exchanged from `at` on. Returns whether this is a change.
    pub fn set(&mut self, exchanged: bool, at: Instant) -> bool {
        let changes = exchanged != self.exchanged;
        if changes {
            *self = Placement { exchanged, since: Some(at) };
        }
        changes
    }

    /// The player who used a button at the instant `at`. `wired` is the side of the button by its
    /// wiring. A press can reach the loop after an exchange of the buttons that is later than its
    /// stamp, so the placement before the latest exchange is also needed.
    pub fn player(&self, wired: Side, at: Instant) -> Side {
        let was_before = self.since.is_some_and(|since| at < since);
        if self.exchanged == was_before { wired } else { wired.other() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::{Clock, Command, Control, Method, Span};

    #[test]
    fn a_press_is_judged_by_the_state_at_its_own_stamp() {
        let at = Instant::from_nanos;
        let control = Control::single(Span::from_secs(60), Method::None);
        let mut clock = Clock::new(control, at(10));
        let mut history = TurnHistory::new(&clock.view(at(10)), at(10));
        assert!(history.would_count(Side::Black, at(10)), "Black's button starts the game");
        assert!(!history.would_count(Side::Black, at(9)), "there was no game");
        clock.handle_press(Side::Black, at(20)).unwrap();
        history.note(&clock.view(at(20)), at(20));
        assert!(!history.would_count(Side::White, at(19)));
        assert!(history.would_count(Side::White, at(20)));
        // A pause belongs to the turn. A press before the pause still counts; a press during the
        // pause does not.
        let pause = Command::Pause { by: clock_engine::Caller::Arbiter };
        clock.handle_command(pause, at(30)).unwrap();
        history.note(&clock.view(at(30)), at(30));
        assert!(
            history.would_count(Side::White, at(29)) && !history.would_count(Side::White, at(30))
        );
        // After White's next move, an earlier press of White has no effect, even in White's next
        // turn.
        clock.handle_command(Command::Resume { side: None }, at(40)).unwrap();
        history.note(&clock.view(at(40)), at(40));
        for (side, nanos) in [(Side::White, 50), (Side::Black, 60)] {
            clock.handle_press(side, at(nanos)).unwrap();
            history.note(&clock.view(at(nanos)), at(nanos));
        }
        assert!(!history.would_count(Side::White, at(45)), "the turn before");
        assert!(history.would_count(Side::White, at(60)), "the present turn");
        assert!(!history.would_count(Side::Black, at(55)));
    }
}
