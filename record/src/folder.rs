//! The folder of the record: the names of its files, and its lock.

use crate::RecordError;
use rustix::fs::{FlockOperation, OFlags, flock};
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The end of the name of a game's file.
const END: &str = ".jsonl";

/// The numbers of the games in this folder, in their order.
///
/// # Errors
///
/// [`RecordError::Io`]: the folder cannot be read.
pub fn numbers(folder: &Path) -> Result<Vec<u64>, RecordError> {
    let names = names(folder)?;
    let whole = names.iter().filter(|name| name.ends_with(END));
    let mut numbers: Vec<u64> = whole.filter_map(|name| number_of(name)).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// The highest number that a file of this folder has, also one that was moved aside; 0 if there is
/// none.
pub(crate) fn highest(folder: &Path) -> Result<u64, RecordError> {
    Ok(names(folder)?.iter().filter_map(|name| number_of(name)).max().unwrap_or(0))
}

/// The number of the game in the name of a file; `None` if the name is none that this crate gives.
fn number_of(name: &str) -> Option<u64> {
    let (digits, _) = name.split_once(END)?;
    let number = digits.parse().ok().filter(|number| *number > 0)?;
    (digits == format!("{number:06}")).then_some(number)
}

fn names(folder: &Path) -> Result<Vec<String>, RecordError> {
    let entries = fs::read_dir(folder).map_err(RecordError::io("read the folder", folder))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(RecordError::io("read the folder", folder))?;
        names.extend(entry.file_name().into_string().ok());
    }
    Ok(names)
}

/// The path of the file of this game.
pub(crate) fn path(folder: &Path, game: u64) -> PathBuf {
    folder.join(format!("{game:06}{END}"))
}

/// Opens a regular file. A symbolic link is refused, because another user could place one there to make
/// the service write to another file.
pub(crate) fn open(path: &Path, options: &mut OpenOptions) -> Result<File, RecordError> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = options.custom_flags(flags).open(path).map_err(RecordError::io("open", path))?;
    let kind = file.metadata().map_err(RecordError::io("look at", path))?;
    match kind.is_file() {
        true => Ok(file),
        false => {
            let what = std::io::Error::other("it is not a regular file");
            Err(RecordError::io("open", path)(what))
        }
    }
}

/// Renames the file to the first free name of the form `000123.jsonl.damaged-1`. Returns the new path.
pub(crate) fn move_aside(path: &Path) -> Result<PathBuf, RecordError> {
    let named = |number: u32| PathBuf::from(format!("{}.damaged-{number}", path.display()));
    let free = (1..).map(named).find(|to| to.symlink_metadata().is_err());
    let to = free.ok_or_else(|| RecordError::Refused("no name is free".to_owned()))?;
    fs::rename(path, &to).map_err(RecordError::io("rename", path))?;
    sync(path.parent().unwrap_or(Path::new("/")))?;
    Ok(to)
}

/// Waits until the names in the folder are on the disk.
pub(crate) fn sync(folder: &Path) -> Result<(), RecordError> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(RecordError::io("write the folder", folder))
}

/// The lock on the folder. Only one process has it; it is released with this value.
pub(crate) struct Lock(File);

impl Lock {
    pub fn of(folder: &Path) -> Result<Lock, RecordError> {
        let file = File::open(folder).map_err(RecordError::io("open the folder", folder))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Lock(file)),
            Err(rustix::io::Errno::WOULDBLOCK) => {
                Err(RecordError::InUse { folder: folder.to_owned() })
            }
            Err(error) => Err(RecordError::io("lock the folder", folder)(error.into())),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A process that was forked can still have the folder open, so closing it is not enough.
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}
