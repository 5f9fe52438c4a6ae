//! Opens the file of the record. `connect` makes a connection, also for readers. `Connected` is the
//! connection that may write: its file is checked, its tables are made or converted, and its
//! write-ahead log is emptied.

use super::earlier_version;
use super::error::{During, StoreError};
use super::files::OpenFiles;
use super::limits::MAX_VALUE;
use super::read::{self, Tail};
use super::schema::{self, Version};
use super::wal::LOG_LIMIT;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

/// SQLite's VFS that lets no other process open the file. It needs no shared-memory file, so the
/// record can be read on a full disk.
const VFS: &str = "unix-excl";
/// How long a call waits for a reader in this process to finish before the call fails.
const BUSY_TIMEOUT: Duration = Duration::from_millis(250);
/// How long the pages may be compared with each other when the record is opened. A page that was
/// not compared in this time is checked when it is read.
pub(super) const CHECK_TIME: Duration = Duration::from_secs(2);

const EMPTY_LOG: &str = "empty the write-ahead log";

/// A connection that may write.
pub(super) struct Connected {
    pub connection: Connection,
    pub tail: Tail,
    /// The latest boot that was looked up, and the number of its row in `boots`.
    pub boot: Option<(String, i64)>,
    /// Whether the log can hold frames of a failed transaction. If so, it must be emptied before
    /// the next transaction (see `wal.rs`).
    pub log_needs_reset: bool,
    /// The files, as they were after the last operation.
    pub files: OpenFiles,
    /// The log is emptied when it has more bytes than this. The number is `LOG_LIMIT`, or a larger
    /// number after a reader kept the log from being emptied.
    pub log_limit: u64,
}

/// How the file is accessed. Only tests use other values than [`Access::default`].
#[derive(Clone)]
pub struct Access {
    /// The name of the SQLite VFS that accesses the files; `None` means `unix-excl`.
    pub vfs: Option<String>,
    /// The versions of the tables that this program knows, as [`schema::MIGRATIONS`].
    pub migrations: &'static [&'static str],
}

impl Default for Access {
    fn default() -> Access {
        Access { vfs: None, migrations: schema::MIGRATIONS }
    }
}

#[cfg(test)]
impl Access {
    /// The access of an invented next release, which has changed the tables.
    pub fn of_next_release() -> Access {
        let next = ["ALTER TABLE games ADD COLUMN place TEXT"];
        let migrations = [schema::MIGRATIONS, &next].concat().leak();
        Access { migrations, ..Access::default() }
    }
}

/// How much is checked when a connection is opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// Compares the pages with each other, and the latest game with its chain. This is used for all
    /// openings except those that [`Check::Quick`] names.
    Thorough,
    /// Checks only the tables and the last entry. This is used for the start after a kill, which
    /// must be fast, and for a [`Store`](super::Store) that opens its file again after an error.
    /// After the start, [`LateCheck`](super::LateCheck) compares the pages.
    Quick,
}

impl Connected {
    /// Opens an existing file. Writes nothing until all checks have passed.
    pub(super) fn open(
        path: &Path,
        access: &Access,
        check: Check,
    ) -> Result<Connected, StoreError> {
        let migrations = access.migrations;
        let mut connection =
            connect(path, access.vfs.as_deref()).map_err(StoreError::at_opening)?;
        let version = schema::version(&connection, migrations).map_err(StoreError::at_opening)?;
        let mut tail = Tail::EMPTY;
        if check == Check::Thorough {
            quick_check(&connection, CHECK_TIME)?;
        }
        if version == Version::Known(migrations.len()) {
            tail = read::tail(&connection)?;
            if check == Check::Thorough {
                read::visit_current(&connection, |_| ())?;
            }
        }
        if let Version::Known(earlier) = version
            && earlier < migrations.len()
            && let Err(error) = earlier_version::keep(&connection, path, earlier)
        {
            // The record is converted without a copy. A clock without a record would be worse than
            // one that cannot return to the earlier release.
            tracing::warn!("the release before could not read the record any more: {error}");
        }
        prepare_file(&mut connection, version, migrations)?;
        earlier_version::forget(path, migrations.len());
        if tail == Tail::EMPTY {
            tail = read::tail(&connection)?;
        }
        let mut connected = Connected {
            connection,
            tail,
            boot: None,
            log_needs_reset: true,
            files: OpenFiles::at(path),
            log_limit: LOG_LIMIT,
        };
        match connected.empty_log() {
            // Emptying the log fails on a full disk. The opening succeeds nevertheless, because the
            // record can be read.
            Ok(_) | Err(StoreError::Sqlite { .. }) => Ok(connected),
            Err(error) => Err(error),
        }
    }

    /// Moves everything from the write-ahead log into the database, and empties the log. Fails if a
    /// reader prevents this.
    pub(super) fn reset_log(&mut self) -> Result<(), StoreError> {
        if self.empty_log()? {
            return Ok(());
        }
        let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
        Err(rusqlite::Error::SqliteFailure(busy, None)).during(EMPTY_LOG)
    }

