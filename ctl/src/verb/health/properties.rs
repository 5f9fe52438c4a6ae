//! The health of the clock as it is read from the service.

use clock_dbus::State;
use zbus::{DeserializeDict, Type};

/// A histogram. Each pair is the upper bound of a bucket, in nanoseconds, and the number of values
/// in the bucket.
type Histogram = Vec<(u64, u64)>;

/// The properties of the interface `Health` at one instant. Those that are not shown are left out.
#[derive(Debug, Type, DeserializeDict)]
#[zbus(signature = "a{sv}")]
pub struct Properties {
    #[zbus(rename = "RealtimeOk")]
    pub realtime_ok: bool,
    #[zbus(rename = "RejectedPresses")]
    pub rejected_presses: u64,
    #[zbus(rename = "LostEdges")]
    pub lost_edges: u64,
    #[zbus(rename = "StuckButtons")]
    pub stuck_buttons: Vec<String>,
    #[zbus(rename = "EdgeLatencyNSec")]
    pub edge_latency_nsec: Histogram,
    #[zbus(rename = "DecisionLatencyNSec")]
    pub decision_latency_nsec: Histogram,
    #[zbus(rename = "WorstLatenessNSec")]
    pub worst_lateness_nsec: u64,
    #[zbus(rename = "ClockRatePpb")]
    pub clock_rate_ppb: i64,
    #[zbus(rename = "WorstClockRatePpb")]
    pub worst_clock_rate_ppb: i64,
    #[zbus(rename = "ClockRateWindows")]
    pub clock_rate_windows: u64,
    #[zbus(rename = "StorageOk")]
    pub storage_ok: bool,
    #[zbus(rename = "StorageError")]
    pub storage_error: String,
    #[zbus(rename = "RecordedEntries")]
    pub recorded_entries: u64,
    #[zbus(rename = "UncommittedEntries")]
    pub uncommitted_entries: u64,
    #[zbus(rename = "LostEntries")]
    pub lost_entries: u64,
    #[zbus(rename = "RecordBytes")]
    pub record_bytes: u64,
    #[zbus(rename = "DigitHeight")]
    pub digit_height: u32,
    #[zbus(rename = "Warnings")]
    pub warnings: Vec<String>,
}

/// The health of the clock at one instant.
pub struct Health {
    pub properties: Properties,
    pub state: State,
    pub version: String,
    /// The latest entry on record, if the storage fails: nothing after it is recorded. `None` while
    /// the storage works.
    pub last: Option<LastEntry>,
}

/// When the latest entry on record happened.
pub struct LastEntry {
    pub number: u64,
    pub wall_ns: Option<i64>,
    pub at_ns: u64,
    /// How long ago that was; not known if the machine was restarted since.
    pub age_nsec: Option<u64>,
}

/// The upper bound of the largest value of a histogram; `None` if it has none.
pub fn worst(histogram: &[(u64, u64)]) -> Option<u64> {
    histogram.iter().filter(|(_, count)| *count > 0).map(|(bound, _)| *bound).max()
}
