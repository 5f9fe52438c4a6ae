//! The properties of the interface `Health`; how high the digits on a screen are, and from which distance
//! they can be read.

use std::fmt;

use crate::properties::properties;

/// Calls the macro `$then` with the list of the properties. A row is a property of the
/// interface `Health` with its description.
macro_rules! with_health {
    ($then:ident) => {
        $then! {
            /// Whether the clock loop has real-time priority and locked memory.
            realtime_ok: bool = "RealtimeOk",
            /// How many glitches and bursts of noise were not counted as presses since the service
            /// started.
            rejected_presses: u64 = "RejectedPresses",
            /// How many edges of the button lines were lost since the service started. An edge is
            /// lost if the level of its line differs from the last edge for 50 ms, or at once after
            /// a full queue; the level is used then. With GPIO uAPI v2 the edges that are missing
            /// in the kernel's sequence numbers are counted too. There are three causes: the kernel
            /// made one record of several edges, or the chip lost an edge when two lines changed
            /// together, which are no faults; and a full queue of edges, which is a fault
            /// (edges-dropped).
            lost_edges: u64 = "LostEdges",
            /// The buttons that have been down for too long (10 s, unless configured otherwise):
            /// "white", "black", "call". The throws of a rocker are never among them, because they
            /// stay down.
            stuck_buttons: Vec<String> = "StuckButtons",
            /// The time from the timestamp of an edge until the clock loop reads it, since the
            /// service started: a histogram.
            edge_latency_nsec: Vec<(u64, u64)> = "EdgeLatencyNSec",
            /// The time from the instant at which the clock loop asked to be woken until it is
            /// awake, since the service started: a histogram.
            wake_lateness_nsec: Vec<(u64, u64)> = "WakeLatenessNSec",
            /// The time from the timestamp of a press until it is decided, for presses while a
            /// clock runs, since the service started: a histogram. It includes the time that the
            /// debouncing takes.
            decision_latency_nsec: Vec<(u64, u64)> = "DecisionLatencyNSec",
            /// The longest time of `Health:WakeLatenessNSec`, in nanoseconds.
            worst_lateness_nsec: u64 = "WorstLatenessNSec",
            /// By how much CLOCK_MONOTONIC, the clock of the game, ran faster than
            /// CLOCK_MONOTONIC_RAW, the clock of the hardware, in the latest window of about 2 s,
            /// in parts per billion; negative if it ran slower. It is 0 while ClockRateWindows is
            /// 0. A time service changes this rate. Beyond 200,000 (200 ppm) it is a fault
            /// (clock-rate).
            clock_rate_ppb: i64 = "ClockRatePpb",
            /// The value of `Health:ClockRatePpb` that was farthest from 0 since the service
            /// started.
            worst_clock_rate_ppb: i64 = "WorstClockRatePpb",
            /// In how many windows the rate was measured since the service started. While it is 0,
            /// which it is for about 2 s, the rate is not known.
            clock_rate_windows: u64 = "ClockRateWindows",
            /// The texts of `Faults`, in the same order.
            faults: Vec<String> = "Faults",
            /// Whether the record is written: false while a write to the storage fails or has taken
            /// more than 3 s, and if there is no record.
            storage_ok: bool = "StorageOk",
            /// Why the record is not written, in words of at most 200 bytes; empty while StorageOk
            /// is true.
            storage_error: String = "StorageError",
            /// The number of the latest entry that is written to the storage; 0 if there is none.
            recorded_entries: u64 = "RecordedEntries",
            /// How many entries are in memory and not written yet. It is above 0 for some
            /// milliseconds after each change, and for longer only if the storage is slow or fails.
            uncommitted_entries: u64 = "UncommittedEntries",
            /// How many entries are known to be lost since the service started: the storage failed for
            /// so long that the memory for them was full, or they are no longer in the record, because
            /// it was removed, truncated or replaced by an older copy. If the whole game was removed
            /// while the service did not run, its entries count as 1. The state after them is on
            /// record again. At a restart of the service, the entries of the latest game on record
            /// that were lost since the machine started are counted again.
            lost_entries: u64 = "LostEntries",
            /// The size of the record in the storage, in bytes.
            record_bytes: u64 = "RecordBytes",
            /// The height of the digits on the screen of the face, in micrometres, as the face has
            /// reported it: 21500 is 21.5 mm. Digits can be read from 200 times their height. It is
            /// 0 if it is not known: there is no screen, the panel does not tell its size, or no
            /// face is on the bus.
            digit_height: u32 = "DigitHeight",
            /// What makes the clock harder to use and is no fault, one text of at most 200 bytes
            /// for each. There is one warning: the digits on the screen are below 15 mm, which is
            /// needed to read them from 3 m.
            warnings: Vec<String> = "Warnings",
        }
    };
}
pub(crate) use with_health;

macro_rules! define {
    ($($list:tt)+) => {
        properties! {
            /// The properties of `org.chessclock.Clock1.Health`.
            ///
            /// A histogram is a list of pairs: the upper bound of a bucket, in nanoseconds, and the
            /// number of values in the bucket since the service started. The XML has the details.
            HealthProperties { $($list)+ }
        }
    };
}
with_health!(define);

/// The height of the digits on a screen, in micrometres.
///
/// A digit can be read from a distance of 200 times its height; docs/face.md has the sources.
///
/// ```
/// use clock_dbus::DigitHeight;
/// let small = DigitHeight { micrometres: 12_070 };
/// assert_eq!(small.to_string(), "12.0 mm high, readable from 2.4 m");
/// assert!(small < DigitHeight::NEEDED);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DigitHeight {
    /// The height in micrometres: 15,000 is 15 mm.
    pub micrometres: u32,
}

impl DigitHeight {
    /// The smallest height that can be read from 3 m, the distance of the arbiter: 15 mm.
    pub const NEEDED: DigitHeight = DigitHeight { micrometres: 15_000 };

    /// The largest height that a display may report: 10 m.
    pub const LARGEST: DigitHeight = DigitHeight { micrometres: 10_000_000 };

    /// The warning for digits that are too small to be read from 3 m, in at most 200 bytes; `None`
    /// if they are large enough.
    pub fn warning(self) -> Option<String> {
        let small = self < DigitHeight::NEEDED;
        small.then(|| format!("the digits on the screen are {self}; 15 mm are needed for 3 m"))
    }
}

impl fmt::Display for DigitHeight {
    /// Writes the height in millimetres, and in metres the distance from which the digits can be
    /// read. Both are rounded down to one decimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.micrometres / 100;
        // 200 times the height, in tenths of a metre.
        let distance = self.micrometres / 500;
        write!(
            f,
            "{}.{} mm high, readable from {}.{} m",
            tenths / 10,
            tenths % 10,
            distance / 10,
            distance % 10
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_below_15_mm_are_warned_of() {
        let warning = |micrometres| DigitHeight { micrometres }.warning();
        let wanted = "the digits on the screen are 14.9 mm high, readable from 2.9 m; 15 mm are needed for 3 m";
        assert_eq!(warning(14_999).as_deref(), Some(wanted));
        assert_eq!(warning(15_000), None);
        assert!(warning(1).is_some_and(|text| text.len() <= 200));
    }

    #[test]
    fn any_height_can_be_written() {
        let largest = DigitHeight { micrometres: u32::MAX }.to_string();
        assert_eq!(largest, "4294967.2 mm high, readable from 858993.4 m");
    }
}
