//! The lines of a TRF. FIDE's text wants each to end with CR; programs also write LF and CR LF.

use std::ops::Range;

use clock_engine::text::{FileError, Place};

/// A line without its end.
pub(in super::super) struct Line<'a> {
    pub text: &'a str,
    /// Where it is in the text of the file.
    pub at: Range<usize>,
    /// Its number, from 1.
    pub number: usize,
}

impl Line<'_> {
    /// An error in this line; the column counts characters, from 1.
    pub fn error(&self, column: usize, message: String) -> FileError {
        FileError { place: Place { line: self.number, column }, message }
    }
}

/// The lines of the text, without a byte order mark.
pub(in super::super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut offset = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut number = 0;
    std::iter::from_fn(move || {
        let rest = text.get(offset..).filter(|rest| !rest.is_empty())?;
        let length = rest.find(['\r', '\n']).unwrap_or(rest.len());
        let end = if rest[length..].starts_with("\r\n") { 2 } else { (rest.len() - length).min(1) };
        let at = offset..offset + length;
        offset += length + end;
        number += 1;
        Some(Line { text: &rest[..length], at, number })
    })
}
