//! What is wrong with the clock, and why it is paused.

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
        FaultCode::from_text(&self.code)
    }
}

/// The codes of [`Fault`], the most serious first: the order of the list on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultCode {
    /// The button board is not connected, or has never been connected since the service started. No
    /// press is read. If a clock ran, it was paused, and no clock can be started.
    BoardGone,
    /// The button that is wired as White's has been down for too long: 10 s, unless configured
    /// otherwise.
    StuckWhite,
    /// The button that is wired as Black's has been down for too long: 10 s, unless configured
    /// otherwise.
    StuckBlack,
    /// The call button has been down for too long: 10 s, unless configured otherwise.
    StuckCall,
    /// Both contacts (throws) of the rocker, one for each side, are closed at once.
    RockerCrossed,
    /// The power was cut, or the machine was restarted, during a game. Both clocks stand; the text
    /// says whether one ran. The fault stays until the arbiter's next command, or until both players
    /// have resumed.
    PowerCut,
    /// The service was restarted while a clock ran. The clock ran on, but no press was read
    /// meanwhile. The fault stays until the arbiter's next command, or until both players have
    /// resumed.
    Restarted,
    /// A press was made before the flag of its side fell, but was read only after that flag had
    /// been decided; the text has both instants. If that flag was final, the fault stays until the
    /// flag is annulled; otherwise it stays until a time is corrected. A new game also ends it.
    PressBeforeFlag,
    /// The retained memory, which keeps the running game while the service is restarted, was
    /// damaged. So the state of the clock can lack presses or commands. The fault stays until the
    /// service ends.
    MemoryDamaged,
    /// The configuration was refused at the start. Instead, the service uses the last configuration
    /// that worked or, if there is none, the shipped one. The text has the mistake with its file,
    /// line and column. Or the set-up file of the card was refused, and what was set before is used.
    /// The fault stays until the service ends.
    ConfigurationRefused,
    /// Replaying the record gives another state than the clock has.
    RecordMismatch,
    /// Entries of the record were lost, or who gave a command and why: the storage failed for too
    /// long, or the entries could not be recorded.
    RecordLost,
    /// The record cannot be written: the storage is full, is read-only, fails, or has not answered
    /// for 3 s.
    Storage,
    /// No record is kept, so a power cut loses the game. The fault stays until the service ends.
    NoRecord,
    /// The file of the record could not be used. It was renamed, and a new file was begun.
    RecordMovedAside,
    /// CLOCK_MONOTONIC, the clock of the game, runs more than 200 ppm faster or slower than the
    /// hardware's clock, because a time service slews it. The fault stays until the rate is within
    /// 150 ppm.
    ClockRate,
    /// A press or a call was read only after something later had been decided, so it could not take
    /// effect at its own instant. It counted from a later instant, or not at all.
    LatePress,
    /// The kernel dropped edges of a button line.
    EdgesDropped,
    /// The level of a button line kept changing, so a press on this line can be late or missing.
    Noise,
    /// Changes could not be published at once, because the service was too slow. The times of the
    /// clock are right all the same.
    UpdatesLost,
    /// The clock loop has no real-time priority, or its memory is not locked.
    NoRealtime,
}

impl FaultCode {
    /// All codes, the most serious first.
    pub const ALL: [FaultCode; 21] = [
        FaultCode::BoardGone,
        FaultCode::StuckWhite,
        FaultCode::StuckBlack,
        FaultCode::StuckCall,
        FaultCode::RockerCrossed,
        FaultCode::PowerCut,
        FaultCode::Restarted,
        FaultCode::PressBeforeFlag,
        FaultCode::MemoryDamaged,
        FaultCode::ConfigurationRefused,
        FaultCode::RecordMismatch,
        FaultCode::RecordLost,
        FaultCode::Storage,
        FaultCode::NoRecord,
        FaultCode::RecordMovedAside,
        FaultCode::ClockRate,
        FaultCode::LatePress,
        FaultCode::EdgesDropped,
        FaultCode::Noise,
        FaultCode::UpdatesLost,
        FaultCode::NoRealtime,
    ];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            FaultCode::BoardGone => "board-gone",
            FaultCode::StuckWhite => "stuck-white",
            FaultCode::StuckBlack => "stuck-black",
            FaultCode::StuckCall => "stuck-call",
            FaultCode::RockerCrossed => "rocker-crossed",
            FaultCode::PowerCut => "power-cut",
            FaultCode::Restarted => "restarted",
            FaultCode::PressBeforeFlag => "press-before-flag",
            FaultCode::MemoryDamaged => "memory-damaged",
            FaultCode::ConfigurationRefused => "configuration-refused",
            FaultCode::RecordMismatch => "record-mismatch",
            FaultCode::RecordLost => "record-lost",
            FaultCode::Storage => "storage",
            FaultCode::NoRecord => "no-record",
            FaultCode::RecordMovedAside => "record-moved-aside",
            FaultCode::ClockRate => "clock-rate",
            FaultCode::LatePress => "late-press",
            FaultCode::EdgesDropped => "edges-dropped",
            FaultCode::Noise => "noise",
            FaultCode::UpdatesLost => "updates-lost",
            FaultCode::NoRealtime => "no-realtime",
        }
    }

    /// The code with this word; `None` if there is none.
    pub fn from_text(text: &str) -> Option<FaultCode> {
        FaultCode::ALL.into_iter().find(|code| code.as_str() == text)
    }
}

/// Why both clocks stand while the phase is `paused`: the value of `PausedBy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Type, Serialize, Deserialize)]
#[zbus(signature = "s")]
#[serde(rename_all = "kebab-case")]
pub enum PausedBy {
    /// The phase is not `paused`; the empty string on the wire.
    #[default]
    #[serde(rename = "")]
    Nothing,
    /// The arbiter stopped the clocks, or gave another command after which the game is paused. Such
    /// a command annuls a final flag, takes back a result, or rewinds to an earlier state, for
    /// example.
    Arbiter,
    /// The clocks were stopped for White, who calls the arbiter.
    White,
    /// The clocks were stopped for Black, who calls the arbiter.
    Black,
    /// The call button was pressed.
    Button,
    /// The button board was disconnected while a clock ran. The value stays until the clocks are
    /// resumed, even if the board is back.
    BoardGone,
    /// The power was cut, or the machine was restarted, while a clock ran.
    PowerCut,
    /// Black's press completed a period, and the time control stops both clocks then, so that the
    /// times of both sides can be noted.
    SetBack,
}

impl PausedBy {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            PausedBy::Nothing => "",
            PausedBy::Arbiter => "arbiter",
            PausedBy::White => "white",
            PausedBy::Black => "black",
            PausedBy::Button => "button",
            PausedBy::BoardGone => "board-gone",
            PausedBy::PowerCut => "power-cut",
            PausedBy::SetBack => "set-back",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_known_and_another_one_is_not() {
        for code in FaultCode::ALL {
            assert_eq!(Fault::new(code, "").known(), Some(code));
        }
        assert_eq!(Fault { code: "on-fire".into(), text: String::new() }.known(), None);
    }
}
