//! The folder of the record: the names of its files, and its lock.

use crate::RecordError;
use crate::disk::{Disk, RealDisk};
use rustix::fs::{CWD, FlockOperation, OFlags, RenameFlags, flock, renameat_with};
use rustix::io::Errno;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The end of the name of a game's file.
const END: &str = ".jsonl";
/// The name of the file of a game until its first entry is on the disk.
const UNFINISHED: &str = "unfinished";

/// The highest number of a game. So the service can add to the number in any name.
pub(crate) const HIGHEST_GAME: u64 = 999_999_999_999;

/// A file in the folder of a record. The order is that of a copy: an entry can only be appended, so the
/// entry of the checkpoint, which is copied first, is in the copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordFile {
    /// `checkpoint.json`.
    Checkpoint,
    /// The game with this number: `000123.jsonl`.
    Game(u64),
    /// A damaged file of the game with this number, such as `000123.jsonl.damaged-1`.
    Damaged(u64, u32),
    /// A game that has never begun, as a kill while its first entry is written leaves it.
    Unfinished,
}

impl RecordFile {
    /// The file of this name; `None` if a record has no such file.
    pub fn of(name: &str) -> Option<RecordFile> {
        let file = match name.split_once(END) {
            None if name == UNFINISHED => RecordFile::Unfinished,
            None => RecordFile::Checkpoint,
            Some((game, "")) => RecordFile::Game(game.parse().ok()?),
            Some((game, end)) => {
                let number = end.strip_prefix(".damaged-")?.parse().ok()?;
                RecordFile::Damaged(game.parse().ok()?, number)
            }
        };
        let is_low = file.game().is_none_or(|game| (1..=HIGHEST_GAME).contains(&game));
        (is_low && file.to_string() == name).then_some(file)
    }

    /// The number of the game; `None` for the checkpoint.
    pub fn game(self) -> Option<u64> {
        match self {
            RecordFile::Checkpoint | RecordFile::Unfinished => None,
            RecordFile::Game(game) | RecordFile::Damaged(game, _) => Some(game),
        }
    }

    /// The files in this folder, in the order of a copy.
    ///
    /// # Errors
    ///
    /// [`RecordError::Io`]: the folder cannot be read.
    pub fn list(folder: &Path) -> Result<Vec<RecordFile>, RecordError> {
        let names = names(folder)?;
        let mut files: Vec<_> = names.iter().filter_map(|name| RecordFile::of(name)).collect();
        files.sort_unstable();
        Ok(files)
    }
}

impl fmt::Display for RecordFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordFile::Checkpoint => f.write_str("checkpoint.json"),
            RecordFile::Unfinished => f.write_str(UNFINISHED),
            RecordFile::Game(game) => write!(f, "{game:06}{END}"),
            RecordFile::Damaged(game, number) => write!(f, "{game:06}{END}.damaged-{number}"),
        }
    }
}

/// The numbers of the games in this folder, in their order.
///
/// # Errors
///
/// [`RecordError::Io`]: the folder cannot be read.
pub fn numbers(folder: &Path) -> Result<Vec<u64>, RecordError> {
    let games = RecordFile::list(folder)?.into_iter().filter_map(|file| match file {
        RecordFile::Game(number) => Some(number),
        _ => None,
    });
    Ok(games.collect())
}

/// The highest number that a file of this folder has, also one that was moved aside, or 0 if there is
/// none; and the size of all files in bytes.
pub(crate) fn highest_and_bytes(folder: &Path) -> Result<(u64, u64), RecordError> {
    let (mut highest, mut bytes) = (0, 0);
    for file in RecordFile::list(folder)? {
        highest = highest.max(file.game().unwrap_or(0));
        let path = folder.join(file.to_string());
        bytes += path.symlink_metadata().map_or(0, |file| file.len());
    }
    Ok((highest, bytes))
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
    folder.join(RecordFile::Game(game).to_string())
}

/// Opens a regular file. A symbolic link is refused, because another user could place one there to make
/// the service write to another file.
pub(crate) fn open(path: &Path, options: &mut OpenOptions) -> Result<File, RecordError> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let opened =
        options.custom_flags(flags).open(path).map_err(|error| match error.raw_os_error() {
            Some(number) if number == Errno::LOOP.raw_os_error() => {
                std::io::Error::other("it is a symbolic link")
            }
            _ => error,
        });
    let file = opened.map_err(RecordError::io("open", path))?;
    let kind = file.metadata().map_err(RecordError::io("look at", path))?;
    match kind.is_file() {
        true => Ok(file),
        false => {
            let what = std::io::Error::other("it is not a regular file");
            Err(RecordError::io("open", path)(what))
        }
    }
}

/// As [`open`]; `None` if there is no such file.
pub(crate) fn open_if_there(
    path: &Path,
    options: &mut OpenOptions,
) -> Result<Option<File>, RecordError> {
    match open(path, options) {
        Err(RecordError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        file => file.map(Some),
    }
}

/// The first free name for a damaged file of this game.
pub(crate) fn name_of_damaged(folder: &Path, game: u64) -> RecordFile {
    let mut names = (1..).map(|number| RecordFile::Damaged(game, number));
    let is_free = |name: &RecordFile| folder.join(name.to_string()).symlink_metadata().is_err();
    names.find(is_free).unwrap_or(RecordFile::Damaged(game, u32::MAX))
}

/// Gives the file of this game the first free name of the form `000123.jsonl.damaged-1`. Returns the new
/// path.
pub(crate) fn move_aside(folder: &Path, game: u64) -> Result<PathBuf, RecordError> {
    let path = path(folder, game);
    let to = folder.join(name_of_damaged(folder, game).to_string());
    rename_new(&path, &to)?;
    sync(folder)?;
    Ok(to)
}

/// Removes what a kill has left of a game that has never begun.
pub(crate) fn remove_unfinished(folder: &Path) -> Result<(), RecordError> {
    let path = folder.join(UNFINISHED);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(RecordError::io("remove", &path)(error))
        }
        _ => Ok(()),
    }
}

/// Renames a file, and replaces no file. If a file has the new name already, another program has made it.
/// Then the folder must be read again, so the error is [`RecordError::Gone`].
pub(crate) fn rename_new(from: &Path, to: &Path) -> Result<(), RecordError> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(Errno::EXIST) => Err(RecordError::Gone { path: to.to_owned() }),
        renamed => renamed.map_err(|error| RecordError::io("make the file", to)(error.into())),
    }
}

/// Waits until the names in the folder are on the disk.
pub(crate) fn sync(folder: &Path) -> Result<(), RecordError> {
    sync_on(folder, &RealDisk)
}

/// As [`sync`], on this disk.
pub(crate) fn sync_on(folder: &Path, disk: &impl Disk) -> Result<(), RecordError> {
    disk.sync_names(folder).map_err(RecordError::io("write the folder", folder))
}

/// The lock on the folder. Only one process has it; it is released with this value.
pub struct Lock(File);

impl Lock {
    /// Locks the folder.
    ///
    /// # Errors
    ///
    /// [`RecordError::InUse`], or [`RecordError::Io`].
    pub fn of(folder: &Path) -> Result<Lock, RecordError> {
        let file = File::open(folder).map_err(RecordError::io("open the folder", folder))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Lock(file)),
            Err(Errno::WOULDBLOCK) => Err(RecordError::InUse { folder: folder.to_owned() }),
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
