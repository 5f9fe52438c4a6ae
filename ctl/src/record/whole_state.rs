//! The whole state of a game in an exported file, as the clock's `History.ReadState` returned it.

use super::Reading;
use crate::input::json_words_in;
use clock_dbus::{Phase, Who};
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

/// Compares a game with `reading`, which is from the entry after which the state of the game was
/// read. Returns the first value that differs, or `None` if they agree.
pub fn difference(game: &Game, reading: &Reading) -> Option<String> {
    // Without `..`, the compiler reports every new field that is not handled here.
    let Reading {
        revision: _, // the other clock's count of its changes
        phase,
        on_move,
        running: _, // no clock runs in a state
        first_flag,
        result: _, // a result is taken back in a state
        white: _,  // below
        black: _,  // below
    } = reading;
    let view = game.view(game.last());
    let who = |side: Option<Side>| match side {
        None => Who::Nobody,
        Some(Side::White) => Who::White,
        Some(Side::Black) => Who::Black,
    };
    let stands = matches!(phase, Phase::Ready | Phase::Paused | Phase::Ruling);
    let differs = |name: &str, state: String, entry: String| {
        (state != entry).then(|| format!("{name}: {state} in the state, {entry} in the last entry"))
    };
    let of_sides = [(Side::White, &reading.white), (Side::Black, &reading.black)];
    let of_game = [
        stands.then(|| ("phase", view.phase.as_str().to_owned(), phase.as_str().to_owned())),
        Some(("on_move", who(Some(view.on_move)).as_str().into(), on_move.as_str().into())),
        Some(("first_flag", who(view.first_flag).as_str().into(), first_flag.as_str().into())),
    ];
    let mut found = of_game
        .into_iter()
        .flatten()
        .find_map(|(name, state, entry): (&str, String, String)| differs(name, state, entry));
    for (side, entry) in of_sides {
        let shown = &view.sides[side];
        let overtime = shown.overtime.map(|left| (left.periods, left.moves));
        for (name, state, entry) in [
            (
                "remaining_ns",
                shown.remaining.as_nanos().to_string(),
                entry.remaining_ns.to_string(),
            ),
            ("moves", shown.moves.to_string(), entry.moves.to_string()),
            ("period", shown.period.to_string(), entry.period.to_string()),
            ("out_of_time", shown.out_of_time.to_string(), entry.out_of_time.to_string()),
            ("overrun_ns", shown.overrun.as_nanos().to_string(), entry.overrun_ns.to_string()),
            (
                "overtime",
                format!("{overtime:?}"),
                format!("{:?}", entry.overtime_periods.zip(entry.overtime_moves)),
            ),
        ] {
            found = found.or_else(|| differs(&format!("{}'s {name}", side.as_str()), state, entry));
        }
    }
    found
}
