//! An instant at which the clock is known to have run, for the start after a power cut.

use crate::{RecordError, folder};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::OpenOptions;
use std::io::Read as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// The size of a line of the file: one sector of a disk.
const SECTOR: usize = 512;
/// The size of the file, which has two lines. A new checkpoint replaces the older line. If a power cut
/// interrupts that write, the other line is still readable.
pub(crate) const SIZE: usize = 2 * SECTOR;

/// An instant at which the clock is known to have run. The file has the latest two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The identifier of the boot.
    pub boot: String,
    /// The instant on CLOCK_MONOTONIC of that boot, in nanoseconds.
    pub at_ns: u64,
    /// The same instant on CLOCK_MONOTONIC_RAW.
    pub raw_ns: u64,
    /// The same instant on CLOCK_REALTIME; `None` if the wall clock had not been set.
    pub wall_ns: Option<i64>,
    /// The number of the last entry before the instant.
    pub entry: u64,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Numbered {
    /// The line with the higher number is the later one.
    number: u64,
    #[serde(flatten)]
    checkpoint: Checkpoint,
}

fn path(folder: &Path) -> PathBuf {
    folder.join("checkpoint.json")
}

/// The latest checkpoint in this folder that is as it was written.
fn latest(folder: &Path) -> Option<Numbered> {
    let file = folder::open(&path(folder), OpenOptions::new().read(true)).ok()?;
    let mut bytes = Vec::new();
    file.take(SIZE as u64).read_to_end(&mut bytes).ok()?;
    bytes.chunks(SECTOR).filter_map(read_line).max_by_key(|line| line.number)
}

fn read_line(line: &[u8]) -> Option<Numbered> {
    let (json, digest) = std::str::from_utf8(line).ok()?.trim_end().rsplit_once(' ')?;
    (digest == sum(json)).then(|| serde_json::from_str(json).ok()).flatten()
}

impl Checkpoint {
    /// Reads the latest checkpoint in this folder. Returns `None` if there is none, or if the file is
    /// damaged. The instant of the game's last entry is then the latest known instant.
    pub fn read(folder: &Path) -> Option<Checkpoint> {
        latest(folder).map(|latest| latest.checkpoint)
    }

    /// Writes the checkpoint into this folder, and waits until it is on the disk.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), RecordError> {
        let path = path(folder);
        let number = latest(folder).map_or(0, |latest| latest.number.wrapping_add(1));
        let line = Numbered { number, checkpoint: self.clone() };
        let mut json = serde_json::to_string(&line).map_err(|error| refused(&error))?;
        json = format!("{json} {}", sum(&json));
        if json.len() >= SECTOR {
            return Err(refused(&"the identifier of the boot is too long"));
        }
        let sector = format!("{json:<width$}\n", width = SECTOR - 1);
        let options = &mut OpenOptions::new();
        let file = folder::open(&path, options.write(true).create(true).truncate(false))?;
        let at = number % 2 * SECTOR as u64;
        let written = file.write_all_at(sector.as_bytes(), at).and_then(|()| file.sync_data());
        written.map_err(RecordError::io("write", &path))
    }
}

fn sum(json: &str) -> String {
    crate::line::hexadecimal(&Sha256::digest(json.as_bytes()))
}

fn refused(why: &dyn std::fmt::Display) -> RecordError {
    RecordError::Refused(format!("a checkpoint: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_checkpoint_is_read_as_it_was_written_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Checkpoint::read(folder.path()), None);
        let boot = "b".repeat(36);
        let first = Checkpoint { boot, at_ns: 1, raw_ns: 2, wall_ns: Some(-3), entry: 4 };
        first.write(folder.path()).unwrap();
        assert_eq!(Checkpoint::read(folder.path()), Some(first.clone()));
        let second = Checkpoint { at_ns: u64::MAX, wall_ns: None, ..first.clone() };
        second.write(folder.path()).unwrap();
        assert_eq!(Checkpoint::read(folder.path()), Some(second.clone()));
        let bytes = fs::read(path(folder.path())).unwrap();
        assert_eq!(bytes.len(), SIZE);
        let end = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace()).unwrap();
        for at in SECTOR..=end {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            fs::write(path(folder.path()), &changed).unwrap();
            assert_eq!(Checkpoint::read(folder.path()), Some(first.clone()), "byte {at}");
            // The next one replaces the damaged line.
            second.write(folder.path()).unwrap();
            assert_eq!(Checkpoint::read(folder.path()), Some(second.clone()), "byte {at}");
            changed[0] ^= 1;
            fs::write(path(folder.path()), changed).unwrap();
            assert_eq!(Checkpoint::read(folder.path()), None, "byte {at}");
        }
    }

    #[test]
    fn a_file_that_is_no_checkpoint_is_not_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/dev/zero", path(folder.path())).unwrap();
        assert_eq!(Checkpoint::read(folder.path()), None);
        fs::remove_file(path(folder.path())).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, path(folder.path()), 0o600.into()).unwrap();
        assert_eq!(Checkpoint::read(folder.path()), None);
    }
}
