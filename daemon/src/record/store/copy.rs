//! Copies the record for a backup while `clockd` writes it, and puts a backup in its place.
//!
//! The service locks the record against SQLite in other processes, and a backup must not delay the
//! service. So another process copies the two files without SQLite: first the database, then its
//! write-ahead log. A checkpoint of the service can change pages of the database during the copy. Each
//! page that a checkpoint writes is also in the log until the log is emptied. So if the log was not
//! emptied between the two copies, SQLite makes a complete database of them, as after a power cut. If
//! it was emptied, both files are copied again. The complete copy is then checked.

use super::change::{MAX_NAME, MAX_TEXT};
use super::connection::{connect, quick_check};
use super::error::{During, StoreError};
use super::files::{beside, folder, io_error, length, sync_folder};
use super::limits::GameSize;
use super::open::{free_name, lock_folder, rename_all, rename_each, resolved};
use super::read;
use super::schema::{self, MIGRATIONS, Version};
use super::wal::{self, Log};
use clock_controls::{is_at, is_locked};
use rusqlite::Connection;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek as _, SeekFrom};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// How often the copy is tried. A try fails if `clockd` empties the log during the copy, which it does
/// about every 50 entries.
const ATTEMPTS: u32 = 5;
/// The kernel takes the time of the last change from a clock that ticks every 10 ms at the slowest. Two
/// changes within a tick have the same time. If a file was changed longer ago than this, a further
/// change gives it another time.
const TICK: Duration = Duration::from_millis(100);
/// How many bytes of the disk must stay free while a copy of the record is on it. The service needs them
/// to record a game at the same time.
const ROOM_FOR_THE_SERVICE: u64 = 16 << 20;
/// The longest time that the check of the pages of a copy may take.
const CHECK_TIME: Duration = Duration::from_mins(5);

/// A file beside the record: a checked copy of it, or a checked backup. It is removed when this value
/// is dropped.
pub struct Copy {
    record: PathBuf,
    path: PathBuf,
    file: File,
    /// The size, the version and the number of games, for the answer to `clockctl`.
    pub facts: Facts,
}

/// What is known of a checked copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The size in bytes.
    pub bytes: u64,
    /// The version of the tables.
    pub version: usize,
    /// How many games there are.
    pub games: u64,
}

impl Copy {
    /// Copies the record at `path`; `None` if there is no record. `clockd` may write to it meanwhile.
    pub fn of_record(path: &Path) -> Result<Option<Copy>, StoreError> {
        let record = resolved(path)?;
        if !super::open::is_regular(&record)? {
            return Ok(None);
        }
        let unchecked = Unchecked::create(&record)?;
        // The log is counted twice: its copy, and the pages that it adds to the copy of the database.
        let log = length(&beside(&record, "-wal"));
        check_room(&record, length(&record).saturating_add(log.saturating_mul(2)))?;
        for _ in 0..ATTEMPTS {
            if unchecked.copy_files(|| {})? {
                return unchecked.checked(|_| Ok(())).map(Some);
            }
        }
        Err(StoreError::Refused("it is written to so often that it cannot be copied".to_owned()))
    }

    /// Copies the record once, and calls `between` after the database was copied; `None` if the copies
    /// of the two files do not belong together.
    #[cfg(test)]
    pub fn once(path: &Path, between: impl FnOnce()) -> Result<Option<Copy>, StoreError> {
        let unchecked = Unchecked::create(&resolved(path)?)?;
        let belongs = unchecked.copy_files(between)?;
        belongs.then(|| unchecked.checked(|_| Ok(()))).transpose()
    }

    /// Reads a backup of `bytes` bytes, which is to take the place of the record at `path`.
    pub fn of_backup(path: &Path, from: &mut impl Read, bytes: u64) -> Result<Copy, StoreError> {
        let record = resolved(path)?;
        let unchecked = Unchecked::create(&record)?;
        check_room(&record, bytes)?;
        let read = io::copy(&mut from.take(bytes), &mut &unchecked.file)
            .map_err(io_error("write", &unchecked.path))?;
        if read < bytes {
            return Err(StoreError::Refused(format!("the backup ends after {read} bytes")));
        }
        unchecked.checked(check_limits)
    }

    /// The file, from its beginning.
    pub fn reader(&mut self) -> io::Result<impl Read> {
        self.file.seek(SeekFrom::Start(0))?;
        Ok((&self.file).take(self.facts.bytes))
    }

