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
mod refused_row;
mod replay;
mod reports;
mod settings;
mod start;
mod writer;

pub use ledger::GameJson;
pub use replay::clock_after;
pub use settings::Settings;
pub use start::{Kept, Setup, Started, start};
pub use writer::spawn;

#[cfg(test)]
mod tests;
