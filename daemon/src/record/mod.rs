//! The record of the games: the store of its rows, the recorder that writes them, and `RecordFile`,
//! with which the bus reads the file of the record.

mod file;
pub mod recorder;
pub mod store;

pub use file::{RecordFile, replay};