    /// Replaces the record by this file. Returns the new path of the replaced record; `None` if there was
    /// none. If the power is cut meanwhile, the record is either the replaced one or this one.
    ///
    /// # Errors
    ///
    /// `clockd` has the record open, another process has removed this file, or a file cannot be renamed. The
    /// earlier record is then at its path, and can have a second name, which ends with `.replaced-N`; if it was
    /// renamed and cannot be renamed back, it has only that name. Or only the last step has failed: the one
    /// that makes the new name durable.
    pub fn replace(self) -> Result<Option<PathBuf>, StoreError> {
        let _lock = lock_folder(&self.record)?;
        self.file.sync_all().map_err(io_error("sync", &self.path))?;
        let is_there = ["", "-wal", "-journal"]
            .iter()
            .any(|end| beside(&self.record, end).symlink_metadata().is_ok());
        let before = is_there.then(|| keep(&self.record)).transpose()?;
        let renamed = match is_at(&self.file, &self.path) {
            true => fs::rename(&self.path, &self.record),
            false => Err(io::Error::other("another process has removed it")),
        };
        if let Err(error) = renamed {
            if let Some(before) = before
                && self.record.symlink_metadata().is_err()
            {
                // The log comes first, because a database without its log lacks entries. The first error is
                // the one that is reported.
                let _ = rename_each(&before, &self.record, ["-journal", "-wal", ""]);
            }
            return Err(io_error("rename", &self.path)(error));
        }
        sync_folder(&self.record)?;
        Ok(before)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // After `replace`, the name is free, or another process has created its file.
        if is_at(&self.file, &self.path) {
            remove(&self.path);
        }
    }
}

/// A copy or a backup that was not checked yet. The file is removed when this value is dropped, unless
/// it was checked and is a `Copy` now.
struct Unchecked {
    record: PathBuf,
    path: PathBuf,
    file: File,
    is_kept: bool,
}

impl Unchecked {
    /// Creates an empty file beside the record and locks it. If an earlier process was killed and has left
    /// its file, that file is removed. If the process still runs, this is an error.
    fn create(record: &Path) -> Result<Unchecked, StoreError> {
        let path = beside(record, ".backup");
        let in_use = || StoreError::Refused(format!("another backup uses {}", path.display()));
        // Only a file that this process has locked is removed: another process can create its file between
        // any two of these lines.
        if let Ok(earlier) = File::open(&path) {
            if !is_locked(&earlier, &path) {
                return Err(in_use());
            }
            remove(&path);
        }
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).mode(0o600).open(&path);
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => in_use(),
            _ => io_error("create", &path)(error),
        })?;
        if !is_locked(&file, &path) {
            return Err(in_use());
        }
        // If an earlier process was killed while it removed its files, these files are still there.
        remove_logs(&path);
        Ok(Unchecked { record: record.to_owned(), path, file, is_kept: false })
    }

    /// Copies the database, calls `between`, and copies the log. Returns whether both copies make a
    /// complete database.
    fn copy_files(&self, between: impl FnOnce()) -> Result<bool, StoreError> {
        let log = beside(&self.record, "-wal");
        let before = Seen::at(&self.record, &log)?;
        if before.is_of_this_tick() {
            sleep(TICK);
            return Ok(false);
        }
        copy(&self.record, &self.path)?;
        between();
        let to = beside(&self.path, "-wal");
        match copy(&log, &to) {
            Err(StoreError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                emptied(&to)?;
            }
            copied => copied?,
        }
        Ok(before.belongs_to(&Seen::at(&self.record, &log)?))
    }

    /// Applies the log to the database, and checks everything: the tables, every page, the digest of
    /// every game and the chain of every entry. Calls `first` before it reads the
    /// first entry.
    fn checked(
        mut self,
        first: impl FnOnce(&Connection) -> Result<(), StoreError>,
    ) -> Result<Copy, StoreError> {
        if length(&self.path) == 0 {
            return Err(StoreError::corrupt("the file is empty"));
        }
        let log = beside(&self.path, "-wal");
        if let Log::Damaged(what) = wal::inspect(&log).map_err(io_error("read", &log))? {
            return Err(StoreError::corrupt(what));
        }
        let connection = connect(&self.path, None).map_err(StoreError::at_opening)?;
        let version = schema::version(&connection, MIGRATIONS).map_err(StoreError::at_opening)?;
        quick_check(&connection, CHECK_TIME)?;
        if version != Version::Empty {
            first(&connection)?;
        }
        let (version, games) = match version {
            Version::Empty => return Err(StoreError::corrupt("it has no tables")),
            // `clockd` converts an earlier version when it starts, and then checks the chains.
            Version::Known(version) if version < MIGRATIONS.len() => {
                (version, count_games(&connection)?)
            }
            Version::Known(version) => (version, check_games(&connection)?),
        };
        drop(connection);
        apply_log(&self.path)?;
        let facts = Facts { bytes: length(&self.path), version, games };
        self.is_kept = true;
        let file = self.file.try_clone().map_err(io_error("open", &self.path))?;
        Ok(Copy { record: self.record.clone(), path: self.path.clone(), file, facts })
    }
}

