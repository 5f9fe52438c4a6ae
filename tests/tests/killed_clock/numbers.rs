//! What a clock shows, computed by the test and not by the clock.

use clock_dbus::{Answer, Phase, State, Who};
use serde_json::Value;

/// The part of a clock's state that is compared. The control has an increment and no delay, and no
/// flag falls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    pub at: u64,
    pub phase: String,
    pub running: String,
    pub on_move: String,
    pub remaining: [u64; 2],
    pub moves: [u64; 2],
}

impl Numbers {
    /// What the clock showed on the bus.
    pub fn of_state(state: &State) -> Numbers {
        Numbers {
            at: state.at_nsec,
            phase: state.phase.as_str().to_owned(),
            running: state.running.as_str().to_owned(),
            on_move: state.on_move.as_str().to_owned(),
            remaining: [state.white.remaining_nsec, state.black.remaining_nsec],
            moves: [state.white.moves.into(), state.black.moves.into()],
        }
    }

    /// What the record says of the state right after an entry.
    pub fn of_entry(entry: &Value) -> Numbers {
        let state = &entry["state"];
        let text = |key: &str| state[key].as_str().unwrap().to_owned();
        let sides = [&state["white"], &state["black"]];
        Numbers {
            at: state["at_ns"].as_u64().unwrap(),
            phase: text("phase"),
            running: text("running"),
            on_move: text("on_move"),
            remaining: sides.map(|side| side["remaining_ns"].as_u64().unwrap()),
            moves: sides.map(|side| side["moves"].as_u64().unwrap()),
        }
    }

    /// Whether `self` and `other` show the same at the later one of their instants.
    pub fn agrees_with(&self, other: &Numbers) -> bool {
        let later = self.at.max(other.at);
        self.at(later) == other.at(later)
    }

    /// What a clock shows at a later instant if nothing happens.
    #[must_use]
    pub fn at(&self, later: u64) -> Numbers {
        let mut numbers = self.clone();
        let elapsed = later.checked_sub(self.at).unwrap();
        numbers.at = later;
        if let Some(side) = index(&self.running) {
            numbers.remaining[side] = self.remaining[side].checked_sub(elapsed).unwrap();
        }
        numbers
    }

    /// What a clock shows right after a press of this side at this instant.
    #[must_use]
    pub fn pressed_with(&self, side: Who, at: u64, increment: u64) -> Numbers {
        let mut numbers = self.at(at);
        let other = if side == Who::White { Who::Black } else { Who::White };
        if self.phase == Phase::Running.as_str() {
            let side = index(side.as_str()).unwrap();
            numbers.remaining[side] += increment;
            numbers.moves[side] += 1;
        }
        numbers.phase = Phase::Running.as_str().to_owned();
        numbers.running = other.as_str().to_owned();
        numbers.on_move = other.as_str().to_owned();
        numbers
    }

    /// What a clock shows right after a command at this instant that leads to this phase.
    #[must_use]
    pub fn commanded(&self, at: u64, phase: Phase) -> Numbers {
        let mut numbers = self.at(at);
        numbers.phase = phase.as_str().to_owned();
        numbers.running =
            if phase == Phase::Running { numbers.on_move.clone() } else { String::new() };
        numbers
    }

    /// These numbers, with the times changed as this answer to a question states.
    #[must_use]
    pub fn with(mut self, answer: &Answer) -> Numbers {
        let deltas = [answer.white_delta_nsec, answer.black_delta_nsec];
        for (remaining, delta) in self.remaining.iter_mut().zip(deltas) {
            *remaining = remaining.checked_add_signed(delta).unwrap();
        }
        self
    }
}

fn index(side: &str) -> Option<usize> {
    ["white", "black"].iter().position(|name| *name == side)
}
