//! Keeps the record of the games. A separate thread reads what the clock loop has decided from the
//! memory that outlives the daemon, and writes it into the store.
//!
//! The clock loop never waits for this thread. While the storage fails, the entries stay in that
//! memory, and the recorder tries again. Entries for which that memory has no room are counted as
//! lost.

mod describe;
mod intake;
mod join;
mod ledger;
mod lost_rows;
mod replay;
mod reports;
mod start;
mod writer;

pub use ledger::GameJson;
pub use replay::clock_after;
pub use start::{Kept, Setup, Started, start};
pub use writer::spawn;

/// How much of the record is kept, and how often the time of a running clock is stored.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The file; `None` keeps no record.
    pub path: Option<std::path::PathBuf>,
    /// How many games are kept. The present game and adjourned games are always kept.
    pub keep_games: u64,
    /// How often the time of a running clock is stored. After a power cut, the clock continues with
    /// the time of the last press or of the last checkpoint.
    pub checkpoint: std::time::Duration,
}

#[cfg(test)]
mod tests;
