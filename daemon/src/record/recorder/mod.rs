//! Keeps the record of the games. A separate thread reads the entries of the clock loop from the
//! retained memory, which outlives the daemon, and writes them into the files of the games.
//!
//! The clock loop never waits for this thread. While the storage fails, the entries stay in the
//! retained memory, and the recorder tries again. Entries for which that memory has no room are
//! counted as lost.

mod describe;
mod intake;
mod join;
mod ledger;
mod replay;
mod reports;
mod start;
mod writer;

pub use ledger::GameJson;
pub use replay::{clock_after, game_after, turns};
pub use start::{Kept, Setup, Started, start};
pub use writer::{Settings, spawn};

#[cfg(test)]
mod tests;
