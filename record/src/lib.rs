//! The games on record: a folder with one file for each game, such as `000123.jsonl`.
//!
//! The first line of a file is the game as it was set up ([`GameLine`]). Each further line is one
//! entry ([`EntryLine`]): an input of the clock, and the state after it. A line is a JSON object whose
//! last key is `sha256`: the digest of the line before and of this line. So a line that was changed,
//! exchanged or removed is found by reading, and a line that a power cut has left incomplete is no
//! line. `tail`, `jq` and `cp` work on the files.
//!
//! [`Games`] is the only writer. An entry is on the disk when [`Games::append`] returns.
//! [`GameReader`] reads a file, also while it is written.

mod backup;
mod chain;
mod checkpoint;
mod disk;
mod error;
mod folder;
mod game_reader;
mod games;
mod line;
mod open_game;

pub use backup::Copied;
pub use chain::{chain, export_sum};
pub use checkpoint::Checkpoint;
pub use error::RecordError;
pub use folder::{Lock, RecordFile, numbers};
pub use game_reader::{GameReader, Summary};
pub use games::{Games, MovedAside, Opened, Retained};
pub use line::{
    Change, Digest, ESCAPE, EntryLine, GameLine, Line, NO_DIGEST, STATE, hexadecimal, parse_digest,
};

/// The largest number of bytes of a text in a line: 1 MiB.
pub const TEXT_LIMIT: usize = 1 << 20;
/// The largest number of bytes of a line. An entry has seven texts at most.
const LINE_LIMIT: usize = 7 * TEXT_LIMIT + (64 << 10);
/// The largest number of lines in the file of a game. The service begins another game before.
pub const LINES_LIMIT: usize = 40_000;
/// The largest sum of the inputs of a game, in bytes: 24 MiB. The service, which keeps the inputs of the
/// latest game in memory at its start, begins another game before.
pub const INPUTS_LIMIT: usize = 24 << 20;
/// The largest exported file of a game, in bytes: 40 MiB. The service begins another game at 23 MiB of entries
/// ([`EntryLine::exported_bytes`]), or at 20,000 entries: a press counts about 1,050 bytes, so 20,000 of them
/// have 20 MiB. The last entry can add 9 MiB, and the game 1 MiB; the state has some KiB.
pub const EXPORT_LIMIT: usize = 40 << 20;
/// The highest number of an entry. So the service can add to the number in any file.
const HIGHEST_ENTRY: u64 = 1 << 53;
