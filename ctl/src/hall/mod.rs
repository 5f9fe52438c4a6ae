//! The boards of a hall, and how the clock of each board is reached.

mod board;
mod file;
mod selection;

pub use self::board::{Board, Hall, again, beginning};
pub use self::file::{HallFile, read, read_pairings, read_text, wrong_at};
pub use self::selection::{implied_file, imply, shortened};
