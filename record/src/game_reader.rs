//! Reads the file of a game, line by line.

use crate::line::{Change, Digest, EntryLine, GameLine, Line, NO_DIGEST};
use crate::{HIGHEST_ENTRY, INPUTS_LIMIT, LINE_LIMIT, LINES_LIMIT, RecordError, chain, folder};
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Reads the lines of a game after its first one. It compares each line with its digest, and the
/// numbers of the entries with each other. It can be used while the file is written.
pub struct GameReader {
    path: PathBuf,
    lines: BufReader<File>,
    game: GameLine,
    /// The digest of the latest line.
    digest: Digest,
    /// How many lines were read.
    line: usize,
    /// The length of these lines, in bytes.
    length: u64,
    /// The number of the latest entry; `None` before the first one.
    entry: Option<u64>,
    /// The chain of the latest entry; before the first one, that of the game before.
    chain: Digest,
    /// The sum of the inputs, in bytes.
    inputs: usize,
    is_unfinished: bool,
}

impl GameReader {
    /// Opens the file of this game. `None` if there is no file.
    ///
    /// # Errors
    ///
    /// [`RecordError::Io`], or [`RecordError::Damaged`] if the first line is not that of this game.
    pub fn open(folder: &Path, number: u64) -> Result<Option<GameReader>, RecordError> {
        let path = folder::path(folder, number);
        let file = folder::open_if_there(&path, OpenOptions::new().read(true))?;
        file.map(|file| GameReader::of(path, file, number)).transpose()
    }

    /// Reads an open file, from its beginning.
    pub(crate) fn of(path: PathBuf, file: File, number: u64) -> Result<GameReader, RecordError> {
        let mut reader = GameReader {
            path,
            lines: BufReader::new(file),
            game: GameLine {
                number,
                id: 0,
                first_entry: 0,
                before: NO_DIGEST,
                info: String::new(),
            },
            digest: NO_DIGEST,
            line: 0,
            length: 0,
            entry: None,
            chain: NO_DIGEST,
            inputs: 0,
            is_unfinished: false,
        };
        match reader.read()? {
            None => Err(reader.without_entry()),
            Some(Line::Game(game)) if game.number == number => {
                (reader.chain, reader.game) = (game.before, game);
                Ok(reader)
            }
            Some(_) => Err(reader.damaged(format!("it does not begin game {number}"))),
        }
    }

    /// The game as it was set up.
    pub fn game(&self) -> &GameLine {
        &self.game
    }

    /// The digest of the latest line that was read.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The length of the lines that were read, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The number of the latest entry that was read; `None` before the first one.
    pub fn entry(&self) -> Option<u64> {
        self.entry
    }

    /// The chain of the latest entry that was read; before the first one, that of the game before.
    pub fn latest_chain(&self) -> Digest {
        self.chain
    }

    /// Whether the file ended with an incomplete line, as a power cut or a writer at work leaves it.
    pub fn is_unfinished(&self) -> bool {
        self.is_unfinished
    }

    /// Reads the next line; `None` at the end of the file, or at a last line that is incomplete.
    fn read(&mut self) -> Result<Option<Line>, RecordError> {
        let mut line = Vec::new();
        let limit = LINE_LIMIT as u64 + 1;
        let read = (&mut self.lines).take(limit).read_until(b'\n', &mut line);
        self.line += 1;
        let read = read.map_err(|error| self.unreadable(error))?;
        if line.pop_if(|byte| *byte == b'\n').is_none() {
            if line.len() > LINE_LIMIT {
                return Err(self.damaged(format!("it has more than {LINE_LIMIT} bytes")));
            }
            self.is_unfinished = !line.is_empty();
            return Ok(None);
        }
        let (read_line, digest) = match Line::decode(&line, &self.digest) {
            Ok(decoded) => decoded,
            // A power cut can leave zeros where a block of the last line was not written.
            Err(_) if line.contains(&0) && self.is_at_end()? => {
                self.is_unfinished = true;
                return Ok(None);
            }
            Err(what) => return Err(self.damaged(what)),
        };
        if self.line > LINES_LIMIT {
            return Err(self.damaged(format!("the game has more than {LINES_LIMIT} lines")));
        }
        self.digest = digest;
        self.length += read as u64;
        Ok(Some(read_line))
    }

    fn is_at_end(&mut self) -> Result<bool, RecordError> {
        match self.lines.fill_buf() {
            Ok(rest) => Ok(rest.is_empty()),
            Err(error) => Err(self.unreadable(error)),
        }
    }

    fn checked(&mut self, line: Line) -> Result<Line, RecordError> {
        match &line {
            Line::Game(_) => return Err(self.damaged("another game begins".to_owned())),
            Line::Change(_) => {}
            Line::Entry(entry) => {
                let expected = self.entry.map_or(self.game.first_entry, |last| last + 1);
                if entry.number != expected && !(entry.is_state() && entry.number > expected) {
                    let what = format!("entry {} is in place of {expected}", entry.number);
                    return Err(self.damaged(what));
                }
                self.inputs += entry.input.len();
                if self.inputs > INPUTS_LIMIT || entry.number > HIGHEST_ENTRY {
                    let most = INPUTS_LIMIT >> 20;
                    let what =
                        format!("more than {most} MiB of input, or an entry after {HIGHEST_ENTRY}");
                    return Err(self.damaged(what));
                }
                self.entry = Some(entry.number);
                self.chain = chain(&self.chain, self.game.number, entry);
            }
        }
        Ok(line)
    }

