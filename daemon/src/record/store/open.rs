//! Locks and opens the record. If the file cannot be used, it is moved aside.

use super::connection::{Access, Check, Connected};
use super::earlier_version;
use super::error::StoreError;
use super::files::{OpenFiles, beside, create, folder, io_error, length, sync_folder};
use super::wal::{self, Log};
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The record, open for writing. The folder of the record is locked, so there is only one `Store`
/// for it in the system.
pub struct Store {
    pub(super) path: PathBuf,
    access: Access,
    /// `None` after an error: the next call opens the file again.
    pub(super) connected: Option<Connected>,
    /// The files of the connection that an error has closed. They must still be there, and as long
    /// as they were, when they are opened again.
    pub(super) closed: Option<OpenFiles>,
    _lock: FolderLock,
}

/// An opened record, and what the caller must report about the file.
pub struct Opened {
    /// The record, ready for use.
    pub store: Store,
    /// The file that was moved aside because it could not be used.
    pub moved_aside: Option<MovedAside>,
    /// Whether the last write in the log is incomplete. After a power cut this is normal, and no
    /// acknowledged entry is missing. Damage to exactly the last transaction looks the same.
    pub last_write_unfinished: bool,
}

/// A file that was renamed because it could not be used. The file and its log are unchanged.
#[derive(Debug)]
pub struct MovedAside {
    /// The new path of the file.
    pub to: PathBuf,
    /// What was wrong with the file.
    pub why: StoreError,
}

impl Store {
    /// Opens the record with all checks. `vfs` is the name of the SQLite VFS that accesses the files;
    /// `None` means `unix-excl`.
    #[cfg(test)]
    pub fn open(path: &Path, vfs: Option<&str>) -> Result<Opened, StoreError> {
        let access = Access { vfs: vfs.map(str::to_owned), ..Access::default() };
        Store::open_as(path, access, Check::Thorough)
    }

    /// Opens the record at `path`.
    ///
    /// If the file is damaged, foreign or of a newer version, it is first renamed, together with its
    /// log, to `….corrupt-1`, `….foreign-1` or `….newer-1` (or a higher number). Then, or if there was
    /// no file, the copy of the record that a newer version has kept for this version becomes the
    /// record. Without such a copy, a new record is begun.
    ///
    /// `check` says how much is checked. After a crash of the process alone, [`Check::Quick`] is
    /// enough, because the kernel still writes what the process had written.
    pub fn open_with(path: &Path, check: Check) -> Result<Opened, StoreError> {
        Store::open_as(path, Access::default(), check)
    }

    /// Like [`Store::open_with`], but with another access to the file.
    pub fn open_as(path: &Path, access: Access, check: Check) -> Result<Opened, StoreError> {
        let path = resolved(path)?;
        let lock = lock_folder(&path)?;
        let mut opened = open_checked(&path, &access, check);
        if opened.as_ref().is_err_and(StoreError::is_damage) {
            // SQLite reports some failed reads of the disk as damage ("Failed to read ptrmap
            // key=6"). A second try finds real damage again; a failed read usually does not happen
            // again.
            opened = open_checked(&path, &access, check);
        }
        match opened {
            Ok((connected, last_write_unfinished)) => {
                let connected = Some(connected);
                let store = Store { path, access, connected, closed: None, _lock: lock };
                Ok(Opened { store, moved_aside: None, last_write_unfinished })
            }
            Err(why) if why.is_damage() => {
                Store { path, access, connected: None, closed: None, _lock: lock }.move_aside(why)
            }
            Err(error) => Err(error),
        }
    }

    /// Renames the file, with its log, and begins a new record, as [`Store::open_with`] does. The
    /// caller does this for damage that is found after the opening, for example by
    /// [`Store::visit_current`]. `why` is that damage; it decides the new name of the file.
    pub fn move_aside(mut self, why: StoreError) -> Result<Opened, StoreError> {
        (self.connected, self.closed) = (None, None);
        let to = rename_all(&self.path, suffix(&why))?;
        let (connected, _) = match open_checked(&self.path, &self.access, Check::Thorough) {
            Err(damage) if damage.is_damage() => {
                // This is the copy that was put back, because there is no other file.
                rename_all(&self.path, suffix(&damage))?;
                open_checked(&self.path, &self.access, Check::Thorough)
            }
            opened => opened,
        }?;
        self.connected = Some(connected);
        let moved_aside = Some(MovedAside { to, why });
        Ok(Opened { store: self, moved_aside, last_write_unfinished: false })
    }

