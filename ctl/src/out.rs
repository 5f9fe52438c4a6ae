//! Writing text and JSON to standard output.

use std::io::{self, ErrorKind, Write};

use clockctl::record::json_text::escaped;
use serde::Serialize;

use crate::failure::Failure;

/// Writes text to standard output. The caller includes the line end.
///
/// If the reader has closed the pipe, `print` returns no error: the reader needs no more text.
pub fn print(text: &str) -> anyhow::Result<()> {
    print_while_read(text).map(|_reader| ())
}

/// Writes text to standard error. The caller includes the line end.
///
/// If standard error cannot be written, for example because the terminal has gone away, the text is
/// lost, and the exit code still says how the run ended. `eprintln!` would panic.
pub fn report(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Whether there still is a reader of standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The text was written.
    Present,
    /// The other end of the pipe was closed, so nothing that follows will be read.
    Gone,
}

/// Writes text as [`print`] does. Also returns whether there still is a reader, for a caller that
/// can stop if there is none.
pub fn print_while_read(text: &str) -> anyhow::Result<Reader> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Ok(Reader::Present),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(Failure::Output(error).into()),
    }
}

/// Writes one JSON object as one line.
pub fn print_json(object: &impl Serialize) -> anyhow::Result<()> {
    print(&json_line(object)?)
}

/// One JSON object as one line, with its line end. Characters of names and reasons that could
/// change what a terminal shows are escaped.
pub fn json_line(object: &impl Serialize) -> anyhow::Result<String> {
    let mut line = escaped(&serde_json::to_string(object)?);
    line.push('\n');
    Ok(line)
}
