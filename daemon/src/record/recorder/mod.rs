//! Keeps the record of the games. A separate thread reads the entries of the clock loop from the
//! retained memory, which outlives the daemon, and writes them into the files of the games.
//!
//! The clock loop never waits for this thread. While the storage fails, the entries stay in the
//! retained memory, and the recorder tries again. Entries for which that memory has no room are
//! counted as lost.

mod begin_again;
mod begins;
mod describe;
mod intake;
mod join;
mod ledger;
mod left;
mod noted_entry;
mod open_game;
mod replay;
mod reports;
mod settings;
mod start;
mod writer;

pub use open_game::GameJson;
pub use replay::{clock_after, game_after, turns};
pub use settings::Settings;
pub use start::{Kept, Setup, Started, start};
pub use writer::spawn;

#[cfg(test)]
mod tests;
