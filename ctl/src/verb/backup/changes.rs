//! The files of a backup that differ from those on the clock.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use clock_controls::StagedFile;

use super::target::wrong;
use crate::backup::{Checked, Place, System};
use crate::failure::Failure;

/// A file of a backup whose contents differ from those of the file on the clock.
pub(super) struct Change<'a> {
    pub place: &'a Place,
    contents: &'a [u8],
    /// The contents of the file on the clock; `None` if it does not exist.
    before: Option<Vec<u8>>,
}

/// All files of a backup whose contents differ from those on the clock.
pub(super) struct Changes<'a> {
    pub files: Vec<Change<'a>>,
}

impl Changes<'_> {
    pub(super) fn of<'a>(system: &System, backup: &'a Checked) -> Result<Changes<'a>, Failure> {
        let mut files = Vec::new();
        for (place, contents) in &backup.files {
            let before = system.read(place).map_err(unreadable)?;
            if before.as_ref() != Some(contents) {
                files.push(Change { place, contents, before });
            }
        }
        Ok(Changes { files })
    }

    /// Copies the files on the clock that will be replaced into a new folder. Returns the folder; `None`
    /// if none of them exists.
    pub(super) fn keep(&self, system: &System) -> Result<Option<PathBuf>, Failure> {
        if self.files.iter().all(|change| change.before.is_none()) {
            return Ok(None);
        }
        let folder = system.make_folder_before().map_err(unreadable)?;
        let kept = self.keep_in(&folder).and_then(|()| {
            sync(&folder).and_then(|()| sync(&system.configuration_folder())).map_err(unreadable)
        });
        match kept {
            Ok(()) => Ok(Some(folder)),
            Err(failure) => {
                // Nothing will be replaced, so a part of the copies would only take room.
                let _ = fs::remove_dir_all(folder);
                Err(failure)
            }
        }
    }

    fn keep_in(&self, folder: &Path) -> Result<(), Failure> {
        for Change { place, before, .. } in &self.files {
            let Some(before) = before else { continue };
            let path = folder.join(place.name());
            write_new(&path, before).map_err(|error| wrong(&path, &error.to_string()))?;
        }
        Ok(())
    }

    /// Writes the new versions of all files, which do not take their places yet. Returns them with their
    /// paths.
    pub(super) fn stage(&self, system: &System) -> Result<Vec<(String, StagedFile)>, Failure> {
        let staged = self.files.iter().map(|Change { place, contents, .. }| {
            system.stage(place, contents).map(|staged| (place.shown(), staged))
        });
        let staged = staged.collect::<io::Result<_>>();
        staged.map_err(|error| Failure::Usage(format!("{error}; nothing was changed")))
    }
}

/// Writes a file that does not exist yet and that only root can read.
fn write_new(path: &Path, contents: &[u8]) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(path)?;
    io::copy(&mut &*contents, &mut file)?;
    file.sync_all()?;
    sync(path.parent().unwrap_or(path))
}

/// Waits until the names in a folder are on the medium.
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

pub(super) fn unreadable(error: io::Error) -> Failure {
    Failure::Usage(error.to_string())
}
