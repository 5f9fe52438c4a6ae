//! Errors in a control file, rule file or wiring file, with messages for the person who wrote the
//! file.

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
        let given = text.get(span.clone()).unwrap_or_default();
        let message = plain_message(error.message(), given);
        FileError::new(text, span, message)
    }
}

/// Replaces the programmer's terms in a message of the TOML parser by terms for an arbiter who
/// writes a file.
fn plain_message(message: &str, given: &str) -> String {
    if message == "duplicate key" {
        return format!("`{given}` is given twice");
    }
    let dates = ["invalid time", "invalid date"];
    if message.contains("$__toml_private_datetime") || dates.iter().any(|d| message.starts_with(d))
    {
        return "a time without quotation marks; expected them, as in \"1:30:00\"".into();
    }
    if message.starts_with("string values must be quoted") {
        return "text without quotation marks; expected them, as in \"5m\"".into();
    }
    let mut words = message.replace('\n', "; ");
    for (theirs, ours) in [
        (
            "invalid type: map, expected a sequence",
            "a single table; expected a list of them, each begun with double brackets as in \
             [[period]]",
        ),
        ("invalid type: ", "found "),
        ("invalid value: ", "found "),
        ("found map", "found a table"),
        ("found sequence", "found a list"),
        ("found string", "found text"),
        ("unknown field", "unknown key"),
        ("missing field", "missing key"),
        ("expected a string", "expected text in quotation marks"),
        ("expected a boolean", "expected true or false"),
        ("expected a sequence", "expected a list"),
    ] {
        words = words.replace(theirs, ours);
    }
    words
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, column } = self.place;
        write!(f, "{line}:{column}: {}", self.message)
    }
}

impl std::error::Error for FileError {}

/// Refuses a `name` that is empty or has control characters. A name goes to terminals, and over
/// D-Bus, where a text with a character U+0000 is not valid.
pub(super) fn check_title(title: &str, expected: &str) -> Result<(), String> {
    if title.trim().is_empty() {
        return Err(format!("`name` is empty; {expected}"));
    }
    if title.contains(char::is_control) {
        return Err(format!("`name` has a control character; {expected}"));
    }
    Ok(())
}
