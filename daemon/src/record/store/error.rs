//! The errors of the record, distinguished by what the caller can do about them.

use rusqlite::ErrorCode;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why an operation on the record failed. A failed append may be on disk nevertheless, and can be
/// made again.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite failed, for example because the disk is full, read-only, slow or absent. The same
    /// call may succeed later.
    #[error("the record: cannot {operation}: {source}")]
    Sqlite {
        /// What was being done, as a verb: "append entries".
        operation: &'static str,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// The operating system refused an operation on a file. The same call may succeed later.
    #[error("the record: cannot {operation} {}: {source}", path.display())]
    Io {
        /// What was being done, as a verb: "create".
        operation: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file was deleted, renamed or replaced while it was open, or its file system was
    /// unmounted. What was written to it since then is not on record. The record must be opened
    /// again.
    #[error("the record {} is no longer the file that was opened", path.display())]
    Gone {
        /// Where the file was.
        path: PathBuf,
        /// Whether another database is at the path now.
        is_replaced: bool,
    },
    /// Another program has truncated a file of the record while it was open. Entries that were on
    /// record can be missing. The record must be opened again.
    #[error("{} has {length} bytes instead of {written}: another program has truncated it", path.display())]
    Truncated {
        /// The database or its write-ahead log.
        path: PathBuf,
        /// The present length, in bytes.
        length: u64,
        /// The length that the file must have at least, in bytes.
        written: u64,
    },
    /// Another program, or another part of this one, has the record open for writing.
    #[error("the record in {} is already open for writing", folder.display())]
    InUse {
        /// The folder of the record. The lock is on this folder.
        folder: PathBuf,
    },
    /// The path is a symbolic link, a folder or a device. Nothing was opened.
    #[error("the record {} is not a regular file", path.display())]
    NotRegular {
        /// The path at which there is a link, a folder or a device, and not a regular file.
        path: PathBuf,
    },
    /// The file is a record, but a part of it is not as it was written.
    #[error("the record is damaged{}: {what}", at(*entry))]
    Corrupt {
        /// The first entry that cannot be trusted, if the damage is in an entry.
        entry: Option<u64>,
        /// What differs from what was written.
        what: String,
    },
    /// The file belongs to another program.
    #[error("the file is not a record that this version can use: {what}")]
    Foreign {
        /// What shows that the file is foreign.
        what: String,
    },
    /// A newer version of this program has converted the file.
    #[error("the record has the version {version}; this program knows the versions 1 to {known}")]
    Newer {
        /// The version of the file.
        version: usize,
        /// The version that this program writes.
        known: usize,
    },
    /// The arguments of the call would make the record inconsistent. Nothing was changed.
    #[error("the record refuses this: {0}")]
    Refused(String),
}

fn at(entry: Option<u64>) -> String {
    entry.map(|entry| format!(" at entry {entry}")).unwrap_or_default()
}

impl StoreError {
    /// `true` if the file must be moved aside before a record can be kept again.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            StoreError::Corrupt { .. } | StoreError::Foreign { .. } | StoreError::Newer { .. }
        )
    }

    /// `true` if the open file is not the record any more. The record must be opened again, and
    /// what it then lacks is lost.
    pub fn means_lost_file(&self) -> bool {
        matches!(self, StoreError::Gone { .. } | StoreError::Truncated { .. })
    }

    /// `true` if the same call can succeed later, without any change to the file or to the call. If
    /// [`StoreError::means_lost_file`] is also `true`, the record must be opened again first.
    #[cfg(test)]
    pub fn may_pass(&self) -> bool {
        matches!(
            self,
            StoreError::Sqlite { .. }
                | StoreError::Io { .. }
                | StoreError::InUse { .. }
                | StoreError::Gone { .. }
                | StoreError::Truncated { .. }
        )
    }

    /// Turns an error that occurred while the file was opened into damage if SQLite reports a
    /// header that it does not understand. SQLite then returns `SQLITE_ERROR`, which no statement
    /// of this module causes in another way.
    pub(super) fn at_opening(self) -> StoreError {
        match self {
            StoreError::Sqlite {
                source: rusqlite::Error::SqliteFailure(failure, text), ..
            } if failure.extended_code == rusqlite::ffi::SQLITE_ERROR => {
                StoreError::corrupt(text.unwrap_or_else(|| failure.to_string()))
            }
            other => other,
        }
    }

    pub(super) fn corrupt(what: impl Into<String>) -> StoreError {
        StoreError::Corrupt { entry: None, what: what.into() }
    }

    pub(super) fn corrupt_at(entry: u64, what: impl Into<String>) -> StoreError {
        StoreError::Corrupt { entry: Some(entry), what: what.into() }
    }
}

/// Converts an error of SQLite to a [`StoreError`] that names the failed operation. It is damage if
/// only the contents of the file can cause the error; otherwise it may pass.
pub(super) trait During<T> {
    /// `operation` completes the sentence "cannot …".
    fn during(self, operation: &'static str) -> Result<T, StoreError>;
}

impl<T> During<T> for rusqlite::Result<T> {
    fn during(self, operation: &'static str) -> Result<T, StoreError> {
        self.map_err(|source| {
            if means_damage(&source) {
                StoreError::corrupt(format!("cannot {operation}: {source}"))
            } else {
                StoreError::Sqlite { operation, source }
            }
        })
    }
}

/// `true` for errors that only the contents of the file can cause. This module fixes all statements
/// and the types of their parameters, and compares the schema before it uses it. So a value of the
/// wrong type, or a violated constraint, is damage. So is a value that is longer than `MAX_VALUE`,
/// because an append is checked before.
fn means_damage(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => matches!(
            failure.code,
            ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::ConstraintViolation
                | ErrorCode::TooBig
        ),
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::Utf8Error(..) => true,
        _ => false,
    }
}
