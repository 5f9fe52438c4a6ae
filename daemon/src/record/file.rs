//! Reads the record from its file. A read can block, so the D-Bus interface `History` makes its
//! reads on a separate thread.

use super::recorder::{self, GameJson};
use super::store::{Reader, StoreError};
use crate::game::{Game, NewRow, ReadError, ReadRecord, Row, Turns};
use clock_engine::{EarlierClock, rules};
use clockd_rt::VersionedClock;
use std::path::PathBuf;

/// Functions that replay the entries of a game up to the entry with a given number.
#[derive(Clone, Copy)]
pub struct Replay {
    /// Returns the clock right after the entry with this number (the last argument). Its instants
    /// are on CLOCK_MONOTONIC of the present boot.
    pub clock: fn(&Game, &[Row], u64) -> Result<EarlierClock, String>,
    /// Returns the game right after the entry with this number (the last argument). Its instants
    /// are on CLOCK_MONOTONIC of the boot in which that entry was written.
    pub game: fn(&Game, &mut dyn Iterator<Item = Row>, u64) -> Result<rules::Game, String>,
    /// Returns the turns up to the entry with this number (the last argument), or up to the last
    /// entry if that is earlier.
    pub turns: fn(&Game, &mut dyn Iterator<Item = Row>, u64) -> Result<Turns, String>,
}

/// The [`Replay`] for games on record: it replays their entries as the recorder does.
pub const REPLAY: Replay = Replay {
    clock: |game, rows, entry| {
        recorder::clock_after(set_up(game)?, rows, entry).ok_or_else(|| not_replayed(game, entry))
    },
    game: |game, rows, entry| {
        recorder::game_after(set_up(game)?, rows, entry).ok_or_else(|| not_replayed(game, entry))
    },
    turns: |game, rows, entry| {
        recorder::turns(set_up(game)?, rows, entry).ok_or_else(|| not_replayed(game, entry))
    },
};

/// The clock right after the first entry of the game. The record has it in the information on the
/// game.
fn set_up(game: &Game) -> Result<VersionedClock, String> {
    let info: GameJson = serde_json::from_str(&game.info).map_err(|error| error.to_string())?;
    info.clock.map(|clock| *clock).ok_or_else(|| format!("game {} has no clock", game.game))
}

fn not_replayed(game: &Game, entry: u64) -> String {
    format!("game {} up to entry {entry}", game.game)
}

/// The largest number of entries that one read returns.
const PAGE: usize = 200;

/// Reads the record from the file that the recorder writes.
pub struct RecordFile {
    path: PathBuf,
    replay: Replay,
}

impl RecordFile {
    /// Makes a reader of the record at `path`, which must be the file that the recorder of this
    /// process writes.
    pub fn new(path: PathBuf, replay: Replay) -> RecordFile {
        RecordFile { path, replay }
    }

    /// Opens the file, calls `read` with it, and closes it. The connections of a process share what
    /// SQLite knows of the write-ahead log. While any of them is open, the recorder could not open
    /// a file again that another program has truncated.
    fn with<T>(
        &mut self,
        read: impl FnOnce(&Reader) -> Result<T, StoreError>,
    ) -> Result<T, ReadError> {
        Reader::open(&self.path).and_then(|reader| read(&reader)).map_err(storage)
    }
}

impl RecordFile {
    /// Replays the rows of a game. Anyone may ask for any game, so only one page of entries is in
    /// memory at a time.
    fn replayed<T>(
        &mut self,
        game: &Game,
        replay: impl FnOnce(&mut dyn Iterator<Item = Row>) -> Result<T, String>,
    ) -> Result<T, ReadError> {
        let (mut page, mut first, mut failed) = (Vec::new().into_iter(), game.first_entry, None);
        let mut rows = std::iter::from_fn(|| {
            if let Some(row) = page.next() {
                return Some(row);
            }
            match self.entries(game.game, first, PAGE) {
                Ok(rows) => {
                    first = rows.last()?.row.number + 1;
                    page = rows.into_iter();
                    page.next()
                }
                Err(error) => {
                    failed = Some(error);
                    None
                }
            }
        });
        let replayed = replay(&mut rows);
        match failed {
            Some(error) => Err(error),
            None => replayed.map_err(ReadError::Replay),
        }
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
            // A replay needs only the inputs. The texts of the events, the state and the command
            // are dropped, so that the longest game takes at most 10 MB of memory.
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
        (self.replay.clock)(&game, &rows, entry).map(Some).map_err(ReadError::Replay)
    }

    fn game_after(&mut self, game: u64, entry: u64) -> Result<Option<rules::Game>, ReadError> {
        let Some(game) = self.game(game)? else { return Ok(None) };
        let last = (game.first_entry + game.entries).saturating_sub(1);
        let entry = if entry == 0 { last } else { entry };
        let found = self.entries(game.game, entry, 1)?;
        if found.first().is_none_or(|row| row.row.number != entry) {
            return Ok(None);
        }
        let replay = self.replay.game;
        self.replayed(&game, |rows| replay(&game, rows, entry)).map(Some)
    }

    fn turns(&mut self, entry: u64) -> Result<Option<Turns>, ReadError> {
        let Some(game) = self.game(0)? else { return Ok(None) };
        let replay = self.replay.turns;
        self.replayed(&game, |rows| replay(&game, rows, entry)).map(Some)
    }
}

fn storage(error: StoreError) -> ReadError {
    ReadError::Storage(Box::new(error))
}
