//! The clocks of a hall: which boards there are, where each clock is, and what becomes of a command
//! that is given to many of them.

mod beginning;
mod board;
pub mod changed_file;
pub mod child;
mod file;
mod implied;
pub mod last_command;
pub mod pairing_file;
mod selection;
pub mod sent;

pub use self::beginning::beginning;
pub use self::board::{Board, Hall};
pub use self::file::{HallFile, read, read_bytes, read_text, wrong_at};
pub use self::implied::{implied_file, imply};
use crate::{failure::Failure, options::Options, target::Target};

impl Hall {
    /// The boards of `--host` or of `--hall` and `--boards`; `None` if the command line names no
    /// host and no hall.
    pub fn of(options: &Options) -> Result<Option<Hall>, Failure> {
        if !options.hosts.is_empty() {
            let board = |host: &crate::target::Host| Board {
                name: host.name().to_owned(),
                target: Target::Host(host.clone()),
                white: None,
                black: None,
            };
            let boards = options.hosts.iter().map(board).collect();
            let hall = Hall { boards, are_chosen: true, ..Hall::default() };
            return hall.with_different_boards().map(Some);
        }
        let Some(path) = &options.hall else { return Ok(None) };
        let hall = read(path)?;
        match &options.boards {
            None => Ok(Some(hall)),
            Some(text) => hall.only(text).map(Some),
        }
    }

    fn only(mut self, text: &str) -> Result<Hall, Failure> {
        self.boards = selection::choose(text, self.boards).map_err(Failure::Usage)?;
        self.are_chosen = true;
        Ok(self)
    }

    /// Refuses a board that is named twice: it would get each command twice.
    fn with_different_boards(self) -> Result<Hall, Failure> {
        for (index, board) in self.boards.iter().enumerate() {
            let earlier = &self.boards[..index];
            if earlier.iter().any(|other| other.target == board.target) {
                return Err(Failure::Usage(format!("{} is named twice", board.target)));
            }
        }
        Ok(self)
    }
}
