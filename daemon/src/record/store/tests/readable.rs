//! Reads what can still be read of a damaged record.

use crate::game::{Game, Row};
use crate::record::store::connection;
use crate::record::store::error::During;
use crate::record::store::open::resolved;
use crate::record::store::read::{checkpoint, latest_game, visit};
use crate::record::store::{Checkpoint, StoreError};
use std::path::Path;

/// The part of the latest game that could be read from a damaged file. Digests show that this part
/// is as it was written.
#[derive(Debug, Default)]
pub struct Readable {
    /// The latest game.
    pub game: Option<Game>,
    /// The entries of the game up to the damage.
    pub rows: Vec<Row>,
    /// The checkpoint; `None` if there is none or it is damaged.
    pub checkpoint: Option<Checkpoint>,
    /// What was damaged, or `None` if everything could be read.
    pub damage: Option<StoreError>,
}

impl Readable {
    /// Reads as much as possible of the record at `path`, such as one that was moved aside. The
    /// file is not changed.
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
