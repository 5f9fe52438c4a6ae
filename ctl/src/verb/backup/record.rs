//! Copies the record into a backup, and puts the record of a backup in its place.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;

use clock_controls::{is_at, is_locked};
use clock_record::{Copied, Lock, RecordError, RecordFile};
use rustix::fs::{CWD, Gid, RenameFlags, Uid, renameat_with, statvfs, syncfs};
use rustix::process::geteuid;
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

use super::target::wrong;
use crate::backup::InArchive;
use crate::failure::Failure;
use crate::out;

/// How many bytes of the disk must stay free while a new record is on it beside the record. The service
/// needs them to record a game at the same time.
const ROOM_FOR_THE_SERVICE: u64 = 16 << 20;
/// The size of a block of a disk. A file takes whole blocks.
const BLOCK: u64 = 4096;

/// Does this in a thread that has the rights of the user who owns the record. With those of root it could
/// be led to other files by symbolic links, which that user can place in the folder.
fn as_owner<T: Send>(
    record: &Path,
    task: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let folder = folder(record);
    let owner = fs::metadata(folder).map_err(|error| failed(folder, error))?;
    // In a folder of root nobody else can put another one in the place of the record.
    let owner = match owner.uid() {
        0 => fs::metadata(record).unwrap_or(owner),
        _ => owner,
    };
    let task = || {
        if geteuid().is_root() && owner.uid() != 0 {
            let (user, group) = (Uid::from_raw(owner.uid()), Gid::from_raw(owner.gid()));
            // Linux gives up the rights of this thread alone.
            set_thread_groups(&[])
                .and_then(|()| set_thread_res_gid(group, group, group))
                .and_then(|()| set_thread_res_uid(user, user, user))
                .map_err(|error| failed(record, error))?;
        }
        task()
    };
    let done = thread::scope(|scope| scope.spawn(task).join());
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Passes each file of the record to `add`, with the number of bytes to copy. The service may write the
/// record meanwhile. Returns how many games there are; `None` if there is no record.
///
/// A file that cannot be read is left out, so that the others can be saved.
pub(super) fn copy_record(
    record: &Path,
    mut add: impl FnMut(RecordFile, File, u64) -> Result<(), Failure> + Send,
) -> Result<Option<u64>, Failure> {
    if !record.exists() {
        return Ok(None);
    }
    as_owner(record, || {
        let mut games = None;
        for file in RecordFile::list(record).map_err(refused)? {
            let Copied { name, from, bytes, damage } = match file.copy(record) {
                Ok(Some(copied)) => copied,
                Ok(None) => continue,
                Err(error) => {
                    out::report(&format!("clockctl: left out: {error}\n"));
                    continue;
                }
            };
            if let Some(why) = damage {
                out::report(&format!("clockctl: saved as {name}: {why}\n"));
            }
            add(name, from, bytes)?;
            let more = u64::from(matches!(name, RecordFile::Game(_)));
            games = Some(games.unwrap_or(0) + more);
        }
        Ok(games)
    })
}

/// The record of a backup, which was checked but is not in its place yet. If the value is dropped, nothing
/// is changed.
pub(super) struct NewRecord {
    record: PathBuf,
    /// The folder beside the record in which it is.
    path: PathBuf,
    /// That folder, locked.
    folder: File,
}

impl NewRecord {
    /// Unpacks the record of a backup beside the record of the clock, and checks every game. It is on the
    /// disk when this returns.
    pub(super) fn check(
        record: &Path,
        files: &[InArchive],
        backup: &mut File,
    ) -> Result<NewRecord, Failure> {
        as_owner(record, || {
            check_is_record(record)?;
            check_room(record, files)?;
            let new = NewRecord::create(record)?;
            for file in files {
                new.unpack(file, backup)?;
            }
            syncfs(&new.folder).map_err(|error| failed(&new.path, error))?;
            Ok(new)
        })
    }

    /// Makes an empty folder and locks it. A folder that a killed process has left is removed.
    fn create(record: &Path) -> Result<NewRecord, Failure> {
        let path = beside(record, ".backup");
        let in_use = || wrong(&path, "another backup is being loaded");
        // Only a folder that this process has locked is removed: another process can make its folder between
        // any two of these lines.
        if let Ok(earlier) = File::open(&path) {
            if !is_locked(&earlier, &path) {
                return Err(in_use());
            }
            fs::remove_dir_all(&path).map_err(|error| failed(&path, error))?;
        }
        DirBuilder::new().mode(0o755).create(&path).map_err(|error| failed(&path, error))?;
        let folder = File::open(&path).map_err(|error| failed(&path, error))?;
        match is_locked(&folder, &path) {
            true => Ok(NewRecord { record: record.to_owned(), path, folder }),
            false => Err(in_use()),
        }
    }

    fn unpack(&self, from: &InArchive, backup: &mut File) -> Result<(), Failure> {
        let InArchive { file, offset, bytes } = *from;
        let path = self.path.join(file.to_string());
        let mut copy = || {
            let mut to = File::options().write(true).create_new(true).mode(0o644).open(&path)?;
            backup.seek(SeekFrom::Start(offset))?;
            io::copy(&mut backup.take(bytes), &mut to)
        };
        match copy().map_err(|error| failed(&path, error))? {
            // Each game is checked below, so that one that was exchanged meanwhile is found, too.
            copied if copied == bytes => file.check(&self.path).map_err(refused),
            _ => Err(wrong(&path, "the backup was changed meanwhile")),
        }
    }

    /// Replaces the record of the clock. Returns the new path of the replaced record; `None` if there was
    /// none. If the power is cut meanwhile, the record is either the replaced one or the new one.
    ///
    /// # Errors
    ///
    /// The record is unchanged. Or only the last step has failed, the one that makes the new names
    /// durable: [`Failure::Incomplete`].
    pub(super) fn replace(mut self) -> Result<Option<PathBuf>, Failure> {
        let record = self.record.clone();
        as_owner(&record, || {
            let before = match record.symlink_metadata() {
                Ok(_) => Some(self.exchange()?),
                Err(_) => {
                    self.rename(&self.record, RenameFlags::NOREPLACE)?;
                    None
                }
            };
            let folder = folder(&record);
            let synced = File::open(folder).and_then(|folder| folder.sync_all());
            synced.map(|()| before.clone()).map_err(|error| Failure::Incomplete {
                code: "partly-loaded",
                message: format!(
                    "{} may be the earlier record after a power cut: {error}{}",
                    record.display(),
                    before.map_or_else(String::new, |it| format!("; kept: {}", it.display()))
                ),
            })
        })
    }

    /// Exchanges the two folders. The new record first gets the name that the earlier one has afterwards,
    /// because [`NewRecord::create`] removes what has the name of an unfinished one. If the power is cut
    /// between the two steps, the new record has that name.
    fn exchange(&mut self) -> Result<PathBuf, Failure> {
        let _lock = Lock::of(&self.record).map_err(refused)?;
        let mut paths =
            (1_u32..).map(|number| beside(&self.record, &format!(".replaced-{number}")));
        let free = paths.find(|path| path.symlink_metadata().is_err()).unwrap_or_default();
        self.rename(&free, RenameFlags::NOREPLACE)?;
        self.path.clone_from(&free);
        self.rename(&self.record, RenameFlags::EXCHANGE)?;
        Ok(free)
    }

    fn rename(&self, to: &Path, flags: RenameFlags) -> Result<(), Failure> {
        if !is_at(&self.folder, &self.path) {
            return Err(wrong(&self.path, "another process has removed it"));
        }
        renameat_with(CWD, &self.path, CWD, to, flags).map_err(|error| failed(to, error))
    }
}

impl Drop for NewRecord {
    fn drop(&mut self) {
        // After `replace`, the earlier record has this name, or another process has made its folder. A folder
        // that cannot be removed is removed by the next load.
        let _ = as_owner(&self.record, || {
            if is_at(&self.folder, &self.path) {
                let _ = fs::remove_dir_all(&self.path);
            }
            Ok(())
        });
    }
}

/// Returns an error if there is a folder in the place of the record that has other files. The `clockd.toml`
/// of a backup can name any folder, such as `/etc`.
fn check_is_record(record: &Path) -> Result<(), Failure> {
    let entries = match fs::read_dir(record) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(|error| failed(record, error))?,
    };
    for entry in entries {
        let name = entry.map_err(|error| failed(record, error))?.file_name();
        if name.to_str().and_then(RecordFile::of).is_none() {
            let why = format!("it has {}, which is no file of a record", name.display());
            return Err(wrong(record, &why));
        }
    }
    Ok(())
}

