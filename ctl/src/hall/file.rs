//! The hall file: a TOML file with one table for each board.

use std::{
    io::{self, Read},
    path::Path,
};

use clock_controls::open_regular;
use clock_engine::text::{FileError, Place};
use serde::{Deserialize, Serialize};
use toml::Spanned;
use zbus::Address;

use super::board::{Board, Hall};
use crate::{
    failure::Failure,
    target::{Host, Target},
};

/// The longest hall file, in bytes: 2,000 boards with their players.
const FILE_LIMIT: u64 = 1_000_000;
/// The most boards of a hall.
const BOARDS_LIMIT: usize = 2000;
/// The longest name, as the clock accepts it, in bytes.
const NAME_LIMIT: usize = 200;

/// A hall file as it is written.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HallFile {
    /// The name of the event.
    pub event: Option<String>,
    /// The round that is being played.
    pub round: Option<String>,
    #[serde(default, rename = "board")]
    pub boards: Vec<Spanned<BoardEntry>>,
}

/// A board of the hall file. It has either `host` or `bus`.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BoardEntry {
    /// The number of the table, such as `12` or `A3`.
    pub board: String,
    /// The clock's machine, as `ssh` knows it: `HOST`, `USER@HOST` or `ssh://USER@HOST:PORT`.
    pub host: Option<String>,
    /// The D-Bus address of a clock on this machine.
    pub bus: Option<String>,
    /// The players, for `clockctl new`.
    pub white: Option<String>,
    pub black: Option<String>,
}

impl HallFile {
    /// A hall file with these boards, each with its host.
    pub fn of(clocks: &[(String, Host)], event: Option<String>, round: Option<String>) -> HallFile {
        let board = |(board, host): &(String, Host)| {
            let (board, host) = (board.clone(), Some(host.as_str().to_owned()));
            Spanned::new(0..0, BoardEntry { board, host, ..BoardEntry::default() })
        };
        HallFile { event, round, boards: clocks.iter().map(board).collect() }
    }

    /// The text of the file, which [`read`] accepts.
    pub fn to_text(&self) -> Result<String, String> {
        let text = toml::to_string(self).map_err(|error| error.to_string())?;
        parse(&text).map(|_| text).map_err(|error| error.message)
    }
}

/// Reads a hall file.
pub fn read(path: &Path) -> Result<Hall, Failure> {
    parse(&read_text(path, FILE_LIMIT)?).map_err(|error| wrong_at(path, &error))
}

/// What is wrong in a file, with the place as compilers write it: `hall.toml:7:1: …`.
pub fn wrong_at(path: &Path, error: &FileError) -> Failure {
    Failure::Usage(format!("{}:{error}", path.display()))
}

/// The text of a regular file of at most `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> Result<String, Failure> {
    FileError::text(read_bytes(path, limit)?).map_err(|error| wrong_at(path, &error))
}

/// The bytes of a regular file, at most `limit` of them.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let wrong = |why: String| Failure::Usage(format!("{}: {why}", path.display()));
    let mut bytes = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    read.map_err(|error: io::Error| wrong(error.to_string()))?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > limit) {
        return Err(wrong(format!("longer than {limit} bytes")));
    }
    Ok(bytes)
}

fn parse(text: &str) -> Result<Hall, FileError> {
    let file: HallFile = toml::from_str(text).map_err(|error| FileError::of_toml(text, &error))?;
    let wrong = |why: String| FileError { place: Place::START, message: why };
    if file.boards.is_empty() {
        return Err(wrong("it has no board; expected [[board]] tables".to_owned()));
    }
    if file.boards.len() > BOARDS_LIMIT {
        return Err(wrong(format!("it has {} boards; at most {BOARDS_LIMIT}", file.boards.len())));
    }
    let mut boards: Vec<Board> = Vec::new();
    for entry in file.boards {
        let span = entry.span();
        let board = board(entry.into_inner()).and_then(|board| unlike_others(board, &boards));
        boards.push(board.map_err(|why| FileError::new(text, span, why))?);
    }
    Ok(Hall { event: file.event, round: file.round, boards, are_chosen: false })
}

/// Refuses a board that has the name or the clock of an earlier one.
fn unlike_others(board: Board, others: &[Board]) -> Result<Board, String> {
    if others.iter().any(|other| other.name == board.name) {
        return Err(format!("board {:?} is named twice", board.name));
    }
    if others.iter().any(|other| other.target == board.target) {
        return Err(format!("board {:?}: another board has {} too", board.name, board.target));
    }
    Ok(board)
}

