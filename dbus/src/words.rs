//! The enumerations in the state of the clock. On the wire, each value is a word.

use clock_engine::{Caller, Side, words};

words! {
    /// Who a value of the state names: a player, the arbiter, the call button, or nobody.
    #[derive(Default)]
    Who {
        /// The player of the white pieces.
        White = "white",
        /// The player of the black pieces.
        Black = "black",
        /// The arbiter, or the person whom the rules put in the arbiter's place.
        Arbiter = "arbiter",
        /// The call button. It belongs to both players, and it is unknown which player pressed it.
        Button = "button",
        /// Nobody; the empty string on the wire.
        #[default]
        #[serde(other)]
        Nobody = "",
    }
}

impl Who {
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

impl From<Option<Caller>> for Who {
    /// Who called the arbiter.
    fn from(caller: Option<Caller>) -> Who {
        match caller {
            Some(Caller::Arbiter) => Who::Arbiter,
            Some(Caller::Player(side)) => side.into(),
            Some(Caller::Button) => Who::Button,
            // A fault or a power cut stops the clocks but calls nobody.
            Some(Caller::Fault | Caller::PowerCut) | None => Who::Nobody,
        }
    }
}

words! {
    /// What a side's time gains by a move, in its present period.
    #[derive(Default)]
    Method {
        /// An increment is added with each completed move.
        Increment = "increment",
        /// In each turn, a delay passes before the main number falls.
        Delay = "delay",
        /// A delay that is shown as one number together with the main time.
        Bronstein = "bronstein",
        /// Nothing is added. An hourglass, a gong, an overtime and a time that is counted up have this
        /// method, too.
        #[default]
        #[serde(other)]
        None = "none",
    }
}

impl From<clock_engine::Method> for Method {
    fn from(method: clock_engine::Method) -> Method {
        use clock_engine::Method as Of;
        match method {
            Of::Increment(_) => Method::Increment,
            Of::Delay(_) => Method::Delay,
            Of::Bronstein(_) => Method::Bronstein,
            Of::None | Of::Overtime(_) | Of::Hourglass | Of::Gong(_) | Of::CountUp { .. } => {
                Method::None
            }
        }
    }
}
