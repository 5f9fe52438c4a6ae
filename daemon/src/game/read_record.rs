//! The interface through which the record is read.

use super::rows::{Game, Row};
use super::turns::Turns;
use clock_engine::{EarlierClock, rules};
use std::error::Error;

/// Why the record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The storage has failed, or the record is damaged.
    #[error(transparent)]
    Storage(Box<dyn Error + Send + Sync>),
    /// The contents of the record are not in the form that this version writes.
    #[error("the record cannot be read: {0}")]
    Malformed(String),
    /// The entries of a game cannot be replayed.
    #[error("the record cannot be replayed: {0}")]
    Replay(String),
}

/// Reads the record. An argument `game` is the number of a game; 0 stands for the latest one.
pub trait ReadRecord: Send + 'static {
    /// Returns up to `count` games, the newest first. If `before` is not 0, only games with a lower
    /// number than `before` are returned.
    fn games(&mut self, before: u64, count: usize) -> Result<Vec<Game>, ReadError>;
    /// Returns a game, or `None` if it is not on record.
    fn game(&mut self, game: u64) -> Result<Option<Game>, ReadError>;
    /// Returns up to `count` entries of a game, from the entry `first` on. The result is empty if
    /// there are none.
    fn entries(&mut self, game: u64, first: u64, count: usize) -> Result<Vec<Row>, ReadError>;
    /// Returns the clock of the latest game as it was right after the entry with the number
    /// `entry`, or `None` if that game has no such entry.
    fn clock_after(&mut self, entry: u64) -> Result<Option<EarlierClock>, ReadError>;
    /// Returns a game as it was right after its entry with the number `entry`, or after its last
    /// entry if `entry` is 0. Returns `None` if there is no such game or no such entry.
    fn game_after(&mut self, game: u64, entry: u64) -> Result<Option<rules::Game>, ReadError>;
    /// Returns the turns of the latest game up to the entry with the number `entry`, or up to its
    /// last entry if that is earlier. Returns `None` if there is no game.
    fn turns(&mut self, entry: u64) -> Result<Option<Turns>, ReadError>;
}
