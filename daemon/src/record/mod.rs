//! The record of the games: the recorder, which writes their files, and `RecordReader`, with which the
//! bus reads them.

mod reader;
pub mod recorder;

#[cfg(test)]
pub use reader::Replay;
pub use reader::{REPLAY, RecordReader};
