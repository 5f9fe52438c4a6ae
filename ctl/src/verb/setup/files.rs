//! Files that are read, files that are replaced, and why they are not.

use std::fs::{self, Permissions};
use std::io;
use std::ops::Range;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, fchown};
use std::path::Path;

use clock_controls::{ReadError, StagedFile, read_text};
use clock_engine::text::FileError;

use crate::failure::Failure;

/// The folder of the configuration, below the root.
pub(super) const FOLDER: &str = "etc/chess-clock";

/// Why a set-up file cannot be applied.
#[derive(Debug)]
pub(super) enum Refused {
    /// The set-up file is wrong at this position, or needs something that this system does not
    /// have.
    There(Range<usize>, String),
    /// Another file of the system cannot be changed.
    Other(String),
}

/// A file with its new contents, which can have a passphrase.
pub(super) struct NewFile {
    /// The path below the root.
    pub path: String,
    contents: Contents,
}

enum Contents {
    /// The text of a file, and its permissions if it does not exist yet. An existing file keeps its own.
    Text(String, u32),
    /// The target of a symbolic link.
    Link(String),
}

impl NewFile {
    pub(super) fn new(path: impl Into<String>, text: String, mode: u32) -> NewFile {
        NewFile { path: path.into(), contents: Contents::Text(text, mode) }
    }

    pub(super) fn link(path: impl Into<String>, target: String) -> NewFile {
        NewFile { path: path.into(), contents: Contents::Link(target) }
    }
}

/// A mistake in a file, with its line and column: `chessclock.toml:7:1: …`.
pub(super) fn wrong_at(path: &Path, error: &FileError) -> Failure {
    Failure::Usage(format!("{}:{error}", path.display()))
}

/// The text of a file of at most 64 KiB.
pub(super) fn text_of(path: &Path) -> Result<String, Failure> {
    read_text(path).map_err(|error| match error {
        ReadError::NotText(error) => wrong_at(path, &error),
        ReadError::Io(error) => Failure::Usage(format!("{}: {error}", path.display())),
    })
}

/// Whether the file has these contents already.
pub(super) fn is_there(root: &Path, file: &NewFile) -> bool {
    let path = root.join(&file.path);
    match &file.contents {
        Contents::Text(text, _) => fs::read(path).is_ok_and(|found| found == text.as_bytes()),
        Contents::Link(target) => fs::read_link(path).is_ok_and(|found| found == Path::new(target)),
    }
}

/// Writes the new version of a file, which does not take its place yet. An earlier file keeps its owner
/// and its permissions.
pub(super) fn stage(root: &Path, new: &NewFile) -> io::Result<StagedFile> {
    let path = root.join(&new.path);
    let folder = path.parent().unwrap_or(root);
    // Only root may read the folder in which iwd keeps the networks.
    let mode = if new.path.starts_with("var/lib/iwd/") { 0o700 } else { 0o755 };
    fs::DirBuilder::new().recursive(true).mode(mode).create(folder)?;
    let (text, mode) = match &new.contents {
        Contents::Link(target) => return StagedFile::link(&path, Path::new(target)),
        Contents::Text(text, mode) => (text, *mode),
    };
    let earlier = fs::metadata(&path).ok();
    StagedFile::write(&path, text.as_bytes(), |file| {
        if let Some(earlier) = &earlier {
            fchown(file, Some(earlier.uid()), Some(earlier.gid()))?;
        }
        // The permissions are not set when the file is made, because the umask would remove some of
        // them.
        let mode = earlier.as_ref().map_or(mode, |earlier| earlier.mode() & 0o7777);
        file.set_permissions(Permissions::from_mode(mode))
    })
}
