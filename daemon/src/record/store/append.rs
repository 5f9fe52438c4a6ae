//! Appending to the record. Each call is one transaction.

use super::chain::{GameColumns, checkpoint_digest, entry_chain};
use super::change::{Checkpoint, GameChange};
use super::connection::Connected;
use super::error::{During, StoreError};
use super::files::{beside, length};
use super::open::Store;
use super::read::Tail;
use super::wal::LOG_LIMIT;
use super::{limits, read};
use crate::game::{Ended, Game, NewRow};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

impl Store {
    /// Appends entries, changes the table of games and sets the checkpoint, all in one transaction
    /// that is on disk when the call returns. After an error, either all of it or nothing is on
    /// record, and the same call can be made again.
    ///
    /// An entry that is on record already is skipped if its chain is the same, and refused
    /// otherwise. The recorder appends an entry a second time after a restart, and after an error
    /// that left open whether the disk has the entry. [`GameChange::Begin`] is applied before the
    /// first entry of its game; all other changes of the table of games are applied after the
    /// entries.
    pub fn append(
        &mut self,
        rows: &[NewRow],
        games: &[GameChange],
        checkpoint: Option<&Checkpoint>,
    ) -> Result<(), StoreError> {
        limits::check(rows, games, checkpoint)?;
        let result = self.writable().and_then(|connected| {
            connected.append(rows, games, checkpoint)?;
            connected.files.check()
        });
        self.after(result)?;
        self.bound_log()
    }

