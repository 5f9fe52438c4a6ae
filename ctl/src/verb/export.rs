//! `clockctl export`: writes a game of the record to a file or to standard output.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use clockctl::pairings::Player;
use clockctl::record::Record;
use clockctl::record::csv::csv;
use clockctl::record::file::{self, RecordFile};
use clockctl::record::joined::{part_before, put_before};
use clockctl::record::pgn::{dated, pgn_with};
use serde::Serialize;

use super::file_format::{FileFormat, format_of};
use super::history::History;
use super::record_file;
use super::record_file::Earlier;
use crate::bus::Bus;
use crate::failure::Failure;
use crate::hall::{read_pairings, wrong_at};
use crate::local_time::Zone;
use crate::options::{Options, word};
use crate::{one_of_many, out, text};

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The number of the game [default: the present one; clockctl log --games lists them], or a name
    /// that ends in .json, .pgn, .csv or .trf, which is that of the file
    #[arg(value_name = "GAME", value_hint = clap::ValueHint::AnyPath, value_parser = Operand::parse, num_args = 0..=2)]
    operands: Vec<Operand>,
    /// The format [default: that of the name of the file, such as x.pgn; otherwise json]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The file, which must not exist yet [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Take the game from a JSON file that was exported before; this needs no clock
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// PGN and CSV: put the part of the game on an earlier clock first, from the JSON file that was
    /// exported there; can be given several times
    #[arg(long, value_name = "FILE")]
    pub earlier: Vec<PathBuf>,
    /// PGN: take the titles, ratings and FIDE numbers of the players from this Tournament Report
    /// File (TRF), by their names
    #[arg(long, value_name = "FILE")]
    pairings: Option<PathBuf>,
    /// With a hall file: write a copy of this file of pairings (TRF, or CSV with a column result)
    /// with the results of the boards; -o may name the same file
    #[arg(long, value_name = "FILE", requires = "output",
        conflicts_with_all = ["format", "from", "pairings"])]
    pub into: Option<PathBuf>,
}

/// What stands on the command line without an option.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Operand {
    Game(u64),
    File(PathBuf),
}

/// The endings of names that are files and no games.
const ENDINGS: [&str; 4] = ["json", "pgn", "csv", "trf"];

impl Operand {
    fn parse(text: &str) -> Result<Operand, String> {
        let ending = Path::new(text).extension().map(|it| it.to_string_lossy().to_lowercase());
        if ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
            return Ok(Operand::File(text.into()));
        }
        text.parse().map(Operand::Game).map_err(|_| {
            "expected the number of a game, or a file with a name such as game.pgn; another name is given \
             with -o"
                .to_owned()
        })
    }
}

/// A format of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Everything; clockctl import reads it
    Json,
    /// For chess programs: a null move with both times for each move, the rest as comments
    Pgn,
    /// For spreadsheets: one line for each entry; of many clocks the results, one line for each
    /// board
    Csv,
}

impl FileFormat for Format {
    const DEFAULT: Format = Format::Json;

    fn of_extension(extension: &str) -> Option<Format> {
        match extension {
            "json" => Some(Format::Json),
            "pgn" => Some(Format::Pgn),
            "csv" => Some(Format::Csv),
            _ => None,
        }
    }
}

const HELP: &str = "\
The clock does not know the moves: in PGN -- stands for each. docs/record.md describes the formats. The sums of the entries and of the file are \
computed anew; if they do not match, or if the file of --from has no sum, the game is written all the same, with a message, and the exit code is 8. Sums are no signature: who computes them anew can forge a file. With --json a line says what was written, or has the text itself.";

impl Args {
    /// Whether the game is written to standard output.
    fn is_printed(&self) -> bool {
        self.output().is_none()
    }

    /// Whether the text can be longer than a screen: JSON is printed only where it is asked for.
    pub fn is_long(&self) -> bool {
        self.is_printed() && self.format.is_some()
    }

    /// The number of the game that was given.
    fn game(&self) -> Option<u64> {
        self.operands.iter().find_map(|operand| match operand {
            Operand::Game(game) => Some(*game),
            Operand::File(_) => None,
        })
    }

    /// Refuses operands that contradict each other.
    fn check_operands(&self) -> Result<(), String> {
        let games = self.operands.iter().filter(|it| matches!(it, Operand::Game(_))).count();
        let files = self.operands.len() - games + usize::from(self.output.is_some());
        if games > 1 {
            Err("one game at a time: give one number".to_owned())
        } else if files > 1 {
            Err("one file at a time: give one name".to_owned())
        } else if games == 1 && self.from.is_some() {
            Err("the file of --from has one game: give no number".to_owned())
        } else {
            Ok(())
        }
    }

