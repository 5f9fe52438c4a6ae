//! The contents that files can have after a power cut.
//!
//! The assumptions about a disk are those of SQLite:
//! - What was synced is there. Of what was not synced, any selection may be there: for example a
//!   later write without an earlier one, or some sectors of 512 bytes of a write without its other
//!   sectors. A sector that was being written can have any content. Bytes that were not written do
//!   not change.
//! - A file that grew may have its new length although its new contents are missing.
//! - It is certain that a new file exists, or that a deleted file does not, only after the folder
//!   was synced. SQLite syncs the folder when it syncs a new journal or log the first time.

use crate::state::Operation;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The unit that a disk writes as a whole.
pub const SECTOR: usize = 512;

/// The contents of files by their names.
pub type Files = BTreeMap<String, Vec<u8>>;

/// What becomes of the operations that were not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survival {
    /// All operations that were not synced are on the disk, as after the end of the process without
    /// a power cut.
    All,
    /// No operation that was not synced is on the disk.
    None,
    /// A random selection of the operations that were not synced is on the disk.
    Some,
}

/// A disk that knows which changes are certain and which are not yet.
#[derive(Clone, Default)]
pub struct CrashDisk {
    files: BTreeMap<Arc<str>, File>,
}

#[derive(Clone, Default)]
struct File {
    /// The contents that are certainly on the disk; `None` if there is certainly no such file.
    certain: Option<Vec<u8>>,
    pending: Vec<Pending>,
}

#[derive(Clone)]
enum Pending {
    Create,
    Write { at: usize, bytes: Vec<u8> },
    Truncate { length: usize },
    Remove,
}

impl CrashDisk {
    /// Carries out one more operation.
    pub fn perform(&mut self, operation: &Operation) {
        match operation {
            Operation::Open { file } => {
                let file = self.files.entry(file.clone()).or_default();
                if !file.exists() {
                    file.pending.push(Pending::Create);
                }
            }
            Operation::Write { file, at, bytes } => {
                let pending = Pending::Write { at: index(*at), bytes: bytes.clone() };
                self.files.entry(file.clone()).or_default().pending.push(pending);
            }
            Operation::Truncate { file, length } => {
                let pending = Pending::Truncate { length: index(*length) };
                self.files.entry(file.clone()).or_default().pending.push(pending);
            }
            Operation::Sync { file } => {
                let file = self.files.entry(file.clone()).or_default();
                let is_new = file.pending.iter().any(|change| matches!(change, Pending::Create));
                let mut random = Random::new(0);
                file.certain = file.after_crash(Survival::All, &mut random);
                file.pending.clear();
                if is_new {
                    self.sync_folder();
                }
            }
            Operation::Delete { file, synced } => {
                self.files.entry(file.clone()).or_default().pending.push(Pending::Remove);
                if *synced {
                    self.sync_folder();
                }
            }
        }
    }

    /// Makes the names of all files certain.
    fn sync_folder(&mut self) {
        for file in self.files.values_mut() {
            let names = |change: &Pending| matches!(change, Pending::Create | Pending::Remove);
            if let Some(last) = file.pending.iter().rposition(names) {
                file.certain = match file.pending[last] {
                    Pending::Create => Some(Vec::new()),
                    _ => None,
                };
                file.pending.drain(..=last);
            }
        }
    }

    /// The files after a power cut at this point.
    pub fn after_crash(&self, survival: Survival, random: &mut Random) -> Files {
        self.files
            .iter()
            .filter_map(|(name, file)| {
                Some((name.to_string(), file.after_crash(survival, random)?))
            })
            .collect()
    }
}

impl File {
    /// Whether programs see the file.
    fn exists(&self) -> bool {
        self.pending
            .iter()
            .rev()
            .find_map(|change| match change {
                Pending::Create => Some(true),
                Pending::Remove => Some(false),
                _ => None,
            })
            .unwrap_or(self.certain.is_some())
    }

    fn after_crash(&self, survival: Survival, random: &mut Random) -> Option<Vec<u8>> {
        let mut contents = self.certain.clone();
        for change in &self.pending {
            let survives = match survival {
                Survival::All => true,
                Survival::None => false,
                Survival::Some => random.below(3) > 0,
            };
            match (change, &mut contents) {
                // If the creation or the removal did not reach the disk, the later operations
                // belong to a file that is not on the disk.
                (Pending::Create | Pending::Remove, _) if !survives => break,
                (Pending::Create, _) => contents = Some(Vec::new()),
                (Pending::Remove, _) => contents = None,
                (Pending::Truncate { length }, Some(contents)) if survives => {
                    contents.resize(*length, 0);
                }
                (Pending::Write { at, bytes }, Some(contents)) if survival == Survival::Some => {
                    write_some(contents, *at, bytes, random);
                }
                (Pending::Write { at, bytes }, Some(contents)) if survives => {
                    write(contents, *at, bytes);
                }
                _ => {}
            }
        }
        contents
    }
}

fn write(contents: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = at + bytes.len();
    if contents.len() < end {
        contents.resize(end, 0);
    }
    contents[at..end].copy_from_slice(bytes);
}

/// Writes all of the bytes, none of them, or some of their sectors. If it writes some, a sector can
/// also get random bytes, and a file that grows can get its full new length.
fn write_some(contents: &mut Vec<u8>, at: usize, bytes: &[u8], random: &mut Random) {
    let torn = match random.below(4) {
        0 => return,
        1 => return write(contents, at, bytes),
        2 => false,
        _ => true,
    };
    if random.below(2) == 0 && contents.len() < at + bytes.len() {
        contents.resize(at + bytes.len(), 0);
    }
    let mut from = 0;
    while from < bytes.len() {
        let to = bytes.len().min(from + SECTOR - (at + from) % SECTOR);
        match random.below(if torn { 8 } else { 2 }) {
            0 => write(contents, at + from, &bytes[from..to]),
            1 => {}
            2 => {
                let garbage: Vec<u8> = (from..to).map(|_| random.byte()).collect();
                write(contents, at + from, &garbage);
            }
            _ => write(contents, at + from, &bytes[from..to]),
        }
        from = to;
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("a file of a test fits into memory")
}

/// Random numbers that are the same for the same seed (SplitMix64).
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `limit - 1`.
    pub fn below(&mut self, limit: usize) -> usize {
        index(self.next() % (limit as u64))
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

#[cfg(test)]
#[path = "crash_tests.rs"]
mod tests;
