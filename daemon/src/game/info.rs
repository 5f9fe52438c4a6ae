//! What belongs to a game and is not in the engine: its names, its texts, its scheduled start.

use super::scheduled_start::ScheduledStart;
use clock_controls::{NamedRules, RuleLibrary};
use clock_engine::{PerSide, Side};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What belongs to a game and is not in the engine.
#[derive(Clone, Debug, Default)]
pub struct GameInfo {
    /// The rule profile, if the game has one.
    pub rules: Option<Arc<NamedRules>>,
    /// The side whose captain plays at this board.
    pub captain_plays: Option<Side>,
    /// The name of a qualified arbiter who is present, whom the captains consult; or empty.
    pub present_arbiter: String,
    /// When White's clock is to be started, if that is scheduled.
    pub start: Option<ScheduledStart>,
    /// The name of the time control.
    pub control: String,
    /// The text of its control file.
    pub control_text: String,
    /// The players' names, or empty.
    pub players: PerSide<String>,
    /// The clock and the game that this game was taken over from, because that clock was defective.
    pub imported_from: Option<ImportedFrom>,
}

/// A game in the record of another clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedFrom {
    /// The identifier of the other machine.
    pub machine: String,
    /// The number of the game there.
    pub game: u64,
    /// The last link of the chain of its entries, in hexadecimal digits.
    pub chain: String,
}

/// What belongs to a game and is not in the engine, as texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameText {
    /// The name of the time control.
    pub control: String,
    /// The text of its control file.
    pub control_text: String,
    /// The name of the rule profile, or empty.
    pub rules: String,
    /// The text of its rule file.
    pub rules_text: String,
    /// The player of the white pieces, or empty.
    pub white: String,
    /// The player of the black pieces, or empty.
    pub black: String,
    /// The side whose captain plays at this board: `white`, `black` or empty.
    pub captain_plays: String,
    /// The name of a qualified arbiter who is present, or empty.
    pub present_arbiter: String,
    /// When White's clock is to be started, in nanoseconds of CLOCK_REALTIME, if that is scheduled.
    pub start_realtime_ns: Option<u64>,
    /// The clock and the game that this game was taken over from.
    pub imported_from: Option<ImportedFrom>,
}

impl From<&GameInfo> for GameText {
    fn from(game: &GameInfo) -> GameText {
        let rules = game.rules.as_ref();
        GameText {
            control: game.control.clone(),
            control_text: game.control_text.clone(),
            rules: rules.map(|rules| rules.name.clone()).unwrap_or_default(),
            rules_text: rules.map(|rules| rules.text.clone()).unwrap_or_default(),
            white: game.players.white.clone(),
            black: game.players.black.clone(),
            captain_plays: game.captain_plays.map_or("", Side::as_str).to_owned(),
            present_arbiter: game.present_arbiter.clone(),
            start_realtime_ns: game.start.map(|start| start.realtime_nsec),
            imported_from: game.imported_from.clone(),
        }
    }
}

impl GameText {
    /// The game with these texts. Rules that this version cannot read any more are left out: the
    /// clock itself has the profile, and only its text is missing then. `now` decides whether a
    /// scheduled start is still to come.
    pub fn info(self, library: &RuleLibrary, now: u64) -> GameInfo {
        let file = format!("{}.toml", self.rules);
        let rules = NamedRules::parse(library, &self.rules, self.rules_text, &file).ok();
        let start = self.start_realtime_ns.map(|realtime_nsec| ScheduledStart {
            realtime_nsec,
            starts_clock: realtime_nsec > now,
        });
        GameInfo {
            rules: rules.filter(|rules| !rules.name.is_empty()).map(Arc::new),
            captain_plays: Side::BOTH.into_iter().find(|side| side.as_str() == self.captain_plays),
            present_arbiter: self.present_arbiter,
            start,
            control: self.control,
            control_text: self.control_text,
            players: PerSide { white: self.white, black: self.black },
            imported_from: self.imported_from,
        }
    }
}
