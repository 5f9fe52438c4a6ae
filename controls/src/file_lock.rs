//! Locks of temporary files, with which two processes do not take each other's file.

use rustix::fs::{FlockOperation, flock};
use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Locks the file until it is closed. Returns `false` if another process has locked it, or if it is not at
/// this path any more, because the other process has removed it.
pub fn is_locked(file: &File, path: &Path) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok() && is_at(file, path)
}

/// Whether the file at this path is this one. A symbolic link is not followed.
pub fn is_at(file: &File, path: &Path) -> bool {
    let id = |of: Metadata| (of.dev(), of.ino());
    file.metadata().is_ok_and(|own| path.symlink_metadata().is_ok_and(|named| id(named) == id(own)))
}
