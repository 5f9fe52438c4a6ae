//! An instant at which the clock is known to have run, for the start after a power cut.

use crate::{RecordError, folder};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// The size of the file: one sector of a disk, which is written whole or not at all.
const SECTOR: usize = 512;

/// An instant at which the clock is known to have run. The record has one checkpoint; a new one
/// replaces it.
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

fn path(folder: &Path) -> PathBuf {
    folder.join("checkpoint.json")
}

impl Checkpoint {
    /// Reads the checkpoint in this folder. Returns `None` if there is no checkpoint, or if its file is
    /// damaged. The instant of the game's last entry is then the latest known instant.
    pub fn read(folder: &Path) -> Option<Checkpoint> {
        let text = fs::read_to_string(path(folder)).ok()?;
        let (json, digest) = text.trim_end().rsplit_once(' ')?;
        (digest == sum(json)).then(|| serde_json::from_str(json).ok()).flatten()
    }

    /// Writes the checkpoint into this folder, and waits until it is on the disk.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), RecordError> {
        let path = path(folder);
        let mut json = serde_json::to_string(self).map_err(|error| refused(&error))?;
        json = format!("{json} {}", sum(&json));
        if json.len() >= SECTOR {
            return Err(refused(&"the identifier of the boot is too long"));
        }
        let sector = format!("{json:<width$}\n", width = SECTOR - 1);
        let options = &mut OpenOptions::new();
        let file = folder::open(&path, options.write(true).create(true).truncate(false))?;
        let written = file.write_all_at(sector.as_bytes(), 0).and_then(|()| file.sync_data());
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

    #[test]
    fn a_checkpoint_is_read_as_it_was_written_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Checkpoint::read(folder.path()), None);
        let boot = "b".repeat(36);
        let first = Checkpoint { boot, at_ns: 1, raw_ns: 2, wall_ns: Some(-3), entry: 4 };
        first.write(folder.path()).unwrap();
        assert_eq!(Checkpoint::read(folder.path()), Some(first.clone()));
        let second = Checkpoint { at_ns: u64::MAX, wall_ns: None, ..first };
        second.write(folder.path()).unwrap();
        assert_eq!(Checkpoint::read(folder.path()), Some(second));
        let bytes = fs::read(path(folder.path())).unwrap();
        assert_eq!(bytes.len(), SECTOR);
        let end = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace()).unwrap();
        for at in 0..=end {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            fs::write(path(folder.path()), changed).unwrap();
            assert_eq!(Checkpoint::read(folder.path()), None, "byte {at}");
        }
    }
}
