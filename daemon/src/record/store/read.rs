//! Reads entries, games and the checkpoint. For every entry, game and checkpoint that is returned
//! as a whole, the chain or the digest is computed again and compared with the one in the file.
//! `tail`, `first_entry`, `chain_before` and `chain_up_to` read single columns and compare nothing.

use super::chain::{GameColumns, NO_CHAIN, checkpoint_digest, entry_chain};
use super::change::Checkpoint;
use super::error::{During, StoreError};
use super::limits::GameSize;
use crate::game::{Digest, Ended, Game, NewRow, Row, STATE};
use rusqlite::{Connection, OptionalExtension as _};

/// The latest game on record, with everything that is needed to continue it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentGame {
    /// The game.
    pub game: Game,
    /// All entries of the game; empty if they were passed to a function one by one.
    pub rows: Vec<Row>,
    /// The latest checkpoint.
    pub checkpoint: Option<Checkpoint>,
    /// The number of the last entry on record.
    pub last_entry: u64,
}

/// What the record ends with. The next entry is appended after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tail {
    /// The number of the latest game; `None` if there is no game.
    pub game: Option<u64>,
    /// The number of the last entry; `None` if there is no entry.
    pub number: Option<u64>,
    /// The chain of the last entry.
    pub chain: Digest,
}

impl Tail {
    pub(super) const EMPTY: Tail = Tail { game: None, number: None, chain: NO_CHAIN };
}

/// The digest of the columns of a game.
pub(super) fn game_digest(game: &Game) -> Digest {
    GameColumns {
        game: game.game,
        first_entry: game.first_entry,
        info: &game.info,
        ended: game.ended,
        adjourned: game.adjourned,
        chain_before: &game.chain_before,
    }
    .digest()
}

/// Calls `each` for every entry of the latest game. The returned game has empty `rows`. A game that is
/// larger than any that the service records is damage.
pub(super) fn visit_current(
    connection: &Connection,
    mut each: impl FnMut(Row),
) -> Result<Option<CurrentGame>, StoreError> {
    let Some(game) = latest_game(connection)? else {
        return Ok(None);
    };
    let (mut size, mut fits) = (GameSize::default(), Ok(()));
    let last = visit(connection, &game, game.first_entry, game.chain_before, |row| {
        fits = size.add(row.row.input.len() as u64);
        if fits.is_ok() {
            each(row);
        }
        fits.is_ok()
    })?;
    fits?;
    let last_entry = last.ok_or_else(|| {
        StoreError::corrupt_at(game.first_entry, format!("game {} has no entries", game.game))
    })?;
    let checkpoint = checkpoint(connection)?;
    if let Some(checkpoint) = &checkpoint
        && checkpoint.entry > last_entry
    {
        let what = format!("the checkpoint is after entry {}, which is missing", checkpoint.entry);
        return Err(StoreError::corrupt_at(last_entry + 1, what));
    }
    Ok(Some(CurrentGame { game, rows: Vec::new(), checkpoint, last_entry }))
}

/// Calls `each` for the entries of `game` from the number `first` on, until `each` returns `false`.
/// `before` is the chain before the entry `first`. Returns the number of the last entry that was
/// read, or `None` if there was none. Only the entries right before a state may be missing;
/// otherwise a missing entry is damage.
pub(super) fn visit(
    connection: &Connection,
    game: &Game,
    first: u64,
    before: Digest,
    mut each: impl FnMut(Row) -> bool,
) -> Result<Option<u64>, StoreError> {
    let mut statement = connection
        .prepare(
            "SELECT number, game, boot_id, at_ns, raw_ns, wall_ns, kind, input, events, command, state,
               chain FROM entries LEFT JOIN boots ON boots.id = boot
             WHERE number >= ?1 AND number < ?2 ORDER BY number",
        )
        .during("read entries")?;
    let end = game.first_entry + game.entries;
    let mut rows = statement.query([key(first), key(end)]).during("read entries")?;
    let (mut number, mut before) = (first, before);
    let at = |number: u64| {
        move |error: StoreError| match error {
            StoreError::Corrupt { entry: None, what } => StoreError::corrupt_at(number, what),
            other => other,
        }
    };
    while let Some(columns) = rows.next().during("read an entry").map_err(at(number))? {
        let row = row(columns).during("read an entry").map_err(at(number))?;
        if row.row.game != game.game {
            let what = format!("it is of game {}, not of game {}", row.row.game, game.game);
            return Err(StoreError::corrupt_at(number, what));
        }
        let follows_lost_ones = row.row.kind == STATE && row.row.number > number;
        if row.row.number != number && !follows_lost_ones {
            let what = format!("entry {} is in its place", row.row.number);
            return Err(StoreError::corrupt_at(number, what));
        }
        if entry_chain(&before, &row.row) != row.chain {
            return Err(StoreError::corrupt_at(number, "its digest is another"));
        }
        before = row.chain;
        number = row.row.number + 1;
        if !each(row) {
            return Ok(Some(number - 1));
        }
    }
    if number < end {
        return Err(StoreError::corrupt_at(number, "it is missing"));
    }
    Ok((number > first).then(|| number - 1))
}

