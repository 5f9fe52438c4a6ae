//! The clocks of a hall: which boards there are, where each clock is, and how a verb is carried out on one
//! of many.

mod board;
pub mod child;
mod file;
mod selection;
mod typed;

pub use self::board::{Board, Hall};
pub use self::file::{HallFile, read, read_pairings, read_text, wrong_at};
pub use self::selection::{implied_file, imply};
pub use self::typed::{again, beginning};
use crate::{
    failure::Failure,
    options::Options,
    target::{Host, Target},
};

impl Hall {
    /// The boards of `--host` or of `--hall`, as far as `--boards` names them; `None` if the command
    /// line names no host and no hall.
    pub fn of(options: &Options) -> Result<Option<Hall>, Failure> {
        let hall = if !options.hosts.is_empty() {
            Hall::of_hosts(&options.hosts)?
        } else if let Some(path) = &options.hall {
            read(path)?
        } else {
            return Ok(None);
        };
        let hall = match &options.boards {
            None => hall,
            Some(text) => hall.only(text)?,
        };
        if options.revision.is_some() && hall.boards.iter().any(|board| board.revision.is_some()) {
            let why = "--boards has a revision already: leave --if-revision out";
            return Err(Failure::Usage(why.to_owned()));
        }
        Ok(Some(hall))
    }

    /// Refuses a board that is named twice: it would get each command twice.
    fn of_hosts(hosts: &[Host]) -> Result<Hall, Failure> {
        let mut boards: Vec<Board> = Vec::new();
        for host in hosts {
            let board = Board::new(host.name().to_owned(), Target::Host(host.clone()));
            if boards.iter().any(|other| other.target == board.target) {
                return Err(Failure::Usage(format!("{} is named twice", board.target)));
            }
            boards.push(board);
        }
        Ok(Hall { boards, are_chosen: true, ..Hall::default() })
    }

    fn only(mut self, text: &str) -> Result<Hall, Failure> {
        self.boards = selection::choose(text, self.boards).map_err(Failure::Usage)?;
        self.are_chosen = true;
        Ok(self)
    }
}
