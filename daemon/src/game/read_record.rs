//! The interface through which the record is read. A long read is made in pages, so that something
//! more urgent can be read between two of them.

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
    /// The caller does not wait for the answer any more, so the read was ended between two pages.
    #[error("the caller does not wait for the answer any more")]
    GivenUp,
}

/// The largest number of entries on one page.
pub const PAGE: usize = 200;

/// What is done between two pages of a long read.
pub trait BetweenPages {
    /// Is called before each page. It may use `record` for other reads.
    ///
    /// # Errors
    ///
    /// [`ReadError::GivenUp`] if nobody waits for the answer any more. The read then ends.
    fn before_page(&mut self, record: &mut dyn ReadRecord) -> Result<(), ReadError>;
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
    fn clock_after(
        &mut self,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<EarlierClock>, ReadError>;
    /// Returns a game as it was right after its entry with the number `entry`, or after its last
    /// entry if `entry` is 0. Returns `None` if there is no such game or no such entry.
    fn game_after(
        &mut self,
        game: u64,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<rules::Game>, ReadError>;
    /// Returns the turns of the latest game up to the entry with the number `entry`, or up to its
    /// last entry if that is earlier. Returns `None` if there is no game.
    fn turns(
        &mut self,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<Turns>, ReadError>;
}

/// The entries of a game, from its first one on. Only one page of them is in memory at a time.
///
/// The iteration also ends at an error, which [`Entries::end`] returns.
pub struct Entries<'a> {
    record: &'a mut dyn ReadRecord,
    between: &'a mut dyn BetweenPages,
    game: u64,
    /// The number of the first entry of the next page.
    next: u64,
    page: std::vec::IntoIter<Row>,
    failed: Option<ReadError>,
}

impl<'a> Entries<'a> {
    /// The entries of this game.
    pub fn of(
        record: &'a mut dyn ReadRecord,
        between: &'a mut dyn BetweenPages,
        game: &Game,
    ) -> Entries<'a> {
        let (page, failed) = (Vec::new().into_iter(), None);
        Entries { record, between, game: game.game, next: game.first_entry, page, failed }
    }

    /// Must be called after the iteration.
    ///
    /// # Errors
    ///
    /// The error at which the iteration has ended.
    pub fn end(self) -> Result<(), ReadError> {
        self.failed.map_or(Ok(()), Err)
    }

    fn read_page(&mut self) -> Result<Vec<Row>, ReadError> {
        self.between.before_page(self.record)?;
        self.record.entries(self.game, self.next, PAGE)
    }
}

impl Iterator for Entries<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if self.page.len() == 0 && self.failed.is_none() {
            match self.read_page() {
                Ok(rows) => self.page = rows.into_iter(),
                Err(error) => self.failed = Some(error),
            }
        }
        let row = self.page.next()?;
        self.next = row.row.number + 1;
        Some(row)
    }
}
