//! The manifest of a backup: which clock it was made of, and the size and the SHA-256 of each file.

use serde::{Deserialize, Serialize};

/// The version of the file format.
pub const FORMAT: u32 = 1;
/// The name of the manifest. It is the last file of a backup.
pub(super) const NAME: &str = "manifest.json";
/// The largest manifest, in bytes.
pub(super) const LIMIT: u64 = 1024 * 1024;
/// The longest host, board or version, in bytes.
pub(super) const TEXT_LIMIT: usize = 256;

/// The contents of `manifest.json`.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub chess_clock_backup: u32,
    /// The version of `clockctl` that made the backup.
    pub version: String,
    /// The name of the machine.
    pub host: String,
    /// The configured board, if there is one.
    pub board: Option<String>,
    /// When the backup was made, in seconds since 1970; `None` if the clock did not know the time.
    pub made_at_s: Option<u64>,
    /// The record; `None` if the clock had none.
    pub record: Option<RecordFacts>,
    /// All files of the backup except the manifest, in the order of the tar file.
    pub files: Vec<FileSum>,
}

/// What is known of the record in a backup.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct RecordFacts {
    /// The version of its tables.
    pub version: u32,
    /// How many games it has.
    pub games: u64,
}

/// A file of a backup.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct FileSum {
    /// The name in the backup.
    pub name: String,
    /// The size.
    pub bytes: u64,
    /// The SHA-256, in hexadecimal digits.
    pub sha256: String,
}
