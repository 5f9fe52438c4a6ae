//! Reads the record from its file. A read can block, so the D-Bus interface `History` makes its
//! reads on a separate thread.

use super::recorder::{self, GameJson};
use super::store::{Reader, StoreError};
use crate::game::{BetweenPages, Entries, Game, ReadError, ReadRecord, Row, Turns};
use clock_engine::{EarlierClock, rules};
use clockd_rt::VersionedClock;
use std::path::PathBuf;

/// Functions that replay the entries of a game up to the entry with a given number.
#[derive(Clone, Copy)]
pub struct Replay {
    /// Returns the clock right after the entry with this number (the last argument). Its instants
    /// are on CLOCK_MONOTONIC of the present boot.
    pub clock: ReplayTo<EarlierClock>,
    /// Returns the game right after the entry with this number (the last argument). Its instants
    /// are on CLOCK_MONOTONIC of the boot in which that entry was written.
    pub game: ReplayTo<rules::Game>,
    /// Returns the turns up to the entry with this number (the last argument), or up to the last
    /// entry if that is earlier.
    pub turns: ReplayTo<Turns>,
}

/// Replays the entries of a game, from its first one on.
type ReplayTo<T> = fn(&Game, &mut dyn Iterator<Item = Row>, u64) -> Result<T, String>;

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

    /// What `replay` makes of the entries of this game, or `None` if the game has no entry with the
    /// number `entry`. The entries are read in pages, because anyone may ask for the state of any
    /// game, and the longest game has more entries than the memory should hold.
    fn replayed<T>(
        &mut self,
        game: &Game,
        entry: u64,
        between: &mut dyn BetweenPages,
        replay: ReplayTo<T>,
    ) -> Result<Option<T>, ReadError> {
        let found = self.entries(game.game, entry, 1)?;
        if found.first().is_none_or(|row| row.row.number != entry) {
            return Ok(None);
        }
        self.replayed_rows(game, entry, between, replay).map(Some)
    }

    /// As [`RecordFile::replayed`], but the game need not have an entry with the number `entry`.
    fn replayed_rows<T>(
        &mut self,
        game: &Game,
        entry: u64,
        between: &mut dyn BetweenPages,
        replay: ReplayTo<T>,
    ) -> Result<T, ReadError> {
        let mut rows = Entries::of(self, between, game);
        let replayed = replay(game, &mut rows, entry);
        rows.end()?;
        replayed.map_err(ReadError::Replay)
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

    fn clock_after(
        &mut self,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<EarlierClock>, ReadError> {
        let replay = self.replay.clock;
        let Some(game) = self.game(0)? else { return Ok(None) };
        self.replayed(&game, entry, between, replay)
    }

    fn game_after(
        &mut self,
        game: u64,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<rules::Game>, ReadError> {
        let replay = self.replay.game;
        let Some(game) = self.game(game)? else { return Ok(None) };
        let last = (game.first_entry + game.entries).saturating_sub(1);
        let entry = if entry == 0 { last } else { entry };
        self.replayed(&game, entry, between, replay)
    }

    fn turns(
        &mut self,
        entry: u64,
        between: &mut dyn BetweenPages,
    ) -> Result<Option<Turns>, ReadError> {
        let Some(game) = self.game(0)? else { return Ok(None) };
        let replay = self.replay.turns;
        self.replayed_rows(&game, entry, between, replay).map(Some)
    }
}

fn storage(error: StoreError) -> ReadError {
    ReadError::Storage(Box::new(error))
}
