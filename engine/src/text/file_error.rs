//! Errors in a control file or board file, with messages for the person who wrote the file.

use std::fmt;
use std::ops::Range;

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The line, from 1.
    pub line: usize,
    /// What was given and what is expected.
    pub message: String,
}

impl FileError {
    /// An error at a place in the text.
    pub fn new(text: &str, span: Range<usize>, message: String) -> FileError {
        let before = text.as_bytes().iter().take(span.start);
        FileError { line: 1 + before.filter(|byte| **byte == b'\n').count(), message }
    }

    /// The text of a file, or an error at the first line that is not UTF-8.
    pub fn text(bytes: Vec<u8>) -> Result<String, FileError> {
        String::from_utf8(bytes).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let before = error.as_bytes().iter().take(good);
            let line = 1 + before.filter(|byte| **byte == b'\n').count();
            FileError { line, message: "not UTF-8 text".into() }
        })
    }

    /// An error of the TOML parser. An error without a position is reported for line 1.
    pub fn of_toml(text: &str, error: &toml::de::Error) -> FileError {
        let span = error.span().unwrap_or(0..0);
        let given = text.get(span.clone()).unwrap_or_default();
        let message = plain_message(error.message(), given);
        FileError::new(text, span, message)
    }
}

/// The TOML parser's messages use a programmer's terms. This replaces them by terms for an arbiter who
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
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for FileError {}
