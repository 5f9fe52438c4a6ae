//! What is wrong with the clock, and why it is paused.

use crate::properties::described_fields;
use clock_engine::{Caller, Side, words};
use serde::{Deserialize, Serialize};
use zbus::Type;

described_fields! {
    /// One entry of `Faults`: a code for programs and a text for people.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Type, Serialize, Deserialize)]
    pub struct Fault {
        /// The code, for programs. It is one of [`FaultCode`], or one of a later version of the
        /// service.
        pub code: String,
        /// What is wrong and what to do about it, at most 200 bytes.
        pub text: String,
    }
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

/// As `words!`, with the descriptions of the values for the XML.
macro_rules! described_words {
    ($(#[$doc:meta])* $name:ident { $( $(#[doc = $value_doc:literal])* $value:ident = $word:literal, )+ }) => {
        words! { $(#[$doc])* $name { $( $(#[doc = $value_doc])* $value = $word, )+ } }

        #[cfg(test)]
        impl $name {
            /// The words of all values, with the descriptions of the values.
            pub const DESCRIBED: crate::tests::Described = &[$( ($word, &[$($value_doc),*]) ),+];
        }
    };
}

described_words! {
    /// The codes of [`Fault`], the most serious first: the order of the list on the bus.
    #[derive(PartialOrd, Ord)]
    FaultCode {
        /// The button board is not connected, perhaps from the start, and no press is read. If a
        /// clock ran, it was paused. Start and Resume are refused (BoardGone). It stays until the
        /// board is back.
        BoardGone = "board-gone",
        /// The button that is wired as White's has been down for too long (10 s, unless configured
        /// otherwise). It stays until the button is released.
        StuckWhite = "stuck-white",
        /// The button that is wired as Black's has been down for too long.
        StuckBlack = "stuck-black",
        /// The call button has been down for too long.
        StuckCall = "stuck-call",
        /// Both throws of the rocker are closed at once. It stays for as long as they are.
        RockerCrossed = "rocker-crossed",
        /// The power was cut, or the machine was restarted, during a game. The game is as it was at
        /// the last instant on record, and paused. The text says whether a clock ran. It stays
        /// until the next command of an arbiter is carried out, or until both players have resumed
        /// the game with their presses (unsupervised play).
        PowerCut = "power-cut",
        /// The service was restarted while a clock ran. The clocks ran on, but a press in the gap
        /// was not read. The text has the length of the gap. It stays as long as power-cut.
        Restarted = "restarted",
        /// A press that was made before the flag of its side was read only after that flag had been
        /// decided. The text has both instants in seconds of CLOCK_MONOTONIC. It stays until the
        /// arbiter has annulled the flag (if it is not final: corrected a time), or a new game is
        /// set up.
        PressBeforeFlag = "press-before-flag",
        /// The memory that keeps the running game over a restart was damaged. Presses, commands or,
        /// without a record, the game can be missing; the arbiter compares the times. It stays
        /// until the service ends.
        MemoryDamaged = "memory-damaged",
        /// The last configuration that worked was taken, or the shipped one without buttons. The
        /// text has the mistake with its file, line and column. Or the set-up file of the card
        /// (chessclock.toml) has the mistake, and what was set before was taken. It stays until the
        /// service is restarted with a configuration that can be used.
        ConfigurationRefused = "configuration-refused",
        /// The record, replayed, does not give the state of the clock; or its latest game was not
        /// the one on the clock, which begins there as another game. It stays until the service
        /// ends.
        RecordMismatch = "record-mismatch",
        /// Entries of the record were lost, because the storage failed for too long or does not
        /// take them. The text has their number. The whole state after them is recorded. It stays
        /// until the service ends. A restarted service has it again for the entries of the latest
        /// game on record that were lost since the machine started.
        RecordLost = "record-lost",
        /// The storage does not take the record: it is full, read-only, fails or does not answer
        /// for 3 s. What is not written yet is kept in memory. The fault ends when everything is
        /// written.
        Storage = "storage",
        /// No record is kept, so a power cut loses the game. It stays until the service ends.
        NoRecord = "no-record",
        /// The file of the latest game on record is damaged, and was kept under another name, which
        /// the log has. Another game was begun. It stays until the service ends.
        RecordMovedAside = "record-moved-aside",
        /// CLOCK_MONOTONIC, the clock of the game, runs more than 200 ppm faster or slower than the
        /// hardware's clock, which makes turns shorter or longer: a time service slews the system
        /// clock, that is, corrects it by letting it run faster or slower. The fault ends when the
        /// rate is within 150 ppm. See `Health:ClockRatePpb`.
        ClockRate = "clock-rate",
        /// A press or a call counted from a later instant than its own, or not at all. It is
        /// counted, and stays until the service ends, as do the next three.
        LatePress = "late-press",
        /// The kernel dropped edges of a button line.
        EdgesDropped = "edges-dropped",
        /// A button line did not come to rest. A press on it can be late or missing.
        Noise = "noise",
        /// Changes could not be published at once.
        UpdatesLost = "updates-lost",
        /// The clock loop has no real-time priority or no locked memory. It depends on how the
        /// service was started.
        NoRealtime = "no-realtime",
    }
}

words! {
    /// Why both clocks stand while the phase is `paused`: the value of `PausedBy`.
    #[derive(Default)]
    PausedBy {
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
        /// The phase is not `paused`; the empty string on the wire.
        #[default]
        #[serde(other)]
        Nothing = "",
    }
}

impl From<Option<clock_engine::PausedBy>> for PausedBy {
    fn from(reason: Option<clock_engine::PausedBy>) -> PausedBy {
        use clock_engine::PausedBy::{Caller as By, SetBack};
        match reason {
            None => PausedBy::Nothing,
            Some(By(Caller::Arbiter)) => PausedBy::Arbiter,
            Some(By(Caller::Player(Side::White))) => PausedBy::White,
            Some(By(Caller::Player(Side::Black))) => PausedBy::Black,
            Some(By(Caller::Button)) => PausedBy::Button,
            // A button board that is gone is the only fault that pauses a clock.
            Some(By(Caller::Fault)) => PausedBy::BoardGone,
            Some(By(Caller::PowerCut)) => PausedBy::PowerCut,
            Some(SetBack) => PausedBy::SetBack,
        }
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