impl Drop for Unchecked {
    fn drop(&mut self) {
        if !self.is_kept && is_at(&self.file, &self.path) {
            remove(&self.path);
        }
    }
}

/// Keeps the record under a second name (a hard link). When another file is then renamed to the path of
/// the record, the old record is still there under the second name. Returns the path of the second name.
///
/// If the record cannot be linked, it is renamed with its log instead: it is damaged, or its file system has
/// no hard links. If the power is cut after that, no file is at the path of the record.
pub(super) fn keep(record: &Path) -> Result<PathBuf, StoreError> {
    let Ok(to) = link(record) else { return rename_all(record, "replaced") };
    sync_folder(record)?;
    Ok(to)
}

/// Creates the second name. SQLite finds the log of a database by the name of the database. So the log is
/// applied to the database first, and is empty then.
fn link(record: &Path) -> Result<PathBuf, StoreError> {
    let log = beside(record, "-wal");
    // SQLite would remove the log of an empty database. In a damaged log it would drop what follows the
    // damage.
    let is_damaged = match wal::inspect(&log).map_err(io_error("read", &log))? {
        Log::Damaged(_) => true,
        log => log != Log::Empty && length(record) == 0,
    };
    if is_damaged {
        return Err(StoreError::corrupt("the write-ahead log is damaged"));
    }
    apply_log(record)?;
    let to = free_name(record, "replaced")?;
    fs::hard_link(record, &to).map_err(io_error("link", record))?;
    Ok(to)
}

/// Applies the write-ahead log to the database, so that the log is empty.
fn apply_log(path: &Path) -> Result<(), StoreError> {
    let connection = connect(path, None).map_err(StoreError::at_opening)?;
    connection
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .during("apply the write-ahead log")?;
    drop(connection);
    match length(&beside(path, "-wal")) + length(&beside(path, "-journal")) {
        0 => Ok(()),
        _ => Err(StoreError::corrupt("the write-ahead log cannot be applied")),
    }
}

/// Returns an error if the disk of the record has no room for a copy of `bytes` bytes.
fn check_room(record: &Path, bytes: u64) -> Result<(), StoreError> {
    let folder = folder(record);
    let disk = rustix::fs::statvfs(folder).map_err(|it| io_error("look at", folder)(it.into()))?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let needed = bytes.saturating_add(ROOM_FOR_THE_SERVICE);
    if free >= needed {
        return Ok(());
    }
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let (needed, free) = (mebibytes(needed), mebibytes(free));
    let folder = folder.display();
    Err(StoreError::Refused(format!(
        "a copy of the record needs {needed} MiB in {folder} for a while, and {free} MiB are free"
    )))
}

fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let mut source = File::open(from).map_err(io_error("open", from))?;
    io::copy(&mut source, &mut emptied(to)?).map(drop).map_err(io_error("copy", from))
}

/// The file with nothing in it. It is created if it does not exist.
fn emptied(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path).map_err(io_error("create", path))
}

/// Removes a copy with the files that SQLite makes beside it. A file that cannot be removed is
/// removed by the next backup.
fn remove(path: &Path) {
    remove_logs(path);
    let _ = fs::remove_file(path);
}

fn remove_logs(path: &Path) {
    for end in ["-wal", "-journal"] {
        let _ = fs::remove_file(beside(path, end));
    }
}

