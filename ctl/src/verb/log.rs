//! `clockctl log`: prints the entries of a game, or the list of the games on record.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use anyhow::{Context, Result};
use clockctl::record::json_text::escaped;
use clockctl::record::words::{both_times, what_happened, who_and_why};
use clockctl::record::{Entry, Game};
use tokio::time::sleep;

use super::history::{History, Parsed};
use super::watch::{Lines, Writer, output_ended};
use crate::bus::Bus;
use crate::failure::Failure;
use crate::local_time::Zone;
use crate::options::{Options, whole};
use crate::out::{self, Reader};
use crate::text::{self, Column, addressed, colour, plain};

/// The interval at which `--follow` looks for new entries. An entry is on record some milliseconds
/// after its press, so this interval decides how late it is printed.
const LOOK: Duration = Duration::from_millis(500);

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The number of the game [default: the present one]
    #[arg(value_parser = whole::<u64>(0..=u64::MAX))]
    pub game: Option<u64>,
    /// List the games, the latest last
    #[arg(long, conflicts_with_all = ["game", "last", "follow"])]
    games: bool,
    /// Only the last N entries
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()))]
    last: Option<u32>,
    /// Then print every new entry, until interrupted; of a new game, too
    #[arg(short, long, conflicts_with = "game")]
    pub follow: bool,
}

impl Args {
    /// Whether an option says what is printed, so that `-n` before it was not meant for that.
    pub fn chooses_entries(&self) -> bool {
        self.games || self.last.is_some()
    }
}

const HELP: &str = "\
Each line is an entry of the record: its number, when it happened, both clocks right after it, cut off at the millisecond (> is the side on move), what \
happened, and of a command who gave it and why. The time is that of this machine's time zone; \
\"boot +0:12:34.5\" is the time since the start of the clock's machine, where that did not know the time. \
With --json each line is an entry as docs/dbus.rst describes it.";

/// Prints the entries of a game, or the list of the games.
pub async fn run(options: &Options, args: &Args) -> Result<()> {
    let cannot = "cannot read the record";
    let bus = Bus::connect(&options.target()).await.context(cannot)?;
    let history = History::of(&bus).await.context(cannot)?;
    if args.games {
        return games(options, &history).await.context(cannot);
    }
    let is_coloured = out::is_coloured(&io::stdout());
    let printer = Printer { json: options.json, is_coloured, zone: Zone::system() };
    let game = history.game(args.game).await.context(cannot)?.value;
    let mut entries = Entries { first: first(&game, args.last), game: game.game };
    let mut kept = VecDeque::new();
    loop {
        let page = entries.next_page(&history).await.context(cannot)?;
        if page.is_empty() {
            break;
        }
        if let Some(last) = args.last {
            kept.extend(page);
            while kept.len() > usize::try_from(last)? {
                kept.pop_front();
            }
        } else if !options.quiet && printer.print(&page)? == Reader::Gone {
            return Ok(());
        }
    }
    if !options.quiet && printer.print(kept.make_contiguous())? == Reader::Gone {
        return Ok(());
    }
    if args.follow { follow(options, &history, entries, printer).await } else { Ok(()) }
}

/// Returns a number such that at least the last `last` entries of the game have this number or a
/// higher one; 0 if `last` is `None`. If entries were lost, their numbers are missing, and more
/// than `last` entries can have this number or a higher one.
fn first(game: &Game, last: Option<u32>) -> u64 {
    let Some(last) = last else { return 0 };
    game.first_entry.saturating_add(game.entries).saturating_sub(last.into())
}

/// The game that is read, and the number from which its next entries are read.
struct Entries {
    game: u64,
    first: u64,
}

impl Entries {
    async fn next_page(&mut self, history: &History) -> Result<Vec<Parsed<Entry>>, Failure> {
        let page = history.entries(self.game, self.first).await?;
        if let Some(last) = page.last() {
            self.first = last.value.entry.saturating_add(1);
        }
        Ok(page)
    }
}

struct Printer {
    json: bool,
    is_coloured: bool,
    zone: Zone,
}

impl Printer {
    fn print(&self, page: &[Parsed<Entry>]) -> Result<Reader> {
        let text: String = page.iter().map(|entry| self.line(entry)).collect();
        out::print_while_read(&text)
    }

    fn line(&self, entry: &Parsed<Entry>) -> String {
        if self.json {
            return format!("{}\n", escaped(&entry.json));
        }
        // Without `..`, the compiler reports every new field that is not handled here.
        let Entry {
            entry: number,
            game: _, // the command line names it
            boot: _, // without wall time `when` counts from it
            at_ns,
            raw_ns: _, // a check of `at_ns`, for programs that read the JSON
            wall_ns,
            state,
            // These fields are part of the words at the end of the line.
            kind: _,
            events: _,
            command: _,
            chain: _, // for programs that read the JSON
        } = &entry.value;
        let when = self.zone.text(*wall_ns, *at_ns);
        let times = both_times(state);
        let happened = what_happened(&entry.value);
        let by = match who_and_why(&entry.value) {
            who if who.is_empty() => who,
            who => format!(" [{who}]"),
        };
        let line = format!("{number:>6}  {when:<19}  {times}  {happened}{by}\n");
        if self.is_coloured { coloured(&entry.value, line) } else { line }
    }
}

