//! `clockd --copy-record` and `clockd --replace-record`: copy the record for `clockctl backup`, and put
//! a backup of it in its place.
//!
//! `clockctl` starts a process of its own for each, as the user who owns the folder of the record. The
//! service takes no part: it may not read or write outside of its folder, and a copy must not delay
//! the clock. The process is not root, because symbolic links in that folder could lead root to other
//! files.
//!
//! `--copy-record` says `record BYTES VERSION GAMES` and then writes these bytes, or says `none`.
//!
//! `--replace-record` reads the line `BYTES` and these bytes. When all of them are checked, it says
//! `checked BYTES VERSION GAMES`. After the line `replace` it puts them in the place of the record, and
//! says `replaced PATH` with the new path of the earlier record, or `new` if there was none. If the input
//! ends before that line, nothing is changed.
//!
//! In case of an error, both write `error: …` in place of the next line, and end.

use crate::record::store::{Copy, CopyFacts};
use crate::service::Failure;
use std::io::{self, BufRead, Write};
use std::path::Path;

/// The longest line of the input, in bytes.
const LINE_LIMIT: u64 = 64;
/// The largest backup of a record that is read: 64 GiB, the largest database with pages of 4 KiB.
const BYTES_LIMIT: u64 = 1 << 36;

/// Writes a copy of the record at `path` to standard output.
pub fn copy_record(path: &Path) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let done = copy(path, &mut output);
    told(done, &mut output)
}

/// Puts the backup on standard input in the place of the record at `path`.
pub fn replace_record(path: &Path) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let done = replace(path, &mut io::stdin().lock(), &mut output);
    told(done, &mut output)
}

/// If there was an error, writes it as the answer.
fn told(done: Result<(), String>, output: &mut impl Write) -> Result<(), Failure> {
    let Err(why) = done else { return Ok(()) };
    writeln!(output, "error: {why}").and_then(|()| output.flush())?;
    Err(Failure::Backup)
}

fn copy(path: &Path, output: &mut impl Write) -> Result<(), String> {
    let copy = Copy::of_record(path).map_err(|error| error.to_string())?;
    let Some(mut copy) = copy else { return said(output, "none") };
    said(output, &format!("record {}", words(copy.facts)))?;
    let written = copy.reader().and_then(|mut from| io::copy(&mut from, output));
    written.and_then(|_| output.flush()).map_err(|error| error.to_string())
}

fn replace(path: &Path, input: &mut impl BufRead, output: &mut impl Write) -> Result<(), String> {
    let first = line(input)?.unwrap_or_default();
    let bytes = first.parse().ok().filter(|bytes| (1..=BYTES_LIMIT).contains(bytes));
    let bytes =
        bytes.ok_or_else(|| format!("`{first}`; expected the bytes, 1 to {BYTES_LIMIT}"))?;
    let copy = Copy::of_backup(path, input, bytes).map_err(|error| error.to_string())?;
    said(output, &format!("checked {}", words(copy.facts)))?;
    match line(input)?.as_deref() {
        None => return Ok(()),
        Some("replace") => {}
        Some(other) => return Err(format!("`{other}`; expected replace")),
    }
    let before = copy.replace().map_err(|error| error.to_string())?;
    said(output, &before.map_or("new".to_owned(), |it| format!("replaced {}", it.display())))
}

fn words(facts: CopyFacts) -> String {
    let CopyFacts { bytes, version, games } = facts;
    format!("{bytes} {version} {games}")
}

fn said(output: &mut impl Write, line: &str) -> Result<(), String> {
    writeln!(output, "{line}").and_then(|()| output.flush()).map_err(|error| error.to_string())
}

/// The next line of the input; `None` at its end.
fn line(input: &mut impl BufRead) -> Result<Option<String>, String> {
    let mut line = String::new();
    let read = io::Read::take(&mut *input, LINE_LIMIT).read_line(&mut line);
    match read.map_err(|error| error.to_string())? {
        0 => Ok(None),
        _ => Ok(Some(line.trim_end().to_owned())),
    }
}
