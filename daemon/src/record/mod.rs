//! The record of the games: the store of its rows, the recorder that writes them, and the file as
//! the bus reads it.

mod file;
pub mod recorder;
pub mod store;

#[cfg(test)]
pub use file::Replay;
pub use file::{REPLAY, RecordFile};
