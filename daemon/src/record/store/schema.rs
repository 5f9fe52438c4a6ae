//! The tables, and the conversion of a file of an older version to this version.

use super::error::{During, StoreError};
use rusqlite::{Connection, TransactionBehavior};

/// `PRAGMA application_id` of the file: "ChCk". It marks the file as a record of this program.
pub(super) const APPLICATION_ID: i32 = 0x4368_436b;

/// The migrations. The one at index N turns version N into version N + 1.
pub(super) const MIGRATIONS: &[&str] = &[VERSION_1];

/// `entries.game` has no `REFERENCES` clause. With such a clause, SQLite would read all of
/// `entries` when a game is deleted, or would need an index, for which each append writes one more
/// page. The chain and the ranges of the numbers are checked instead. There are no indexes: entries
/// and games are found by their numbers, which are the keys of their rows. Only the rare search for
/// the game with a given first entry reads all rows of `games`.
const VERSION_1: &str = "
CREATE TABLE boots (
  id INTEGER PRIMARY KEY,
  boot_id TEXT NOT NULL
) STRICT;
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  first_entry INTEGER NOT NULL,
  info TEXT NOT NULL,
  ended TEXT,
  adjourned INTEGER NOT NULL,
  chain_before BLOB NOT NULL,
  digest BLOB NOT NULL
) STRICT;
CREATE TABLE entries (
  number INTEGER PRIMARY KEY,
  game INTEGER NOT NULL,
  boot INTEGER NOT NULL REFERENCES boots (id),
  at_ns INTEGER NOT NULL,
  raw_ns INTEGER NOT NULL,
  wall_ns INTEGER,
  kind TEXT NOT NULL,
  input TEXT NOT NULL,
  events TEXT NOT NULL,
  command TEXT,
  state TEXT NOT NULL,
  chain BLOB NOT NULL
) STRICT;
CREATE TABLE checkpoint (
  id INTEGER PRIMARY KEY,
  boot INTEGER NOT NULL REFERENCES boots (id),
  at_ns INTEGER NOT NULL,
  raw_ns INTEGER NOT NULL,
  wall_ns INTEGER,
  entry INTEGER NOT NULL,
  digest BLOB NOT NULL
) STRICT;
";

/// What kind of file it is, judged by its header and its tables. Finding this out writes nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// A new file without any table.
    Empty,
    /// A record of this version or of an older one.
    Known(usize),
}

/// Reads the version, and compares the tables with those of that version.
pub(super) fn version(connection: &Connection, migrations: &[&str]) -> Result<Version, StoreError> {
    let application: i32 = pragma(connection, "application_id")?;
    let version: i32 = pragma(connection, "user_version")?;
    let tables = tables(connection)?;
    if application == 0 && version == 0 && tables.is_empty() {
        return Ok(Version::Empty);
    }
    if application != APPLICATION_ID {
        let what = format!("its application id is {application:#x}, not {APPLICATION_ID:#x}");
        return Err(StoreError::Foreign { what });
    }
    let version = match usize::try_from(version) {
        Ok(version @ 1..) => version,
        _ => return Err(StoreError::Foreign { what: format!("its version is {version}") }),
    };
    let known = migrations.len();
    let Some(steps) = migrations.get(..version) else {
        return Err(StoreError::Newer { version, known });
    };
    if tables != expected_tables(steps)? {
        return Err(StoreError::corrupt(format!("its tables are not those of version {version}")));
    }
    Ok(Version::Known(version))
}

/// Applies the migrations after version `from`, and sets the application id and the new version,
/// all in one transaction.
pub(super) fn migrate(
    connection: &mut Connection,
    from: usize,
    migrations: &[&str],
) -> Result<(), StoreError> {
    if from == migrations.len() {
        return Ok(());
    }
    let operation = "bring the record's tables to this version";
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).during(operation)?;
    for step in &migrations[from..] {
        transaction.execute_batch(step).during(operation)?;
    }
    transaction
        .execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {};",
            migrations.len()
        ))
        .during(operation)?;
    transaction.commit().during(operation)
}

/// The name and the SQL text of every table, index, view and trigger.
fn tables(connection: &Connection) -> Result<Vec<(String, Option<String>)>, StoreError> {
    let operation = "read the record's tables";
    let mut statement = connection
        .prepare("SELECT type || ' ' || name, sql FROM sqlite_schema ORDER BY 1")
        .during(operation)?;
    statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .and_then(Iterator::collect)
        .during(operation)
}

/// The tables of a new database that is made by these migrations.
fn expected_tables(steps: &[&str]) -> Result<Vec<(String, Option<String>)>, StoreError> {
    let operation = "make the tables in memory";
    let memory = Connection::open_in_memory().during(operation)?;
    for step in steps {
        memory.execute_batch(step).during(operation)?;
    }
    tables(&memory)
}

fn pragma(connection: &Connection, name: &str) -> Result<i32, StoreError> {
    connection.pragma_query_value(None, name, |row| row.get(0)).during("read the record's header")
}
