//! The hall file: a TOML file with one table for each board.

use std::{
    io::{self, Read},
    ops::Range,
    path::Path,
};

use clock_controls::open_regular;
use clock_dbus::one_line;
use clock_engine::text::{FileError, Place};
use clockctl::{input::Text, pairings::PairingFile};
use serde::Deserialize;
use toml::Spanned;

use super::board::{Board, Hall};
use crate::{
    failure::Failure,
    target::{Host, Target, parse_address},
};

/// The longest hall file, in bytes: 2,000 boards with their players.
const FILE_LIMIT: u64 = 1_000_000;
/// The longest file of pairings, in bytes: a TRF of 5,000 players and 30 rounds in UTF-16.
const PAIRINGS_LIMIT: u64 = 4_000_000;
/// The most boards of a hall.
const BOARDS_LIMIT: usize = 2000;
/// The longest name, as the clock accepts it, in bytes.
const NAME_LIMIT: usize = 200;

/// A hall file as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct RawHall {
    event: Option<Spanned<String>>,
    round: Option<Spanned<Text>>,
    #[serde(default, rename = "board")]
    boards: Vec<Spanned<RawBoard>>,
}

/// A board of the hall file. It has either `host` or `bus`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [[board]]")]
struct RawBoard {
    /// The number of the table, such as `12` or `A3`.
    board: Spanned<Text>,
    /// The clock's machine, as `ssh` knows it: `HOST`, `USER@HOST` or `ssh://USER@HOST:PORT`.
    host: Option<Spanned<String>>,
    /// The D-Bus address of a clock on this machine.
    bus: Option<Spanned<String>>,
    /// The players, for `clockctl new`.
    white: Option<Spanned<String>>,
    black: Option<Spanned<String>>,
}

/// A hall file that is written.
pub struct HallFile<'a> {
    pub event: Option<&'a str>,
    pub round: Option<&'a str>,
    /// Each board with its host.
    pub clocks: &'a [(String, Host)],
}

impl HallFile<'_> {
    /// The text of the file, which [`read`] accepts. It has no control characters, and none that
    /// change the direction of text.
    pub fn to_text(&self) -> Result<String, String> {
        let head = [("event", self.event), ("round", self.round)];
        let head = head.into_iter().filter_map(|(key, value)| Some(line(key, value?)));
        let mut text: String = head.collect();
        for (board, host) in self.clocks {
            let separator = if text.is_empty() { "" } else { "\n" };
            let (board, host) = (line("board", board), line("host", host.as_str()));
            text.push_str(&format!("{separator}[[board]]\n{board}{host}"));
        }
        parse(&text).map(|_| text).map_err(|error| error.message)
    }
}

/// A key with a text as its value. A character that [`one_line`] would leave out or replace is
/// written as an escape.
fn line(key: &str, value: &str) -> String {
    let mut text = String::new();
    for letter in value.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            ' ' => text.push(' '),
            _ if one_line(letter.encode_utf8(&mut [0; 4])).is_empty() => {
                text.push_str(&format!("\\U{:08X}", u32::from(letter)));
            }
            _ => text.push(letter),
        }
    }
    format!("{key} = \"{text}\"\n")
}

/// Reads a hall file.
pub fn read(path: &Path) -> Result<Hall, Failure> {
    parse(&read_text(path, FILE_LIMIT)?).map_err(|error| wrong_at(path, &error))
}

/// Reads a file of pairings.
pub fn read_pairings(path: &Path) -> Result<PairingFile, Failure> {
    let bytes = read_bytes(path, PAIRINGS_LIMIT)?;
    PairingFile::decode(bytes).map_err(|error| wrong_at(path, &error))
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
fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
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
    let file: RawHall = toml::from_str(text).map_err(|error| FileError::of_toml(text, &error))?;
    let wrong = |(span, why): Wrong| FileError::of_value(text, span, &why);
    let start = |why: String| FileError { place: Place::START, message: why };
    if file.boards.is_empty() {
        return Err(start("it has no board; expected [[board]] tables".to_owned()));
    }
    if file.boards.len() > BOARDS_LIMIT {
        return Err(start(format!("it has {} boards; at most {BOARDS_LIMIT}", file.boards.len())));
    }
    let event = file.event.map(name).transpose().map_err(wrong)?;
    let round = file.round.map(|round| name(text_of(round))).transpose().map_err(wrong)?;
    let mut boards: Vec<Board> = Vec::new();
    for entry in file.boards {
        let span = entry.span();
        let board = board(entry).map_err(wrong)?;
        let board = unlike_others(board, &boards);
        boards.push(board.map_err(|why| FileError::new(text, span, why))?);
    }
    Ok(Hall { event, round, boards, are_chosen: false })
}

/// Where something is wrong in the text, and what.
type Wrong = (Range<usize>, String);

fn text_of(value: Spanned<Text>) -> Spanned<String> {
    let span = value.span();
    Spanned::new(span, value.into_inner().0)
}

/// Refuses a board that has the name or the clock of an earlier one.
fn unlike_others(board: Board, others: &[Board]) -> Result<Board, String> {
    if others.iter().any(|other| other.name == board.name) {
        return Err(format!("board {:?} is named twice", board.name));
    }
    if others.iter().any(|other| other.target.is_same_clock(&board.target)) {
        return Err(format!("board {:?}: another board has {} too", board.name, board.target));
    }
    Ok(board)
}

