//! A game that is taken over from another clock.

use crate::{Corrections, NewGame, Who};
use serde::{Deserialize, Serialize};
use zbus::{DeserializeDict, SerializeDict, Type};

/// Where an imported game comes from; it links the records of both clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct Source {
    /// The machine id of the other clock, of at most 64 bytes.
    pub machine: String,
    /// The number of the game in the record of the other clock.
    pub game: u64,
    /// The chain of the last entry of the game there, in 64 hexadecimal digits.
    pub chain: String,
}

/// The argument of `Arbiter.Import`: the keys of [`NewGame`] and of [`Corrections`] in one dictionary, and
/// two of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, SerializeDict, DeserializeDict)]
#[zbus(signature = "a{sv}", deny_unknown_fields)]
pub struct Proposal {
    /// Whether the game has begun: it is then paused, otherwise ready. It must be given.
    #[zbus(rename = "Begun")]
    pub begun: Option<bool>,
    /// Where the game comes from. It must be given.
    #[zbus(rename = "Source")]
    pub source: Option<Source>,
    /// The name of a time control that the clock knows.
    #[zbus(rename = "TimeControl")]
    pub time_control: Option<String>,
    /// The text of a control file; `TimeControl` is then only its name.
    #[zbus(rename = "TimeControlFile")]
    pub time_control_file: Option<String>,
    /// The name of the player of the white pieces.
    #[zbus(rename = "WhitePlayer")]
    pub white_player: Option<String>,
    /// The name of the player of the black pieces.
    #[zbus(rename = "BlackPlayer")]
    pub black_player: Option<String>,
    /// Whether a game under way may be lost. Without it such a game is kept, and `New` is refused.
    #[zbus(rename = "Force")]
    pub force: Option<bool>,
    /// The name of a rule profile that the clock knows; empty for none.
    #[zbus(rename = "Rules")]
    pub rules: Option<String>,
    /// The scheduled start of the session and of the game, in nanoseconds of `CLOCK_REALTIME`.
    #[zbus(rename = "StartAtRealtimeNSec")]
    pub start_at_realtime_nsec: Option<u64>,
    /// The side whose captain plays at this board.
    #[zbus(rename = "CaptainPlays")]
    pub captain_plays: Option<Who>,
    /// The name of a qualified arbiter who is present, whom the captains consult before they rule.
    #[zbus(rename = "PresentArbiter")]
    pub present_arbiter: Option<String>,
    /// White's main time, in nanoseconds; the remaining delay of the turn does not change.
    #[zbus(rename = "WhiteTimeNSec")]
    pub white_time_nsec: Option<u64>,
    /// Black's main time, in nanoseconds; the remaining delay of the turn does not change.
    #[zbus(rename = "BlackTimeNSec")]
    pub black_time_nsec: Option<u64>,
    /// White's press counter; it changes no period.
    #[zbus(rename = "WhiteMoves")]
    pub white_moves: Option<u32>,
    /// Black's press counter; it changes no period.
    #[zbus(rename = "BlackMoves")]
    pub black_moves: Option<u32>,
    /// White's period, from 1; it brings no time.
    #[zbus(rename = "WhitePeriod")]
    pub white_period: Option<u32>,
    /// Black's period, from 1; it brings no time.
    #[zbus(rename = "BlackPeriod")]
    pub black_period: Option<u32>,
    /// The periods left of White's overtime, including the running one, from 1. With this or
    /// `white_overtime_moves` White is in overtime, with the number shown.
    #[zbus(rename = "WhiteOvertimePeriods")]
    pub white_overtime_periods: Option<u32>,
    /// The moves White has left in the running period of overtime, from 1.
    #[zbus(rename = "WhiteOvertimeMoves")]
    pub white_overtime_moves: Option<u32>,
    /// The periods left of Black's overtime, including the running one, from 1. With this or
    /// `black_overtime_moves` Black is in overtime, with the number shown.
    #[zbus(rename = "BlackOvertimePeriods")]
    pub black_overtime_periods: Option<u32>,
    /// The moves Black has left in the running period of overtime, from 1.
    #[zbus(rename = "BlackOvertimeMoves")]
    pub black_overtime_moves: Option<u32>,
    /// The side to be on move, in `paused` and `ruling`: it begins a new turn with its full delay.
    #[zbus(rename = "OnMove")]
    pub on_move: Option<Who>,
}

impl Proposal {
    /// A game with these settings and these times, as they are on the other clock.
    pub fn new(begun: bool, source: Source, game: NewGame, corrections: Corrections) -> Proposal {
        let NewGame {
            time_control,
            time_control_file,
            white_player,
            black_player,
            force,
            rules,
            start_at_realtime_nsec,
            captain_plays,
            present_arbiter,
        } = game;
        let Corrections {
            white_time_nsec,
            black_time_nsec,
            white_moves,
            black_moves,
            white_period,
            black_period,
            white_overtime_periods,
            white_overtime_moves,
            black_overtime_periods,
            black_overtime_moves,
            on_move,
        } = corrections;
        Proposal {
            begun: Some(begun),
            source: Some(source),
            time_control,
            time_control_file,
            white_player,
            black_player,
            force,
            rules,
            start_at_realtime_nsec,
            captain_plays,
            present_arbiter,
            white_time_nsec,
            black_time_nsec,
            white_moves,
            black_moves,
            white_period,
            black_period,
            white_overtime_periods,
            white_overtime_moves,
            black_overtime_periods,
            black_overtime_moves,
            on_move,
        }
    }
}
