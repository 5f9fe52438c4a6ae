//! The game to which the next entry belongs, and what the record stores of it.

use super::describe::json;
use super::replay::Replayed;
use crate::game::{CommandNote, Ended, GameText, Identity};
use crate::record::store::{ENTRIES_LIMIT, GameChange, INPUTS_LIMIT, MAX_TEXT};
use clock_controls::FILE_LIMIT;
use clock_engine::text::ControlFile;
use clock_engine::{Outcome, Phase};
use clockd_rt::{Update, VersionedClock, sets_game};
use serde::{Deserialize, Serialize};

/// If a game has more entries than this, it is continued in the record as another game with the
/// same names. A real game has some hundreds of entries; only a program that sends commands without
/// end reaches this limit.
pub const MAX_GAME_ENTRIES: u64 = 20_000;
/// A game is also continued as another game if the sum of its inputs has reached this number of bytes. For
/// example, a press has about 100 bytes, and a command that changes the rules about 2,000.
pub const MAX_GAME_INPUTS: usize = 16 << 20;
const _: () = assert!(
    MAX_GAME_ENTRIES < ENTRIES_LIMIT && (MAX_GAME_INPUTS + MAX_TEXT) as u64 <= INPUTS_LIMIT,
    "the record could not be opened again"
);

/// JSON writes a control character of one byte as six bytes, such as `\u0001`.
const JSON_ESCAPE: usize = 6;
/// Room for the names of a game, and for the reference to the game from which it was imported. Each
/// text has 255 bytes at most.
const NAMES: usize = 4 * 1024;
/// Room for the whole clock as JSON. A test checks that a new clock needs less than a quarter of
/// it.
pub const MAX_CLOCK_JSON: usize = 128 * 1024;
/// The longest [`GameJson`], with a control file and a rule file of the largest size.
const MAX_GAME_JSON: usize =
    (ControlFile::LIMIT + FILE_LIMIT + NAMES) * JSON_ESCAPE + MAX_CLOCK_JSON;
const _: () = assert!(MAX_GAME_JSON <= MAX_TEXT, "the record refuses the longest texts of a game");

/// The information on a game that the record stores, as JSON.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GameJson {
    /// The machine (`/etc/machine-id`).
    pub machine: String,
    /// The names of the game, and the texts of its files.
    #[serde(flatten)]
    pub text: GameText,
    /// The result, or empty.
    pub result: String,
    /// Whether the game was set up from the configuration, and no command has given it names or
    /// texts.
    pub is_configured: bool,
    /// The whole clock right after the first entry of the game.
    pub clock: Option<Box<VersionedClock>>,
}

/// The game to which the next entry belongs.
#[derive(Clone, Debug)]
pub struct OpenGame {
    pub number: u64,
    pub first_entry: u64,
    /// The sum of its inputs, in bytes of JSON.
    pub input_bytes: usize,
    pub info: GameJson,
    pub ended: Option<Ended>,
    pub adjourned: bool,
}

impl OpenGame {
    /// Whether the game has [`MAX_GAME_ENTRIES`] before the entry `number`, or [`MAX_GAME_INPUTS`].
    /// Replaying a larger game would need too much memory.
    pub fn is_full(&self, number: u64) -> bool {
        number.saturating_sub(self.first_entry) >= MAX_GAME_ENTRIES
            || self.input_bytes >= MAX_GAME_INPUTS
    }

    /// Whether the game that an earlier process on `machine` has kept is certainly another one, by
    /// their numbers, machines, names and texts.
    pub fn is_other_than(&self, kept: &Identity, machine: &str) -> bool {
        let machines = [self.info.machine.as_str(), machine];
        let is_known = kept.text != GameText::default();
        kept.number.is_some_and(|number| number != self.number)
            // A machine without a stored id has another id after each start. If the number of the
            // game is known, it decides without the id.
            || kept.number.is_none()
                && machines[0] != machines[1]
                && !machines.iter().any(|machine| machine.is_empty())
            || is_known && !kept.is_of_game(&self.info.text)
    }

    /// Takes over the names and texts that a command has given the game, if its note is known.
    pub fn take_text(&mut self, note: Option<&CommandNote>) {
        if let Some(CommandNote::Given { game: Some(text), .. }) = note {
            self.info.text = (**text).clone();
            // After a restart, the game goes on with what the command gave, not with the
            // configuration.
            self.info.is_configured = false;
        }
    }

    /// Adds the changes in the table of games: the end of the game, whether it is adjourned, its
    /// result, and the names and texts that `set-rules`, `change-time-control` or `set-names` gave.
    pub fn follow(&mut self, replayed: &Replayed, changes: &mut Vec<GameChange>) {
        let over = replayed.after.view.phase == Phase::Over;
        let ended = over.then_some(Ended::Result);
        if self.ended != ended {
            self.ended = ended;
            changes.push(GameChange::Ended { game: self.number, ended });
        }
        let adjourned = replayed.after.view.adjourned.is_some();
        if self.adjourned != adjourned {
            self.adjourned = adjourned;
            changes.push(GameChange::Adjourned { game: self.number, adjourned });
        }
        let gives_text = |update: &Update| sets_game(update).is_some();
        let result = replayed.after.view.outcome.map_or("", Outcome::as_str);
        if self.info.result != result || replayed.updates.iter().any(gives_text) {
            result.clone_into(&mut self.info.result);
            changes.push(GameChange::Info { game: self.number, info: json(&self.info) });
        }
    }
}
