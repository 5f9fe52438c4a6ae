//! The games on record: a folder with one file for each game, such as `000123.jsonl`.
//!
//! The first line of a file is the game as it was set up ([`GameLine`]). Each further line is one
//! entry ([`Entry`]): an input of the clock, and the state after it. A line is a JSON object whose
//! last key is `sha256`: the digest of the line before and of this line. So a line that was changed,
//! exchanged or removed is found by reading, and a line that a power cut has left incomplete is no
//! line. `tail`, `jq` and `cp` work on the files.
//!
//! [`Games`] is the only writer. An entry is on the disk when [`Games::append`] returns.
//! [`GameReader`] reads a file, also while it is written.

mod checkpoint;
mod disk;
mod error;
mod folder;
mod game_reader;
mod games;
mod line;

pub use checkpoint::Checkpoint;
pub use error::RecordError;
pub use folder::numbers;
pub use game_reader::{GameReader, Summary};
pub use games::{Games, MovedAside, Opened, Retained};
pub use line::{Change, Digest, Entry, GameLine, Line, NO_DIGEST, STATE};

/// The largest number of bytes in a line. A line has four texts of at most 1 MiB, and a game the
/// texts of its files.
pub const LINE_LIMIT: usize = (4 << 20) + (64 << 10);
/// The largest number of lines in the file of a game. The service begins another game before.
pub const LINES_LIMIT: usize = 40_000;
