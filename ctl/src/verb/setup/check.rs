//! `clockctl setup check` and `boards`.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use anyhow::Result;
use clock_engine::text::FileError;
use clockctl::setup::{FILE_NAME, HallTable, KEYS, SetUp};
use serde::Serialize;

use super::files::{text_of, wrong_at};
use crate::{failure::Failure, options::Options, out, text::plain};

/// A set-up file that was checked, for scripts.
#[derive(Serialize)]
struct CheckedJson<'a> {
    file: &'a Path,
    /// The keys of the file, with stars in place of the passphrase.
    sets: toml::Table,
}

/// The files that were written, for scripts.
#[derive(Serialize)]
struct BoardsJson<'a> {
    folder: &'a Path,
    boards: Vec<&'a str>,
}

pub(super) fn check(options: &Options, file: &Path) -> Result<()> {
    let text = text_of(file)?;
    let wrong = |error: FileError| wrong_at(file, &error);
    let set_up = SetUp::parse(&text).map_err(wrong)?;
    if options.quiet {
        return Ok(());
    }
    let secret = set_up.wifi.and_then(|wifi| wifi.into_inner().passphrase);
    let text = secret.map_or(text.clone(), |secret| secret.masked(&text));
    let sets: toml::Table =
        toml::from_str(&text).map_err(|error| wrong(FileError::of_toml(&text, &error)))?;
    if options.json {
        return out::print_json(&CheckedJson { file, sets });
    }
    let lines = toml::to_string(&sets)?;
    let mut said: String = lines.lines().map(|line| format!("{}\n", plain(line))).collect();
    let left: Vec<&str> = KEYS.into_iter().filter(|key| !sets.contains_key(*key)).collect();
    if !left.is_empty() {
        said += &format!("# stays as it is on the clock: {}\n", left.join(", "));
    }
    out::print(&said)
}

pub(super) fn boards(options: &Options, file: &Path, table: &Path, folder: &Path) -> Result<()> {
    let text = text_of(file)?;
    let HallTable { rows } = HallTable::parse(&text_of(table)?)
        .map_err(|why| Failure::Usage(format!("{}: {why}", table.display())))?;
    let texts = rows.iter().map(|row| row.text(&text)).collect::<Result<Vec<_>, _>>();
    let texts = texts.map_err(|error| wrong_at(file, &error))?;
    // The files have the passphrase, so only their owner may read them. A new folder has no file that
    // could be overwritten.
    let make = |path: &Path| {
        DirBuilder::new().mode(0o700).create(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => out::exists_already(path),
            kind => Failure::Output(io::Error::new(kind, format!("{}: {error}", path.display()))),
        })
    };
    make(folder)?;
    for (row, text) in rows.iter().zip(texts) {
        let folder = folder.join(format!("board-{}", row.board));
        make(&folder)?;
        out::write_new(&folder.join(FILE_NAME), text)?;
    }
    if options.quiet {
        return Ok(());
    }
    if options.json {
        let boards = rows.iter().map(|row| row.board.as_str()).collect();
        return out::print_json(&BoardsJson { folder, boards });
    }
    out::print(&format!("{}: {} boards\n", folder.display(), rows.len()))
}
