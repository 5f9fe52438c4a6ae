//! The file that `clockctl export --format json` writes and `clockctl import` reads.

use super::chain::{self, Chain};
use super::json_text::{canonical, escaped};
use super::{Entry, Record};
use crate::input::{json_words_in, shortened};
use clock_dbus::{Phase, RecordedState};
use clock_engine::rules::{Game, GameState, NotTakenOver, Profile, Session, Setup};
use clock_engine::text::Place;
use clock_engine::{Control, Instant, Side};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;

/// The size of the largest file that is read.
pub const MAX_BYTES: usize = clock_record::EXPORT_LIMIT;
/// The version of the format, which is the value of the key `chess_clock_record`. A file of another
/// version is refused.
pub const VERSION: u64 = 1;

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFile {
    pub record: Record,
    /// Whether the entries in the file are as the clock wrote them.
    pub chain: Chain,
    /// Whether the values of the keys `game` and `state`, which the chain does not cover, are as
    /// they were exported.
    pub sum: FileSum,
    /// The whole state after the last entry, or why it cannot be used; `None` if the file has none.
    pub state: Option<Result<WholeState, FileError>>,
}

/// Whether the sum in a file matches the file. The sum is computed from the chain of the last
/// entry, and from the values of the keys `game` and `state`, which the chain does not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSum {
    /// The sum matches the file.
    Matches,
    /// The value of `game` or of `state`, or the chain of the last entry, was changed.
    Differs,
    /// The file has no sum: an older version wrote it, or somebody removed the sum.
    Missing,
}

impl RecordFile {
    /// What shows that the file was changed after it was exported, or that this cannot be known;
    /// `None` if every sum is there and matches. Every verb that reads a file says this.
    pub fn doubt(&self) -> Option<Doubt> {
        match (self.chain, self.sum) {
            (Chain::Broken { entry }, _) => Some(Doubt::Entry(entry)),
            (Chain::Intact, FileSum::Differs) => Some(Doubt::Altered),
            (Chain::Intact, FileSum::Missing) => Some(Doubt::NoSum),
            (Chain::Intact, FileSum::Matches) => None,
        }
    }

    /// The doubt about a part of the game that was put before this record, if there is none about
    /// this one.
    pub fn add_doubt(&mut self, part: &RecordFile) {
        if self.doubt().is_none() {
            (self.chain, self.sum) = (part.chain, part.sum);
        }
    }

    /// The last entry. Every file that is read has one.
    pub fn last(&self) -> &Entry {
        self.record.entries.last().expect("a file without entries is refused")
    }
}

/// Why a file may not be as the clock exported it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// This entry does not match its sum.
    Entry(u64),
    /// The game or the state does not match the sum of the file.
    Altered,
    /// The file has no sum.
    NoSum,
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Entry(entry) => write!(
                f,
                "entry {entry} does not match its sum: the file was changed after it was exported"
            ),
            Doubt::Altered => f.write_str(
                "the file does not match its sum: the control, the rules, the players, the result or \
                 the state was changed after it was exported",
            ),
            Doubt::NoSum => f.write_str(
                "the file has no sum: no sum covers the control, the rules, the players and the result",
            ),
        }
    }
}

/// Why a file cannot be used: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError(String);

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FileError {}

/// In a wrong file the version can be a JSON value of any size. So it is kept as text and not parsed.
#[derive(Deserialize)]
struct Versioned<'a> {
    #[serde(borrow)]
    chess_clock_record: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawFile<'a> {
    #[serde(borrow)]
    game: &'a RawValue,
    #[serde(borrow)]
    entries: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    state: Option<&'a RawValue>,
    sum: Option<String>,
}

/// Returns the text of a record file. `game`, `state` and each of `entries` are JSON objects as the
/// service returned them. `state` is the whole state after the last entry, and `last_chain` is the
/// chain of the last entry. The text has one line for each entry.
pub fn write(game: &str, entries: &[String], last_chain: &str, state: Option<&str>) -> String {
    let sum = chain::file_sum(last_chain, game, state);
    let (entries, state) = (entries.join(",\n"), state.unwrap_or("null"));
    escaped(&format!(
        "{{\"chess_clock_record\":{VERSION},\n\"game\":{game},\n\"entries\":[\n{entries}\n],\n\
         \"state\":{state},\n\"sum\":\"{sum}\"}}\n"
    ))
}

/// Reads a file. It can come from anywhere: nothing in it is trusted, and its size is limited.
pub fn read(bytes: &[u8]) -> Result<RecordFile, FileError> {
    if bytes.len() > MAX_BYTES {
        return Err(FileError(format!("it has more than {} MiB", MAX_BYTES / 1024 / 1024)));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let good = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
        let Place { line, column } = Place::new(good, good.len());
        FileError(format!("line {line}, column {column}: it is not UTF-8 text"))
    })?;
    parse(text)
}

