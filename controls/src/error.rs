//! Why a time control or a rule profile cannot be used.

use crate::read_text::in_plain_words;
use crate::{LibraryEntry, suggest};
use clock_engine::text::{FileError, NotationError};
use std::io;

/// Why a time control or a rule profile cannot be used, with a message for the user who asked for
/// it.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no time control or rule profile of this name.
    #[error("no {what} `{name}`; {hint}")]
    UnknownName {
        /// What was asked for: `time control` or `rule profile`.
        what: &'static str,
        /// The name that was asked for.
        name: String,
        /// The similar names, the command that lists all names, and, for a command line, what is
        /// accepted besides a name.
        hint: String,
    },
    /// The text of a file is wrong; the error has the line and the column.
    #[error("{place}:{error}")]
    Invalid {
        /// The path of the file, or the name if there is no file.
        place: String,
        /// What is wrong, and where.
        error: FileError,
    },
    /// A file cannot be read.
    #[error("the {what} {place}: {}", in_plain_words(source))]
    Unreadable {
        /// What the file is: `control file` or `rule file`.
        what: &'static str,
        /// The path of the file.
        place: String,
        /// What the system says. The message has its own words for it.
        source: io::Error,
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
    /// The error for a name that is not among `names`. It names the most similar ones and the
    /// command that lists all names.
    pub(crate) fn unknown<T: LibraryEntry>(name: &str, names: &[&str]) -> LoadError {
        let all = format!("`{}` shows all {}", T::LIST, names.len());
        let hint = match suggest(name, names).as_slice() {
            [] => all,
            [one] => format!("perhaps {one}? {all}"),
            [several @ .., last] => format!("perhaps {} or {last}? {all}", several.join(", ")),
        };
        LoadError::UnknownName { what: T::WHAT, name: name.to_owned(), hint }
    }
}
