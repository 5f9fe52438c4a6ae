//! The files of a record in a backup: how they are copied while the record is written, and how they are
//! checked before they take its place.

use crate::folder::{self, RecordFile};
use crate::{GameReader, RecordError, checkpoint};
use std::fs::{File, OpenOptions};
use std::io::Seek as _;
use std::path::Path;

/// A file of the record that is open for a copy.
pub struct Copied {
    /// Its name in the copy.
    pub name: RecordFile,
    /// The file, from its beginning.
    pub from: File,
    /// How many bytes of it are copied: those of the complete lines of a game.
    pub bytes: u64,
    /// Why the name is that of a damaged file; `None` if the name is the one that the file has.
    pub damage: Option<RecordError>,
}

impl RecordFile {
    /// Opens the file in this folder for a copy. A game is read to its end; if it is damaged, the whole
    /// file is copied under the name of a damaged one. `None` if the file was removed meanwhile, is empty, or
    /// is that of a game that has never begun.
    ///
    /// # Errors
    ///
    /// [`RecordError::Io`].
    pub fn copy(self, folder: &Path) -> Result<Option<Copied>, RecordError> {
        if self == RecordFile::Unfinished {
            return Ok(None);
        }
        let path = folder.join(self.to_string());
        let from = folder::open_if_there(&path, OpenOptions::new().read(true))?;
        let Some(mut from) = from else { return Ok(None) };
        let (name, bytes, damage) = match (self, self.length(&path, &from)) {
            (RecordFile::Game(game), Err(why)) if why.is_damage() => {
                let name = folder::name_of_damaged(folder, game);
                (name, name.length(&path, &from)?, Some(why))
            }
            (_, length) => match length? {
                0 => return Ok(None),
                length => (self, length, None),
            },
        };
        from.rewind().map_err(RecordError::io("read", &path))?;
        Ok(Some(Copied { name, from, bytes, damage }))
    }

    /// Checks the file in this folder, which is that of a backup. A damaged file is not read, because it
    /// is kept only to be looked at, and of a checkpoint only the size is checked.
    ///
    /// # Errors
    ///
    /// [`RecordError::Damaged`] or [`RecordError::Io`].
    pub fn check(self, folder: &Path) -> Result<(), RecordError> {
        let path = folder.join(self.to_string());
        let file = folder::open(&path, OpenOptions::new().read(true))?;
        let length = self.length(&path, &file)?;
        if self == RecordFile::Checkpoint && length > checkpoint::SIZE as u64 {
            let what = format!("it has more than {} bytes", checkpoint::SIZE);
            return Err(RecordError::Damaged { path, line: 1, what });
        }
        Ok(())
    }

    /// The length of the complete lines of a game; that of the whole file otherwise.
    fn length(self, path: &Path, file: &File) -> Result<u64, RecordError> {
        let RecordFile::Game(number) = self else {
            return Ok(file.metadata().map_err(RecordError::io("look at", path))?.len());
        };
        let file = file.try_clone().map_err(RecordError::io("read", path))?;
        let mut reader = GameReader::of(path.to_owned(), file, number)?;
        reader.by_ref().try_for_each(|line| line.map(drop))?;
        reader.entry().ok_or_else(|| reader.without_entry())?;
        Ok(reader.length())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::{GameLine, Line, NO_DIGEST};
    use crate::{Checkpoint, EntryLine, Games};
    use std::fs;
    use std::io::Read as _;
    use std::sync::atomic::{AtomicU64, Ordering};
    use tempfile::TempDir;

    fn entry(number: u64) -> EntryLine {
        EntryLine {
            number,
            boot: "boot".to_owned(),
            at_ns: number,
            raw_ns: number,
            wall_ns: None,
            kind: "press".to_owned(),
            input: format!("{{\"press\":{number}}}"),
            events: "[]".to_owned(),
            command: None,
            state: "{}".to_owned(),
            game: None,
        }
    }

    /// A record with a game of three entries.
    fn record() -> (TempDir, Games) {
        let folder = tempfile::tempdir().unwrap();
        let mut games = Games::open(folder.path(), &mut |_| ()).unwrap().games;
        games.begin(1, 7, "{}", &[entry(1), entry(2), entry(3)]).unwrap();
        (folder, games)
    }

    /// Copies the record. Returns the names of the copies and a folder with them.
    fn copied(folder: &Path) -> (Vec<String>, TempDir) {
        let (mut names, to) = (Vec::new(), tempfile::tempdir().unwrap());
        for file in RecordFile::list(folder).unwrap() {
            let Some(copied) = file.copy(folder).unwrap() else { continue };
            let mut bytes = Vec::new();
            copied.from.take(copied.bytes).read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes.len() as u64, copied.bytes);
            fs::write(to.path().join(copied.name.to_string()), bytes).unwrap();
            copied.name.check(to.path()).unwrap();
            names.push(copied.name.to_string());
        }
        (names, to)
    }