    /// Refuses to fill a terminal with some 25 kB of JSON that nobody has asked for.
    fn check_terminal(&self, options: &Options, is_terminal: bool) -> Result<(), String> {
        let is_asked_for = self.format.is_some() || options.json || options.quiet;
        if !is_terminal || is_asked_for || !self.is_printed() {
            return Ok(());
        }
        Err(text::addressed(
            "the whole record is JSON and is for a file: clockctl export game.json; to read the game here: \
             clockctl export --format pgn",
        ))
    }

    /// Refuses what is for one clock only: many clocks export their present games as PGN, which can
    /// have many games in one file, or their results.
    pub fn check_for_many(&self) -> Result<(), String> {
        self.check_operands()?;
        if self.into.is_some() {
            return Ok(());
        }
        if self.format()? == Format::Json {
            Err("of many clocks export writes one file of games or of results: add --format pgn, or \
                 -o with a name such as round.pgn or results.csv, or choose one clock with --boards"
                .to_owned())
        } else if self.game().is_some() || self.from.is_some() {
            Err("of many clocks export writes the present games: give no number and no --from"
                .to_owned())
        } else {
            Ok(())
        }
    }

    /// Whether the results of many clocks are written, and not their games.
    pub fn is_results(&self) -> bool {
        self.into.is_none() && self.format() == Ok(Format::Csv)
    }

    /// What the file of `--pairings` knows of the players.
    pub fn players(&self) -> Result<BTreeMap<String, Player>, Failure> {
        let Some(path) = &self.pairings else { return Ok(BTreeMap::new()) };
        if self.format() != Ok(Format::Pgn) {
            let why = "--pairings is for PGN, which has ratings: add --format pgn";
            return Err(Failure::Usage(why.to_owned()));
        }
        let file = read_pairings(path)?;
        file.players().map_err(|error| wrong_at(path, &error))
    }

    fn format(&self) -> Result<Format, String> {
        format_of(self.format, self.output())
    }

    /// The file that is written.
    pub fn output(&self) -> Option<&Path> {
        let named = self.operands.iter().find_map(|operand| match operand {
            Operand::File(file) => Some(file.as_path()),
            Operand::Game(_) => None,
        });
        self.output.as_deref().or(named)
    }
}

/// What was written, for scripts.
#[derive(Serialize)]
struct ExportJson<'a> {
    game: u64,
    entries: usize,
    format: String,
    /// The path as it was given; null if `text` has the exported game.
    file: Option<&'a Path>,
    text: Option<&'a str>,
    /// Whether every sum of the file matches.
    intact: bool,
}

/// Writes the game.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let cannot = "cannot export the game";
    let is_terminal = io::stdout().is_terminal();
    let checked = args.check_operands().and_then(|()| args.check_terminal(options, is_terminal));
    checked.map_err(Failure::Usage).context(cannot)?;
    let format = args.format().map_err(Failure::Usage).context(cannot)?;
    if format == Format::Json && !args.earlier.is_empty() {
        let why = "--earlier is for --format pgn and csv: a JSON file is the record of one clock";
        return Err(Failure::Usage(why.to_owned())).context(cannot);
    }
    if args.into.is_some() {
        let why =
            "--into needs the boards of a hall: clockctl --hall FILE export -o FILE --into FILE";
        return Err(Failure::Usage(why.to_owned())).context(cannot);
    }
    let players = args.players().context(cannot)?;
    let earlier = Earlier::read(&args.earlier).context(cannot)?;
    let (json, mut file) = match &args.from {
        Some(path) => {
            let (text, file) = record_file::read(path).context(cannot)?;
            (text, file)
        }
        None if format == Format::Json => from_clock(options, args.game()).await.context(cannot)?,
        None => whole_from_clock(options, args.game()).await.context(cannot)?,
    };
    let is_earlier_changed = earlier.warn_of_doubt();
    earlier.join(&mut [&mut file.record]).context(cannot)?;
    let text = match format {
        Format::Json => json,
        Format::Pgn => pgn_of(&file.record, &players),
        Format::Csv => csv(&file.record),
    };
    if let Some(path) = args.output() {
        out::write_new(path, &text).context(cannot)?;
    }
    print(options, args, format, &file, &text)?;
    Ok(in_order(&[(None, &file)], is_earlier_changed)?)
}

