//! The clocks of a hall: which boards there are, where each clock is, and how a verb is carried out on one
//! of many.

pub mod child;
mod file;
mod selection;
mod typed;

pub use self::file::{HallFile, read, read_pairings, read_text, wrong_at};
pub use self::selection::{implied_file, imply};
pub use self::typed::{again, beginning};
use crate::{
    failure::Failure,
    options::Options,
    target::{Host, Target},
};

/// The boards that the command line names, and what the hall file says of all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hall {
    pub event: Option<String>,
    pub round: Option<String>,
    pub boards: Vec<Board>,
    /// Whether the command line has said which boards of the file are meant.
    pub are_chosen: bool,
}

/// One board of a hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The number of the table, or the name of the host.
    pub name: String,
    pub target: Target,
    /// The players, as far as the hall file names them.
    pub white: Option<String>,
    pub black: Option<String>,
    /// The revision that the command line gives with the board: a command is carried out only if the
    /// clock still has it.
    pub revision: Option<u64>,
}

impl Board {
    pub fn new(name: String, target: Target) -> Board {
        Board { name, target, white: None, black: None, revision: None }
    }
}

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
