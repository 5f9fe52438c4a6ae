//! The signals of the service for which the buzzer can sound.

use clock_dbus::{State, Who};

/// How often each signal came since the program started.
///
/// The thread that drives the buzzer compares the counts with those that it saw before. So it
/// misses no signal if several transitions arrive before it reads the counts again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// How many gongs there were. With the gong method, a gong ends the time slice of one side and
    /// begins the time slice of the other side.
    pub gongs: u64,
    /// How often a flag fell, in any period.
    pub flags: u64,
    /// How often the arbiter was called while no earlier call was open.
    pub calls: u64,
}

impl Signals {
    /// Counts a `Transition` of the service. `state` is the state after the transition, and
    /// `caller` is `arbiter_called_by` of the state before it.
    pub fn note(&mut self, cause: &str, caller: Who, state: &State) {
        match cause {
            "gong" => self.gongs += 1,
            "flag" => self.flags += 1,
            _ => {}
        }
        if caller == Who::Nobody && state.arbiter_called_by != Who::Nobody {
            self.calls += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gongs_flags_and_calls_are_counted() {
        let called = |by| State { arbiter_called_by: by, ..State::default() };
        let nobody = called(Who::Nobody);
        for (cause, caller, state, gongs, flags, calls) in [
            ("gong", Who::Nobody, &nobody, 1, 0, 0),
            ("flag", Who::Nobody, &nobody, 0, 1, 0),
            ("press", Who::Nobody, &nobody, 0, 0, 0),
            ("period", Who::Nobody, &nobody, 0, 0, 0),
            ("call", Who::Nobody, &called(Who::Button), 0, 0, 1),
            // A pause by White also calls the arbiter, and so does a claim of a flag by Black.
            ("pause", Who::Nobody, &called(Who::White), 0, 0, 1),
            ("claim-flag", Who::Nobody, &called(Who::Black), 0, 0, 1),
            // A call is repeated, and then answered. Neither is counted as a new call.
            ("call", Who::White, &called(Who::White), 0, 0, 0),
            ("resume", Who::White, &nobody, 0, 0, 0),
            // A flag falls while a call of a player is open. The open call is not counted again.
            ("flag", Who::White, &called(Who::White), 0, 1, 0),
        ] {
            let mut signals = Signals::default();
            signals.note(cause, caller, state);
            assert_eq!(signals, Signals { gongs, flags, calls }, "{cause} {caller:?}");
        }
    }
}