/// A name of a player, of the event or of the round.
fn name(given: Spanned<String>) -> Result<String, Wrong> {
    let (span, name) = (given.span(), given.into_inner());
    match name.len() > NAME_LIMIT || name.chars().any(char::is_control) {
        true => Err((
            span,
            format!(
                "the name {} has a control character or more than {NAME_LIMIT} bytes",
                shown(&name)
            ),
        )),
        false => Ok(name),
    }
}

/// A text of the file for a message, cut to 60 characters.
fn shown(text: &str) -> String {
    let cut: String = text.chars().take(60).collect();
    let mark = if cut.len() < text.len() { "…" } else { "" };
    format!("{cut:?}{mark}")
}

fn board(entry: Spanned<RawBoard>) -> Result<Board, Wrong> {
    let whole = entry.span();
    let RawBoard { board, host, bus, white, black } = entry.into_inner();
    let board = text_of(board);
    let (span, number) = (board.span(), board.into_inner());
    let is_bad = number.len() > NAME_LIMIT || number.chars().any(char::is_control);
    if number.is_empty() || number == "all" || number.contains(',') || is_bad {
        let why = format!("board {}: expected a number or a name such as 12 or A3", shown(&number));
        return Err((span, why));
    }
    let of_board = |(span, why)| (span, format!("board {number:?}: {why}"));
    let player = |given: Option<Spanned<String>>| given.map(name).transpose().map_err(of_board);
    let (white, black) = (player(white)?, player(black)?);
    let target = match (host, bus) {
        (Some(host), None) => {
            let target = host.get_ref().parse::<Host>().map(Target::Host);
            target.map_err(|why| of_board((host.span(), why)))?
        }
        (None, Some(bus)) => {
            let target = parse_address(bus.get_ref()).map(Target::Bus);
            target.map_err(|why| of_board((bus.span(), why)))?
        }
        _ => return Err(of_board((whole, "expected either host or bus".to_owned()))),
    };
    Ok(Board { white, black, ..Board::new(number, target) })
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
                "board \"1\": the user or the host begins with a dash",
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
        let clocks = [("1".to_owned(), "a".parse().unwrap())];
        let file = HallFile { event: Some("Open"), round: None, clocks: &clocks };
        let text = "event = \"Open\"\n\n[[board]]\nboard = \"1\"\nhost = \"a\"\n";
        assert_eq!(file.to_text().unwrap(), text);
        let event = "\"Open\" \\ \u{202e}nepO\u{202c} 2. Runde\u{200b}";
        let file = HallFile { event: Some(event), round: Some("3"), clocks: &clocks };
        let text = file.to_text().unwrap();
        assert!(text.starts_with(r#"event = "\"Open\" \\ \U0000202EnepO\U0000202C 2."#), "{text}");
        assert!(
            text.chars().all(|letter| letter == '\n' || letter.is_ascii_graphic() || letter == ' ')
        );
        let hall = parse(&text).unwrap();
        assert_eq!((hall.event.as_deref(), hall.round.as_deref()), (Some(event), Some("3")));
        for (event, round) in [("a\nb", "3"), ("a", "\u{85}"), (&*"x".repeat(201), "3")] {
            let file = HallFile { event: Some(event), round: Some(round), clocks: &clocks };
            assert!(file.to_text().unwrap_err().contains("control character"), "{event}");
        }
    }

    /// Each value has a limit, and its error has the line, the column and the key.
    #[test]
    fn a_value_that_is_too_long_or_has_a_control_character_is_refused_at_its_place() {
        let long = "x".repeat(70_000);
        let board = "[[board]]\nboard = 1\n";
        for (text, said) in [
            (format!("event = '{long}'\n{board}host = 'a'\n"), "1:9: `event`: the name"),
            (format!("event = \"a\\u001b\"\n{board}host = 'a'\n"), "1:9: `event`"),
            (format!("round = \"a\\n\"\n{board}host = 'a'\n"), "1:9: `round`"),
            (
                format!("{board}bus = 'unix:path=/{long}'\n"),
                "3:7: `bus`: board \"1\": it is longer than 1000 bytes",
            ),
            (
                format!("{board}bus = 'nowhere'\n"),
                "3:7: `bus`: board \"1\": expected a D-Bus address",
            ),
            (
                format!("{board}host = '{long}'\n"),
                "3:8: `host`: board \"1\": it is longer than 300 bytes",
            ),
            (
                format!("{board}host = 'a'\nwhite = '{long}'\n"),
                "4:9: `white`: board \"1\": the name",
            ),
            (format!("[[board]]\nboard = '{long}'\nhost = 'a'\n"), "2:9: `board`: board \"xxx"),
            (
                "[[board]]\nboard = 1.5\nhost = 'a'\n".to_owned(),
                "2:9: `board` is `1.5`; expected a number",
            ),
        ] {
            let why = parse(&text).unwrap_err().to_string();
            assert!(why.starts_with(said), "{why}");
            assert!(why.len() < 300, "{why}");
        }
        let hall = parse("round = 3\n[[board]]\nboard = 7\nhost = 'a'\n").unwrap();
        assert_eq!((hall.round.as_deref(), &*hall.boards[0].name), (Some("3"), "7"));
    }
}
