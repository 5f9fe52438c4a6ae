//! The writer of the record.

use crate::checkpoint::Checkpoint;
use crate::disk::{Disk, RealDisk};
use crate::folder::{self, HIGHEST_GAME, Lock, RecordFile};
use crate::line::{Change, Digest, EntryLine, GameLine, Line, NO_DIGEST};
use crate::open_game::{Lines, OpenGame, id_of, refused};
use crate::{GameReader, RecordError, Summary};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

/// The folder of the record, open for writing. Only one process has it open.
pub struct Games<D: Disk = RealDisk> {
    folder: PathBuf,
    disk: D,
    latest: Option<OpenGame>,
    /// The highest number that a file in the folder has.
    highest: u64,
    /// The number of the last entry that is known of earlier games, if no game is gone on with; otherwise 0.
    floor: u64,
    /// The size of all files, in bytes.
    bytes: u64,
    /// The file of a game whose first write failed. It is removed before the next write.
    stray: Option<PathBuf>,
    _lock: Lock,
}

/// An opened record, and what the caller must report.
pub struct Opened<D: Disk = RealDisk> {
    /// The record, ready for use.
    pub games: Games<D>,
    /// The latest game.
    pub latest: Option<Summary>,
    /// The file of the latest game, if it was damaged. The next entry begins another game.
    pub moved_aside: Option<MovedAside>,
    /// Whether the last line was incomplete, and was cut off. After a power cut this is normal, and no
    /// acknowledged entry is missing.
    pub was_unfinished: bool,
}

/// A file that was renamed because it is damaged. Its contents are unchanged.
#[derive(Debug)]
pub struct MovedAside {
    /// The new path of the file.
    pub to: PathBuf,
    /// What was wrong with it.
    pub why: RecordError,
}

/// What a call of [`Games::retain`] has removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retained {
    /// Nothing: there are not more games than are kept, or all of them are adjourned.
    Nothing,
    /// The game with this number.
    Removed(u64),
}

impl Games {
    /// Opens the folder, and makes it if it is not there. A last line that a power cut has left
    /// incomplete is cut off. If the file of the latest game is damaged, it gets another name. Each entry
    /// of the latest game is passed to `each`. If the file is damaged, those before the damage are passed.
    ///
    /// # Errors
    ///
    /// [`RecordError::InUse`], or [`RecordError::Io`].
    pub fn open(folder: &Path, each: &mut dyn FnMut(EntryLine)) -> Result<Opened, RecordError> {
        Games::open_on(folder, RealDisk, each)
    }
}