    /// The path of the record.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the last entry on record; `None` if there is none, or if an error has closed
    /// the file.
    pub fn last_entry(&self) -> Option<u64> {
        self.connected.as_ref().and_then(|connected| connected.tail.number)
    }

    /// The number of the latest game on record; `None` if there is none, or if an error has closed
    /// the file.
    pub fn last_game(&self) -> Option<u64> {
        self.connected.as_ref().and_then(|connected| connected.tail.game)
    }

    /// The size of the record on the disk: the database and its log.
    pub fn bytes(&self) -> u64 {
        [self.path.clone(), beside(&self.path, "-wal")].iter().map(|path| length(path)).sum()
    }

    /// The connection. The file is opened again if an error has closed it.
    pub(super) fn readable(&mut self) -> Result<&mut Connected, StoreError> {
        let connected = match self.connected.take() {
            Some(connected) => connected,
            None => {
                self.closed.as_mut().map_or(Ok(()), OpenFiles::check)?;
                open_checked(&self.path, &self.access, Check::Quick)?.0
            }
        };
        Ok(self.connected.insert(connected))
    }

    /// Closes the connection. The next call opens the file again.
    pub(super) fn close(&mut self) {
        if let Some(connected) = self.connected.take() {
            self.closed = Some(connected.files);
        }
    }

    /// Like [`Store::readable`], but first empties the log if it can hold frames of a failed
    /// transaction or is longer than `LOG_HARD_LIMIT`.
    pub(super) fn writable(&mut self) -> Result<&mut Connected, StoreError> {
        let log_too_long = length(&beside(&self.path, "-wal")) > wal::LOG_HARD_LIMIT;
        let connected = self.readable()?;
        connected.files.check()?;
        if connected.log_needs_reset || log_too_long {
            connected.reset_log()?;
        }
        Ok(connected)
    }

    /// Closes the connection after any error except [`StoreError::Refused`], so that nothing of the
    /// failed call remains in it.
    pub(super) fn after<T>(&mut self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        if let Err(error) = &result
            && !matches!(error, StoreError::Refused(_))
        {
            self.close();
        }
        result
    }
}

/// Checks the files, makes the database if there is none, and opens it. Also returns whether the
/// last write in the log is incomplete.
pub(super) fn open_checked(
    path: &Path,
    access: &Access,
    check: Check,
) -> Result<(Connected, bool), StoreError> {
    let log = beside(path, "-wal");
    let journal = beside(path, "-journal");
    let exists = is_regular(path)?;
    is_regular(&log)?;
    is_regular(&journal)?;
    // A log or a journal that was left behind belongs to the earlier file. SQLite would apply it to
    // the copy, so the copy is used only if both are empty.
    let is_free = !exists && length(&log) == 0 && length(&journal) == 0;
    let exists = exists || is_free && earlier_version::put_back(path, access.migrations.len())?;
    if !exists || length(path) == 0 {
        if length(&log) > 0 {
            // SQLite would delete a log without a database. So this counts as damage, and the log
            // is moved aside.
            return Err(StoreError::corrupt("there is a write-ahead log, but no database"));
        }
        if !exists {
            create(path)?;
        }
    } else if check == Check::Thorough && length(&journal) == 0 && length(&log) == 0 {
        // If there is a log or a journal, a power cut may have interrupted the writing of the first
        // page. The contents of that page are then in the log or the journal. So the header is
        // checked only if there is neither.
        check_header(path)?;
    }
    let state = wal::inspect(&log).map_err(io_error("read", &log))?;
    if let Log::Damaged(what) = state {
        return Err(StoreError::corrupt(what));
    }
    Ok((Connected::open(path, access, check)?, state == Log::Unfinished))
}

