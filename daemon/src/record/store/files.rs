//! The files of the record: their names, and whether the files that SQLite has open are those that
//! are now at the path of the record.
//!
//! SQLite writes to a deleted file without an error. What is written to it is gone when the file is
//! closed, so it must not be acknowledged. The same holds after `umount -l`: the path then leads to
//! the folder on which the file system was mounted. SQLite also writes behind the end of a file
//! that another program has truncated, and keeps what it knew of the missing part in memory.

use super::error::StoreError;
use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// A file as it was when it was last looked at.
#[derive(Clone, Copy)]
struct Seen {
    /// The device and the inode. While the file is open, no other file has the same two numbers.
    id: (u64, u64),
    /// The length in bytes.
    length: u64,
}

impl Seen {
    fn at(path: &Path) -> Option<Seen> {
        let seen = |file: Metadata| Seen { id: (file.dev(), file.ino()), length: file.len() };
        path.symlink_metadata().ok().map(seen)
    }
}

/// The files of a connection.
pub(super) struct OpenFiles {
    path: PathBuf,
    database: Option<Seen>,
    /// The write-ahead log; `None` until SQLite has made it.
    log: Option<Seen>,
}

impl OpenFiles {
    /// The files that are at this path now. A new connection calls this right after SQLite has
    /// opened its files.
    pub fn at(path: &Path) -> OpenFiles {
        OpenFiles {
            path: path.to_owned(),
            database: Seen::at(path),
            log: Seen::at(&beside(path, "-wal")),
        }
    }

    /// Fails if the database or its log at the path is missing, is another file than the open one,
    /// or is shorter than it was. Only a checkpoint makes them shorter, and it is followed by
    /// [`OpenFiles::after_checkpoint`].
    pub fn check(&mut self) -> Result<(), StoreError> {
        let now = OpenFiles::at(&self.path);
        let is_replaced = match (self.database, now.database) {
            (before, Some(now)) => before.is_none_or(|before| before.id != now.id),
            (_, None) => false,
        };
        let gone = || StoreError::Gone { path: self.path.clone(), is_replaced };
        let database = self.database.ok_or_else(gone)?;
        for (before, now, end) in
            [(Some(database), now.database, ""), (self.log.or(now.log), now.log, "-wal")]
        {
            let Some(before) = before else { continue };
            let now = now.filter(|now| now.id == before.id).ok_or_else(gone)?;
            if now.length < before.length {
                return Err(self.truncated(end, now.length, before.length));
            }
        }
        *self = now;
        Ok(())
    }

    /// Takes over the lengths that a checkpoint gave the files. `database` is the length that the
    /// database must have; 0 if it is not known. If the database is shorter, every later
    /// [`OpenFiles::check`] fails, too.
    pub fn after_checkpoint(&mut self, database: u64) -> Result<(), StoreError> {
        let now = OpenFiles::at(&self.path);
        if let (Some(before), Some(now)) = (&mut self.log, now.log) {
            before.length = now.length;
        }
        let (Some(before), Some(now)) = (&mut self.database, now.database) else { return Ok(()) };
        before.length = now.length.max(database);
        if now.length < database {
            return Err(self.truncated("", now.length, database));
        }
        Ok(())
    }

    fn truncated(&self, end: &str, length: u64, written: u64) -> StoreError {
        StoreError::Truncated { path: beside(&self.path, end), length, written }
    }
}

/// The path with this ending added to the name of the file, such as `-wal` for the write-ahead log.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

/// Makes a file that only the service can read and write. SQLite gives the log the same
/// permissions.
pub(super) fn create(path: &Path) -> Result<(), StoreError> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
        .map(drop)
        .map_err(io_error("create", path))
}

/// Waits until the names in the folder of the record are on disk.
pub(super) fn sync_folder(path: &Path) -> Result<(), StoreError> {
    let folder = folder(path);
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io_error("sync", folder))
}

/// The folder of the record.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The length of a file in bytes; 0 if there is none.
pub(super) fn length(path: &Path) -> u64 {
    path.metadata().map(|metadata| metadata.len()).unwrap_or(0)
}

/// Converts an error of the operating system to one that names the operation and the file.
pub(super) fn io_error(
    operation: &'static str,
    path: &Path,
) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { operation, path, source }
}