/// Refuses games whose record is in doubt, after they were written. Each is named with its board if
/// there are several.
pub fn in_order(
    games: &[(Option<&str>, &RecordFile)],
    is_earlier_changed: bool,
) -> Result<(), Failure> {
    let doubts = games.iter().filter_map(|(board, file)| {
        let board = board.map(|board| format!("board {board}: ")).unwrap_or_default();
        Some(format!("{board}{}", file.doubt()?))
    });
    let earlier = is_earlier_changed.then(|| "a file of --earlier is in doubt".to_owned());
    let all: Vec<String> = doubts.chain(earlier).collect();
    if all.is_empty() { Ok(()) } else { Err(Failure::NotInOrder(all.join("; "))) }
}

/// The game as PGN, with the date in the zone of this machine.
pub fn pgn_of(record: &Record, players: &BTreeMap<String, Player>) -> String {
    pgn_with(record, Zone::system().offset(dated(record)), players)
}

/// Like [`from_clock`], with the parts of the game before it that the clock has as other games. A
/// game that was adjourned and taken up again has such a part.
pub async fn whole_from_clock(
    options: &Options,
    number: Option<u64>,
) -> Result<(String, RecordFile)> {
    let bus = Bus::connect(&options.target()).await?;
    let history = History::of(&bus).await?;
    let (text, mut file) = read(&history, number).await?;
    while let Some(game) = part_before(&file.record) {
        let part = match read(&history, Some(game)).await {
            Ok((_, part)) => part,
            // A part that the record has no more is left out, like a part on another clock.
            Err(error) if error.downcast_ref().is_some_and(Failure::is_not_found) => break,
            Err(error) => {
                let of = file.record.game.game;
                return Err(error.context(format!(
                    "cannot read game {game}, the part before the adjournment of game {of}"
                )));
            }
        };
        if !put_before(&mut file.record, &part.record) {
            break;
        }
        file.add_doubt(&part);
    }
    Ok((text, file))
}

/// Reads the game from the clock. Returns the text of the file to be written, and the same file
/// parsed.
async fn from_clock(options: &Options, number: Option<u64>) -> Result<(String, RecordFile)> {
    let bus = Bus::connect(&options.target()).await?;
    read(&History::of(&bus).await?, number).await
}

async fn read(history: &History, number: Option<u64>) -> Result<(String, RecordFile)> {
    let game = history.game(number).await?.value.game;
    let whole = history.whole_game(game).await?;
    let mut entries = Vec::new();
    let mut bytes = whole.len();
    let (mut last_entry, mut last_chain) = (0_u64, String::new());
    loop {
        let page = history.entries(game, last_entry.saturating_add(1)).await?;
        let Some(last) = page.last() else { break };
        last_entry = last.value.entry;
        last_chain.clone_from(&last.value.chain);
        bytes += page.iter().map(|entry| entry.json.len()).sum::<usize>();
        if bytes > file::MAX_BYTES {
            let most = file::MAX_BYTES >> 20;
            let why =
                format!("game {game} has more than {most} MiB, the most that a file may have");
            return Err(Failure::Protocol(why).into());
        }
        entries.extend(page.into_iter().map(|entry| entry.json));
    }
    let state = match history.state(game, last_entry).await {
        Ok(state) => Some(state),
        // The files of many clocks do not contain the state, so nothing is missing.
        Err(Failure::Refused { .. } | Failure::Protocol(_)) if one_of_many::is_here() => None,
        Err(failure @ (Failure::Refused { .. } | Failure::Protocol(_))) => {
            let why = text::plain(&failure.to_string());
            out::report(&format!("the file is without the whole state of the game: {why}\n"));
            None
        }
        Err(failure) => return Err(failure.into()),
    };
    let text = file::write(&whole, &entries, &last_chain, state.as_deref());
    let wrong = |error| Failure::Protocol(format!("the record cannot be read: {error}"));
    let read = file::read(text.as_bytes()).map_err(wrong)?;
    Ok((text, read))
}

fn print(
    options: &Options,
    args: &Args,
    format: Format,
    file: &RecordFile,
    text: &str,
) -> Result<()> {
    let (game, entries) = (file.record.game.game, file.record.entries.len());
    if options.quiet && args.output().is_some() {
        return Ok(());
    }
    if options.json {
        return out::print_json(&ExportJson {
            game,
            entries,
            format: word(&format),
            file: args.output(),
            text: args.is_printed().then_some(text),
            intact: file.doubt().is_none(),
        });
    }
    match args.output() {
        None => out::print(text),
        Some(path) => {
            let path = text::plain(&path.display().to_string());
            out::print(&format!("game {game}, {entries} entries: written to {path}\n"))
        }
    }
}