/// Returns an error if the disk has no room for another record beside the one of the clock.
fn check_room(record: &Path, files: &[InArchive]) -> Result<(), Failure> {
    let folder = folder(record);
    let disk = statvfs(folder).map_err(|error| failed(folder, error))?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let blocks = |sum: u64, file: &InArchive| sum.saturating_add(file.bytes.div_ceil(BLOCK));
    let bytes = files.iter().fold(0, blocks).saturating_mul(BLOCK);
    let needed = bytes.saturating_add(ROOM_FOR_THE_SERVICE);
    if free >= needed {
        return Ok(());
    }
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let (needed, free) = (mebibytes(needed), mebibytes(free));
    Err(wrong(folder, &format!("the record needs {needed} MiB, and {free} MiB are free")))
}

/// The path of a folder beside the record, whose name has another end.
fn beside(record: &Path, end: &str) -> PathBuf {
    let mut name = record.file_name().unwrap_or_default().to_owned();
    name.push(end);
    record.with_file_name(name)
}

fn folder(record: &Path) -> &Path {
    record.parent().unwrap_or(Path::new("/"))
}

fn failed(path: &Path, error: impl Into<io::Error>) -> Failure {
    wrong(path, &error.into().to_string())
}

fn refused(error: RecordError) -> Failure {
    Failure::Usage(error.to_string())
}

#[cfg(test)]
mod tests;