    /// Like [`Connected::reset_log`], but returns `false` if a reader prevents it.
    pub(super) fn empty_log(&mut self) -> Result<bool, StoreError> {
        self.files.check()?;
        // The length is read before the checkpoint. If it were read after the checkpoint and the
        // read failed, the new lengths would not be known.
        let pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let length: i64 =
            self.connection.query_row(pages, [], |row| row.get(0)).during(EMPTY_LOG)?;
        let emptied = self.checkpoint();
        // If the log was emptied, the database has exactly this length. Otherwise its length is not
        // known, which 0 stands for.
        let is_emptied = matches!(emptied, Ok(true));
        self.files.after_checkpoint(if is_emptied { length.unsigned_abs() } else { 0 })?;
        emptied
    }

    fn checkpoint(&mut self) -> Result<bool, StoreError> {
        let busy: i64 = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
            .during(EMPTY_LOG)?;
        self.log_needs_reset &= busy != 0;
        Ok(busy == 0)
    }
}

/// Opens the file with the settings that every connection needs. Writes nothing.
pub(super) fn connect(path: &Path, vfs: Option<&str>) -> Result<Connection, StoreError> {
    let operation = "open the file";
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection =
        Connection::open_with_flags_and_vfs(path, flags, vfs.unwrap_or(VFS)).during(operation)?;
    connection.busy_timeout(BUSY_TIMEOUT).during(operation)?;
    // A file with a text of 60 MiB would otherwise end the service for its memory at each start.
    let longest = i32::try_from(MAX_VALUE).unwrap_or(i32::MAX);
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest).during(operation)?;
    // Closing a connection must not change a file that is found to be damaged.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).during(operation)?;
    // A cache of 64 KiB holds the few pages that an append changes. `Store` empties the log
    // itself, because SQLite's automatic checkpoint never truncates it. There is no
    // `journal_size_limit`, with which an append could make the log shorter (see `files.rs`).
    connection
        .execute_batch(
            "PRAGMA cache_size = -64;
             PRAGMA mmap_size = 0;
             PRAGMA temp_store = MEMORY;
             PRAGMA trusted_schema = OFF;
             PRAGMA cell_size_check = ON;
             PRAGMA foreign_keys = ON;
             PRAGMA synchronous = FULL;
             PRAGMA wal_autocheckpoint = 0;",
        )
        .during(operation)?;
    Ok(connection)
}

/// Makes the tables or converts them to this version, and turns the write-ahead log on.
fn prepare_file(
    connection: &mut Connection,
    version: Version,
    migrations: &[&str],
) -> Result<(), StoreError> {
    let operation = "turn the write-ahead log on";
    let from = match version {
        Version::Empty => {
            // The page size and `auto_vacuum` cannot be changed once there is a table. The tables
            // are made before the write-ahead log is turned on, so that the application id is in
            // the database file itself and not only in the log.
            connection
                .execute_batch("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL;")
                .during(operation)?;
            0
        }
        Version::Known(from) => from,
    };
    schema::migrate(connection, from, migrations)?;
    let mode: String = connection
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        .during(operation)?;
    if mode != "wal" {
        let source = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CANTOPEN);
        let text = Some(format!("the journal mode is {mode}"));
        return Err(StoreError::Sqlite {
            operation,
            source: rusqlite::Error::SqliteFailure(source, text),
        });
    }
    Ok(())
}

/// Compares the pages of the file with each other. After the time `limit` it stops and returns
/// `Ok`.
pub(super) fn quick_check(connection: &Connection, limit: Duration) -> Result<(), StoreError> {
    let operation = "check the file";
    let handle = connection.get_interrupt_handle();
    let (done, waiting) = mpsc::channel::<()>();
    let timer = std::thread::Builder::new()
        .name("record-check".into())
        .spawn(move || {
            if waiting.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                handle.interrupt();
            }
        })
        .map_err(|source| StoreError::Io { operation, path: "(a thread)".into(), source })?;
    let result: rusqlite::Result<String> =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
    drop(done);
    // Waits until the timer has ended, so that it cannot interrupt a later statement.
    let _ = timer.join();
    match result {
        Ok(found) if found == "ok" => Ok(()),
        Ok(found) => Err(unreadable(&found, operation).unwrap_or(StoreError::corrupt(found))),
        Err(rusqlite::Error::SqliteFailure(failure, _))
            if failure.code == ErrorCode::OperationInterrupted =>
        {
            Ok(())
        }
        Err(error) => Err(error).during(operation),
    }
}

/// The I/O error that the text of a check names; `None` if the text reports damage. `quick_check`
/// reports a page that could not be read as damage, with SQLite's error code in its text. But a
/// failed read is no damage of the file.
fn unreadable(found: &str, operation: &'static str) -> Option<StoreError> {
    let (_, after) = found.split_once("error code=")?;
    let digits = after.split(|character: char| !character.is_ascii_digit()).next()?;
    let source = rusqlite::ffi::Error::new(digits.parse().ok()?);
    let source = rusqlite::Error::SqliteFailure(source, Some(found.to_owned()));
    Err::<(), _>(source).during(operation).err().filter(|error| !error.is_damage())
}
