//! Where a backup is written to, or read from: a file, a folder, a partition, or the one USB stick.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use clock_controls::open_regular;
use rustix::fs::{OFlags, major, minor};
use rustix::io::Errno;

use crate::backup::{Disks, Stick, StickLock, mounted_at};
use crate::failure::Failure;

/// How the name of a backup begins and ends.
pub(super) const BEGINNING: &str = "chess-clock-";
pub(super) const ENDING: &str = ".tar";
/// The longest name of a backup, in bytes.
const NAME_LIMIT: usize = 200;
/// The largest number of entries that are read in a folder.
pub(super) const ENTRIES_LIMIT: usize = 10_000;
/// The largest number of names of backups that are kept in memory. Further backups are only counted.
const NAMES_LIMIT: usize = 1000;
/// The largest number of names in a message.
const SAID: usize = 20;

/// A place to which backups are written, or from which they are read.
pub(super) struct Target {
    /// The folder.
    pub folder: PathBuf,
    /// The name of the file, if it was given.
    pub name: Option<PathBuf>,
    /// The mounted stick and its device, if there is one.
    pub stick: Option<(Stick, PathBuf)>,
}

/// The names of the backups in a folder.
#[derive(Default)]
pub(super) struct Names {
    pub names: Vec<String>,
    /// How many more there are.
    pub more: usize,
}

/// Whether a backup can have this name: `chess-clock-….tar`, in at most 200 bytes without `/` and
/// control characters.
pub(super) fn is_backup_name(name: &str) -> bool {
    let has_form = name.starts_with(BEGINNING) && name.ends_with(ENDING);
    has_form && name.len() <= NAME_LIMIT && !name.contains(|it: char| it == '/' || it.is_control())
}

impl Target {
    /// Opens the place that the command line names, or the USB stick. `writes`: whether a backup will be
    /// written there.
    pub(super) fn open(given: Option<&Path>, writes: bool) -> Result<Target, Failure> {
        let Some(given) = given else {
            let lock = StickLock::take()?;
            return Target::mounted(lock, &found()?, writes);
        };
        match fs::metadata(given) {
            Ok(it) if it.file_type().is_block_device() => {
                let lock = StickLock::take()?;
                check_unmounted(given, it.rdev())?;
                Target::mounted(lock, given, writes)
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

    fn mounted(lock: StickLock, device: &Path, writes: bool) -> Result<Target, Failure> {
        let stick = Stick::mount(lock, device, writes)?;
        let folder = stick.folder().to_owned();
        Ok(Target { folder, name: None, stick: Some((stick, device.to_owned())) })
    }

    fn file(path: &Path) -> Target {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        Target { folder, name: path.file_name().map(PathBuf::from), stick: None }
    }

    /// The path of the backup to read, and the file: the one that was given, or the only backup in the
    /// folder.
    ///
    /// # Errors
    ///
    /// No file was given, and the folder has no backup or more than one. Or the file cannot be opened.
    pub(super) fn existing(&self) -> Result<(PathBuf, File), Failure> {
        if let Some(name) = &self.name {
            let path = self.folder.join(name);
            let file = open_regular(&path).map_err(|error| wrong(&path, &error.to_string()))?;
            return Ok((path, file));
        }
        let Names { mut names, more } = self.names()?;
        names.sort();
        match names.as_slice() {
            [] => Err(wrong(&self.shown(), &format!("it has no {BEGINNING}…{ENDING}"))),
            [one] if more == 0 => self.found(one),
            _ => {
                let many = names.len() > SAID || more > 0;
                let names = names[..names.len().min(SAID)].join(", ");
                let names = if many { format!("{names} and more") } else { names };
                let why = match self.stick {
                    Some(_) => format!(
                        "it has several backups: {names}; mount it and give one, or leave one on it"
                    ),
                    None => format!("it has several backups; give one: {names}"),
                };
                Err(wrong(&self.shown(), &why))
            }
        }
    }

    /// The path of the file of this name, and the file. A symbolic link is an error, because
    /// whoever made the stick could let it lead to any file of this machine.
    pub(super) fn found(&self, name: &str) -> Result<(PathBuf, File), Failure> {
        let path = self.folder.join(name);
        let failed = |why: &str| Failure::NotLoaded {
            code: "damaged-backup",
            message: format!("{}: {why}", self.shown_file(&path)),
        };
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let file = File::options().read(true).custom_flags(flags).open(&path);
        let file = file.map_err(|error| match error.raw_os_error() {
            Some(code) if code == Errno::LOOP.raw_os_error() => failed("a symbolic link"),
            _ => failed(&error.to_string()),
        })?;
        let about = file.metadata().map_err(|error| failed(&error.to_string()))?;
        if about.is_file() { Ok((path, file)) } else { Err(failed("not a regular file")) }
    }

    /// The names of the backups in the folder, in no order; that of the file alone, if one was given.
    pub(super) fn names(&self) -> Result<Names, Failure> {
        if let Some(name) = &self.name {
            let names = vec![name.to_string_lossy().into_owned()];
            return Ok(Names { names, more: 0 });
        }
        let unreadable = |error: io::Error| wrong(&self.shown(), &error.to_string());
        let mut found = Names::default();
        for entry in fs::read_dir(&self.folder).map_err(unreadable)?.take(ENTRIES_LIMIT) {
            let name = entry.map_err(unreadable)?.file_name();
            let Some(name) = name.to_str().filter(|name| is_backup_name(name)) else { continue };
            match found.names.len() < NAMES_LIMIT {
                true => found.names.push(name.to_owned()),
                false => found.more += 1,
            }
        }
        Ok(found)
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
