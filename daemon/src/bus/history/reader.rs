//! What reads the record for the bus. It may block: it is called on a thread of its own.

use crate::recorder::{self, GameJson};
use crate::store::{Game, NewRow, Reader, Row, StoreError};
use clock_engine::EarlierClock;
use std::path::PathBuf;

/// Why the record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The storage fails, or the record is damaged.
    #[error(transparent)]
    Store(#[from] StoreError),
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

/// Replays a game, all of whose entries are given, and returns the clock as it was right after the entry of
/// this number, with its instants on the axis of the present boot.
pub type Replay = fn(&Game, &[Row], u64) -> Result<EarlierClock, String>;

/// Replays a game that the recorder of this version has written.
pub fn replay(game: &Game, rows: &[Row], entry: u64) -> Result<EarlierClock, String> {
    let info: GameJson = serde_json::from_str(&game.info).map_err(|error| error.to_string())?;
    let clock = info.clock.ok_or_else(|| format!("game {} has no clock", game.game))?;
    recorder::clock_after(*clock, rows, entry)
        .ok_or_else(|| format!("game {} up to entry {entry}", game.game))
}

/// How many entries are read at once.
const PAGE: usize = 200;

/// The record in the file that the recorder writes.
pub struct RecordFile {
    path: PathBuf,
    /// Opened with the first read, because the storage can come later than the service.
    reader: Option<Reader>,
    replay: Replay,
}

impl RecordFile {
    /// The record at this path, which the recorder of this process writes.
    pub fn new(path: PathBuf, replay: Replay) -> RecordFile {
        RecordFile { path, reader: None, replay }
    }

    /// Has the open file read. After an error it is opened again for the next read: it may have been
    /// moved aside, or its storage may have come back.
    fn with<T>(
        &mut self,
        read: impl FnOnce(&Reader) -> Result<T, StoreError>,
    ) -> Result<T, ReadError> {
        let reader = match self.reader.take() {
            Some(reader) => reader,
            None => Reader::open(&self.path)?,
        };
        let done = read(&reader)?;
        self.reader = Some(reader);
        Ok(done)
    }
}

impl ReadRecord for RecordFile {
    fn games(&mut self, before: u64, count: usize) -> Result<Vec<Game>, ReadError> {
        self.with(|reader| reader.games(before, count))
    }

    fn game(&mut self, game: u64) -> Result<Option<Game>, ReadError> {
        self.with(|reader| reader.game(game))
    }

    fn entries(&mut self, game: u64, first: u64, count: usize) -> Result<Vec<Row>, ReadError> {
        self.with(|reader| reader.entries(game, first, count))
    }

    fn clock_after(&mut self, entry: u64) -> Result<Option<EarlierClock>, ReadError> {
        let Some(game) = self.game(0)? else { return Ok(None) };
        let mut rows: Vec<Row> = Vec::new();
        let mut first = game.first_entry;
        loop {
            let page = self.entries(game.game, first, PAGE)?;
            let Some(last) = page.last() else { break };
            first = last.row.number + 1;
            // The input is all that is replayed. Without the other texts the longest game takes 10 MB.
            rows.extend(page.into_iter().map(|row| {
                let texts = (String::new(), String::new());
                let row_of_input =
                    NewRow { events: texts.0, state: texts.1, command: None, ..row.row };
                Row { row: row_of_input, ..row }
            }));
        }
        if rows.iter().all(|row| row.row.number != entry) {
            return Ok(None);
        }
        (self.replay)(&game, &rows, entry).map(Some).map_err(ReadError::Replay)
    }
}