    #[test]
    fn only_the_names_that_a_record_has_are_files_of_it() {
        for name in [
            "unfinished",
            "checkpoint.json",
            "000001.jsonl",
            "1000000.jsonl",
            "000012.jsonl.damaged-1",
        ] {
            assert_eq!(RecordFile::of(name).map(|file| file.to_string()).as_deref(), Some(name));
        }
        for name in [
            "",
            "1.jsonl",
            "000000.jsonl",
            "0000001.jsonl",
            "+00001.jsonl",
            "1000000000000.jsonl",
            "18446744073709551615.jsonl",
            "000001.jsonl.damaged-",
            "000001.jsonl.damaged-01",
            "000001.jsonl.damaged-1.jsonl",
            "000001.jsonl/../../x",
            "../000001.jsonl",
            "000001.jsonl\n",
            "checkpoint.json.new",
        ] {
            assert_eq!(RecordFile::of(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_copy_has_the_complete_lines_and_the_record_stays_as_it_was() {
        let (folder, mut games) = record();
        let boot = "boot".to_owned();
        let checkpoint = Checkpoint { boot, at_ns: 9, raw_ns: 9, wall_ns: None, entry: 3 };
        games.checkpoint(&checkpoint).unwrap();
        games.begin(2, 7, "{}", &[entry(4)]).unwrap();
        // The service writes a line.
        let path = folder.path().join("000002.jsonl");
        let whole = fs::read(&path).unwrap();
        fs::write(&path, [&whole, b"{\"entry\":{".as_slice()].concat()).unwrap();
        // No file of a record, and a game that has never begun.
        fs::write(folder.path().join("notes.txt"), "").unwrap();
        fs::write(folder.path().join("unfinished"), &whole[..20]).unwrap();
        let (names, to) = copied(folder.path());
        assert_eq!(names, ["checkpoint.json", "000001.jsonl", "000002.jsonl"]);
        assert_eq!(fs::read(to.path().join("000002.jsonl")).unwrap(), whole);
        assert_eq!(Checkpoint::read(to.path()), Some(checkpoint));
        assert_eq!(Games::open(to.path(), &mut |_| ()).unwrap().games.last_entry(), Some(4));
    }

    #[test]
    fn a_copy_that_is_made_while_the_record_is_written_has_all_that_was_acknowledged() {
        let (folder, mut games) = record();
        let acknowledged = AtomicU64::new(3);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 4..400 {
                    games.append(&[entry(number)]).unwrap();
                    acknowledged.store(number, Ordering::SeqCst);
                }
            });
            for _ in 0..20 {
                let before = acknowledged.load(Ordering::SeqCst);
                let (_, to) = copied(folder.path());
                let last = Games::open(to.path(), &mut |_| ()).unwrap().games.last_entry();
                assert!(last.unwrap() >= before, "entry {before} was acknowledged");
            }
        });
    }

    #[test]
    fn a_damaged_game_is_copied_whole_under_another_name() {
        let (folder, games) = record();
        drop(games);
        let path = folder.path().join("000001.jsonl");
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, &bytes).unwrap();
        fs::write(folder.path().join("000001.jsonl.damaged-1"), "an earlier one").unwrap();
        let why = RecordFile::Game(1).check(folder.path()).unwrap_err();
        assert!(why.is_damage(), "{why}");
        let (names, to) = copied(folder.path());
        assert_eq!(names, ["000001.jsonl.damaged-2", "000001.jsonl.damaged-1"]);
        assert_eq!(fs::read(to.path().join(&names[0])).unwrap(), bytes);
        assert_eq!(fs::read(path).unwrap(), bytes);
    }

    #[test]
    fn a_symbolic_link_is_not_followed() {
        let (folder, games) = record();
        drop(games);
        let other = tempfile::tempdir().unwrap();
        let file = RecordFile::Game(1);
        std::os::unix::fs::symlink(folder.path().join("000001.jsonl"), {
            other.path().join("000001.jsonl")
        })
        .unwrap();
        assert!(file.copy(other.path()).is_err() && file.check(other.path()).is_err());
        assert!(RecordFile::Game(2).copy(other.path()).unwrap().is_none());
    }

    /// Somebody who computes the digests can make any game. One that would take more memory than the
    /// service has, or whose numbers cannot be counted on, would keep it from starting.
    #[test]
    fn a_game_that_is_larger_than_any_on_record_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |entries: &[EntryLine]| {
            let info = "{}".to_owned();
            let first_entry = entries[0].number;
            let game = GameLine { number: 1, id: 7, first_entry, before: NO_DIGEST, info };
            let (mut text, mut digest) = Line::Game(game).encode(&NO_DIGEST).unwrap();
            for entry in entries {
                let (line, next) = Line::Entry(entry.clone()).encode(&digest).unwrap();
                text.extend(line);
                digest = next;
            }
            fs::write(folder.path().join("000001.jsonl"), text).unwrap();
            let why = RecordFile::Game(1).check(folder.path()).unwrap_err();
            assert!(why.is_damage() && why.to_string().contains("24 MiB of input"), "{why}");
        };
        let long = format!("\"{}\"", "x".repeat((1 << 20) - 2));
        let with_input = |number| EntryLine { input: long.clone(), ..entry(number) };
        refused(&(1..=25).map(with_input).collect::<Vec<_>>());
        refused(&[entry(u64::MAX)]);
        fs::write(folder.path().join("checkpoint.json"), [b' '; checkpoint::SIZE + 1]).unwrap();
        let why = RecordFile::Checkpoint.check(folder.path()).unwrap_err();
        assert!(why.is_damage() && why.to_string().contains("1024 bytes"), "{why}");
        fs::write(folder.path().join("000001.jsonl"), "").unwrap();
        let why = RecordFile::Game(1).check(folder.path()).unwrap_err();
        assert!(why.to_string().contains("it has no entry"), "{why}");
    }
}