fn row(columns: &rusqlite::Row) -> rusqlite::Result<Row> {
    let row = NewRow {
        number: unsigned(columns, 0)?,
        game: unsigned(columns, 1)?,
        boot: columns.get(2)?,
        at_ns: unsigned(columns, 3)?,
        raw_ns: unsigned(columns, 4)?,
        wall_ns: columns.get(5)?,
        kind: columns.get(6)?,
        input: columns.get(7)?,
        events: columns.get(8)?,
        command: columns.get(9)?,
        state: columns.get(10)?,
    };
    Ok(Row { row, chain: columns.get(11)? })
}

/// The end of the record: its latest game and its last entry.
///
/// # Errors
///
/// [`StoreError::Corrupt`] if the last entry does not belong to the latest game.
pub(super) fn tail(connection: &Connection) -> Result<Tail, StoreError> {
    let operation = "read the last entry";
    let game: Option<u64> = connection
        .query_row("SELECT id FROM games ORDER BY id DESC LIMIT 1", [], |row| unsigned(row, 0))
        .optional()
        .during(operation)?;
    let entry: Option<(u64, u64, Digest)> = connection
        .query_row(
            "SELECT number, game, chain FROM entries ORDER BY number DESC LIMIT 1",
            [],
            |row| Ok((unsigned(row, 0)?, unsigned(row, 1)?, row.get(2)?)),
        )
        .optional()
        .during(operation)?;
    match (game, entry) {
        (None, None) => Ok(Tail::EMPTY),
        (Some(game), Some((number, of, chain))) if of == game => {
            Ok(Tail { game: Some(game), number: Some(number), chain })
        }
        (game, entry) => Err(StoreError::corrupt(format!(
            "the latest game is {game:?}, but the last entry is of game {:?}",
            entry.map(|(_, game, _)| game)
        ))),
    }
}

/// The game with the highest number.
pub(super) fn latest_game(connection: &Connection) -> Result<Option<Game>, StoreError> {
    tail(connection)?.game.map_or(Ok(None), |number| game(connection, number))
}

/// Reads one game. Compares it with its digest, and the ends of the game with the games beside it
/// (`check_ends`).
pub(super) fn game(connection: &Connection, number: u64) -> Result<Option<Game>, StoreError> {
    match game_in_table(connection, number)? {
        Some(game) => check_ends(connection, &game).map(|()| Some(game)),
        None => check_not_listed(connection, number).map(|()| None),
    }
}

/// Reads one game and compares it with its digest. Its entries can be missing.
pub(super) fn game_in_table(
    connection: &Connection,
    number: u64,
) -> Result<Option<Game>, StoreError> {
    let operation = "read a game";
    // The entries right before the next game can be missing, because they were of a deleted game.
    // So the number of the last entry of this game is looked up.
    let found = connection
        .query_row(
            "SELECT id, first_entry, info, ended, adjourned, chain_before, digest,
               (SELECT wall_ns FROM entries WHERE number = first_entry),
               (SELECT max(number) FROM entries WHERE number < coalesce(
                 (SELECT first_entry FROM games later WHERE later.id > games.id ORDER BY id LIMIT 1),
                 9223372036854775807))
             FROM games WHERE id = ?1",
            [key(number)],
            |row| {
                let digest: Digest = row.get(6)?;
                let ended: Option<String> = row.get(3)?;
                let first_entry = unsigned(row, 1)?;
                let last: Option<u64> = row.get::<_, Option<i64>>(8)?.map(i64::unsigned_abs);
                let game = Game {
                    game: unsigned(row, 0)?,
                    first_entry,
                    entries: last.map_or(0, |last| (last + 1).saturating_sub(first_entry)),
                    started_wall_ns: row.get(7)?,
                    info: row.get(2)?,
                    ended: ended.as_deref().map(ended_from_word).transpose()?,
                    adjourned: row.get(4)?,
                    chain_before: row.get(5)?,
                };
                Ok((game, digest))
            },
        )
        .optional()
        .during(operation)?;
    match found {
        Some((game, digest)) if game_digest(&game) != digest => {
            Err(StoreError::corrupt(format!("the digest of game {number} is another")))
        }
        found => Ok(found.map(|(game, _)| game)),
    }
}

