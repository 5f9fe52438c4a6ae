//! The latest game, which the clock continues.

use super::Checkpoint;
use super::connection::Connected;
use super::error::StoreError;
use super::open::Store;
use super::read::visit_current;
use crate::game::{Game, Row};

/// The latest game with all that is needed to continue it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentGame {
    /// The game.
    pub game: Game,
    /// All entries of the game.
    pub rows: Vec<Row>,
    /// The instant up to which the clock is known to have run.
    pub checkpoint: Option<Checkpoint>,
    /// The number of the last entry on record.
    pub last_entry: u64,
}

impl Store {
    /// The latest game with all of its entries.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] names the first entry that is not as it was written.
    #[cfg(test)]
    pub fn current(&mut self) -> Result<Option<CurrentGame>, StoreError> {
        let mut rows = Vec::new();
        Ok(self.visit_current(|row| rows.push(row))?.map(|current| CurrentGame { rows, ..current }))
    }

    /// The latest game, with empty `rows`. Its entries are given to `each` one by one, which saves
    /// memory.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] names the first entry that is not as it was written.
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
