//! Compares the files that SQLite has open with the files that are now at the path of the record.
//!
//! SQLite writes to a deleted file without an error. What is written to it is gone when the file is
//! closed, so it must not be acknowledged. The same holds after `umount -l`: the path then leads to
//! the folder on which the file system was mounted.

use super::error::StoreError;
use std::ffi::OsString;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The device and the inode of a file. While the file is open, no other file has the same two
/// numbers.
pub(super) type FileId = (u64, u64);

/// The files of an open connection.
pub(super) struct OpenFiles {
    database: Option<FileId>,
    /// The write-ahead log; `None` until SQLite has made it.
    log: Option<FileId>,
}

impl OpenFiles {
    /// The files that are at this path now. A new connection calls this right after SQLite has
    /// opened its files, and [`OpenFiles::check`] calls it again to compare.
    pub fn at(path: &Path) -> OpenFiles {
        OpenFiles { database: id(path), log: id(&beside(path, "-wal")) }
    }

    /// Fails if the database or its log at the path is missing, or is another file than the open
    /// one.
    pub fn check(&mut self, path: &Path) -> Result<(), StoreError> {
        let now = OpenFiles::at(path);
        self.log = self.log.or(now.log);
        if self.database.is_some() && now.database == self.database && now.log == self.log {
            return Ok(());
        }
        Err(StoreError::Gone { path: path.into() })
    }
}

/// The file that is at this path now; `None` if there is none.
pub(super) fn id(path: &Path) -> Option<FileId> {
    let identify = |metadata: Metadata| (metadata.dev(), metadata.ino());
    path.symlink_metadata().ok().map(identify)
}

/// The path with this ending added to the name of the file, such as `-wal` for the write-ahead log.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

/// The length of a file in bytes; 0 if there is none.
pub(super) fn length(path: &Path) -> u64 {
    path.metadata().map(|metadata| metadata.len()).unwrap_or(0)
}
