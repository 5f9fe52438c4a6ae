//! `clockctl image set`.

use std::path::Path;

use anyhow::Result;
use clockctl::setup::{FILE_NAME, HallTable, SetUp};
use serde::Serialize;

use super::args::Set;
use super::files::{text_of, wrong_at};
use crate::{
    card::Card,
    failure::Failure,
    options::{Options, shell_word},
    out,
};

/// What was written, for scripts.
#[derive(Serialize)]
struct WrittenJson<'a> {
    card: &'a Path,
    /// The name of the file on the card.
    file: &'static str,
    board: Option<String>,
    host_name: Option<String>,
    /// The board of the next line of the table; null without a table and after its last line.
    next_board: Option<String>,
}

pub fn run(options: &Options, args: &Set) -> Result<()> {
    let (text, next_board) = text(args)?;
    let SetUp { board, host_name, .. } =
        SetUp::parse(&text).map_err(|error| wrong_at(&args.file, &error))?;
    Card::open(&args.card)?.write(FILE_NAME, text.as_bytes())?;
    if options.quiet {
        return Ok(());
    }
    if options.json {
        let (card, file) = (args.card.as_path(), FILE_NAME);
        return out::print_json(&WrittenJson { card, file, board, host_name, next_board });
    }
    let of_board = board.map(|board| format!(": board {board}")).unwrap_or_default();
    let of_host = host_name.map(|name| format!(", {name}")).unwrap_or_default();
    let mut said = format!("{}{of_board}{of_host}\n", args.card.display());
    if let (Some(next), Some(table)) = (next_board, &args.csv) {
        let word = |path: &Path| shell_word(&path.to_string_lossy());
        let (file, card, table) = (word(&args.file), word(&args.card), word(table));
        let next = shell_word(&next);
        said += &format!("next: clockctl image set {file} {card} --csv {table} --board {next}\n");
    }
    out::print(&said)
}

/// The text that belongs on the card, and the next board of the table.
fn text(args: &Set) -> Result<(String, Option<String>), Failure> {
    let text = text_of(&args.file)?;
    let (Some(csv), Some(board)) = (&args.csv, &args.board) else { return Ok((text, None)) };
    let wrong = |why: String| Failure::Usage(format!("{}: {why}", csv.display()));
    let table = HallTable::parse(&text_of(csv)?).map_err(wrong)?;
    let place = table.place(board).map_err(wrong)?;
    let next = table.rows.get(place + 1).map(|row| row.board.clone());
    let text = table.rows[place].text(&text).map_err(|error| wrong_at(&args.file, &error))?;
    Ok((text, next))
}
