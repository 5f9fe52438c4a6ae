//! The file of one game, open for writing.

use crate::disk::Disk;
use crate::folder;
use crate::line::{Digest, EntryLine, Line};
use crate::{GameReader, HIGHEST_ENTRY, RecordError, Summary, chain};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The file of a game, open for writing.
pub(crate) struct OpenGame {
    pub number: u64,
    /// The identity of the game.
    pub game: u64,
    pub path: PathBuf,
    pub file: File,
    /// The device and the inode.
    pub id: (u64, u64),
    /// The length of the complete lines, in bytes.
    pub length: u64,
    /// The digest of the last line.
    pub digest: Digest,
    /// The number of the last entry.
    pub entry: u64,
    /// The chain of the last entry.
    pub chain: Digest,
    /// Whether bytes of a failed or interrupted write can follow the complete lines.
    pub has_rest: bool,
}

impl OpenGame {
    /// Reads the file to its end, and passes each entry to `each`. Returns the file and what is in it;
    /// `None` if there is no file. An incomplete last line is not removed; [`OpenGame::has_rest`] says whether
    /// there is one.
    pub fn open(
        folder: &Path,
        number: u64,
        each: &mut dyn FnMut(EntryLine),
    ) -> Result<Option<(OpenGame, Summary)>, RecordError> {
        let path = folder::path(folder, number);
        let options = &mut OpenOptions::new();
        let Some(file) = folder::open_if_there(&path, options.read(true).append(true))? else {
            return Ok(None);
        };
        let again = file.try_clone().map_err(RecordError::io("read", &path))?;
        let mut reader = GameReader::of(path.clone(), again, number)?;
        let summary = Summary::of_lines(&mut reader, each)?;
        let (length, digest, chain) = (reader.length(), reader.digest(), summary.chain);
        let (id, has_rest) = (id_of(&file, &path)?, reader.is_unfinished());
        let (game, entry) = (summary.game.id, summary.last_entry);
        let game =
            OpenGame { number, game, path, file, id, length, digest, entry, chain, has_rest };
        Ok(Some((game, summary)))
    }

    /// Cuts off what a failed write has left after the complete lines.
    pub fn cut_rest(&mut self, disk: &impl Disk) -> Result<(), RecordError> {
        if self.has_rest {
            let cut = disk.truncate(&self.file, self.length);
            cut.and_then(|()| disk.sync(&self.file))
                .map_err(RecordError::io("write", &self.path))?;
            self.has_rest = false;
        }
        Ok(())
    }

    /// Appends complete lines. `digest` is the digest of the last line.
    pub fn write(
        &mut self,
        disk: &impl Disk,
        text: &[u8],
        digest: Digest,
    ) -> Result<(), RecordError> {
        self.check(self.length)?;
        let written = disk.write(&self.file, text).and_then(|()| disk.sync(&self.file));
        if let Err(error) = written {
            // After a failed sync the kernel takes the pages for written, so they are written again.
            self.has_rest = true;
            let _ = self.cut_rest(disk);
            return Err(RecordError::io("write", &self.path)(error));
        }
        self.check(self.length + text.len() as u64)?;
        (self.length, self.digest) = (self.length + text.len() as u64, digest);
        Ok(())
    }

    /// Fails unless the open file is at its path and has this length. The kernel writes to a deleted
    /// file without an error.
    fn check(&self, length: u64) -> Result<(), RecordError> {
        match self.path.symlink_metadata() {
            Ok(now) if (now.dev(), now.ino()) == self.id && now.len() == length => Ok(()),
            _ => Err(RecordError::Gone { path: self.path.clone() }),
        }
    }

    /// Compares these entries with those on record that have the same numbers.
    pub fn compare(&self, folder: &Path, entries: &[EntryLine]) -> Result<(), RecordError> {
        let mut entries = entries.iter().peekable();
        let lines = GameReader::open(folder, self.number)?.into_iter().flatten();
        for line in lines {
            let Line::Entry(on_record) = line? else { continue };
            if let Some(entry) = entries.next_if(|entry| entry.number == on_record.number)
                && *entry != on_record
            {
                let number = entry.number;
                return Err(refused(&format!("entry {number} is on record with other contents")));
            }
        }
        match entries.next() {
            None => Ok(()),
            Some(entry) => Err(refused(&format!("entry {} is of an earlier game", entry.number))),
        }
    }
}

pub(crate) fn id_of(file: &File, path: &Path) -> Result<(u64, u64), RecordError> {
    let metadata = file.metadata().map_err(RecordError::io("look at", path))?;
    Ok((metadata.dev(), metadata.ino()))
}

/// Encoded entries.
pub(crate) struct Lines {
    pub text: Vec<u8>,
    /// The digest of the last line.
    pub digest: Digest,
    /// The chain of the last entry.
    pub chain: Digest,
    /// The number of the last entry.
    pub entry: u64,
}

impl Lines {
    /// Encodes entries of a game. `digest` and `chain` are those before the first of them, and `last` is the
    /// number of the entry before it; `None` at the beginning of a game.
    pub fn of(
        game: u64,
        entries: &[EntryLine],
        digest: Digest,
        before: Digest,
        last: Option<u64>,
    ) -> Result<Lines, RecordError> {
        let entry = last.unwrap_or_default();
        let mut lines = Lines { text: Vec::new(), digest, chain: before, entry };
        for (index, entry) in entries.iter().enumerate() {
            let number = entry.number;
            let is_first = index == 0 && last.is_none();
            let follows = number == lines.entry + 1 || entry.is_state() && number > lines.entry;
            if !(1..=HIGHEST_ENTRY).contains(&number) || !(is_first || follows) {
                return Err(refused(&format!(
                    "entry {number} cannot follow entry {}",
                    lines.entry
                )));
            }
            let (text, digest) =
                Line::Entry(entry.clone()).encode(&lines.digest).map_err(|why| refused(&why))?;
            lines.text.extend_from_slice(&text);
            lines.chain = chain(&lines.chain, game, entry);
            (lines.digest, lines.entry) = (digest, number);
        }
        Ok(lines)
    }
}

pub(crate) fn refused(why: &str) -> RecordError {
    RecordError::Refused(why.to_owned())
}
