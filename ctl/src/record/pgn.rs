//! A game of the record as PGN.
//!
//! The clock does not know the moves. Each completed move is written as `--`, the null move that
//! ChessBase, Scid and python-chess read, with what the clock showed after the move (`[%clk]`) and
//! how long the move took (`[%emt]`). Each move has the number of its side's press counter, so a
//! program that has the moves of the scoresheet can assign the comments by side and number. The
//! arbiter's commands, and other events, are comments after the move at which they happened.

mod plies;
mod termination;

use std::collections::BTreeMap;

use super::wall_time::WallTime;
use super::{Entry, Game, Record};
use crate::pairings::Player;
use crate::times::clock;
use clock_dbus::{ImportedFrom, Phase, one_line};
use clock_engine::text::{ControlFile, describe, pgn as time_control};
use clock_engine::{Control, Method};
use plies::{Plies, Ply};
pub use termination::is_forfeit;
use termination::termination;

/// The largest length of a line. PGN requires fewer than 80 characters.
const WIDTH: usize = 79;

/// The game as PGN. Its date is the date in the zone that is `offset` seconds east of UTC.
pub fn pgn(record: &Record, offset: i32) -> String {
    pgn_with(record, offset, &BTreeMap::new())
}

/// As [`pgn`], with what a file of pairings knows of the players, by name: titles, ratings and FIDE
/// numbers. The clock has only names.
pub fn pgn_with(record: &Record, offset: i32, players: &BTreeMap<String, Player>) -> String {
    let file = ControlFile::parse(&record.game.control_text).ok();
    let control = file.as_ref().map(|file| &file.control);
    let plies = Plies::of(&record.entries, counts_down(control));
    let stands = result(record);
    let mut text: String = tags(record, control, token(&stands), offset)
        .iter()
        .chain(&tags_of_players(record, players))
        .map(|(name, value)| tag(name, value))
        .collect();
    let mut movetext = vec![comment(&opening(record, control, &stands, &plies))];
    movetext.extend(moves(&plies));
    movetext.push(token(&stands).to_owned());
    text.push('\n');
    text.push_str(&wrapped(&movetext.join(" ")));
    text
}

/// When a clock first ran. `None` if none has, or if the game began on another clock.
fn began(record: &Record) -> Option<i64> {
    let runs = |entry: &&Entry| entry.state.phase == Phase::Running;
    let is_whole = record.game.imported_from.is_none();
    record.entries.iter().find(runs).filter(|_| is_whole)?.wall_ns
}

/// The instant whose date is that of the game: when a clock first ran, or when the game was set up.
pub fn dated(record: &Record) -> Option<i64> {
    began(record).or(record.game.started_wall_ns)
}

/// Whether the clock shows time left. It does, unless White's method in some period counts up.
fn counts_down(control: Option<&Control>) -> bool {
    let up = |control: &Control| {
        control.periods().iter().any(|period| matches!(period.method.white, Method::CountUp { .. }))
    };
    !control.is_some_and(up)
}

/// The result after the last entry. If there is no entry, it is the `result` of `record.game`.
/// Empty while the game is not over.
pub fn result(record: &Record) -> String {
    record
        .entries
        .last()
        .map_or_else(|| record.game.result.clone(), |last| last.state.result.clone())
}

/// The PGN token of a result. PGN has no token for a game that both players have lost: it gets `*`,
/// like a game without a result.
fn token(result: &str) -> &'static str {
    match result {
        "1-0" => "1-0",
        "0-1" => "0-1",
        "1/2-1/2" => "1/2-1/2",
        _ => "*",
    }
}

