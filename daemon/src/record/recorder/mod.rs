//! Keeps the record of the games: a thread of its own takes what the clock loop has decided from
//! the memory that outlives the daemon, and writes it into the store.
//!
//! The loop never waits for it. While the storage fails, everything stays in that memory, and the
//! recorder tries again; what finds no room there is counted as lost.

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
    /// After a power cut a clock that ran goes on from the last press or from a checkpoint that is
    /// at most this old.
    pub checkpoint: std::time::Duration,
}

#[cfg(test)]
mod tests;
