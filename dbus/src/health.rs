//! The properties of the interface `Health`.

use crate::properties::properties;

/// Hands the list of the properties to the macro with this name. A property of the bus is one line
/// of this list and its element in the XML.
macro_rules! with_health {
    ($then:ident) => {
        $then! {
            /// Whether the clock loop has real-time priority and locked memory.
            realtime_ok: bool = "RealtimeOk",
            /// How many glitches and bursts of noise were not counted as presses since the service
            /// started.
            rejected_presses: u64 = "RejectedPresses",
            /// How many edges of the button lines were lost since the service started.
            lost_edges: u64 = "LostEdges",
            /// The buttons that have been down for too long: `white`, `black`, `call`.
            stuck_buttons: Vec<String> = "StuckButtons",
            /// The time from the timestamp of an edge until the clock loop reads it.
            edge_latency_nsec: Vec<(u64, u64)> = "EdgeLatencyNSec",
            /// The time from the instant at which the clock loop asked to be woken until it is
            /// awake.
            wake_lateness_nsec: Vec<(u64, u64)> = "WakeLatenessNSec",
            /// The time from the timestamp of a press until it is decided.
            decision_latency_nsec: Vec<(u64, u64)> = "DecisionLatencyNSec",
            /// The longest time of `wake_lateness_nsec`.
            worst_lateness_nsec: u64 = "WorstLatenessNSec",
            /// By how much the clock of the game ran faster than that of the hardware in the latest
            /// window, in parts per billion. 0 while `clock_rate_windows` is 0.
            clock_rate_ppb: i64 = "ClockRatePpb",
            /// The `clock_rate_ppb` that was farthest from 0 since the service started.
            worst_clock_rate_ppb: i64 = "WorstClockRatePpb",
            /// In how many windows the rate was measured since the service started.
            clock_rate_windows: u64 = "ClockRateWindows",
            /// The texts of the faults, the most serious first.
            faults: Vec<String> = "Faults",
            /// Whether the record is written.
            storage_ok: bool = "StorageOk",
            /// Why the record is not written; empty while `storage_ok` is true.
            storage_error: String = "StorageError",
            /// The number of the latest entry that is written to the storage; 0 if there is none.
            recorded_entries: u64 = "RecordedEntries",
            /// How many entries are in memory and not written yet.
            uncommitted_entries: u64 = "UncommittedEntries",
            /// How many entries were lost since the service started.
            lost_entries: u64 = "LostEntries",
            /// The size of the record in the storage, in bytes.
            record_bytes: u64 = "RecordBytes",
            /// The height of the digits on the screen of the face, in micrometres; 0 if it is not
            /// known.
            digit_height: u32 = "DigitHeight",
            /// What makes the clock harder to use and is no fault, one text for each.
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