/// Checks that the first and the last entry of the game are on record. Without this check, a damaged
/// page that seems to be empty would make a game shorter, or take it from the list, without an error.
///
/// The chain before the next game is that of the last entry of this game, unless a game between them
/// was deleted.
fn check_ends(connection: &Connection, game: &Game) -> Result<(), StoreError> {
    let (number, end) = (game.game, game.first_entry + game.entries);
    let last = key(end.saturating_sub(1));
    let (has_first, of, chain, next): (bool, Option<i64>, Option<Digest>, Option<Digest>) =
        connection
            .query_row(
                "SELECT EXISTS (SELECT 1 FROM entries WHERE number = ?1),
                   (SELECT game FROM entries WHERE number = ?2),
                   (SELECT chain FROM entries WHERE number = ?2),
                   (SELECT chain_before FROM games WHERE id = ?3)",
                [key(game.first_entry), last, key(number.saturating_add(1))],
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
            )
            .during("read a game")?;
    if !has_first {
        let what = format!("game {number} begins with it, and it is missing");
        return Err(StoreError::corrupt_at(game.first_entry, what));
    }
    if of != Some(key(number)) {
        let what = format!("the entries after game {number} are of game {of:?}");
        return Err(StoreError::corrupt(what));
    }
    if next.is_some() && next != chain {
        let what = format!("game {number} does not end before it, and it is missing");
        return Err(StoreError::corrupt_at(end, what));
    }
    Ok(())
}

/// Checks that no entries of a game are on record that the table of games does not have. `number` is
/// a number that is not in that table.
pub(super) fn check_not_listed(connection: &Connection, number: u64) -> Result<(), StoreError> {
    let of_unlisted: Option<u64> = connection
        .query_row(
            "SELECT game FROM entries WHERE number < coalesce(
               (SELECT first_entry FROM games WHERE id > ?1 ORDER BY id LIMIT 1),
               9223372036854775807)
             ORDER BY number DESC LIMIT 1",
            [key(number)],
            |row| unsigned(row, 0),
        )
        .optional()
        .during("read a game")?;
    let Some(game) = of_unlisted else { return Ok(()) };
    let is_listed: bool = connection
        .query_row("SELECT EXISTS (SELECT 1 FROM games WHERE id = ?1)", [key(game)], |row| {
            row.get(0)
        })
        .during("read a game")?;
    if is_listed {
        return Ok(());
    }
    Err(StoreError::corrupt(format!("game {game} has entries, but is not in the table of games")))
}

/// The number and the input of the first entry.
pub(super) fn first_entry(connection: &Connection) -> Result<Option<(u64, String)>, StoreError> {
    let query = "SELECT number, input FROM entries ORDER BY number LIMIT 1";
    connection
        .query_row(query, [], |row| Ok((unsigned(row, 0)?, row.get(1)?)))
        .optional()
        .during("read an entry")
}

/// Reads the checkpoint, and compares it with its digest.
pub(super) fn checkpoint(connection: &Connection) -> Result<Option<Checkpoint>, StoreError> {
    let found = connection
        .query_row(
            "SELECT boot_id, at_ns, raw_ns, wall_ns, entry, digest FROM checkpoint
             LEFT JOIN boots ON boots.id = boot ORDER BY checkpoint.id LIMIT 1",
            [],
            |row| {
                let checkpoint = Checkpoint {
                    boot: row.get(0)?,
                    at_ns: unsigned(row, 1)?,
                    raw_ns: unsigned(row, 2)?,
                    wall_ns: row.get(3)?,
                    entry: unsigned(row, 4)?,
                };
                Ok((checkpoint, row.get::<_, Digest>(5)?))
            },
        )
        .optional()
        .during("read the checkpoint")?;
    match found {
        Some((checkpoint, digest)) if checkpoint_digest(&checkpoint) != digest => {
            Err(StoreError::corrupt("the digest of the checkpoint is another"))
        }
        found => Ok(found.map(|(checkpoint, _)| checkpoint)),
    }
}

/// The chain before an entry: the chain of the previous entry, or for the first entry of a game the
/// `chain_before` of the game.
pub(super) fn chain_before(
    connection: &Connection,
    number: u64,
) -> Result<Option<Digest>, StoreError> {
    let of_game = connection
        .query_row("SELECT chain_before FROM games WHERE first_entry = ?1", [key(number)], |row| {
            row.get(0)
        })
        .optional()
        .during("read a game")?;
    match of_game {
        Some(chain) => Ok(Some(chain)),
        None => chain_up_to(connection, number.saturating_sub(1)),
    }
}

/// The chain of the entry with this number, or of the last entry before it.
pub(super) fn chain_up_to(
    connection: &Connection,
    number: u64,
) -> Result<Option<Digest>, StoreError> {
    let query = "SELECT chain FROM entries WHERE number <= ?1 ORDER BY number DESC LIMIT 1";
    connection.query_row(query, [key(number)], |row| row.get(0)).optional().during("read an entry")
}

fn unsigned(row: &rusqlite::Row, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

/// Converts a number to an argument of a query. A number that is too large for SQLite matches no
/// row.
pub(super) fn key(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// How a game ended, from the word in its column.
fn ended_from_word(word: &str) -> rusqlite::Result<Ended> {
    [Ended::Result, Ended::Replaced].into_iter().find(|ended| ended.as_str() == word).ok_or_else(
        || {
            let why = format!("a game cannot have ended by {word:?}");
            rusqlite::Error::FromSqlConversionFailure(3, rusqlite::types::Type::Text, why.into())
        },
    )
}
