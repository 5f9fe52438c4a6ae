//! Where a backup is written to, or read from: a file, a folder, a partition, or the one USB stick.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use crate::backup::{Disks, Stick};
use crate::failure::Failure;

/// How the name of a backup begins and ends.
pub(super) const BEGINNING: &str = "chess-clock-";
pub(super) const ENDING: &str = ".tar";

/// A place for backups.
pub(super) struct Target {
    /// The folder.
    pub folder: PathBuf,
    /// The name of the file, if it was given.
    pub name: Option<PathBuf>,
    /// The mounted stick and its device, if there is one.
    pub stick: Option<(Stick, PathBuf)>,
}

impl Target {
    /// Finds the place that was given; `writes` says whether a backup is written there.
    pub(super) fn open(given: Option<&Path>, writes: bool) -> Result<Target, Failure> {
        let Some(given) = given else { return Target::mounted(&found()?, writes) };
        match fs::metadata(given) {
            Ok(it) if it.file_type().is_block_device() => {
                check_unmounted(given)?;
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

    /// The path of the backup that is there.
    ///
    /// # Errors
    ///
    /// No file was given, and there is no backup or more than one.
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

    /// The place as it is named in messages: a stick by its device.
    pub(super) fn shown(&self) -> PathBuf {
        self.stick.as_ref().map_or(&self.folder, |(_, device)| device).clone()
    }

    /// A file of this place as it is named in messages.
    pub(super) fn shown_file(&self, path: &Path) -> String {
        match (&self.stick, path.file_name()) {
            (Some(_), Some(name)) => name.to_string_lossy().into_owned(),
            _ => path.display().to_string(),
        }
    }
}

/// The partition of the one USB stick.
fn found() -> Result<PathBuf, Failure> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    Disks { block: Path::new("/sys/block"), dev: Path::new("/dev"), mounts: &mounts }.one()
}

/// Refuses a partition that is mounted. Two mounts of it would be one file system, with the options of
/// the first one, and it could not be pulled out.
fn check_unmounted(device: &Path) -> Result<(), Failure> {
    let real = fs::canonicalize(device).unwrap_or_else(|_| device.to_owned());
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mounted = mounts.lines().find_map(|line| {
        let mut words = line.split(' ');
        let is_of_it = words.next() == real.to_str();
        words.next().filter(|_| is_of_it).map(|folder| folder.replace("\\040", " "))
    });
    match mounted {
        None => Ok(()),
        Some(folder) => Err(wrong(device, &format!("it is mounted at {folder}: give that folder"))),
    }
}

pub(super) fn wrong(path: &Path, why: &str) -> Failure {
    Failure::Usage(format!("{}: {why}", path.display()))
}
