//! The enumerations in the state of the clock. On the wire, each value is a word.

use clock_engine::Side;
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

impl From<Side> for Who {
    fn from(side: Side) -> Who {
        match side {
            Side::White => Who::White,
            Side::Black => Who::Black,
        }
    }
}

impl From<Option<Side>> for Who {
    /// The player of this side, or [`Who::Nobody`].
    fn from(side: Option<Side>) -> Who {
        side.map_or(Who::Nobody, Who::from)
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
