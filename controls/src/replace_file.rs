//! Replaces a file as a whole.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// Replaces the file at `path` by one with these contents, which only its owner can read. After a
/// power cut at any instant, either the earlier or the new contents are there.
///
/// # Errors
///
/// The file cannot be written. The earlier file is then still there, unless only the last step has
/// failed: the one that makes the new name durable.
pub fn replace_file(path: &Path, contents: &[u8]) -> io::Result<()> {
    replace_file_with(path, contents, |_| Ok(()))
}

/// Like [`replace_file`], but calls `prepare` with the new file before it takes the place of the
/// earlier one, for example to give it another owner or other permissions.
///
/// # Errors
///
/// Those of [`replace_file`], and those of `prepare`.
pub fn replace_file_with(
    path: &Path,
    contents: &[u8],
    prepare: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    let new = path.with_extension("new");
    // Whatever is at this path, for example because an earlier process was killed in this function,
    // is replaced.
    let _ = fs::remove_file(&new);
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(&new)?;
    file.write_all(contents)?;
    prepare(&file)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}
