//! The health of the clock as it is read from the service.

use clock_dbus::{HealthProperties, State};

/// The health of the clock at one instant.
pub struct Health {
    pub properties: HealthProperties,
    pub state: State,
    pub version: String,
    /// The latest entry on record, if the storage fails; nothing after it is on record. `None`
    /// while the storage works, and if the service does not return the entry.
    pub last: Option<LastEntry>,
}

/// When the latest entry on record happened.
pub struct LastEntry {
    pub number: u64,
    pub wall_ns: Option<i64>,
    pub at_ns: u64,
    /// How long ago the entry was made; `None` if the machine was restarted since then.
    pub age_nsec: Option<u64>,
}

/// The upper bound of the highest bucket that contains a value; `None` if all buckets of the
/// histogram are empty.
pub fn worst(histogram: &[(u64, u64)]) -> Option<u64> {
    histogram.iter().filter(|(_, count)| *count > 0).map(|(bound, _)| *bound).max()
}
