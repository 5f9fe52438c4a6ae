//! The latest game, which the clock continues.

use super::connection::Connected;
use super::error::StoreError;
use super::open::Store;
use super::read::{CurrentGame, first_entry, visit_current};
use crate::game::Row;

impl Store {
    /// The latest game with all of its entries.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] if the game, an entry or the checkpoint is not as it was written. If
    /// the damage is in an entry, the error names the entry.
    #[cfg(test)]
    pub fn current(&mut self) -> Result<Option<CurrentGame>, StoreError> {
        let mut rows = Vec::new();
        Ok(self.visit_current(|row| rows.push(row))?.map(|current| CurrentGame { rows, ..current }))
    }

    /// The number and the input of the first entry on record; `None` if there is none.
    pub fn first_entry(&mut self) -> Result<Option<(u64, String)>, StoreError> {
        let result = self.readable().and_then(|connected| first_entry(&connected.connection));
        self.after(result)
    }

    /// Returns the latest game, with empty `rows`. Its entries are passed to `each` one by one,
    /// which saves memory.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] if the game, an entry or the checkpoint is not as it was written. If
    /// the damage is in an entry, the error names the entry.
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