impl<D: Disk> Games<D> {
    pub(crate) fn open_on(
        folder: &Path,
        disk: D,
        each: &mut dyn FnMut(EntryLine),
    ) -> Result<Opened<D>, RecordError> {
        match DirBuilder::new().mode(0o755).create(folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(RecordError::io("make the folder", folder)(error));
            }
            // This is done also if the folder exists already: an earlier start can have made it and failed
            // before this point.
            _ => folder::sync(parent(folder))?,
        }
        let lock = Lock::of(folder)?;
        let (folder, latest, stray) = (folder.to_owned(), None, None);
        let mut games =
            Games { folder, disk, latest, highest: 0, floor: 0, bytes: 0, stray, _lock: lock };
        let (mut found, mut moved_aside, mut was_unfinished) = (None, None, false);
        folder::remove_unfinished(&games.folder)?;
        (games.highest, games.bytes) = folder::highest_and_bytes(&games.folder)?;
        // If the latest file was moved aside, the game before it is not the game on the clock.
        let number = games.highest;
        match OpenGame::open(&games.folder, number, each) {
            Ok(Some((mut game, summary))) => {
                was_unfinished = game.has_rest;
                game.cut_rest(&games.disk)?;
                (games.latest, found) = (Some(game), Some(summary));
            }
            Ok(None) if number == 0 => {}
            Ok(None) => moved_aside = Some(moved_before(&games.folder)?),
            Err(why) if why.is_damage() => moved_aside = Some(games.move_aside(why)?),
            Err(error) => return Err(error),
        }
        if games.latest.is_none() {
            games.floor = last_known_entry(&games.folder)?;
        }
        Ok(Opened { games, latest: found, moved_aside, was_unfinished })
    }

    /// The number of the latest game; `None` if there is none.
    pub fn latest(&self) -> Option<u64> {
        self.latest.as_ref().map(|game| game.number)
    }

    /// The number of the last entry; `None` if there is no game.
    pub fn last_entry(&self) -> Option<u64> {
        self.latest.as_ref().map(|game| game.entry)
    }

    /// The highest number that a file in the folder has, also one that was moved aside; 0 if there is
    /// none. The next game has the number after it.
    pub fn highest(&self) -> u64 {
        self.highest
    }

    /// The identity of the latest game, and the chain of its last entry; `None` if there is no game.
    pub fn end(&self) -> Option<(u64, Digest)> {
        self.latest.as_ref().map(|game| (game.game, game.chain))
    }

    /// The number of the last entry of earlier games that is known, if there is no latest game; otherwise 0.
    pub fn floor(&self) -> u64 {
        self.floor
    }

    /// The size of all files, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Leaves the latest game as it is. The next entry begins another game.
    pub fn leave(&mut self) {
        self.latest = None;
    }

    /// Begins the game `number`, the one after [`Games::highest`], with the identity `id` and with these entries, of which there must be
    /// one at least. When the call returns, they are on the disk. After an error nothing of them is on
    /// record.
    ///
    /// # Errors
    ///
    /// [`RecordError::Refused`] or [`RecordError::Io`].
    pub fn begin(
        &mut self,
        number: u64,
        id: u64,
        info: &str,
        entries: &[EntryLine],
    ) -> Result<(), RecordError> {
        self.clean()?;
        if number > HIGHEST_GAME {
            return Err(refused("no number is left for another game"));
        }
        if number != self.highest + 1 {
            return Err(refused(&format!("game {number} cannot follow game {}", self.highest)));
        }
        let first = entries.first().ok_or_else(|| refused("a game without an entry"))?;
        if self.last_entry().is_some_and(|last| first.number <= last) {
            return Err(refused(&format!("entry {} cannot begin a game", first.number)));
        }
        let before = self.latest.as_ref().map_or(NO_DIGEST, |game| game.chain);
        let (first_entry, info) = (first.number, info.to_owned());
        let game = GameLine { number, id, first_entry, before, info };
        let (mut text, digest) =
            Line::Game(game).encode(&NO_DIGEST).map_err(|why| refused(&why))?;
        let lines = Lines::of(number, entries, digest, before, None)?;
        text.extend_from_slice(&lines.text);
        let path = folder::path(&self.folder, number);
        let file = self.create(&path, &text)?;
        let (id_of_file, length, has_rest) = (id_of(&file, &path)?, text.len() as u64, false);
        let Lines { digest, chain, entry, .. } = lines;
        self.latest = Some(OpenGame {
            number,
            game: id,
            path,
            file,
            id: id_of_file,
            length,
            digest,
            entry,
            chain,
            has_rest,
        });
        self.highest = number;
        self.bytes += length;
        Ok(())
    }

    /// Makes the file of a game. It gets its name when all of it is on the disk, so a file that has no entry
    /// is damaged.
    fn create(&mut self, path: &Path, text: &[u8]) -> Result<File, RecordError> {
        folder::remove_unfinished(&self.folder)?;
        let new = self.folder.join(RecordFile::Unfinished.to_string());
        let file = folder::open(&new, OpenOptions::new().read(true).append(true).create_new(true))?;
        let written = self.disk.write(&file, text).and_then(|()| self.disk.sync(&file));
        written.map_err(RecordError::io("write", path))?;
        folder::rename_new(&new, path)?;
        if let Err(error) = folder::sync_on(&self.folder, &self.disk) {
            // It may be on the disk, but it was not acknowledged.
            self.stray = Some(path.to_owned());
            let _ = self.clean();
            return Err(error);
        }
        Ok(file)
    }

    /// Appends entries to the latest game. When the call returns, they are on the disk. After an error
    /// the same call can be made again. An entry that is on record already is skipped if it is the
    /// same, and refused otherwise.
    ///
    /// # Errors
    ///
    /// [`RecordError::Refused`], [`RecordError::Io`], or [`RecordError::Gone`] if the file at the path
    /// is not the file that was opened.
    pub fn append(&mut self, entries: &[EntryLine]) -> Result<(), RecordError> {
        self.clean()?;
        let game = self.latest.as_mut().ok_or_else(|| refused("an entry before any game"))?;
        let known = entries.iter().take_while(|entry| entry.number <= game.entry).count();
        if known > 0 {
            game.compare(&self.folder, &entries[..known])?;
        }
        let last = Some(game.entry);
        let lines = Lines::of(game.number, &entries[known..], game.digest, game.chain, last)?;
        game.write(&self.disk, &lines.text, lines.digest)?;
        (game.entry, game.chain) = (lines.entry, lines.chain);
        self.bytes += lines.text.len() as u64;
        Ok(())
    }

    /// Adds a change to a game, which need not be the latest one. There is no change if there is no
    /// such game.
    ///
    /// # Errors
    ///
    /// As [`Games::append`], or [`RecordError::Damaged`].
    pub fn change(&mut self, number: u64, change: &Change) -> Result<(), RecordError> {
        self.clean()?;
        let mut earlier = None;
        let game = match &mut self.latest {
            Some(latest) if latest.number == number => latest,
            _ => match OpenGame::open(&self.folder, number, &mut |_| ())? {
                Some((game, _)) => earlier.insert(game),
                None => return Ok(()),
            },
        };
        game.cut_rest(&self.disk)?;
        let line = Line::Change(change.clone());
        let (text, digest) = line.encode(&game.digest).map_err(|why| refused(&why))?;
        game.write(&self.disk, &text, digest)?;
        self.bytes += text.len() as u64;
        Ok(())
    }

    /// Stores this instant as the latest one at which the clock has run.
    ///
    /// # Errors
    ///
    /// [`RecordError::Io`], or [`RecordError::Refused`] if its entry is not on record.
    pub fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), RecordError> {
        if self.last_entry().is_none_or(|last| checkpoint.entry > last) {
            return Err(refused(&format!("entry {} is not on record", checkpoint.entry)));
        }
        checkpoint.write(&self.folder)
    }

    /// Removes the oldest game that is not adjourned, if there are more than `keep` games. The latest
    /// game stays.
    ///
    /// # Errors
    ///
    /// [`RecordError::Io`].
    pub fn retain(&mut self, keep: usize) -> Result<Retained, RecordError> {
        let numbers = folder::numbers(&self.folder)?;
        let earlier = match numbers.len() {
            some if some > keep.max(1) => some - 1,
            _ => 0,
        };
        for number in numbers.into_iter().take(earlier) {
            // A file that cannot be read is kept, because its game may be adjourned.
            match Summary::read(&self.folder, number, |_| ()) {
                Ok(Some(game)) if !game.adjourned => {}
                _ => continue,
            }
            let path = folder::path(&self.folder, number);
            let length = path.symlink_metadata().map_or(0, |file| file.len());
            fs::remove_file(&path).map_err(RecordError::io("remove", &path))?;
            self.bytes = self.bytes.saturating_sub(length);
            folder::sync(&self.folder)?;
            return Ok(Retained::Removed(number));
        }
        Ok(Retained::Nothing)
    }

    /// Gives the file of the latest game another name, because it is damaged. The next entry begins
    /// another game.
    ///
    /// # Errors
    ///
    /// [`RecordError::Io`].
    pub fn move_aside(&mut self, why: RecordError) -> Result<MovedAside, RecordError> {
        self.latest = None;
        Ok(MovedAside { to: folder::move_aside(&self.folder, self.highest)?, why })
    }

    /// Removes what a failed write has left on the disk.
    fn clean(&mut self) -> Result<(), RecordError> {
        if let Some(stray) = &self.stray {
            match fs::remove_file(stray) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(RecordError::io("remove", stray)(error));
                }
                _ => self.stray = None,
            }
        }
        self.latest.as_mut().map_or(Ok(()), |game| game.cut_rest(&self.disk))
    }
}

