//! Errors in a control file, rule file or wiring file, with messages for the person who wrote the
//! file.

use super::plain_words;
use std::fmt;
use std::ops::Range;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Place {
    /// The start of a text.
    pub const START: Place = Place { line: 1, column: 1 };

    /// The place of the byte with this offset.
    pub fn new(text: &str, offset: usize) -> Place {
        Place::after(text.get(..offset).unwrap_or(text))
    }

    /// The place right after this part of the text.
    fn after(before: &str) -> Place {
        // A byte order mark is not a column.
        let before = before.strip_prefix('\u{feff}').unwrap_or(before);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Place {
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// Where the error is.
    pub place: Place,
    /// What was given and what is expected.
    pub message: String,
}

impl FileError {
    /// An error at a place in the text.
    pub fn new(text: &str, span: Range<usize>, message: String) -> FileError {
        FileError { place: Place::new(text, span.start), message }
    }

    /// An error in the value at a place of a TOML text. If the message does not name the key of the
    /// value, the key is put before it.
    pub fn of_value(text: &str, span: Range<usize>, message: &str) -> FileError {
        let key = plain_words::key_at(text, span.start).map(|key| format!("`{key}`"));
        let message = match key.filter(|key| !message.contains(key)) {
            Some(key) => format!("{key}: {message}"),
            None => message.to_owned(),
        };
        FileError::new(text, span, message)
    }

    /// Converts the bytes of a file to text.
    ///
    /// # Errors
    ///
    /// The bytes are not UTF-8, or one of them is 0, which no text on D-Bus can contain. The place is
    /// that of the first such byte.
    pub fn text(bytes: Vec<u8>) -> Result<String, FileError> {
        let text = String::from_utf8(bytes).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(&error.as_bytes()[..good]);
            FileError { place: Place::after(&before), message: "not UTF-8 text".into() }
        })?;
        match text.split_once('\0') {
            None => Ok(text),
            Some((before, _)) => {
                let message = "the character 0 (NUL), which no text has".into();
                Err(FileError { place: Place::after(before), message })
            }
        }
    }

    /// An error of the TOML parser. An error without a position is reported for the start of the
    /// text.
    pub fn of_toml(text: &str, error: &toml::de::Error) -> FileError {
        let span = error.span().unwrap_or(0..0);
        let message = plain_words::of_toml(text, span.clone(), error.message());
        FileError::new(text, span, message)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column } = self.place;
        write!(f, "{line}:{column}: {}", self.message)
    }
}

impl std::error::Error for FileError {}

/// The title of a file, which `name` gives with its place. A title goes to terminals, and over D-Bus,
/// where a text with a character U+0000 is not valid, so it has no control characters.
pub(super) fn title(
    given: Option<(&str, Range<usize>)>,
    example: &str,
) -> Result<String, (Range<usize>, String)> {
    let wrong = match given {
        None => "no `name`",
        Some((title, _)) if title.trim().is_empty() => "`name` is empty",
        Some((title, _)) if title.contains(char::is_control) => "`name` has a control character",
        Some((title, _)) => return Ok(title.to_owned()),
    };
    let place = given.map_or(0..0, |(_, place)| place);
    Err((place, format!("{wrong}; expected a title such as \"{example}\"")))
}