fn tags(
    record: &Record,
    control: Option<&Control>,
    token: &str,
    offset: i32,
) -> Vec<(&'static str, String)> {
    let date = |time: WallTime| format!("{}.{:02}.{:02}", time.year, time.month, time.day);
    let known = |text: &str| Some(one_line(text)).filter(|text| !text.is_empty());
    let unknown = || "?".to_owned();
    let game = &record.game;
    let mut tags = vec![
        ("Event", known(&game.event).unwrap_or_else(unknown)),
        ("Site", unknown()),
        (
            "Date",
            WallTime::new(dated(record), offset).map_or_else(|| "????.??.??".to_owned(), date),
        ),
        ("Round", known(&game.round).unwrap_or_else(unknown)),
        ("White", known(&game.white).unwrap_or_else(unknown)),
        ("Black", known(&game.black).unwrap_or_else(unknown)),
        ("Result", token.to_owned()),
        (
            "TimeControl",
            control.and_then(|control| time_control(control).ok()).unwrap_or_else(unknown),
        ),
    ];
    tags.extend(known(&game.board).map(|board| ("Board", board)));
    tags.push(("Termination", termination(record).to_owned()));
    if let Some(time) = WallTime::new(began(record), 0) {
        tags.push(("UTCDate", date(time)));
        tags.push(("UTCTime", format!("{:02}:{:02}:{:02}", time.hour, time.minute, time.second)));
    }
    tags
}

fn tags_of_players(
    record: &Record,
    players: &BTreeMap<String, Player>,
) -> Vec<(&'static str, String)> {
    let sides = [
        (&record.game.white, ["WhiteTitle", "WhiteElo", "WhiteFideId"]),
        (&record.game.black, ["BlackTitle", "BlackElo", "BlackFideId"]),
    ];
    let mut tags = Vec::new();
    for (name, keys) in sides {
        let Some(Player { title, rating, fide_number }) = players.get(name) else { continue };
        let values = [title.map(str::to_owned), rating.clone(), fide_number.clone()];
        tags.extend(keys.into_iter().zip(values).filter_map(|(key, value)| Some((key, value?))));
    }
    tags
}

fn tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The comments before the first move: what a reader has to know from the beginning.
fn opening(record: &Record, control: Option<&Control>, result: &str, plies: &Plies) -> Vec<String> {
    // Without `..`, the compiler reports every new field that is not handled here.
    let Game {
        game,
        first_entry: _, // PGN has moves and no entries
        entries: _,     // PGN has moves and no entries
        // tags() writes these.
        started_wall_ns: _,
        white: _,
        black: _,
        board: _,
        round: _,
        event: _,
        control: name,
        control_text: _, // `control` is what it says
        rules,
        rules_text: _,      // the name stands for it, and the JSON has it
        captain_plays: _,   // only the JSON has it
        present_arbiter: _, // only the JSON has it
        result: _,          // `result` is that of the last entry
        ended: _,           // the result says it, or the comment of the last entry
        adjourned: _,       // the comment of the last entry says it
        imported_from,
        machine,
        chain_before: _, // a sum of the JSON
        damaged: _,      // a damaged game is not exported
    } = &record.game;
    let mut said = vec![
        "Written by the chess clock, which does not know the moves: each -- stands for one"
            .to_owned(),
        format!("Game {game} of the clock {}", plain(machine)),
        match control {
            Some(control) => format!("Time control {}: {}", plain(name), plain(&describe(control))),
            None => format!("Time control {}", plain(name)),
        },
    ];
    if !rules.is_empty() {
        said.push(format!("Rules {}", plain(rules)));
    }
    if let Some(ImportedFrom { machine, game, chain }) = imported_from {
        let (machine, chain) = (plain(machine), plain(chain));
        said.push(format!("Taken over from game {game} of the clock {machine}, chain {chain}"));
    }
    if token(result) == "*" && !result.is_empty() {
        said.push(format!("Result {}", plain(result)));
    }
    if plies.shortened {
        said.push(format!("Only {} moves of each side are shown", plies::MOST));
    }
    said.extend(plies.before.iter().map(|text| plain(text)));
    said
}

