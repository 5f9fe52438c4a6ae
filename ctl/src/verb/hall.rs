//! `clockctl hall`: writes and checks the file that lists the boards of a hall.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Subcommand;
use clockctl::setup::{HallTable, Row};
use serde::Serialize;

use crate::{
    failure::Failure,
    hall::{self, HallFile},
    options::Options,
    out,
    target::Host,
    text::{Column, plain, table},
};

/// The most digits of a number in the name of a host.
const DIGITS_LIMIT: usize = 20;
/// The longest table, in bytes.
const TABLE_LIMIT: u64 = 64 * 1024;

#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Debug, Subcommand)]
enum Action {
    /// Write a hall file with one board for each host, numbered from 1, or for each line of a table
    Init(Init),
    /// Say whether a hall file can be used, and list its boards
    Check {
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

#[derive(Clone, Debug, clap::Args)]
struct Init {
    /// The clocks in the order of the boards; a range of numbers in brackets stands for several,
    /// such as arbiter@clock-[01-40]. Or the table with which the cards were written, such as
    /// hall.csv: the boards of its lines, on the machines of its column host_name
    #[arg(value_name = "HOST", required = true)]
    clocks: Vec<String>,
    /// The name of the event
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// The round
    #[arg(long, value_name = "NUMBER")]
    round: Option<String>,
    /// The file, which must not exist yet [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(options: &Options, args: &Args) -> Result<()> {
    match &args.action {
        Action::Init(init) => write(options, init),
        Action::Check { file } => check(options, file),
    }
}

fn write(options: &Options, init: &Init) -> Result<()> {
    let clocks = match init.clocks.as_slice() {
        [table] if table.ends_with(".csv") => of_table(Path::new(table))?,
        clocks => numbered(expanded(clocks).map_err(Failure::Usage)?),
    };
    let (event, round) = (init.event.as_deref(), init.round.as_deref());
    let file = HallFile { event, round, clocks: &clocks };
    let text = file.to_text().map_err(Failure::Usage)?;
    let path = init.output.as_deref();
    if let Some(path) = path {
        out::write_new(path, &text)?;
    }
    match path {
        _ if options.json && !options.quiet => {
            let text = path.is_none().then_some(text.as_str());
            out::print_json(&FileJson { boards: clocks.len(), file: path, text })
        }
        None => out::print(&text),
        Some(_) if options.quiet => Ok(()),
        Some(path) => out::print(&format!("{}: {} boards\n", path.display(), clocks.len())),
    }
}

/// The file that was made, for scripts.
#[derive(Serialize)]
struct FileJson<'a> {
    boards: usize,
    /// The path as it was given; null if `text` has the text.
    file: Option<&'a Path>,
    text: Option<&'a str>,
}

/// A board of a file that was read, for scripts.
#[derive(Serialize)]
struct BoardJson<'a> {
    board: &'a str,
    clock: String,
    white: Option<&'a str>,
    black: Option<&'a str>,
}

impl<'a> From<&'a hall::Board> for BoardJson<'a> {
    fn from(board: &'a hall::Board) -> BoardJson<'a> {
        let hall::Board { name, target, white, black, .. } = board;
        let (white, black) = (white.as_deref(), black.as_deref());
        BoardJson { board: name, clock: target.to_string(), white, black }
    }
}

fn check(options: &Options, path: &Path) -> Result<()> {
    let hall = hall::read(path)?;
    if options.quiet {
        return Ok(());
    }
    if options.json {
        return hall.boards.iter().try_for_each(|board| out::print_json(&BoardJson::from(board)));
    }
    let column = |cell: &dyn Fn(&hall::Board) -> String| {
        hall.boards.iter().map(|board| plain(&cell(board))).collect::<Vec<_>>()
    };
    let name = |name: &Option<String>| name.clone().unwrap_or_default();
    out::print(&table(&[
        Column::left("board", column(&|board| board.name.clone())),
        Column::left("clock", column(&|board| board.target.to_string())),
        Column::left("White", column(&|board| name(&board.white))),
        Column::left("Black", column(&|board| name(&board.black))),
    ]))
}

/// The boards of a table, with the account of the arbiters on their machines.
fn of_table(path: &Path) -> Result<Vec<(String, Host)>, Failure> {
    let wrong = |why: String| Failure::Usage(format!("{}: {why}", path.display()));
    let table = HallTable::parse(&hall::read_text(path, TABLE_LIMIT)?).map_err(wrong)?;
    let board = |row: Row| {
        let name = row.host_name.ok_or_else(|| {
            wrong(format!("line {}: board {} has no host_name", row.line, row.board))
        })?;
        let host = format!("arbiter@{name}").parse().map_err(wrong)?;
        Ok((row.board, host))
    };
    table.rows.into_iter().map(board).collect()
}

/// Boards with the numbers from 1.
fn numbered(hosts: Vec<Host>) -> Vec<(String, Host)> {
    (1..).map(|number: usize| number.to_string()).zip(hosts).collect()
}

/// The hosts, with each range in brackets replaced by its numbers. The numbers have as many digits
/// as the first one: `clock-[08-11]` is clock-08, clock-09, clock-10 and clock-11.
fn expanded(clocks: &[String]) -> Result<Vec<Host>, String> {
    let mut hosts = Vec::new();
    for clock in clocks {
        let host =
            |text: &str| text.parse::<Host>().map_err(|why| format!("{text:?} is no host: {why}"));
        let Some((before, first, last, after)) = range(clock) else {
            hosts.push(host(clock)?);
            continue;
        };
        let wrong = || format!("{clock:?}: expected a range such as [01-40], of at most 2000");
        let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
        let (low, high, width) = (number(first)?, number(last)?, first.len());
        if high < low || high - low >= 2000 || width > DIGITS_LIMIT {
            return Err(wrong());
        }
        for number in low..=high {
            hosts.push(host(&format!("{before}{number:0width$}{after}"))?);
        }
    }
    Ok(hosts)
}

/// The parts of a text with a range of numbers in brackets: what is before it, its first and its
/// last number, and what is after it. An IPv6 address in brackets is no range.
fn range(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (before, rest) = text.split_once('[')?;
    let (range, after) = rest.split_once(']')?;
    let (first, last) = range.split_once('-')?;
    Some((before, first, last, after))
}

#[cfg(test)]
mod tests {
    use super::expanded;

    fn names(clocks: &[&str]) -> Result<Vec<String>, String> {
        let clocks: Vec<String> = clocks.iter().map(|clock| (*clock).to_owned()).collect();
        expanded(&clocks).map(|hosts| hosts.iter().map(|host| host.as_str().to_owned()).collect())
    }

    #[test]
    fn a_range_stands_for_its_numbers() {
        assert_eq!(
            names(&["a@clock-[08-11].hall", "spare"]).unwrap(),
            ["a@clock-08.hall", "a@clock-09.hall", "a@clock-10.hall", "a@clock-11.hall", "spare"]
        );
        assert_eq!(names(&["ssh://a@[::1]:22"]).unwrap(), ["ssh://a@[::1]:22"]);
        for wrong in [
            "c[3-1]",
            "c[1-2001]",
            "c[a-b]",
            "c[-]",
            "-c[1-2]",
            &format!("c[{}-1]", "0".repeat(70_000)),
        ] {
            assert!(names(&[wrong]).is_err(), "{wrong}");
        }
    }
}
