//! Where a backup is written to, or read from: a file, a folder, a partition, or the one USB stick.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{major, minor};

use crate::backup::{Disks, Stick, mounted_at};
use crate::failure::Failure;

/// How the name of a backup begins and ends.
pub(super) const BEGINNING: &str = "chess-clock-";
pub(super) const ENDING: &str = ".tar";

/// A place to which backups are written, or from which they are read.
pub(super) struct Target {
    /// The folder.
    pub folder: PathBuf,
    /// The name of the file, if it was given.
    pub name: Option<PathBuf>,
    /// The mounted stick and its device, if there is one.
    pub stick: Option<(Stick, PathBuf)>,
}

impl Target {
    /// Opens the place that the command line names, or the USB stick. `writes`: whether a backup will be
    /// written there.
    pub(super) fn open(given: Option<&Path>, writes: bool) -> Result<Target, Failure> {
        let Some(given) = given else { return Target::mounted(&found()?, writes) };
        match fs::metadata(given) {
            Ok(it) if it.file_type().is_block_device() => {
                check_unmounted(given, it.rdev())?;
                Target::mounted(given, writes)
            }
            Ok(it) if it.is_dir() => {
                Ok(Target { folder: given.to_owned(), name: None, stick: None })
            }
            Ok(it) if it.is_file() => Ok(Target::file(given)),
            Err(_) if writes && given.extension().is_some_and(|it| it == "tar") => {
                Ok(Target::file(given))
            }
            Ok(_) => Err(wrong(given, "it is no file, folder or partition")),
            Err(error) => Err(wrong(given, &error.to_string())),
        }
    }

    fn mounted(device: &Path, writes: bool) -> Result<Target, Failure> {
        let stick = Stick::mount(device, writes)?;
        let folder = stick.folder().to_owned();
        Ok(Target { folder, name: None, stick: Some((stick, device.to_owned())) })
    }

    fn file(path: &Path) -> Target {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        Target { folder, name: path.file_name().map(PathBuf::from), stick: None }
    }

    /// The path of the backup to read: the file that was given, or the only backup in the folder.
    ///
    /// # Errors
    ///
    /// No file was given, and the folder has no backup or more than one.
    pub(super) fn existing(&self) -> Result<PathBuf, Failure> {
        if let Some(name) = &self.name {
            return Ok(self.folder.join(name));
        }
        let entries =
            fs::read_dir(&self.folder).map_err(|it| wrong(&self.folder, &it.to_string()))?;
        let names = entries.flatten().map(|it| it.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> =
            names.filter(|it| it.starts_with(BEGINNING) && it.ends_with(ENDING)).collect();
        names.sort();
        match names.as_slice() {
            [] => Err(wrong(&self.shown(), &format!("it has no {BEGINNING}…{ENDING}"))),
            [one] => Ok(self.folder.join(one)),
            _ if self.stick.is_some() => Err(wrong(
                &self.shown(),
                &format!(
                    "it has several backups: {}; mount it and give one, or leave one on it",
                    names.join(", ")
                ),
            )),
            _ => Err(wrong(
                &self.shown(),
                &format!("it has several backups; give one: {}", names.join(", ")),
            )),
        }
    }

    /// The name of the place in messages: the device of a stick, otherwise the folder.
    pub(super) fn shown(&self) -> PathBuf {
        self.stick.as_ref().map_or(&self.folder, |(_, device)| device).clone()
    }

    /// The name of a file in messages: on a stick without the folder in which the stick is mounted.
    pub(super) fn shown_file(&self, path: &Path) -> String {
        match (&self.stick, path.file_name()) {
            (Some(_), Some(name)) => name.to_string_lossy().into_owned(),
            _ => path.display().to_string(),
        }
    }
}

/// The partition of the one USB stick.
fn found() -> Result<PathBuf, Failure> {
    Disks { block: Path::new("/sys/block"), dev: Path::new("/dev"), mounts: &mounts() }.one()
}

/// Returns an error if the partition is mounted. The kernel would mount the same file system a second
/// time with the options of the first mount, and the stick could not be pulled out after the backup.
fn check_unmounted(device: &Path, number: u64) -> Result<(), Failure> {
    match mounted_at(&mounts(), &format!("{}:{}", major(number), minor(number))) {
        None => Ok(()),
        Some(folder) => Err(wrong(device, &format!("it is mounted at {folder}: give that folder"))),
    }
}

/// What is mounted, as the kernel lists it.
fn mounts() -> String {
    fs::read_to_string("/proc/self/mountinfo").unwrap_or_default()
}

pub(super) fn wrong(path: &Path, why: &str) -> Failure {
    Failure::Usage(format!("{}: {why}", path.display()))
}
