//! The latest game, with which the clock goes on.

use super::Checkpoint;
use super::connection::{self, Connected};
use super::error::{During, StoreError};
use super::open::{Store, resolved};
use super::read::{Game, Row, checkpoint, latest_game, visit, visit_current};
use std::path::Path;

/// The latest game with all that is needed to continue it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentGame {
    /// The game.
    pub game: Game,
    /// All of its entries.
    pub rows: Vec<Row>,
    /// The instant up to which the clock is known to have run.
    pub checkpoint: Option<Checkpoint>,
    /// The number of the last entry on record.
    pub last_entry: u64,
}

/// What could be read of the latest game in a damaged file. All of it is as it was written.
#[derive(Debug, Default)]
pub struct Readable {
    /// The latest game.
    pub game: Option<Game>,
    /// Its entries up to the damage.
    pub rows: Vec<Row>,
    /// The checkpoint.
    pub checkpoint: Option<Checkpoint>,
    /// Why there is no more, or `None` if everything could be read.
    pub damage: Option<StoreError>,
}

impl Store {
    /// The latest game with all of its entries. [`StoreError::Corrupt`] names the first entry that is
    /// not as it was written.
    pub fn current(&mut self) -> Result<Option<CurrentGame>, StoreError> {
        let mut rows = Vec::new();
        Ok(self.visit_current(|row| rows.push(row))?.map(|current| CurrentGame { rows, ..current }))
    }

    /// The same, with one entry in memory at a time: the returned `rows` are empty.
    pub fn visit_current(
        &mut self,
        each: impl FnMut(Row),
    ) -> Result<Option<CurrentGame>, StoreError> {
        let result = self.readable().and_then(|connected| connected.visit_current(each));
        self.after(result)
    }
}

impl Connected {
    fn visit_current(&self, each: impl FnMut(Row)) -> Result<Option<CurrentGame>, StoreError> {
        visit_current(&self.connection, each)
    }
}

impl Readable {
    /// Reads what can be read of the record at `path`, such as one that was moved aside. The file is
    /// not changed.
    pub fn of_file(path: &Path, vfs: Option<&str>) -> Readable {
        let mut readable = Readable::default();
        if let Err(damage) = readable.read(path, vfs) {
            readable.damage = Some(damage);
        }
        readable
    }

    fn read(&mut self, path: &Path, vfs: Option<&str>) -> Result<(), StoreError> {
        let connection = connection::connect(&resolved(path)?, vfs)?;
        connection.execute_batch("PRAGMA query_only = ON").during("open the file")?;
        let Some(game) = latest_game(&connection)? else {
            return Ok(());
        };
        self.checkpoint = checkpoint(&connection).unwrap_or_default();
        let game = self.game.insert(game);
        visit(&connection, game, game.first_entry, game.chain_before, |row| {
            self.rows.push(row);
            true
        })
        .map(drop)
    }
}
