//! The program's verbs, one file each, and how they fail.

pub mod args;
pub mod bounce;
pub mod chip;
pub mod cpu_load;
pub mod lines;
pub mod load_spans;
pub mod play;
pub mod sys;

use std::fmt::Display;
use std::io::{self, Write as _};

/// What failed, on what, and why.
#[derive(Debug)]
pub struct Failure(String);

/// The result of a verb.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure with this message.
    pub fn new(what: impl Into<String>) -> Failure {
        Failure(what.into())
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Names the operation that failed.
pub trait Doing<T> {
    /// Converts an error to the failure "cannot `what`: error".
    fn doing(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Display> Doing<T> for std::result::Result<T, E> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Failure(format!("cannot {}: {error}", what())))
    }
}

/// Prints a line and flushes it, because another program waits for it.
pub fn say(line: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).doing(|| "write the report".to_owned())
}
