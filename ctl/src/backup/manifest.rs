//! The manifest of a backup: which clock it was made of, and the SHA-256 of its files.

use serde::{Deserialize, Serialize};

/// The version of the file format.
pub const FORMAT: u32 = 2;
/// The name of the manifest. It is the last file of a backup.
pub(super) const NAME: &str = "manifest.json";
/// The largest manifest, in bytes.
pub(super) const LIMIT: u64 = 64 * 1024;
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
    /// How many games are on record; `None` if the clock had no record.
    pub games: Option<u64>,
    /// The SHA-256 of the names, the sizes and the contents of all files before the manifest.
    pub sha256: String,
}