    /// Sets the checkpoint.
    pub fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        self.append(&[], &[], Some(checkpoint))
    }

    /// Empties the log if it is longer than `log_limit`. If this fails, the entries are on disk
    /// nevertheless, so the append has not failed. The next append then has to empty the log first,
    /// and fails if it cannot.
    ///
    /// # Errors
    ///
    /// A file of the record is gone or truncated, so entries can be missing.
    pub(super) fn bound_log(&mut self) -> Result<(), StoreError> {
        let length = length(&beside(self.path(), "-wal"));
        let Some(connected) = &mut self.connected else { return Ok(()) };
        if length <= connected.log_limit {
            return Ok(());
        }
        match connected.empty_log() {
            Ok(true) => connected.log_limit = LOG_LIMIT,
            // A reader keeps the log from being emptied, and waiting for the reader takes time. So
            // the log is not emptied again until it has grown by `LOG_LIMIT`.
            Ok(false) => connected.log_limit = length + LOG_LIMIT,
            Err(error) => {
                self.close();
                if error.means_lost_file() {
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

impl Connected {
    fn append(
        &mut self,
        rows: &[NewRow],
        games: &[GameChange],
        checkpoint: Option<&Checkpoint>,
    ) -> Result<(), StoreError> {
        let operation = "append entries";
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .during(operation)?;
        let mut writing =
            Writing { connection: &transaction, tail: self.tail.clone(), boot: self.boot.clone() };
        for row in rows {
            for change in games {
                if let GameChange::Begin { game, first_entry, info } = change
                    && *first_entry == row.number
                {
                    writing.begin(*game, *first_entry, info)?;
                }
            }
            writing.row(row)?;
        }
        for change in games {
            writing.change(change)?;
        }
        if let Some(checkpoint) = checkpoint {
            writing.checkpoint(checkpoint)?;
        }
        let Writing { tail, boot, .. } = writing;
        transaction.commit().during(operation)?;
        self.tail = tail;
        self.boot = boot;
        Ok(())
    }
}

/// A transaction that appends entries, and the end of the record with the entries that the
/// transaction has appended so far.
struct Writing<'a> {
    connection: &'a Connection,
    tail: Tail,
    boot: Option<(String, i64)>,
}

impl Writing<'_> {
    fn row(&mut self, row: &NewRow) -> Result<(), StoreError> {
        match self.tail.number {
            Some(last) if row.number <= last => return self.compare(row),
            Some(last) if row.number != last + 1 && !row.is_state() => {
                return Err(StoreError::Refused(format!(
                    "entry {} cannot follow entry {last}",
                    row.number
                )));
            }
            _ => {}
        }
        if self.tail.game != Some(row.game) {
            return Err(StoreError::Refused(format!(
                "entry {} is of game {}, but the latest game is {}",
                row.number,
                row.game,
                self.tail.game.map_or("none".into(), |game| game.to_string())
            )));
        }
        let boot = self.boot(&row.boot)?;
        let chain = entry_chain(&self.tail.chain, row);
        self.connection
            .execute(
                "INSERT INTO entries (number, game, boot, at_ns, raw_ns, wall_ns, kind, input, events,
                   command, state, chain) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
                params![
                    signed(row.number)?,
                    signed(row.game)?,
                    boot,
                    signed(row.at_ns)?,
                    signed(row.raw_ns)?,
                    row.wall_ns,
                    row.kind,
                    row.input,
                    row.events,
                    row.command,
                    row.state,
                    chain,
                ],
            )
            .during("append an entry")?;
        self.tail.number = Some(row.number);
        self.tail.chain = chain;
        Ok(())
    }

    /// Checks that the entry on record with this number is the same as `row`.
    fn compare(&self, row: &NewRow) -> Result<(), StoreError> {
        let before = read::chain_before(self.connection, row.number)?;
        let recorded = read::chain_up_to(self.connection, row.number)?;
        if before.is_some_and(|before| recorded == Some(entry_chain(&before, row))) {
            Ok(())
        } else {
            Err(StoreError::Refused(format!(
                "entry {} is on record with other contents",
                row.number
            )))
        }
    }

    fn begin(&mut self, game: u64, first_entry: u64, info: &str) -> Result<(), StoreError> {
        if self.tail.number.is_some_and(|last| first_entry <= last) {
            let recorded = read::game(self.connection, game)?;
            return if recorded.is_some_and(|recorded| recorded.first_entry == first_entry) {
                Ok(())
            } else {
                Err(StoreError::Refused(format!("entry {first_entry} does not begin game {game}")))
            };
        }
        if let Some(latest) = self.tail.game
            && game <= latest
        {
            return Err(StoreError::Refused(format!("game {game} cannot follow game {latest}")));
        }
        let columns = GameColumns {
            game,
            first_entry,
            info,
            ended: None,
            adjourned: false,
            chain_before: &self.tail.chain,
        };
        self.connection
            .execute(
                "INSERT INTO games (id, first_entry, info, ended, adjourned, chain_before, digest)
                 VALUES (?1, ?2, ?3, NULL, 0, ?4, ?5)",
                params![
                    signed(game)?,
                    signed(first_entry)?,
                    info,
                    self.tail.chain,
                    columns.digest()
                ],
            )
            .during("begin a game")?;
        self.tail.game = Some(game);
        Ok(())
    }

    fn change(&self, change: &GameChange) -> Result<(), StoreError> {
        match change {
            GameChange::Begin { .. } => Ok(()),
            GameChange::Info { game, info } => {
                self.update(*game, |game| game.info.clone_from(info))
            }
            GameChange::Ended { game, ended } => self.update(*game, |game| game.ended = *ended),
            GameChange::Adjourned { game, adjourned } => {
                self.update(*game, |game| game.adjourned = *adjourned)
            }
            GameChange::TakenUp { game: number, chain } => {
                let Some(game) = read::game(self.connection, *number)? else { return Ok(()) };
                let last = (game.first_entry + game.entries).saturating_sub(1);
                let last = read::chain_up_to(self.connection, last)?.unwrap_or_default();
                let digits: String = last.iter().map(|byte| format!("{byte:02x}")).collect();
                match digits == *chain {
                    true => self.update(*number, |game| game.adjourned = false),
                    false => Ok(()),
                }
            }
        }
    }

    fn update(&self, number: u64, change: impl FnOnce(&mut Game)) -> Result<(), StoreError> {
        let mut game = read::game(self.connection, number)?
            .ok_or_else(|| StoreError::Refused(format!("there is no game {number}")))?;
        change(&mut game);
        self.connection
            .execute(
                "UPDATE games SET info = ?2, ended = ?3, adjourned = ?4, digest = ?5 WHERE id = ?1",
                params![
                    signed(number)?,
                    game.info,
                    game.ended.map(Ended::as_str),
                    game.adjourned,
                    read::game_digest(&game)
                ],
            )
            .during("change a game")?;
        Ok(())
    }

    fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        if self.tail.number.is_none_or(|last| checkpoint.entry > last) {
            return Err(StoreError::Refused(format!(
                "a checkpoint after entry {}, which is not on record",
                checkpoint.entry
            )));
        }
        let boot = self.boot(&checkpoint.boot)?;
        self.connection
            .execute(
                "INSERT OR REPLACE INTO checkpoint (id, boot, at_ns, raw_ns, wall_ns, entry, digest)
                 VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    boot,
                    signed(checkpoint.at_ns)?,
                    signed(checkpoint.raw_ns)?,
                    checkpoint.wall_ns,
                    signed(checkpoint.entry)?,
                    checkpoint_digest(checkpoint),
                ],
            )
            .during("set the checkpoint")?;
        Ok(())
    }

    /// The number of the row of this boot in `boots`. The row is made if there is none.
    fn boot(&mut self, boot: &str) -> Result<i64, StoreError> {
        if let Some((known, row)) = &self.boot
            && known == boot
        {
            return Ok(*row);
        }
        let found: Option<i64> = self
            .connection
            .query_row("SELECT id FROM boots WHERE boot_id = ?1", [boot], |row| row.get(0))
            .optional()
            .during("look the boot up")?;
        let row = match found {
            Some(row) => row,
            None => {
                self.connection
                    .execute("INSERT INTO boots (boot_id) VALUES (?1)", [boot])
                    .during("append a boot")?;
                self.connection.last_insert_rowid()
            }
        };
        self.boot = Some((boot.to_owned(), row));
        Ok(row)
    }
}

/// Converts a number for SQLite, which has only signed integers.
fn signed(number: u64) -> Result<i64, StoreError> {
    i64::try_from(number)
        .map_err(|_| StoreError::Refused(format!("{number} is above {}", i64::MAX)))
}
