//! One board of a hall, and all of them.

use crate::target::Target;

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
