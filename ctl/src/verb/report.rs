//! `clockctl report`: what an arbiter has to answer for, of a game or of all games of a round.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use clockctl::record::{
    Entry,
    arbiter_report::{ReportedGame, csv, html, text},
    file::RecordFile,
};

use super::export::{in_order, whole_from_clock};
use super::file_format::{FileFormat, format_of};
use super::record_file::{self, Earlier};
use crate::{
    failure::Failure,
    local_time::Zone,
    options::{Options, whole},
    out,
    text::plain,
};

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The number of the game [default: the present one]
    #[arg(value_name = "GAME", value_parser = whole::<u64>(0..=u64::MAX), conflicts_with = "from")]
    game: Option<u64>,
    /// The format [default: that of the name of the file, such as x.html; otherwise text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The file, which must not exist yet [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Take the game from a JSON file that was exported before; this needs no clock
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Put the part of a game on an earlier clock first, from the JSON file that was exported there;
    /// can be given several times
    #[arg(long, value_name = "FILE")]
    pub earlier: Vec<PathBuf>,
}

/// A format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines for a terminal
    Text,
    /// For spreadsheets: one line for each entry
    Csv,
    /// A page to be printed with a browser
    Html,
}

impl FileFormat for Format {
    const DEFAULT: Format = Format::Text;

    fn of_extension(extension: &str) -> Option<Format> {
        match extension {
            "txt" => Some(Format::Text),
            "csv" => Some(Format::Csv),
            "html" | "htm" => Some(Format::Html),
            _ => None,
        }
    }
}

impl Args {
    /// Whether the report is text on standard output.
    pub fn is_long(&self) -> bool {
        self.output.is_none() && self.format() == Ok(Format::Text)
    }

    /// Refuses what is for one clock only.
    pub fn check_for_many(&self) -> Result<(), String> {
        self.format()?;
        match (self.game, &self.from) {
            (None, None) => Ok(()),
            _ => Err("of many clocks the present games are reported: give no number and no --from"
                .into()),
        }
    }

    fn format(&self) -> Result<Format, String> {
        format_of(self.format, self.output())
    }

    /// The file that is written.
    pub fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

/// A game with the number of its board; empty if it is not known.
pub struct GameOfBoard {
    pub board: String,
    pub file: RecordFile,
}

/// Reports a game of one clock.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let cannot = "cannot report the game";
    args.format().map_err(Failure::Usage).context(cannot)?;
    let earlier = Earlier::read(&args.earlier).context(cannot)?;
    let (_, mut file) = match &args.from {
        Some(path) => record_file::read(path).context(cannot)?,
        None => whole_from_clock(options, args.game).await.context(cannot)?,
    };
    let is_earlier_changed = earlier.warn_of_doubt();
    earlier.join(&mut [&mut file.record]).context(cannot)?;
    let game = GameOfBoard { board: file.record.game.board.clone(), file };
    write(options, args, std::slice::from_ref(&game))?;
    Ok(in_order(&[(None, &game.file)], is_earlier_changed)?)
}

/// Writes the report of these games.
pub fn write(options: &Options, args: &Args, games: &[GameOfBoard]) -> Result<()> {
    if options.json {
        let why = "report has no --json: --format csv is for programs";
        return Err(Failure::Usage(why.to_owned()).into());
    }
    let zone = Zone::system();
    let when = |entry: &Entry| zone.text(entry.wall_ns, entry.at_ns);
    let reported: Vec<ReportedGame> = games
        .iter()
        .map(|game| ReportedGame { board: &game.board, record: &game.file.record })
        .collect();
    let text = match args.format().map_err(Failure::Usage)? {
        Format::Text => text(&reported, &when),
        Format::Csv => csv(&reported),
        Format::Html => html(&reported, &when),
    };
    let games = match games.len() {
        1 => "1 game".to_owned(),
        count => format!("{count} games"),
    };
    write_or_print(options, args.output.as_deref(), &text, &games)
}

/// Writes the text to a new file, and prints `what: written to PATH` unless `--quiet` is given. Without a path,
/// prints the text.
pub fn write_or_print(
    options: &Options,
    path: Option<&Path>,
    text: &str,
    what: &str,
) -> Result<()> {
    let Some(path) = path else { return out::print(text) };
    out::write_new(path, text)?;
    if options.quiet {
        return Ok(());
    }
    out::print(&format!("{what}: written to {}\n", plain(&path.display().to_string())))
}
