//! Writing to standard output.

use std::io::{self, ErrorKind, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Writes text to standard output, line end included by the caller.
///
/// A closed pipe is no failure: its reader has read enough.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error).into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes one JSON object as one line.
pub fn print_json(object: &impl Serialize) -> anyhow::Result<()> {
    print(&json_line(object)?)
}

/// One JSON object as one line, with its line end.
pub fn json_line(object: &impl Serialize) -> anyhow::Result<String> {
    let mut line = serde_json::to_string(object)?;
    line.push('\n');
    Ok(line)
}
