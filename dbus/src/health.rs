//! The properties of the interface `Health`.

use crate::properties::properties;

/// Calls the macro `$then` with the list of the properties. To add a property to the interface
/// `Health`, add a line to this list and an element to the XML.
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
            /// A histogram of the times from the timestamp of an edge until the clock loop reads
            /// it.
            edge_latency_nsec: Vec<(u64, u64)> = "EdgeLatencyNSec",
            /// A histogram of the times from the instant at which the clock loop asked to be woken
            /// until it is awake.
            wake_lateness_nsec: Vec<(u64, u64)> = "WakeLatenessNSec",
            /// A histogram of the times from the timestamp of a press until it is decided, for presses
            /// while a clock runs.
            decision_latency_nsec: Vec<(u64, u64)> = "DecisionLatencyNSec",
            /// The longest time of `wake_lateness_nsec`.
            worst_lateness_nsec: u64 = "WorstLatenessNSec",
            /// By how much CLOCK_MONOTONIC ran faster than CLOCK_MONOTONIC_RAW in the latest window
            /// of about 2 s, in parts per billion; negative if it ran slower. 0 while
            /// `clock_rate_windows` is 0.
            clock_rate_ppb: i64 = "ClockRatePpb",
            /// The `clock_rate_ppb` that was farthest from 0 since the service started.
            worst_clock_rate_ppb: i64 = "WorstClockRatePpb",
            /// In how many windows `clock_rate_ppb` was measured since the service started.
            clock_rate_windows: u64 = "ClockRateWindows",
            /// The texts of the faults, the most serious first.
            faults: Vec<String> = "Faults",
            /// Whether the record is written. `false` while a write fails or has taken more than
            /// 3 s, and always if no record is kept.
            storage_ok: bool = "StorageOk",
            /// Why the record is not written; empty while `storage_ok` is true.
            storage_error: String = "StorageError",
            /// The number of the latest entry that is written to the storage; 0 if there is none.
            recorded_entries: u64 = "RecordedEntries",
            /// How many entries are in memory and not written to the storage yet.
            uncommitted_entries: u64 = "UncommittedEntries",
            /// How many entries were lost since the service started.
            lost_entries: u64 = "LostEntries",
            /// The size of the record in the storage, in bytes.
            record_bytes: u64 = "RecordBytes",
            /// The height of the digits on the screen of the face, in micrometres; 0 if it is not
            /// known.
            digit_height: u32 = "DigitHeight",
            /// What makes the clock harder to use but is no fault: one text for each such thing.
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
