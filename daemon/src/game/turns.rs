//! The turns of a game, collected from its entries, so that they can be played again under another
//! time control.

use clock_engine::rules::{Game, GameCommand};
use clock_engine::{Control, EarlierClock, Instant, Recompute, TurnEvent, UnknownTurns};
use std::hash::{DefaultHasher, Hasher};

/// The room that an encoded [`EarlierClock`] needs at most, in bytes.
const MOST_BYTES: usize = 1024;

/// The events of a game on which its times depend, and the game after them.
#[derive(Clone)]
pub struct Turns {
    events: Vec<TurnEvent>,
    /// For each state of the clock that a rewind can restore, its hash and the number of events
    /// that lead to it. A game has at most 20,000 entries, so they take at most 320 KB.
    states: Vec<(u64, usize)>,
    game: Game,
}

impl Turns {
    /// Begins with a game whose turns so far are these events.
    pub fn begin(game: Game, events: impl IntoIterator<Item = TurnEvent>) -> Turns {
        let mut turns = Turns { events: events.into_iter().collect(), states: Vec::new(), game };
        turns.note_state();
        turns
    }

    /// Adds an input. `command` is the command that was carried out; `None` for another input and
    /// for a refused command. `after` is the game after it, and `until` is the instant up to which
    /// the clock before it ran on, if it ran.
    pub fn add(&mut self, command: Option<&GameCommand>, after: &Game, until: Instant) {
        let earlier = match command {
            Some(GameCommand::Rewind(earlier)) => self.events_to(earlier),
            _ => None,
        };
        match earlier {
            Some(count) => self.events.truncate(count),
            None => self.events.extend(self.game.turn_events(command, after, until)),
        }
        self.game = *after;
        self.note_state();
    }

    /// Adds that entries between the latest game and this one are missing, so that the turns are
    /// not known.
    pub fn add_gap(&mut self, after: &Game) {
        if *after != self.game {
            self.events.push(TurnEvent::Unknown(UnknownTurns::Lost));
        }
        self.game = *after;
        self.note_state();
    }

    /// Adds the events of a dry run, after which the game on the copy is `after`.
    pub fn add_events(&mut self, events: &[TurnEvent], after: &Game) {
        self.events.extend_from_slice(events);
        self.game = *after;
        self.note_state();
    }

    /// The times of the game for a change to this time control.
    pub fn recompute(&self, control: &Control) -> Recompute {
        self.game.recompute(control, self.events.iter().copied())
    }

    /// The number of events that lead to this earlier state, if the game was in it.
    fn events_to(&self, earlier: &EarlierClock) -> Option<usize> {
        let hash = hash(earlier)?;
        self.states.iter().rev().find(|(of, _)| *of == hash).map(|(_, count)| *count)
    }

    fn note_state(&mut self) {
        let state = hash(&EarlierClock::from(&self.game)).map(|hash| (hash, self.events.len()));
        if state.is_some() && self.states.last() != state.as_ref() {
            self.states.extend(state);
        }
    }
}

/// A hash of an earlier state. A power cut moves the instants, so they are left out.
fn hash(earlier: &EarlierClock) -> Option<u64> {
    let mut buffer = [0; MOST_BYTES];
    let bytes = postcard::to_slice(&earlier.without_instants(), &mut buffer).ok()?;
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests;
