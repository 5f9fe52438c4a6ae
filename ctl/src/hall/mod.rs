//! The clocks of a hall: which boards there are, and where each clock is.

mod board;
mod file;
mod selection;

pub use self::board::{Board, Hall, again, beginning};
pub use self::file::{HallFile, read, read_pairings, read_text, wrong_at};
pub use self::selection::{implied_file, imply, shortened};
