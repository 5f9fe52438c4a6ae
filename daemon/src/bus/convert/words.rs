//! Converts phases and sides of the engine to those of the D-Bus interface. Both the state and its
//! open questions contain them.

use clock_dbus::{Phase, Who};
use clock_engine::Side;

pub fn phase(phase: clock_engine::Phase) -> Phase {
    match phase {
        clock_engine::Phase::Ready => Phase::Ready,
        clock_engine::Phase::Running => Phase::Running,
        clock_engine::Phase::Paused => Phase::Paused,
        clock_engine::Phase::Ruling => Phase::Ruling,
        clock_engine::Phase::Over => Phase::Over,
    }
}

/// A side of the engine as a word of the D-Bus interface.
pub fn who(side: Option<Side>) -> Who {
    match side {
        None => Who::Nobody,
        Some(Side::White) => Who::White,
        Some(Side::Black) => Who::Black,
    }
}