fn board(entry: BoardEntry) -> Result<Board, String> {
    let BoardEntry { board: name, host, bus, white, black } = entry;
    let is_bad = |name: &String| name.len() > NAME_LIMIT || name.chars().any(char::is_control);
    if name.is_empty() || name == "all" || name.contains(',') || is_bad(&name) {
        return Err(format!("board {name:?}: expected a number or a name such as 12 or A3"));
    }
    if let Some(player) = [&white, &black].into_iter().flatten().find(|player| is_bad(player)) {
        return Err(format!(
            "board {name:?}: the name {player:?} has a control character or more than {NAME_LIMIT} bytes"
        ));
    }
    let target = match (&host, &bus) {
        (Some(host), None) => host.parse::<Host>().map(Target::Host),
        (None, Some(bus)) => {
            bus.parse::<Address>().map(Target::Bus).map_err(|error| error.to_string())
        }
        _ => Err("expected either host or bus".to_owned()),
    };
    let target = target.map_err(|why| format!("board {name:?}: {why}"))?;
    Ok(Board { name, target, white, black })
}

#[cfg(test)]
mod tests {
    use super::{HallFile, parse};

    #[test]
    fn a_hall_has_boards_with_their_clocks_and_players() {
        let hall = parse(
            "event = 'Open'\nround = '3'\n\
             [[board]]\nboard = '1'\nhost = 'arbiter@clock-1'\nwhite = \"O'Kelly\"\n\
             [[board]]\nboard = 'A2'\nbus = 'unix:path=/run/a2'\n",
        )
        .unwrap();
        assert_eq!((hall.event.as_deref(), hall.round.as_deref()), (Some("Open"), Some("3")));
        let shown: Vec<_> = hall
            .boards
            .iter()
            .map(|board| (board.name.as_str(), board.target.to_string()))
            .collect();
        let expected =
            [("1", "arbiter@clock-1".to_owned()), ("A2", "unix:path=/run/a2".to_owned())];
        assert_eq!(shown, expected);
        assert_eq!(hall.boards[0].white.as_deref(), Some("O'Kelly"));
    }

    #[test]
    fn a_wrong_hall_file_is_refused_with_the_board() {
        for (text, said) in [
            ("", "1:1: it has no board"),
            ("event = 'x'\nbord = 1", "2:1: unknown key `bord`"),
            ("[[board]]\nboard = '1'\nhost = \n", "3:8: "),
            ("[[board]]\nboard = '1'\n", "1:1: board \"1\": expected either host or bus"),
            ("[[board]]\nboard = '1'\nhost = 'a'\nbus = 'unix:path=/a'\n", "either host or bus"),
            (
                "[[board]]\nboard = '1'\nhost = '-oProxyCommand=id'\n",
                "board \"1\": it begins with a dash",
            ),
            ("[[board]]\nboard = '1,2'\nhost = 'a'\n", "board \"1,2\""),
            ("[[board]]\nboard = 'all'\nhost = 'a'\n", "board \"all\""),
            (
                "[[board]]\nboard = '1'\nhost = 'a'\n\n[[board]]\nboard = '1'\nhost = 'b'\n",
                "5:1: board \"1\" is named twice",
            ),
            (
                "[[board]]\nboard = '1'\nhost = 'a'\n[[board]]\nboard = '2'\nhost = 'a'\n",
                "another board has a too",
            ),
            ("[[board]]\nboard = '1'\nhost = 'a'\nwhite = \"a\\u001b\"\n", "control character"),
        ] {
            let why = parse(text).unwrap_err().to_string();
            assert!(why.contains(said), "{text:?}: {why}");
        }
    }

    #[test]
    fn too_many_boards_are_refused() {
        let board = |n: usize| format!("[[board]]\nboard = '{n}'\nhost = 'h{n}'\n");
        let many: String = (0..2001).map(board).collect();
        assert!(parse(&many).unwrap_err().message.contains("2001 boards; at most 2000"));
    }

    #[test]
    fn what_is_written_can_be_read() {
        let text = "event = \"Open\"\n\n[[board]]\nboard = \"1\"\nhost = \"a\"\n";
        let file: HallFile = toml::from_str(text).unwrap();
        assert_eq!(toml::to_string(&file).unwrap(), text);
    }
}