/// The line of an entry for a terminal: flags are red, refused commands yellow.
fn coloured(entry: &Entry, line: String) -> String {
    if entry.events.iter().any(|event| event.kind == "flag") {
        return colour::wrong(&line);
    }
    match &entry.command {
        Some(command) if command.refused.is_some() => colour::notable(&line),
        _ => line,
    }
}

/// Prints new entries, until interrupted or until nobody reads them any more.
async fn follow(
    options: &Options,
    history: &History,
    entries: Entries,
    printer: Printer,
) -> Result<()> {
    let (lines, mut writer) = Writer::start(Duration::ZERO).context("cannot start writing")?;
    tokio::select! {
        failed = send_new(options, history, entries, printer, lines) => failed,
        ended = writer.ended() => output_ended(ended),
    }
}

async fn send_new(
    options: &Options,
    history: &History,
    mut entries: Entries,
    printer: Printer,
    lines: Lines,
) -> Result<()> {
    loop {
        sleep(LOOK).await;
        let page = match new_page(history, &mut entries).await {
            Ok(page) => page,
            // systemd restarts the service at once, and the new service continues the record. So
            // the loop asks again.
            Err(Failure::NoService(_) | Failure::ServiceGone | Failure::Timeout) => continue,
            Err(failure) => return Err(failure).context("cannot read the record any more"),
        };
        if options.quiet {
            continue;
        }
        for entry in &page {
            lines.send(printer.line(entry));
        }
    }
}

/// New entries of the game that is followed. If that game has no more entries and there is a newer
/// game, the newer game is followed from then on.
async fn new_page(history: &History, entries: &mut Entries) -> Result<Vec<Parsed<Entry>>, Failure> {
    let page = entries.next_page(history).await?;
    if !page.is_empty() {
        return Ok(page);
    }
    let present = history.game(None).await?.value.game;
    if present == entries.game {
        return Ok(page);
    }
    // Further entries of the old game can have been recorded before `present` was read, so that
    // game is read once more.
    let page = entries.next_page(history).await?;
    if page.is_empty() {
        entries.game = present;
    }
    Ok(page)
}

/// Lists the games. The latest game comes last, so that it stands next to the prompt of the shell.
async fn games(options: &Options, history: &History) -> Result<()> {
    let mut games: Vec<Parsed<Game>> = Vec::new();
    loop {
        let before = games.last().map_or(0, |game| game.value.game);
        // No game has a lower number than 1. If a service returned a game 0, the next call would
        // begin with the newest game again.
        let page = if before == 1 { Vec::new() } else { history.games(before).await? };
        if page.is_empty() {
            break;
        }
        games.extend(page);
    }
    games.reverse();
    if options.quiet {
        return Ok(());
    }
    if options.json {
        let lines: String = games.iter().map(|game| format!("{}\n", escaped(&game.json))).collect();
        return out::print(&lines);
    }
    let games: Vec<Game> = games.into_iter().map(|game| game.value).collect();
    out::print(&table(&games))
}

fn table(games: &[Game]) -> String {
    let zone = Zone::system();
    let cells = |cell: &dyn Fn(&Game) -> String| games.iter().map(cell).collect::<Vec<_>>();
    let present = games.last().map(|game| game.game);
    text::table(&[
        Column::right("game", cells(&|game| game.game.to_string())),
        Column::left(
            "set up",
            cells(&|game| match zone.text(game.started_wall_ns, 0) {
                unknown if unknown.starts_with("boot") => "not known".to_owned(),
                time => time,
            }),
        ),
        Column::left("board", cells(&|game| plain(&game.board))),
        Column::left("round", cells(&|game| plain(&game.round))),
        Column::right("entries", cells(&|game| game.entries.to_string())),
        Column::left("control", cells(&|game| plain(&game.control))),
        Column::left("White", cells(&|game| plain(&game.white))),
        Column::left("Black", cells(&|game| plain(&game.black))),
        Column::left("end", cells(&|game| end(game, games, present == Some(game.game)))),
    ])
}

fn end(game: &Game, games: &[Game], present: bool) -> String {
    if game.damaged.is_some() {
        return "damaged".to_owned();
    }
    if game.adjourned {
        let number = if present { String::new() } else { format!(" {}", game.game) };
        return addressed(&format!("adjourned; clockctl resume-adjourned{number}"));
    }
    let is_later = |later: &&Game| {
        let from = later.imported_from.as_ref();
        from.is_some_and(|from| (&from.machine, from.game) == (&game.machine, game.game))
    };
    if let Some(later) = games.iter().find(is_later)
        && game.ended.as_deref() == Some("replaced")
    {
        return format!("continued as game {}", later.game);
    }
    match game.ended.as_deref() {
        Some("result") => plain(&game.result),
        Some("replaced") => "replaced by the next game".to_owned(),
        Some(other) => plain(other),
        None if present => "the present game".to_owned(),
        None => String::new(),
    }
}
