//! The game to which the next entry belongs, and what the record stores of it.

use super::describe::json;
use super::replay::Replayed;
use crate::game::GameText;
use clock_controls::FILE_LIMIT;
use clock_engine::text::ControlFile;
use clock_engine::{Outcome, Phase};
use clock_record::{Change, INPUTS_LIMIT, LINES_LIMIT, TEXT_LIMIT};
use clockd_rt::VersionedClock;
use serde::{Deserialize, Serialize};

/// If a game has more entries than this, it is continued in the record as another game with the
/// same names. A real game has some hundreds of entries; only a program that sends commands without
/// end reaches this limit.
pub const MAX_GAME_ENTRIES: u64 = 20_000;
/// A game is also continued as another game if the sum of its inputs has reached this number of bytes. For
/// example, a press has about 100 bytes, and a command that changes the rules about 2,000.
pub const MAX_GAME_INPUTS: usize = 16 << 20;
const _: () = assert!(
    2 * MAX_GAME_ENTRIES <= LINES_LIMIT as u64 && MAX_GAME_INPUTS + TEXT_LIMIT <= INPUTS_LIMIT,
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
const _: () =
    assert!(MAX_GAME_JSON <= TEXT_LIMIT, "the record refuses the longest texts of a game");

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
    /// The identity.
    pub id: u64,
    pub first_entry: u64,
    /// The sum of its inputs, in bytes of JSON.
    pub input_bytes: usize,
    pub info: GameJson,
    /// Whether the game has a result.
    pub ended: bool,
    pub adjourned: bool,
    /// Whether the names and texts are others than those on record.
    pub has_other_text: bool,
}

impl OpenGame {
    /// Whether the game has [`MAX_GAME_ENTRIES`] before the entry `number`, or [`MAX_GAME_INPUTS`].
    /// Replaying a larger game would need too much memory.
    pub fn is_full(&self, number: u64) -> bool {
        number.saturating_sub(self.first_entry) >= MAX_GAME_ENTRIES
            || self.input_bytes >= MAX_GAME_INPUTS
    }

    /// Sets the names and texts.
    pub fn set_text(&mut self, text: GameText, is_configured: bool) {
        (self.info.text, self.info.is_configured) = (text, is_configured);
        self.has_other_text = true;
    }

    /// What the entry changed of the game: whether it has a result and whether it is adjourned, the result,
    /// and the names and texts that `set-rules`, `change-time-control` or `set-names` gave. `None` if
    /// nothing.
    pub fn follow(&mut self, replayed: &Replayed) -> Option<Change> {
        let view = &replayed.after.view;
        let (ended, adjourned) = (view.phase == Phase::Over, view.adjourned.is_some());
        let result = view.outcome.map_or("", Outcome::as_str);
        let has_info = std::mem::take(&mut self.has_other_text) || self.info.result != result;
        result.clone_into(&mut self.info.result);
        let change = Change {
            info: has_info.then(|| json(&self.info)),
            ended: (self.ended != ended).then_some(ended),
            adjourned: (self.adjourned != adjourned).then_some(adjourned),
        };
        (self.ended, self.adjourned) = (ended, adjourned);
        Some(change).filter(|change| *change != Change::default())
    }
}
