//! Reads the record while the store writes it, to answer the calls of the D-Bus interface
//! `History`.

use super::connection;
use super::error::{During, StoreError};
use super::open::resolved;
use super::read::{self, key};
use crate::game::NewRow;
use crate::game::{Game, Row};
use rusqlite::Connection;
use std::path::Path;

/// The largest number of games on one page, which is what one read returns.
pub const MAX_PAGE_GAMES: usize = 100;
/// The largest number of entries on one page, which is what one read returns.
pub const MAX_PAGE_ROWS: usize = 200;
/// The largest amount of text on one page: 96 KiB. A page with a single game or entry may have
/// more.
pub const MAX_PAGE_BYTES: usize = 96 * 1024;

/// Reads the record. A reader must be in the same process as the [`Store`](super::Store), because
/// other processes cannot open the file. After the file was moved aside or truncated, a new reader
/// is needed.
pub struct Reader {
    connection: Connection,
}

impl Reader {
    /// Opens the record at `path`, which must exist.
    pub fn open(path: &Path) -> Result<Reader, StoreError> {
        Reader::open_with(path, None)
    }

    /// Like [`Reader::open`], but with the SQLite VFS named `vfs`.
    pub fn open_with(path: &Path, vfs: Option<&str>) -> Result<Reader, StoreError> {
        let path = resolved(path)?;
        let connection = connection::connect(&path, vfs)?;
        connection.execute_batch("PRAGMA query_only = ON").during("open the file")?;
        Ok(Reader { connection })
    }

    /// The games with numbers below `before`, the newest first; if `before` is 0, the latest games.
    /// Returns at most `count` games, and never more than one page: [`MAX_PAGE_GAMES`] games with
    /// [`MAX_PAGE_BYTES`] of text. A single game may have more text.
    pub fn games(&self, before: u64, count: usize) -> Result<Vec<Game>, StoreError> {
        let operation = "list the games";
        let transaction = self.connection.unchecked_transaction().during(operation)?;
        if before == 0 {
            // Finds that the latest game is missing.
            read::tail(&transaction)?;
        }
        let before = if before == 0 { i64::MAX } else { key(before) };
        let mut games = Vec::new();
        let mut bytes = 0;
        let mut statement = transaction
            .prepare("SELECT id FROM games WHERE id < ?1 ORDER BY id DESC")
            .during(operation)?;
        let mut numbers = statement.query([before]).during(operation)?;
        while games.len() < count.min(MAX_PAGE_GAMES) {
            let Some(row) = numbers.next().during(operation)? else {
                // Finds that the oldest games are missing. `read::game` finds that others are.
                read::check_not_listed(&transaction, 0)?;
                break;
            };
            let number: i64 = row.get(0).during(operation)?;
            let Some(game) = read::game(&transaction, number.unsigned_abs())? else { break };
            bytes += game.info.len();
            if bytes > MAX_PAGE_BYTES && !games.is_empty() {
                break;
            }
            games.push(game);
        }
        Ok(games)
    }

    /// The game with this number, or `None` if it is not on record; 0 means the latest game.
    pub fn game(&self, game: u64) -> Result<Option<Game>, StoreError> {
        let transaction = self.connection.unchecked_transaction().during("read a game")?;
        let number = if game == 0 { read::tail(&transaction)?.game } else { Some(game) };
        number.map_or(Ok(None), |number| read::game(&transaction, number))
    }

    /// The entries of a game (0: the latest one) from the entry `first` on. If `first` is before
    /// the game, the entries begin with the first entry of the game. Each entry is compared with
    /// its chain.
    ///
    /// Returns at most `count` entries, and never more than one page: [`MAX_PAGE_ROWS`] entries
    /// with [`MAX_PAGE_BYTES`] of text. A single entry may have more text. If `count` is not 0, an
    /// empty result means that the game is not on record or has no entries from `first` on.
    pub fn entries(&self, game: u64, first: u64, count: usize) -> Result<Vec<Row>, StoreError> {
        let transaction = self.connection.unchecked_transaction().during("read entries")?;
        let number = if game == 0 { read::tail(&transaction)?.game } else { Some(game) };
        let Some(game) = number.map_or(Ok(None), |number| read::game(&transaction, number))? else {
            return Ok(Vec::new());
        };
        let (first, before) = if first <= game.first_entry {
            (game.first_entry, game.chain_before)
        } else {
            match read::chain_up_to(&transaction, first - 1)? {
                Some(chain) if first < game.first_entry + game.entries => (first, chain),
                _ => return Ok(Vec::new()),
            }
        };
        let count = count.min(MAX_PAGE_ROWS);
        let mut rows = Vec::new();
        if count == 0 {
            return Ok(rows);
        }
        let mut bytes = 0;
        read::visit(&transaction, &game, first, before, |row| {
            bytes += text_length(&row.row);
            if bytes > MAX_PAGE_BYTES && !rows.is_empty() {
                return false;
            }
            rows.push(row);
            rows.len() < count
        })?;
        Ok(rows)
    }
}

fn text_length(row: &NewRow) -> usize {
    row.input.len()
        + row.events.len()
        + row.command.as_ref().map_or(0, String::len)
        + row.state.len()
}
