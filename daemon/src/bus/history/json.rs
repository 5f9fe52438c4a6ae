//! Converts entries and games of the record to the JSON objects that the XML of the interface
//! describes.
//!
//! The JSON texts of an entry are copied byte for byte, because the SHA-256 digest that chains the
//! entry to the entries before it is computed from them.

use crate::game::{Ended, Game, GameText, ReadError, Row};
use clock_dbus::RecordedState;
use clock_engine::Side;
use clock_engine::rules::GameState;
use clock_record::hexadecimal;
use serde::Deserialize;
use serde_json::{Map, Value};

/// An entry as a JSON object.
pub fn entry(row: &Row) -> String {
    let Row { game, row: entry, chain } = row;
    format!(
        r#"{{"entry":{},"game":{},"boot":{},"at_ns":{},"raw_ns":{},"wall_ns":{},"kind":{},"input":{},"events":{},"command":{},"state":{},"chain":"{}"}}"#,
        entry.number,
        game,
        text(&entry.boot),
        entry.at_ns,
        entry.raw_ns,
        number_or_null(entry.wall_ns),
        text(&entry.kind),
        entry.input,
        entry.events,
        entry.command.as_deref().unwrap_or("null"),
        entry.state,
        hexadecimal(chain),
    )
}

/// How much of a game is returned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Everything except the clock as it was set up. Lists of games use this.
    Listed,
    /// Everything.
    Whole,
}

/// The key whose value is the clock as it was set up.
const CLOCK: &str = "clock";

/// A key of the stored information on a game. Only the service itself needs it, so the JSON objects
/// do not contain it.
const INTERNAL: &str = "is_configured";

/// A game as a JSON object.
pub fn game(game: &Game, extent: Extent) -> Result<String, ReadError> {
    let info: serde_json::Result<Map<String, Value>> = serde_json::from_str(&game.info);
    let mut object = info.map_err(|error| {
        ReadError::Malformed(format!("the information of game {}: {error}", game.game))
    })?;
    object.remove(INTERNAL);
    if extent == Extent::Listed {
        object.remove(CLOCK);
    }
    for (key, value) in [
        ("game", Value::from(game.game)),
        ("first_entry", game.first_entry.into()),
        ("entries", game.entries.into()),
        ("started_wall_ns", game.started_wall_ns.into()),
        ("ended", game.ended.map(Ended::as_str).into()),
        ("adjourned", game.adjourned.into()),
        ("chain_before", hexadecimal(&game.chain_before).into()),
    ] {
        object.insert(key.to_owned(), value);
    }
    if let Some(damage) = &game.damage {
        object.insert("damaged".to_owned(), damage.as_str().into());
    }
    Ok(Value::Object(object).to_string())
}

/// The whole state of a game as a JSON object.
pub fn whole_state(state: &GameState) -> Result<String, ReadError> {
    serde_json::to_string(state).map_err(|error| ReadError::Malformed(error.to_string()))
}

/// The part of the information on a game that `names()` reads: the machine, names and texts.
#[derive(Deserialize)]
struct Names {
    machine: String,
    #[serde(flatten)]
    text: GameText,
}

/// The machine of a game, and its names and texts.
pub fn names(game: &Game) -> Result<(String, GameText), ReadError> {
    let Names { machine, text } = serde_json::from_str(&game.info).map_err(|error| {
        ReadError::Malformed(format!("the information of game {}: {error}", game.game))
    })?;
    Ok((machine, text))
}

/// The number that the press counter of a side shows after an entry.
pub fn moves(row: &Row, side: Side) -> Result<u32, ReadError> {
    let state: RecordedState = serde_json::from_str(&row.row.state).map_err(|error| {
        ReadError::Malformed(format!("the state of entry {} is no state: {error}", row.row.number))
    })?;
    Ok(state.side(side).moves)
}

/// The text as a JSON string, with quotation marks.
fn text(text: &str) -> String {
    Value::from(text).to_string()
}

fn number_or_null(number: Option<i64>) -> String {
    number.map_or_else(|| "null".to_owned(), |number| number.to_string())
}
