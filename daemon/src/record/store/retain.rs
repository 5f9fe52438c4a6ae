//! Deletes old games, so that the record holds a limited number of games, and makes a file with
//! much free space shorter.

use super::error::{During, StoreError};
use super::open::Store;
use super::read::{self, key};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

/// How many free pages stay in the file for later games: 8 MiB.
const FREE_PAGES: i64 = 2048;
/// How many pages one call gives back to the file system at most.
const PAGES_PER_CALL: u32 = 128;

/// What one call of [`Store::retain`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retained {
    /// There was nothing to do.
    Nothing,
    /// This game was deleted, with its entries.
    Deleted(u64),
    /// The file was made shorter.
    Shortened,
}

impl Store {
    /// Does one bounded part of the work that leads to a record of at most `keep_games` games. If
    /// there are more games, the oldest one that has ended is deleted. If no game was deleted, a
    /// file with much free space is made shorter. [`Retained::Nothing`] means that no work is left.
    /// The latest game, adjourned games, and games that have not ended are never deleted.
    pub fn retain(&mut self, keep_games: u64) -> Result<Retained, StoreError> {
        self.retain_with(keep_games, FREE_PAGES)
    }

    pub(super) fn retain_with(
        &mut self,
        keep_games: u64,
        free_pages: i64,
    ) -> Result<Retained, StoreError> {
        let result = self.writable().and_then(|connected| {
            match delete_oldest(&mut connected.connection, keep_games)? {
                Some(game) => Ok(Retained::Deleted(game)),
                None => shorten(&connected.connection, free_pages),
            }
        });
        let retained = self.after(result)?;
        self.bound_log()?;
        Ok(retained)
    }
}

fn delete_oldest(connection: &mut Connection, keep_games: u64) -> Result<Option<u64>, StoreError> {
    let operation = "delete the oldest game";
    let games: i64 = connection
        .query_row("SELECT count(*) FROM games", [], |row| row.get(0))
        .during(operation)?;
    if games <= key(keep_games) {
        return Ok(None);
    }
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).during(operation)?;
    let oldest: Option<(i64, i64)> = transaction
        .query_row(
            "SELECT id, (SELECT min(id) FROM games later WHERE later.id > games.id) FROM games
             WHERE ended IS NOT NULL AND adjourned = 0 AND id < (SELECT max(id) FROM games)
             ORDER BY id LIMIT 1",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()
        .during(operation)?;
    let Some((oldest, next)) = oldest else {
        return Ok(None);
    };
    // The oldest game and the next one are compared with their digests. Otherwise damage could
    // decide which entries are deleted. A game whose entries are missing is deleted, too, because
    // a damaged game must not keep the file growing.
    let game = |number: i64| {
        read::game_in_table(&transaction, number.unsigned_abs())?
            .ok_or_else(|| StoreError::corrupt(format!("game {number} is not where it was")))
    };
    let (oldest, next) = (game(oldest)?, game(next)?);
    let number = key(oldest.game);
    transaction
        .execute(
            "DELETE FROM entries WHERE number >= ?1 AND number < ?2 AND game = ?3",
            params![key(oldest.first_entry), key(next.first_entry), number],
        )
        .and_then(|_| transaction.execute("DELETE FROM games WHERE id = ?1", [number]))
        .during(operation)?;
    transaction.commit().during(operation)?;
    Ok(Some(oldest.game))
}

/// Gives pages back to the file system only if more than `free_pages` are free, because the next
/// games use free pages.
fn shorten(connection: &Connection, free_pages: i64) -> Result<Retained, StoreError> {
    let operation = "make the file shorter";
    let free: i64 = connection
        .pragma_query_value(None, "freelist_count", |row| row.get(0))
        .during(operation)?;
    if free <= free_pages {
        return Ok(Retained::Nothing);
    }
    let mut statement = connection
        .prepare(&format!("PRAGMA incremental_vacuum({PAGES_PER_CALL})"))
        .during(operation)?;
    // SQLite frees one page for each row of the result, so all rows are read.
    let mut rows = statement.query([]).during(operation)?;
    while rows.next().during(operation)?.is_some() {}
    Ok(Retained::Shortened)
}
