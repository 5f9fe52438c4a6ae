//! The whole state of a game in an exported file, as the clock's `History.ReadState` returned it.

use crate::input::json_words_in;
use clock_dbus::{Phase, RecordedState};
use clock_engine::rules::{Game, GameState, NotTakenOver, Profile, Session, Setup};
use clock_engine::{Control, Instant, Side};
use serde_json::Value;

/// The longest text that is read, in bytes. The clock accepts no longer text.
const MAX_BYTES: usize = 16 * 1024;

/// A state that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeState {
    /// The JSON of the state, which is sent to the clock that takes the state over.
    pub text: String,
    pub state: GameState,
    /// The paths of the keys that the state in the file does not have, because an older version
    /// wrote the file. In `state`, the values of these keys are as at the start of a game.
    pub missing: Vec<String>,
}

impl WholeState {
    /// Reads the JSON of a state.
    ///
    /// # Errors
    ///
    /// The text is too long, or it is not the JSON of a state. The error names what is wrong.
    pub fn parse(text: &str) -> Result<WholeState, String> {
        if text.len() > MAX_BYTES {
            let bytes = text.len();
            return Err(format!("the state has {bytes} bytes; expected at most {MAX_BYTES}"));
        }
        let wrong = |error: serde_json::Error| {
            format!("the state of the game: {}", json_words_in(text, &error))
        };
        let state: GameState = serde_json::from_str(text).map_err(wrong)?;
        let given: Value = serde_json::from_str(text).map_err(wrong)?;
        let whole = serde_json::to_value(state).map_err(wrong)?;
        let mut missing = Vec::new();
        add_missing(&whole, &given, "", &mut missing);
        Ok(WholeState { text: text.to_owned(), state, missing })
    }

    /// Returns the game of a clock that takes this state over with this control and this profile.
    /// Its instants cannot be compared with those of the clock that exported the state.
    pub fn game(&self, control: Control, profile: Option<Profile>) -> Result<Game, NotTakenOver> {
        let setup = Setup { control, profile, session: Session::Unknown, force: false };
        // `u64::MAX / 2` is the present instant of the game. It is so large that no earlier instant
        // of the game is below 0.
        self.state.for_another_clock().game(&setup, Instant::from_nanos(u64::MAX / 2))
    }
}

/// Adds the paths of the keys that `whole` has and `given` does not have.
fn add_missing(whole: &Value, given: &Value, path: &str, missing: &mut Vec<String>) {
    let (Value::Object(whole), Value::Object(given)) = (whole, given) else { return };
    for (key, value) in whole {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match given.get(key) {
            Some(given) => add_missing(value, given, &path, missing),
            // `asked.controls` counts how often the time control was changed during the game. A
            // version of the service that does not write this count could not change a time control
            // during a game.
            None if path.ends_with("asked.controls") => {}
            // These are compared only with entries of the new record.
            None if path.ends_with("asked.presses") || path == "facts.replied_to" => {}
            // Without this, a claim stays open when a press is taken back.
            None if path.ends_with("asked.claim_since_press") => {}
            // Whoever takes the state over computes this fact.
            None if path == "facts.doubt_of_earlier_clock" => {}
            // `clock.values.shown` follows from the time control, which the file has.
            None if path == "clock.values.shown" => {}
            None => missing.push(path),
        }
    }
}

/// The keys of a recorded state that are compared. No clock runs in the state of a game, a result is
/// taken back in it, and its instants are those of another clock.
const OF_GAME: [&str; 3] = ["phase", "on_move", "first_flag"];
const OF_SIDE: [&str; 7] = [
    "remaining_ns",
    "moves",
    "period",
    "out_of_time",
    "overrun_ns",
    "overtime_periods",
    "overtime_moves",
];

/// Compares a game with `entry`, the state right after the entry after which the state of the game
/// was read. Returns the first value that differs, or `None` if they agree.
pub fn difference(game: &Game, entry: &RecordedState) -> Option<String> {
    let state = RecordedState::new(&game.view(game.last()), entry.revision);
    let stands = matches!(entry.phase, Phase::Ready | Phase::Paused | Phase::Ruling);
    let [state, entry] = [&state, entry].map(|of| serde_json::json!(of));
    let of_game = OF_GAME.iter().filter(|key| stands || **key != "phase");
    let of_game = of_game.map(|key| ((*key).to_owned(), &state[key], &entry[key]));
    let of_sides = Side::BOTH.into_iter().flat_map(|side| {
        let (name, state, entry) = (side.as_str(), &state[side.as_str()], &entry[side.as_str()]);
        OF_SIDE.map(|key| (format!("{name}'s {key}"), &state[key], &entry[key]))
    });
    let (name, state, entry) = of_game.chain(of_sides).find(|(_, state, entry)| state != entry)?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Some(format!("{name}: {} in the state, {} in the last entry", text(state), text(entry)))
}
