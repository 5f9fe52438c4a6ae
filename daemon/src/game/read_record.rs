//! How the record is read.

use super::rows::{Game, Row};
use clock_engine::EarlierClock;
use std::error::Error;

/// Why the record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The storage fails, or the record is damaged.
    #[error(transparent)]
    Storage(Box<dyn Error + Send + Sync>),
    /// What is on record is not what this version writes.
    #[error("the record cannot be read: {0}")]
    Malformed(String),
    /// The entries of a game cannot be replayed.
    #[error("the record cannot be replayed: {0}")]
    Replay(String),
}

/// Reads the record. `game` is the number of a game, or 0 for the latest one.
pub trait ReadRecord: Send + 'static {
    /// Games with numbers below `before` (0: all), the newest first.
    fn games(&mut self, before: u64, count: usize) -> Result<Vec<Game>, ReadError>;
    /// A game, if it is on record.
    fn game(&mut self, game: u64) -> Result<Option<Game>, ReadError>;
    /// Entries of a game from the entry `first` on; none if there are no more.
    fn entries(&mut self, game: u64, first: u64, count: usize) -> Result<Vec<Row>, ReadError>;
    /// The clock as it was right after this entry, if the latest game has it.
    fn clock_after(&mut self, entry: u64) -> Result<Option<EarlierClock>, ReadError>;
}
