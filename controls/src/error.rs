//! Why a time control cannot be used.

use crate::suggest;
use clock_engine::text::{FileError, NotationError};
use std::io;

/// Why a time control cannot be used, with a message for the user who asked for it.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No control has this name.
    #[error("no time control `{name}`; {hint}")]
    UnknownName {
        /// The name that was asked for.
        name: String,
        /// The similar names, and what else is accepted.
        hint: String,
    },
    /// The text of a control file is wrong; the error has the line.
    #[error("{place}:{error}")]
    Invalid {
        /// The path of the file, or the name of the control if there is no file.
        place: String,
        /// What is wrong, and in which line.
        error: FileError,
    },
    /// A control file cannot be read.
    #[error("the control file {place}: {source}{hint}")]
    Unreadable {
        /// The path of the file.
        place: String,
        /// What the system says.
        source: io::Error,
        /// What is wrong with the path as a notation, if it could be one; otherwise empty.
        hint: String,
    },
    /// A notation is wrong.
    #[error("the time control {notation}: {error}")]
    Notation {
        /// The text that was given.
        notation: String,
        /// What is wrong with it, and what is accepted.
        error: NotationError,
    },
}

impl LoadError {
    /// The error for a name that is none of these names: the most similar names, and where all names
    /// are listed.
    pub(crate) fn unknown(name: &str, names: &[&str]) -> LoadError {
        let all = format!("`clockctl control list` shows all {}", names.len());
        let hint = match suggest(name, names).as_slice() {
            [] => all,
            [one] => format!("perhaps {one}? {all}"),
            [several @ .., last] => format!("perhaps {} or {last}? {all}", several.join(", ")),
        };
        LoadError::UnknownName { name: name.to_owned(), hint }
    }
}
