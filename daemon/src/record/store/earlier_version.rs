//! The copy of the record that an earlier release can read. A release that changes the tables keeps
//! it before it converts the record. If the system before the update is started again, its release
//! finds a record of a newer version, moves that aside, and goes on with the copy. A power cut between
//! these two steps leaves no record, but still the copy, which the next start takes.

use super::error::{During, StoreError};
use super::files::{beside, create, io_error, sync_folder};
use rusqlite::Connection;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Copies the record, which has the tables of version `version`, to `….version-N`. A copy that is
/// there already is replaced. The copy has the name only when all of it is on disk.
pub(super) fn keep(connection: &Connection, path: &Path, version: usize) -> Result<(), StoreError> {
    let to = path_of(path, version);
    let part = beside(&to, ".part");
    remove(&part)?;
    // SQLite writes into an empty file and leaves its permissions unchanged.
    create(&part)?;
    let name = part
        .to_str()
        .ok_or_else(|| StoreError::Refused(format!("the path {} is not UTF-8", part.display())))?;
    let copied = copy(connection, name).and_then(|()| {
        File::open(&part).and_then(|file| file.sync_all()).map_err(io_error("sync", &part))?;
        fs::rename(&part, &to).map_err(io_error("rename", &part))
    });
    if copied.is_err() {
        // A part of a copy would only take room, on a disk that is perhaps full.
        remove(&part)?;
    }
    copied?;
    sync_folder(path)
}

fn copy(connection: &Connection, name: &str) -> Result<(), StoreError> {
    let operation = "copy the record for the release before";
    connection.execute("VACUUM INTO ?1", [name]).during(operation).map(drop)
}

/// Gives the copy of version `version` the name of the record, at which there must be no file.
/// Returns whether there was a copy.
pub(super) fn put_back(path: &Path, version: usize) -> Result<bool, StoreError> {
    let copy = path_of(path, version);
    match fs::rename(&copy, path) {
        Ok(()) => sync_folder(path).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(io_error("rename", &copy)(error)),
    }
}

/// Removes a copy of version `version`, which is that of the record itself. There is one if the
/// conversion was not done after the copy was made. Later the copy would be out of date, and it must
/// not take the place of the record then. Errors are ignored: the next opening tries again.
pub(super) fn forget(path: &Path, version: usize) {
    let _ = fs::remove_file(path_of(path, version));
}

fn path_of(path: &Path, version: usize) -> PathBuf {
    beside(path, &format!(".version-{version}"))
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io_error("remove", path)(error))
        }
        _ => Ok(()),
    }
}
