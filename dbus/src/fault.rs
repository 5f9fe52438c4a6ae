//! What is wrong with the clock, and why it is paused.

use clock_engine::words;
use serde::{Deserialize, Serialize};
use zbus::Type;

/// One entry of `Faults`: a code for programs and a text for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Type, Serialize, Deserialize)]
pub struct Fault {
    /// One of the codes of [`FaultCode`], or of a later version of the service.
    pub code: String,
    /// What is wrong and what to do about it, at most 200 bytes.
    pub text: String,
}

impl Fault {
    /// A fault with this code.
    pub fn new(code: FaultCode, text: impl Into<String>) -> Fault {
        Fault { code: code.as_str().to_owned(), text: text.into() }
    }

    /// The code of the fault; `None` if this version does not know it.
    pub fn known(&self) -> Option<FaultCode> {
        FaultCode::ALL.iter().copied().find(|code| code.as_str() == self.code)
    }
}

words! {
    /// The codes of [`Fault`], the most serious first: the order of the list on the bus.
    #[derive(PartialOrd, Ord)]
    FaultCode {
        /// The button board is not connected, or has never been connected since the service started. No
        /// press is read. If a clock ran, it was paused, and no clock can be started.
        BoardGone = "board-gone",
        /// The button that is wired as White's has been down for too long: 10 s, unless configured
        /// otherwise.
        StuckWhite = "stuck-white",
        /// The button that is wired as Black's has been down for too long: 10 s, unless configured
        /// otherwise.
        StuckBlack = "stuck-black",
        /// The call button has been down for too long: 10 s, unless configured otherwise.
        StuckCall = "stuck-call",
        /// Both contacts (throws) of the rocker, one for each side, are closed at once.
        RockerCrossed = "rocker-crossed",
        /// The power was cut, or the machine was restarted, during a game. Both clocks stand; the text
        /// says whether one ran. The fault stays until the arbiter's next command, or until both players
        /// have resumed.
        PowerCut = "power-cut",
        /// The service was restarted while a clock ran. The clock ran on, but no press was read
        /// meanwhile. The fault stays until the arbiter's next command, or until both players have
        /// resumed.
        Restarted = "restarted",
        /// A press was made before the flag of its side fell, but was read only after that flag had
        /// been decided; the text has both instants. If that flag was final, the fault stays until the
        /// flag is annulled; otherwise it stays until a time is corrected. A new game also ends it.
        PressBeforeFlag = "press-before-flag",
        /// The retained memory, which keeps the running game while the service is restarted, was
        /// damaged. So the state of the clock can lack presses or commands. The fault stays until the
        /// service ends.
        MemoryDamaged = "memory-damaged",
        /// The configuration was refused at the start. Instead, the service uses the last configuration
        /// that worked or, if there is none, the shipped one. The text has the mistake with its file,
        /// line and column. Or the set-up file of the card was refused, and what was set before is used.
        /// The fault stays until the service ends.
        ConfigurationRefused = "configuration-refused",
        /// Replaying the record gives another state than the clock has.
        RecordMismatch = "record-mismatch",
        /// Entries of the record were lost, or who gave a command and why: the storage failed for too
        /// long, or the entries could not be recorded.
        RecordLost = "record-lost",
        /// The record cannot be written: the storage is full, is read-only, fails, or has not answered
        /// for 3 s.
        Storage = "storage",
        /// No record is kept, so a power cut loses the game. The fault stays until the service ends.
        NoRecord = "no-record",
        /// The file of the record could not be used. It was renamed, and a new file was begun.
        RecordMovedAside = "record-moved-aside",
        /// CLOCK_MONOTONIC, the clock of the game, runs more than 200 ppm faster or slower than the
        /// hardware's clock, because a time service slews it. The fault stays until the rate is within
        /// 150 ppm.
        ClockRate = "clock-rate",
        /// A press or a call was read only after something later had been decided, so it could not take
        /// effect at its own instant. It counted from a later instant, or not at all.
        LatePress = "late-press",
        /// The kernel dropped edges of a button line.
        EdgesDropped = "edges-dropped",
        /// The level of a button line kept changing, so a press on this line can be late or missing.
        Noise = "noise",
        /// Changes could not be published at once, because the service was too slow. The times of the
        /// clock are right all the same.
        UpdatesLost = "updates-lost",
        /// The clock loop has no real-time priority, or its memory is not locked.
        NoRealtime = "no-realtime",
    }
}

words! {
    /// Why both clocks stand while the phase is `paused`: the value of `PausedBy`.
    #[derive(Default)]
    PausedBy {
        /// The phase is not `paused`; the empty string on the wire.
        #[default]
        Nothing = "",
        /// The arbiter stopped the clocks, or gave another command after which the game is paused. Such
        /// a command annuls a final flag, takes back a result, or rewinds to an earlier state, for
        /// example.
        Arbiter = "arbiter",
        /// The clocks were stopped for White, who calls the arbiter.
        White = "white",
        /// The clocks were stopped for Black, who calls the arbiter.
        Black = "black",
        /// The call button was pressed.
        Button = "button",
        /// The button board was disconnected while a clock ran. The value stays until the clocks are
        /// resumed, even if the board is back.
        BoardGone = "board-gone",
        /// The power was cut, or the machine was restarted, while a clock ran.
        PowerCut = "power-cut",
        /// Black's press completed a period, and the time control stops both clocks then, so that the
        /// times of both sides can be noted.
        SetBack = "set-back",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_known_and_another_one_is_not() {
        for code in FaultCode::ALL.iter().copied() {
            assert_eq!(Fault::new(code, "").known(), Some(code));
        }
        assert_eq!(Fault { code: "on-fire".into(), text: String::new() }.known(), None);
    }
}