    /// The error of a file that has no entry. The writer gives a file its name when it has one.
    pub(crate) fn without_entry(&self) -> RecordError {
        self.damaged("it has no entry".to_owned())
    }

    /// The error for a read that failed. If the disk cannot read a block (`EIO`), the error is
    /// [`RecordError::Damaged`], because another attempt would fail, too.
    fn unreadable(&self, error: io::Error) -> RecordError {
        match error.raw_os_error() {
            Some(number) if number == Errno::IO.raw_os_error() => {
                self.damaged("the disk cannot read it".to_owned())
            }
            _ => RecordError::io("read", &self.path)(error),
        }
    }

    fn damaged(&self, what: String) -> RecordError {
        RecordError::Damaged { path: self.path.clone(), line: self.line, what }
    }
}

impl Iterator for GameReader {
    type Item = Result<Line, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.read() {
            Ok(line) => line.map(|line| self.checked(line)),
            Err(error) => Some(Err(error)),
        }
    }
}

/// What a list of games says of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The game as it was set up, with its present information.
    pub game: GameLine,
    /// How many entries it has.
    pub entries: u64,
    /// The number of its last entry.
    pub last_entry: u64,
    /// The wall time of its first entry; `None` if it is not known.
    pub started_wall_ns: Option<i64>,
    /// Whether the game has a result.
    pub ended: bool,
    /// Whether the game is adjourned.
    pub adjourned: bool,
    /// The chain of its last entry.
    pub chain: Digest,
}

impl Summary {
    /// Reads the whole file of this game, and passes each entry to `each`. `None` if there is no such
    /// game.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    pub fn read(
        folder: &Path,
        number: u64,
        mut each: impl FnMut(EntryLine),
    ) -> Result<Option<Summary>, RecordError> {
        let Some(mut lines) = GameReader::open(folder, number)? else { return Ok(None) };
        Summary::of_lines(&mut lines, &mut each).map(Some)
    }

    /// Reads the other lines of a game of which `lines` has read the first one. Returns the summary.
    pub(crate) fn of_lines(
        lines: &mut GameReader,
        each: &mut dyn FnMut(EntryLine),
    ) -> Result<Summary, RecordError> {
        let mut summary = Summary::begin(lines);
        summary.follow(lines, each)?;
        Ok(summary)
    }

    /// As [`Summary::read`], but if the file is damaged, this is a summary of the lines before the damage,
    /// with the error.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn before_damage(
        folder: &Path,
        number: u64,
    ) -> Result<Option<(Summary, Option<RecordError>)>, RecordError> {
        let mut summary = Summary::of(GameLine::unknown(number));
        let read = (|| {
            let Some(mut lines) = GameReader::open(folder, number)? else { return Ok(false) };
            summary = Summary::begin(&lines);
            summary.follow(&mut lines, &mut |_| ()).map(|()| true)
        })();
        match read {
            Ok(true) => Ok(Some((summary, None))),
            Ok(false) => Ok(None),
            Err(damage) if damage.is_damage() => Ok(Some((summary, Some(damage)))),
            Err(error) => Err(error),
        }
    }

    fn of(game: GameLine) -> Summary {
        Summary {
            chain: game.before,
            game,
            entries: 0,
            last_entry: 0,
            started_wall_ns: None,
            ended: false,
            adjourned: false,
        }
    }

    fn begin(lines: &GameReader) -> Summary {
        Summary::of(lines.game().clone())
    }

    fn follow(
        &mut self,
        lines: &mut GameReader,
        each: &mut dyn FnMut(EntryLine),
    ) -> Result<(), RecordError> {
        while let Some(line) = lines.next() {
            let change = match line? {
                Line::Game(_) => None,
                Line::Change(change) => Some(change),
                Line::Entry(mut entry) => {
                    if self.entries == 0 {
                        self.started_wall_ns = entry.wall_ns;
                    }
                    (self.entries, self.last_entry) = (self.entries + 1, entry.number);
                    self.chain = lines.latest_chain();
                    let change = entry.game.take();
                    each(entry);
                    change
                }
            };
            let Some(Change { info, ended, adjourned }) = change else { continue };
            if let Some(info) = info {
                self.game.info = info;
            }
            self.ended = ended.unwrap_or(self.ended);
            self.adjourned = adjourned.unwrap_or(self.adjourned);
        }
        if self.entries == 0 { Err(lines.without_entry()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_block_that_the_disk_cannot_read_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        let info = "{}".to_owned();
        let game = GameLine { number: 1, id: 7, first_entry: 1, before: NO_DIGEST, info };
        let (text, _) = Line::Game(game).encode(&NO_DIGEST).unwrap();
        std::fs::write(folder::path(folder.path(), 1), text).unwrap();
        let reader = GameReader::open(folder.path(), 1).unwrap().unwrap();
        let is_damage = |errno: Errno| reader.unreadable(errno.into()).is_damage();
        assert!(is_damage(Errno::IO) && !is_damage(Errno::MFILE) && !is_damage(Errno::ACCESS));
    }
}