/// Returns an error if the record has texts or games so large that the service would not have enough
/// memory for them. The service never writes such a record, but somebody else can make one with correct
/// checksums.
fn check_limits(connection: &Connection) -> Result<(), StoreError> {
    let operation = "measure the entries";
    let text = i64::try_from(MAX_TEXT).unwrap_or(i64::MAX);
    let name = i64::try_from(MAX_NAME).unwrap_or(i64::MAX);
    // `octet_length` is the number of bytes of a value. SQLite finds it without reading the value into memory.
    let long = "SELECT (SELECT count(*) FROM entries WHERE ?1 < max(octet_length(input), octet_length(events),
                  coalesce(octet_length(command), 0), octet_length(state)) OR ?2 < max(octet_length(kind), octet_length(chain)))
                + (SELECT count(*) FROM games WHERE ?1 < max(octet_length(info), coalesce(octet_length(ended), 0)))
                + (SELECT count(*) FROM boots WHERE ?2 < octet_length(boot_id))";
    let long: i64 = connection.query_row(long, [text, name], |row| row.get(0)).during(operation)?;
    if long > 0 {
        let why = format!(
            "{long} texts are longer than any that is recorded: {MAX_TEXT} bytes, a name {MAX_NAME} bytes"
        );
        return Err(StoreError::corrupt(why));
    }
    // The entries of a game follow one another. With GROUP BY, SQLite would sort all inputs in memory.
    let lengths = "SELECT game, octet_length(input) FROM entries ORDER BY number";
    let mut statement = connection.prepare(lengths).during(operation)?;
    let mut rows = statement.query([]).during(operation)?;
    let mut of = (None, GameSize::default());
    while let Some(row) = rows.next().during(operation)? {
        let game: i64 = row.get(0).during(operation)?;
        let bytes: i64 = row.get(1).during(operation)?;
        if of.0 != Some(game) {
            of = (Some(game), GameSize::default());
        }
        of.1.add(bytes.unsigned_abs())?;
    }
    Ok(())
}

fn count_games(connection: &Connection) -> Result<u64, StoreError> {
    let query = "SELECT count(*) FROM games";
    let games: i64 = connection.query_row(query, [], |row| row.get(0)).during("count the games")?;
    Ok(games.unsigned_abs())
}

/// Checks every game on record. Returns their number.
fn check_games(connection: &Connection) -> Result<u64, StoreError> {
    let operation = "list the games";
    let mut statement = connection.prepare("SELECT id FROM games ORDER BY id").during(operation)?;
    let mut numbers = statement.query([]).during(operation)?;
    let mut games = 0;
    while let Some(row) = numbers.next().during(operation)? {
        let number: i64 = row.get(0).during(operation)?;
        let Some(game) = read::game(connection, number.unsigned_abs())? else { continue };
        read::visit(connection, &game, game.first_entry, game.chain_before, |_| true)?;
        games += 1;
    }
    read::check_not_listed(connection, 0)?;
    read::tail(connection)?;
    read::checkpoint(connection)?;
    Ok(games)
}

/// What the database and its log looked like at one instant.
#[derive(PartialEq, Eq)]
struct Seen {
    /// The file system, the inode, the size and the time of the last change of the database.
    database: (u64, u64, u64, i64, i64),
    /// The header of the log, whose salts are new each time after the log was emptied; `None` while
    /// the log is empty.
    log: Option<[u8; 32]>,
}

impl Seen {
    fn at(database: &Path, log: &Path) -> Result<Seen, StoreError> {
        let seen = fs::metadata(database).map_err(io_error("look at", database))?;
        let mut header = [0; 32];
        let log = File::open(log).and_then(|mut log| log.read_exact(&mut header));
        let database = (seen.dev(), seen.ino(), seen.len(), seen.mtime(), seen.mtime_nsec());
        Ok(Seen { database, log: log.is_ok().then_some(header) })
    }

    /// Whether the last change of the database is so recent that a further change could have the same
    /// time. This matters only while the log is empty, because then only the time shows a change.
    fn is_of_this_tick(&self) -> bool {
        let (.., seconds, nanoseconds) = self.database;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let changed = Duration::from_secs(seconds.unsigned_abs())
            .saturating_add(Duration::from_nanos(nanoseconds.unsigned_abs()));
        self.log.is_none() && now.abs_diff(changed) < TICK
    }

    /// The file system and the inode of the database.
    fn file(&self) -> (u64, u64) {
        (self.database.0, self.database.1)
    }

    /// Whether the files that were copied between `self` and `after` make a complete database: the log
    /// was not emptied. If the log was empty, the database must be unchanged.
    fn belongs_to(&self, after: &Seen) -> bool {
        match self.log {
            Some(_) => self.log == after.log && self.file() == after.file(),
            None => self == after,
        }
    }
}
