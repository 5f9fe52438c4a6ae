//! The commands to the clock, and the values that they carry: [`Correction`], [`Caller`] and
//! [`Outcome`].
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use crate::{Control, PerSide, Side, Span, Word};
use core::fmt;
use serde::{Deserialize, Serialize};

/// A command of the arbiter, or of a player if the rules allow it to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[expect(
    clippy::large_enum_variant,
    reason = "boxing the control would allocate in the clock loop"
)]
pub enum Command {
    /// Start White's clock (FIDE 6.5).
    Start,
    /// Stop both clocks (FIDE 6.13).
    Pause {
        /// Who stops the clocks. A player may stop them only to call the arbiter.
        by: Caller,
    },
    /// Start a clock again: that of the side on move, or of the given side.
    Resume {
        /// The side whose clock is started. `None` is the side on move, whose turn goes on.
        side: Option<Side>,
    },
    /// Correct times, counters, periods and the side on move, all or nothing (FIDE 6.14).
    Set(Correction),
    /// Award main time to a side, or cut it. In overtime the time left of the running period is
    /// changed instead, and with a gong the time left of the slice.
    Add {
        /// The side.
        side: Side,
        /// Nanoseconds: positive for an award, negative for a cut. Where the time used is counted
        /// up, an award lowers it and a cut raises it.
        delta_ns: i64,
    },
    /// Take back the last completed move: its side is on move again.
    UndoPress,
    /// End the game with this result; both clocks stop (FIDE 5.1, 5.2).
    Finish(Outcome),
    /// Take the result back: only the arbiter reopens a game (S0 5.1, 5.2).
    Reopen,
    /// Set up for a new game. While a game is under way, the command is refused unless `force` is
    /// set, because that game would be lost.
    New {
        /// The time control of the new game.
        control: Control,
        /// Whether a game under way may be lost.
        force: bool,
    },
}

/// A correction of the clock. A value that is `None` stays as it is.
///
/// The period is set before the time. So a given time is the time of the new period, or of the
/// running period of overtime in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The new main time. In overtime it is the time left of the running period, and a time of 0 is
    /// ignored. With a gong it is the time left of the slice. If time is counted up, it is the time
    /// used. The remaining delay of the turn stays.
    pub time: PerSide<Option<Span>>,
    /// The press counter; it does not change the period.
    pub moves: PerSide<Option<u32>>,
    /// The number of the period, from 1. The time stays.
    pub period: PerSide<Option<u32>>,
    /// The periods left of the overtime, including the running one, from 1. If this or
    /// `overtime_moves` is given, the side is in overtime from then on: the time that it shows is
    /// the time left of the running period. A shown time of 0 becomes the time of a whole period.
    pub overtime_periods: PerSide<Option<u32>>,
    /// The moves left in the running period of overtime, from 1.
    pub overtime_moves: PerSide<Option<u32>>,
    /// The side that is to be on move. A new turn of that side begins, unless it is on move
    /// already.
    pub on_move: Option<Side>,
}

/// Who stopped the clocks or called the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caller {
    /// The arbiter.
    Arbiter,
    /// A player, to call the arbiter.
    Player(Side),
    /// A player, with the call button. It is unknown which player pressed it.
    Button,
    /// A fault of the clock's equipment, such as a button board that was disconnected. It is not a
    /// call to the arbiter, and it does not answer one.
    Fault,
    /// The power was cut while a clock ran. It is not a call to the arbiter, and it does not answer
    /// one.
    PowerCut,
}

/// The words of those who can be named in a command.
impl Word for Caller {
    const ALL: &'static [Caller] =
        &[Caller::Player(Side::White), Caller::Player(Side::Black), Caller::Arbiter];

    fn as_str(self) -> &'static str {
        match self {
            Caller::Arbiter => "arbiter",
            Caller::Player(side) => side.as_str(),
            Caller::Button => "button",
            Caller::Fault => "fault",
            Caller::PowerCut => "power-cut",
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Drawn,
    /// Lost by both.
    #[serde(rename = "0-0")]
    BothLose,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Outcome; 4] =
        [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Drawn, Outcome::BothLose];

    /// The outcome as it is written in a crosstable and in PGN: `1-0`, `0-1`, `1/2-1/2`, `0-0`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Drawn => "1/2-1/2",
            Outcome::BothLose => "0-0",
        }
    }

    /// The outcome that [`Outcome::as_str`] writes as `text`, if there is one.
    pub fn from_text(text: &str) -> Option<Outcome> {
        Outcome::from_word(text)
    }
}

impl Word for Outcome {
    const ALL: &'static [Outcome] = &Outcome::ALL;

    fn as_str(self) -> &'static str {
        Outcome::as_str(self)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