/// The folder in which this one is.
fn parent(folder: &Path) -> &Path {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// The file that was moved aside last. No game was begun since then.
fn moved_before(folder: &Path) -> Result<MovedAside, RecordError> {
    let damaged = RecordFile::list(folder)?.into_iter().next_back();
    let to = folder.join(damaged.map(|file| file.to_string()).unwrap_or_default());
    let what = "it was moved aside before, and no game was begun since".to_owned();
    let why = RecordError::Damaged { path: to.clone(), line: 1, what };
    Ok(MovedAside { to, why })
}

/// The number of the last entry that can be read in the latest file, damaged or not, and in the latest game
/// before it; 0 if there is none.
fn last_known_entry(folder: &Path) -> Result<u64, RecordError> {
    let mut last = 0;
    let files = RecordFile::list(folder)?;
    let latest = files.iter().rfind(|file| matches!(file, RecordFile::Damaged(..)));
    for file in
        files.iter().rfind(|file| matches!(file, RecordFile::Game(_))).into_iter().chain(latest)
    {
        let path = folder.join(file.to_string());
        let Ok(opened) = folder::open(&path, OpenOptions::new().read(true)) else { continue };
        let number = file.game().unwrap_or_default();
        let Ok(mut lines) = GameReader::of(path, opened, number) else { continue };
        // Damage ends the file.
        lines.by_ref().take_while(Result::is_ok).for_each(drop);
        last = last.max(lines.entry().unwrap_or_default());
    }
    Ok(last)
}

#[cfg(test)]
mod tests;
