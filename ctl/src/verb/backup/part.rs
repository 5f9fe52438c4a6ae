//! The temporary file of a backup that is being written.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use clock_controls::{is_at, is_locked};
use rustix::fs::OFlags;

use super::target::{ENTRIES_LIMIT, is_backup_name};

/// How the name of the temporary file ends.
const ENDING: &str = ".part";

/// The temporary file `NAME.part`, which this process has locked. It is removed when the value is
/// dropped.
pub(super) struct Part {
    path: PathBuf,
    file: File,
}

impl Part {
    /// Creates the temporary file of the backup `path`. The temporary files of processes that were killed
    /// are removed from the folder: they can be as large as the record, and can have passwords.
    ///
    /// # Errors
    ///
    /// Another process writes a backup of this name. Or the file cannot be created.
    pub(super) fn create(path: &Path) -> io::Result<Part> {
        let mut name = path.as_os_str().to_owned();
        name.push(ENDING);
        let path = PathBuf::from(name);
        remove_left(&path)?;
        let mut options = File::options();
        let file = options.read(true).write(true).create_new(true).mode(0o600).open(&path);
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => in_use(&path),
            _ => error,
        })?;
        match is_locked(&file, &path) {
            true => Ok(Part { path, file }),
            false => Err(in_use(&path)),
        }
    }

    /// The file, to be written and read.
    pub(super) fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Renames the file to `path`, and waits until the new name is on the medium.
    ///
    /// # Errors
    ///
    /// Another process has removed the file, or it cannot be renamed.
    pub(super) fn rename(&self, path: &Path) -> io::Result<()> {
        if !self.is_there() {
            return Err(in_use(&self.path));
        }
        fs::rename(&self.path, path)?;
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }

    /// Whether the file of this name is still the one that was created.
    fn is_there(&self) -> bool {
        is_at(&self.file, &self.path)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // After `rename`, no file has this name.
        if self.is_there() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the temporary file `path` and those of other backups in its folder, except those that a
/// process has locked.
fn remove_left(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut paths = vec![path.to_owned()];
    for entry in fs::read_dir(folder)?.take(ENTRIES_LIMIT) {
        let name = entry?.file_name();
        let is_part = |name: &str| name.strip_suffix(ENDING).is_some_and(is_backup_name);
        if name.to_str().is_some_and(is_part) {
            paths.push(folder.join(name));
        }
    }
    for path in paths {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let mut options = File::options();
        options.read(true).custom_flags(flags);
        let Ok(file) = options.open(&path) else { continue };
        if is_locked(&file, &path) {
            // An error here needs no report. If the file has the name of the new temporary file, the
            // creation of that file fails and reports it. Other files do not disturb this backup.
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}

fn in_use(path: &Path) -> io::Error {
    io::Error::other(format!("another backup is being written to {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &Path) -> bool {
        let error = Part::create(path).err();
        error.is_some_and(|it| it.to_string().contains("another backup is being written to"))
    }

    #[test]
    fn a_file_that_is_being_written_is_not_taken_by_another_save() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (a, b) = (path("chess-clock-a.tar"), path("chess-clock-b.tar"));
        let first = Part::create(&a).unwrap();
        assert!(refused(&a));
        // Another name removes what killed processes have left, and not this file.
        drop(Part::create(&b).unwrap());
        assert!(first.is_there());
        first.rename(&a).unwrap();
        drop(first);
        assert!(a.exists() && !path("chess-clock-a.tar.part").exists());
    }

    #[test]
    fn a_file_that_another_process_has_replaced_is_neither_renamed_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chess-clock-a.tar");
        let of_other = folder.path().join("chess-clock-a.tar.part");
        let part = Part::create(&path).unwrap();
        fs::remove_file(&of_other).unwrap();
        fs::write(&of_other, "of another process").unwrap();
        assert!(part.rename(&path).is_err() && !path.exists());
        drop(part);
        assert!(of_other.exists());
        // A left file was found, and another process has replaced it before it is locked.
        let left = File::open(&of_other).unwrap();
        fs::remove_file(&of_other).unwrap();
        let _new = Part::create(&path).unwrap();
        assert!(!is_locked(&left, &of_other));
    }
}