/// The moves with their numbers and comments.
fn moves(plies: &Plies) -> Vec<String> {
    let count = plies.white.len().max(plies.black.len());
    let mut text = Vec::new();
    for index in 0..count {
        let number = index + 1;
        if let Some(ply) =
            plies.white.get(index).or_else(|| plies.black.get(index).map(|_| &plies.unknown))
        {
            text.push(format!("{number}. -- {}", of_ply(ply)));
        }
        let last = index + 1 == count;
        match plies.black.get(index) {
            Some(ply) => text.push(format!("{number}... -- {}", of_ply(ply))),
            None if last => {}
            None => text.push(format!("{number}... -- {}", of_ply(&plies.unknown))),
        }
    }
    text
}

fn of_ply(ply: &Ply) -> String {
    let mut figures = Vec::new();
    if let Some(shown) = ply.shown_ns {
        figures.push(format!("[%clk {}]", clock(shown)));
    }
    if let Some(took) = ply.took_ns {
        figures.push(format!("[%emt {}]", clock(took)));
    }
    let mut said: Vec<String> = ply.said.iter().map(|text| plain(text)).collect();
    if !ply.pressed {
        said.insert(0, "no press on record".to_owned());
    }
    if !said.is_empty() {
        figures.push(said.join("; "));
    }
    comment(&[figures.join(" ")])
}

fn comment(said: &[String]) -> String {
    format!("{{{}}}", said.join("; "))
}

/// Makes a text from any source safe for a comment. A brace would end the comment. A bracket could
/// begin a command such as `[%clk]`. So both are replaced by parentheses.
fn plain(text: &str) -> String {
    one_line(text).replace(['{', '['], "(").replace(['}', ']'], ")")
}

/// Breaks the text into lines of at most [`WIDTH`] characters. No line begins with a character that
/// has a meaning at the beginning of a line: `%` (a line to be skipped), `;` (a comment) or `[` (a
/// tag), so a word that begins with one stays with the word before it. Words that are too long
/// together have a longer line of their own.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut width = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let (words, after) = rest.split_at(unbroken(rest));
        let length = words.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(words);
        width += length;
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    lines.push('\n');
    lines
}

/// The length in bytes of the words at the beginning of the text between which no line may end: up
/// to the first space that no `%`, `;` or `[` follows.
fn unbroken(text: &str) -> usize {
    let ends = |(at, _): &(usize, &str)| !text[at + 1..].starts_with(['%', ';', '[']);
    text.match_indices(' ').find(ends).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::{plain, tag, wrapped};

    #[test]
    fn a_tag_is_escaped() {
        assert_eq!(tag("White", "A \"B\" \\ C"), "[White \"A \\\"B\\\" \\\\ C\"]\n");
    }

    #[test]
    fn a_comment_cannot_be_ended_and_gives_no_command() {
        assert_eq!(plain("a } b { [%clk 0:00:01]\n"), "a ) b ( (%clk 0:00:01)");
    }

    #[test]
    fn lines_are_short_and_begin_with_nothing_that_has_a_meaning() {
        let text = format!("{} [%clk 0:00:01] {} % ; x", "a".repeat(70), "b".repeat(78));
        let lines = wrapped(&text);
        assert_eq!(lines.replace('\n', " ").trim_end(), text);
        assert!(lines.lines().all(|line| !line.starts_with(['%', ';', '['])), "{lines}");
        let words = "word ".repeat(100);
        assert!(wrapped(words.trim()).lines().all(|line| line.chars().count() <= 79));
        // Whatever the column is at which the times of a move begin.
        for before in 1..=79 {
            let text = format!("{} {{[%clk 0:03:53.0] [%emt 0:00:07.1]}} *", "a".repeat(before));
            let lines = wrapped(&text);
            assert_eq!(lines.replace('\n', " ").trim_end(), text);
            assert!(lines.lines().all(|line| line.chars().count() <= 79), "{lines}");
        }
    }
}
