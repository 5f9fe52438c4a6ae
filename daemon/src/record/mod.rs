//! The record of the games: the store of its rows, the recorder that writes them, and `RecordFile`,
//! with which the bus reads the file of the record.

mod file;
pub mod recorder;
pub mod store;

#[cfg(test)]
pub use file::Replay;
pub use file::{REPLAY, RecordFile};