fn parse(text: &str) -> Result<RecordFile, FileError> {
    // Some editors put a byte order mark before the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Without this check, serde would also accept an array that has the values of the fields in
    // their order.
    if !text.trim_start().starts_with('{') {
        return Err(FileError(
            "it is no JSON object; expected a file of clockctl export --format json".to_owned(),
        ));
    }
    let malformed = |error: serde_json::Error| malformed(text, &error);
    let versioned: Versioned<'_> = serde_json::from_str(text).map_err(malformed)?;
    match versioned.chess_clock_record {
        None => return Err(FileError(
            "it has no key chess_clock_record; expected a file of clockctl export --format json"
                .to_owned(),
        )),
        Some(version) if version.get() != VERSION.to_string() => {
            return Err(FileError(format!(
                "its version (chess_clock_record) is {}; this clockctl reads version {VERSION}",
                shortened(version.get())
            )));
        }
        Some(_) => {}
    }
    let record: Record = serde_json::from_str(text).map_err(malformed)?;
    in_order(&record)?;
    let raw: RawFile<'_> = serde_json::from_str(text).map_err(malformed)?;
    let entries = raw.entries.iter().map(|entry| entry.get());
    let chain = chain::check(record.game.chain_before.as_deref(), entries).map_err(malformed)?;
    // The chain does not tell that the last entries are missing. `game.entries` also counts entries
    // that the clock has lost, so the numbers of the first and the last entry are compared. While a
    // game runs, the clock can add entries after it has said how many there are.
    let first = record.entries.first().map_or(0, |entry| entry.entry);
    let end = first.saturating_add(record.game.entries);
    let is_short = record.entries.last().is_some_and(|last| last.entry.saturating_add(1) < end);
    let chain = match (chain, record.entries.last()) {
        (Chain::Intact, Some(last)) if is_short => {
            Chain::Broken { entry: last.entry.saturating_add(1) }
        }
        (chain, _) => chain,
    };
    let last_chain = record.entries.last().map_or("", |entry| &entry.chain);
    let state = raw.state.map(RawValue::get);
    let sum = match raw.sum {
        None => FileSum::Missing,
        Some(sum) if sum == chain::file_sum(last_chain, raw.game.get(), state) => FileSum::Matches,
        Some(_) => FileSum::Differs,
    };
    let state = state.map(|state| whole_state(text, state));
    Ok(RecordFile { record, chain, sum, state })
}

/// Checks that all entries belong to the game and that their numbers increase.
fn in_order(record: &Record) -> Result<(), FileError> {
    let game = record.game.game;
    let mut before = None;
    for entry in &record.entries {
        let number = entry.entry;
        if entry.game != game {
            let of = entry.game;
            return Err(FileError(format!("entry {number} is of game {of}; expected game {game}")));
        }
        if before.is_some_and(|before| number <= before) {
            let before = before.unwrap_or_default();
            return Err(FileError(format!(
                "entry {number} follows entry {before}; their numbers have to rise"
            )));
        }
        before = Some(number);
    }
    match before {
        Some(_) => Ok(()),
        None => Err(FileError("it has no entries".to_owned())),
    }
}

/// What is wrong with the JSON of this text, with the place first.
fn malformed(text: &str, error: &serde_json::Error) -> FileError {
    let (line, column) = (error.line(), error.column());
    let what = json_words_in(text, error);
    FileError(if line == 0 { what } else { format!("line {line}, column {column}: {what}") })
}

/// Reads the whole state. An error has the place in the file.
fn whole_state(text: &str, state: &str) -> Result<WholeState, FileError> {
    WholeState::parse(&canonical(state)).map_err(|message| {
        // The state is a part of the text. The canonical text that was parsed has other columns.
        let begin = state.as_ptr().addr().saturating_sub(text.as_ptr().addr());
        let within = serde_json::from_str::<GameState>(state).err().map_or(0, |error| {
            let lines = state.split_inclusive('\n').take(error.line().saturating_sub(1));
            lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1)
        });
        let Place { line, column } = Place::new(text, begin + within);
        FileError(format!("line {line}, column {column}: {}", shortened(&message)))
    })
}

/// The longest text of a whole state that is read, in bytes. The clock accepts no longer text.
const MAX_STATE_BYTES: usize = 16 * 1024;

/// The whole state of a game in an exported file, as the clock's `History.ReadState` returned it.
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
        if text.len() > MAX_STATE_BYTES {
            let bytes = text.len();
            return Err(format!("the state has {bytes} bytes; expected at most {MAX_STATE_BYTES}"));
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

/// Appends to `missing` the path of each key that `whole` has and `given` lacks. The path of a key in a
/// nested object has dots, such as `clock.values`. `path` is the path of both objects.
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
            // Earlier versions store a penalty that is due for a stop only in `facts.stop_penalty`.
            None if path.starts_with("facts.sides.") && path.ends_with(".stop_penalty") => {}
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

#[cfg(test)]
mod tests;
