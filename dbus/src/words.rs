//! The enumerations in the state of the clock. On the wire, each value is a word.

use serde::{Deserialize, Serialize};
use zbus::Type;

/// A side, a caller, or nobody: `"white"`, `"black"`, `"arbiter"`, `"button"`, `""`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Type, Serialize, Deserialize)]
#[zbus(signature = "s")]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// Nobody; the empty string on the wire.
    #[default]
    #[serde(rename = "")]
    Nobody,
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
    /// The arbiter, or the person whom the rules put in the arbiter's place.
    Arbiter,
    /// The call button. It belongs to both players, and it is unknown which player pressed it.
    Button,
}

impl Who {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Who::Nobody => "",
            Who::White => "white",
            Who::Black => "black",
            Who::Arbiter => "arbiter",
            Who::Button => "button",
        }
    }

    /// The player's side; `None` for an arbiter, for the call button and for nobody.
    pub fn side(self) -> Option<Side> {
        match self {
            Who::White => Some(Side::White),
            Who::Black => Some(Side::Black),
            Who::Nobody | Who::Arbiter | Who::Button => None,
        }
    }
}

/// One of the two sides: `"white"` or `"black"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side of the player of the white pieces.
    White,
    /// The side of the player of the black pieces.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The side as a [`Who`], which is the type of the sides in a [`State`](crate::State).
    pub fn who(self) -> Who {
        match self {
            Side::White => Who::White,
            Side::Black => Who::Black,
        }
    }

    /// The opponent's side.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        self.who().as_str()
    }

    /// The name of the side in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Side::White => "White",
            Side::Black => "Black",
        }
    }
}

/// The phase of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Type, Serialize, Deserialize)]
#[zbus(signature = "s")]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The clock is set up; White's clock has not started.
    #[default]
    Ready,
    /// One clock runs.
    Running,
    /// Both clocks stand; `PausedBy` says why.
    Paused,
    /// Both clocks stand until the arbiter has decided a question, such as a fallen flag.
    Ruling,
    /// The game has a result.
    Over,
}

impl Phase {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Ready => "ready",
            Phase::Running => "running",
            Phase::Paused => "paused",
            Phase::Ruling => "ruling",
            Phase::Over => "over",
        }
    }
}

/// How the main numbers change while a clock runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Type, Serialize, Deserialize)]
#[zbus(signature = "s")]
#[serde(rename_all = "lowercase")]
pub enum Counting {
    /// The running side's delay falls, then its main number.
    #[default]
    Down,
    /// The running side's main number falls, and the other side's rises by as much.
    Hourglass,
    /// The running side's main number rises: it is the time used.
    Up,
}

impl Counting {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Counting::Down => "down",
            Counting::Hourglass => "hourglass",
            Counting::Up => "up",
        }
    }
}

/// What a side's time gains by a move, in its present period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Type, Serialize, Deserialize)]
#[zbus(signature = "s")]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Nothing is added. An hourglass, a gong, an overtime and a time that is counted up have this
    /// method, too.
    #[default]
    None,
    /// An increment is added with each completed move.
    Increment,
    /// In each turn, a delay passes before the main number falls.
    Delay,
    /// A delay that is shown as one number together with the main time.
    Bronstein,
}

impl Method {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::None => "none",
            Method::Increment => "increment",
            Method::Delay => "delay",
            Method::Bronstein => "bronstein",
        }
    }
}
