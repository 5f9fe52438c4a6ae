//! Reading a file of pairings.

use std::path::Path;

use clockctl::pairings::PairingFile;

use super::{read_bytes, wrong_at};
use crate::failure::Failure;

/// The longest file of pairings, in bytes: a TRF of 5,000 players and 30 rounds in UTF-16.
const FILE_LIMIT: u64 = 4_000_000;

/// Reads a file of pairings.
pub fn read(path: &Path) -> Result<PairingFile, Failure> {
    let bytes = read_bytes(path, FILE_LIMIT)?;
    PairingFile::decode(bytes).map_err(|error| wrong_at(path, &error))
}
