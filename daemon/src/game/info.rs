//! The parts of a game that the daemon keeps beside the engine: names, texts, the scheduled start,
//! the captain and the arbiter, and the clock from which the game was imported.

use super::scheduled_start::ScheduledStart;
use clock_controls::{NamedRules, RuleLibrary};
use clock_engine::{PerSide, Side};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The parts of a game that the daemon keeps beside the engine.
#[derive(Clone, Debug, Default)]
pub struct GameInfo {
    /// The rule profile with its name and its text; `None` if the game has none.
    pub rules: Option<Arc<NamedRules>>,
    /// The side whose captain plays at this board, or `None`.
    pub captain_plays: Option<Side>,
    /// The name of a qualified arbiter who is present and whom the captains must consult; or empty.
    pub present_arbiter: String,
    /// When White's clock is to be started, or `None` if no start is scheduled.
    pub start: Option<ScheduledStart>,
    /// The name of the time control.
    pub control: String,
    /// The text of the control file.
    pub control_text: String,
    /// The players' names, or empty.
    pub players: PerSide<String>,
    /// The game on another clock from which this game was imported; `None` if it was not imported.
    pub imported_from: Option<ImportedFrom>,
}

/// A game in the record of another clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedFrom {
    /// The identifier of the machine of the other clock.
    pub machine: String,
    /// The number of the game in the other record.
    pub game: u64,
    /// The chain of the last entry of the game in the other record, in hexadecimal digits.
    pub chain: String,
}

/// A [`GameInfo`] in the form in which it is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameText {
    /// The name of the time control.
    pub control: String,
    /// The text of the control file.
    pub control_text: String,
    /// The name of the rule profile, or empty.
    pub rules: String,
    /// The text of the rule file.
    pub rules_text: String,
    /// The player of the white pieces, or empty.
    pub white: String,
    /// The player of the black pieces, or empty.
    pub black: String,
    /// The side whose captain plays at this board: `white`, `black` or empty.
    pub captain_plays: String,
    /// The name of a qualified arbiter who is present, or empty.
    pub present_arbiter: String,
    /// When White's clock is to be started, in nanoseconds of CLOCK_REALTIME; `None` if no start is
    /// scheduled.
    pub start_realtime_ns: Option<u64>,
    /// The game on another clock from which this game was imported; `None` if it was not imported.
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
    /// Converts the texts to a [`GameInfo`]. The service starts White's clock only if the scheduled
    /// start is later than `now`, in nanoseconds of CLOCK_REALTIME.
    ///
    /// If this version cannot read the rule file, `GameInfo::rules` is `None`. The engine still has
    /// the profile, but its name and its text are missing, and `authority::check` allows
    /// everything.
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