/// Detects a foreign or damaged file by its first bytes without SQLite, which can change a file by
/// opening it. Must not be called while SQLite has the file open: closing the file here would drop
/// SQLite's locks.
fn check_header(path: &Path) -> Result<(), StoreError> {
    let mut header = [0; 72];
    match File::open(path).and_then(|mut file| file.read_exact(&mut header)) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            return Err(StoreError::corrupt("the file is too short for a database"));
        }
        Err(error) => return Err(io_error("read", path)(error)),
    }
    if &header[..16] != b"SQLite format 3\0" {
        return Err(StoreError::corrupt("the file does not begin like an SQLite database"));
    }
    let application = i32::from_be_bytes([header[68], header[69], header[70], header[71]]);
    // In a new record, the first page is written before the application id is set, so 0 is allowed.
    if application != super::schema::APPLICATION_ID && application != 0 {
        let what = format!("its application id is {application:#x}");
        return Err(StoreError::Foreign { what });
    }
    Ok(())
}

/// Renames the database, its log and its rollback journal. `suffix` and the first free number are
/// added to the name of the database.
pub(super) fn rename_all(path: &Path, suffix: &str) -> Result<PathBuf, StoreError> {
    let to = free_name(path, suffix)?;
    // The database is renamed first. If the power is cut before the log is renamed, the next
    // opening finds a log without a database and moves it aside too.
    rename_each(path, &to, ["", "-wal", "-journal"])?;
    sync_folder(path)?;
    Ok(to)
}

/// Renames the files that begin with the name `from` and have one of these ends, in this order.
pub(super) fn rename_each(from: &Path, to: &Path, ends: [&str; 3]) -> Result<(), StoreError> {
    for end in ends {
        let file = beside(from, end);
        match fs::rename(&file, beside(to, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(io_error("rename", &file)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The first path `PATH.SUFFIX-N` at which there is no database, log or rollback journal.
pub(super) fn free_name(path: &Path, suffix: &str) -> Result<PathBuf, StoreError> {
    (1_u32..)
        .map(|number| beside(path, &format!(".{suffix}-{number}")))
        .find(|to| {
            ["", "-wal", "-journal"].iter().all(|end| beside(to, end).symlink_metadata().is_err())
        })
        .ok_or_else(|| StoreError::Refused("no free name for the damaged record".into()))
}

fn suffix(why: &StoreError) -> &'static str {
    match why {
        StoreError::Newer { .. } => "newer",
        StoreError::Foreign { .. } => "foreign",
        _ => "corrupt",
    }
}

/// Returns `true` if a regular file is at the path, and `false` if nothing is there. Anything else
/// is an error, also a symbolic link. If links were followed, someone could use one to make the
/// service overwrite another file.
pub(super) fn is_regular(path: &Path) -> Result<bool, StoreError> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => Ok(true),
        Ok(_) => Err(StoreError::NotRegular { path: path.into() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(io_error("look at", path)(error)),
    }
}

/// Resolves the symbolic links in the folder of the path, because SQLite is told to refuse every
/// symbolic link in a path (`SQLITE_OPEN_NOFOLLOW`).
pub(super) fn resolved(path: &Path) -> Result<PathBuf, StoreError> {
    let name = path
        .file_name()
        .ok_or_else(|| StoreError::Refused(format!("{} names no file", path.display())))?;
    let folder = folder(path);
    Ok(folder.canonicalize().map_err(io_error("open the folder", folder))?.join(name))
}

/// The lock on the folder of the record. It is released when this value is dropped. Closing the
/// folder alone would not release it while a forked process still has the folder open.
pub(super) struct FolderLock(File);

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Unlocking fails only for a file that is not open, so the result is ignored.
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}

/// Locks the folder of the record itself, so that no lock file is needed.
pub(super) fn lock_folder(path: &Path) -> Result<FolderLock, StoreError> {
    let folder = folder(path);
    let file = File::open(folder).map_err(io_error("open the folder", folder))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(FolderLock(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(StoreError::InUse { folder: folder.into() }),
        Err(error) => Err(io_error("lock the folder", folder)(error.into())),
    }
}
