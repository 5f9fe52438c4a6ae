//! Replaces a file as a whole, and locks temporary files, so that two processes do not take each
//! other's.

use rustix::fs::{FlockOperation, flock};
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, symlink};
use std::path::{Path, PathBuf};

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
    StagedFile::write(path, contents, prepare)?.replace()
}

/// A new version of a file. It is on the medium, under another name in the same folder: that of
/// `clockd.toml` is `.clockd.toml.new`. If several files are to change together, all are staged before
/// the first one is replaced, so a full disk is noticed before anything has changed. The file is removed
/// when this value is dropped.
#[derive(Debug)]
pub struct StagedFile {
    path: PathBuf,
    staged: PathBuf,
    /// Whether the file has taken its place, so that the name is free for another process.
    is_replaced: bool,
}

impl StagedFile {
    /// Writes the new version of the file at `path`, which only its owner can read, and calls `prepare`
    /// with it.
    ///
    /// # Errors
    ///
    /// The path names no file, the new version cannot be written, or `prepare` fails. The file at `path`
    /// is unchanged.
    pub fn write(
        path: &Path,
        contents: &[u8],
        prepare: impl FnOnce(&File) -> io::Result<()>,
    ) -> io::Result<StagedFile> {
        let staged = staged_path(path)?;
        let mut file = File::options().write(true).create_new(true).mode(0o600).open(&staged)?;
        let staged = StagedFile { path: path.to_owned(), staged, is_replaced: false };
        file.write_all(contents)?;
        prepare(&file)?;
        file.sync_all()?;
        Ok(staged)
    }

    /// Makes a symbolic link to `target`, which takes the place of the file or the link at `path`.
    ///
    /// # Errors
    ///
    /// The path names no file, or the link cannot be made.
    pub fn link(path: &Path, target: &Path) -> io::Result<StagedFile> {
        let staged = staged_path(path)?;
        symlink(target, &staged)?;
        Ok(StagedFile { path: path.to_owned(), staged, is_replaced: false })
    }

    /// Puts the new version in the place of the earlier one.
    ///
    /// # Errors
    ///
    /// The new version cannot be renamed; the earlier one is then still there. Or only the last step
    /// has failed: the one that makes the new name durable.
    pub fn replace(mut self) -> io::Result<()> {
        fs::rename(&self.staged, &self.path)?;
        self.is_replaced = true;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.is_replaced {
            let _ = fs::remove_file(&self.staged);
        }
    }
}

/// The path of a new version. Whatever is there, for example because an earlier process was killed while
/// it wrote the file, is removed.
fn staged_path(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    // The temporary name contains the whole name of the file, so two files of a folder never have the
    // same temporary name. No file of settings or keys has a name that begins with a dot, so the
    // temporary name is never the name of another file.
    let mut staged = OsString::from(".");
    staged.push(name);
    staged.push(".new");
    let staged = path.with_file_name(staged);
    let _ = fs::remove_file(&staged);
    Ok(staged)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A file can have any ending, also `new`.
    #[test]
    fn files_whose_names_differ_in_the_ending_do_not_replace_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["broker.new", "broker.org", "broker"] {
            replace_file(&path(name), name.as_bytes()).unwrap();
        }
        for name in ["broker.new", "broker.org", "broker"] {
            assert_eq!(fs::read_to_string(path(name)).unwrap(), name);
        }
        assert_eq!(names(folder.path()), ["broker", "broker.new", "broker.org"]);
    }

    #[test]
    fn a_staged_file_changes_nothing_until_it_replaces_the_earlier_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clockd.toml");
        fs::write(&path, "old").unwrap();
        let staged = StagedFile::write(&path, b"new", |_| Ok(())).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(staged);
        assert_eq!(names(folder.path()), ["clockd.toml"]);
        // This is the file that an earlier process leaves if it is killed before it replaces `clockd.toml`.
        fs::write(folder.path().join(".clockd.toml.new"), "left").unwrap();
        let refused = |_: &File| Err(io::ErrorKind::PermissionDenied.into());
        assert!(replace_file_with(&path, b"new", refused).is_err());
        assert_eq!((names(folder.path()).len(), fs::read(&path).unwrap()), (1, b"old".to_vec()));
        StagedFile::write(&path, b"new", |_| Ok(())).unwrap().replace().unwrap();
        assert_eq!((names(folder.path()).len(), fs::read(&path).unwrap()), (1, b"new".to_vec()));
        let target = Path::new("elsewhere");
        StagedFile::link(&path, target).unwrap().replace().unwrap();
        assert_eq!((names(folder.path()).len(), fs::read_link(&path).unwrap()), (1, target.into()));
        assert!(replace_file(Path::new("/"), b"").is_err());
    }
}
