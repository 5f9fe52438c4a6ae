//! The errors of the record, distinguished by what the caller can do about them.

use std::io;
use std::path::{Path, PathBuf};

/// Why an operation on the record failed.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The operating system refused an operation, for example because the disk is full, read-only or
    /// absent. The same call may succeed later.
    #[error("cannot {operation} {}: {source}", path.display())]
    Io {
        /// What was being done, as a verb: "write".
        operation: &'static str,
        /// The file or the folder.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// A line of the file is not as it was written.
    #[error("the record is damaged: {}, line {line}: {what}", path.display())]
    Damaged {
        /// The file of the game.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The file was deleted, renamed, replaced or shortened while it was open. What was written to it
    /// since then is not on record.
    #[error("{} is no longer the file that was opened", path.display())]
    Gone {
        /// Where the file was.
        path: PathBuf,
    },
    /// Another process has the folder open for writing.
    #[error("the record in {} is in use by another process", folder.display())]
    InUse {
        /// The folder of the record.
        folder: PathBuf,
    },
    /// The arguments of the call would make the record inconsistent. Nothing was changed.
    #[error("the record refuses this: {0}")]
    Refused(String),
}

impl RecordError {
    /// Whether the file of the game must get another name before a game can be recorded again.
    pub fn is_damage(&self) -> bool {
        matches!(self, RecordError::Damaged { .. })
    }

    /// Turns an error of the operating system into one that names the operation and the file.
    pub(crate) fn io(operation: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| RecordError::Io { operation, path, source }
    }
}
