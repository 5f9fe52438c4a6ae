//! The report of a round for the arbiter: of each game its players and its result, and of its
//! record what the arbiter has to answer for: penalties, incidents, corrections, claims and rulings,
//! flags, and troubles of the clock.

use super::csv::{iso, quoted};
use super::wall_time::WallTime;
use super::words::{both_times, what_happened, who_and_why};
use super::{Entry, Game, Record};
use clock_dbus::{RecordedEvent as Event, one_line};

/// The report as text. `when` gives the time of an entry in words.
pub fn text(games: &[ReportedGame], when: &dyn Fn(&Entry) -> String) -> String {
    let game = |game: &ReportedGame| {
        let parts = [one_line(game.board), players(game.record), result(game.record)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let lines = reported(game.record).map(|(subject, entry)| {
            let who = match who(entry) {
                who if who.is_empty() => who,
                who => format!(" ({who})"),
            };
            let (times, what) = (both_times(&entry.state), what(entry));
            format!("  {}  {times}  {:<10}  {what}{who}\n", when(entry), subject.as_str())
        });
        format!("{}\n{}", parts.join("  "), lines.collect::<String>())
    };
    games.iter().map(game).collect()
}

/// The titles of the columns.
const HEADER: &str = "event,round,board,white,black,result,game,entry,utc,subject,what,who,\
                      white_remaining_ns,white_moves,black_remaining_ns,black_moves";

/// The report as CSV (RFC 4180): a header, then one line for each reported entry. A game without
/// one has a line that is empty from the column `entry` on. Cells that a spreadsheet would evaluate
/// get an apostrophe, as in [`super::csv::csv`].
pub fn csv(games: &[ReportedGame]) -> String {
    let mut text = format!("{HEADER}\r\n");
    for ReportedGame { board, record } in games {
        let game = &record.game;
        let head = [
            one_line(&game.event),
            one_line(&game.round),
            one_line(board),
            one_line(&game.white),
            one_line(&game.black),
            result(record),
            game.game.to_string(),
        ];
        let mut lines: Vec<[String; 9]> = reported(record).map(cells).collect();
        if lines.is_empty() {
            lines.push(Default::default());
        }
        for line in lines {
            let cells: Vec<String> =
                head.iter().chain(&line).map(|cell| quoted(cell, ',')).collect();
            text.push_str(&cells.join(","));
            text.push_str("\r\n");
        }
    }
    text
}

fn cells((subject, entry): (Subject, &Entry)) -> [String; 9] {
    let (white, black) = (&entry.state.white, &entry.state.black);
    [
        entry.entry.to_string(),
        WallTime::new(entry.wall_ns, 0).map_or_else(String::new, |time| iso(&time)),
        subject.as_str().to_owned(),
        what_happened(entry),
        who_and_why(entry),
        white.remaining_ns.to_string(),
        white.moves.to_string(),
        black.remaining_ns.to_string(),
        black.moves.to_string(),
    ]
}

/// A game of the report.
#[derive(Clone, Copy, Debug)]
pub struct ReportedGame<'a> {
    /// The number of the board; empty if it is not known.
    pub board: &'a str,
    pub record: &'a Record,
}

/// What a reported entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A claim, a request, a player's stop of the clocks, or a ruling on one.
    Claim,
    Penalty,
    /// An incident, an attachment, a late player, or who may press the clock.
    Incident,
    /// A change of times, moves, the side on move, the control, the rules or the names.
    Correction,
    Flag,
    /// The result, an adjournment, or that either is taken back.
    Result,
    /// A trouble of the clock: a power cut, a restart, disconnected buttons, lost entries.
    Clock,
    /// A command that this version does not know.
    Other,
}

impl Subject {
    pub fn as_str(self) -> &'static str {
        match self {
            Subject::Claim => "claim",
            Subject::Penalty => "penalty",
            Subject::Incident => "incident",
            Subject::Correction => "correction",
            Subject::Flag => "flag",
            Subject::Result => "result",
            Subject::Clock => "clock",
            Subject::Other => "other",
        }
    }

    /// What the entry is about; `None` if it does not belong in the report: presses, starts, pauses
    /// of the arbiter, and commands that were refused.
    pub fn of(entry: &Entry) -> Option<Subject> {
        match &entry.command {
            Some(command) if command.refused.is_some() => None,
            Some(command) if command.verb == "pause" => {
                // Only a player's stop is a call, too.
                let is_call = |event: &&Event| event.kind == "called";
                entry.events.iter().find(is_call).map(|_| Subject::Claim)
            }
            Some(command) => of_command(&command.verb),
            None => of_kind(entry),
        }
    }
}

fn of_command(verb: &str) -> Option<Subject> {
    Some(match verb {
        "start" | "resume" | "new" | "announce" | "set-buttons" => return None,
        "claim-flag"
        | "claim-draw"
        | "request-increment"
        | "rule"
        | "refer"
        | "record-confirmation" => Subject::Claim,
        "penalize" | "illegal-move" => Subject::Penalty,
        "incident" | "record-attachment" | "arrive" | "set-assistant" => Subject::Incident,
        "set"
        | "add"
        | "undo-press"
        | "rewind"
        | "change-method"
        | "set-rules"
        | "set-names"
        | "change-time-control"
        | "import" => Subject::Correction,
        "result" | "reopen" | "adjourn" | "resume-adjourned" => Subject::Result,
        _ => Subject::Other,
    })
}

fn of_kind(entry: &Entry) -> Option<Subject> {
    match entry.kind.as_str() {
        "board-gone" | "board-back" | "restarted" | "power-cut" => return Some(Subject::Clock),
        "state" => {
            let is_set_up = entry.events.iter().any(|event| event.lost == Some(0));
            return Some(Subject::Clock).filter(|_| !is_set_up);
        }
        "hold" | "wrong-code" => return Some(Subject::Incident),
        _ => {}
    }
    entry.events.iter().find_map(|event| match event.kind.as_str() {
        "flag" => Some(Subject::Flag),
        // A player has pressed the call button, which stops the clocks.
        "call" => Some(Subject::Claim),
        "default-due" => Some(Subject::Incident),
        _ => None,
    })
}

/// The entries of the game that belong in the report.
fn reported(record: &Record) -> impl Iterator<Item = (Subject, &Entry)> {
    record.entries.iter().filter_map(|entry| Some((Subject::of(entry)?, entry)))
}

/// What happened, without what the line has already: both times stand before it, and the reason of a
/// result belongs to the result.
fn what(entry: &Entry) -> String {
    let said = without_times(&what_happened(entry));
    match &entry.command {
        Some(command) if command.verb == "result" => {
            let result = said.split(", result ").next().unwrap_or_default();
            let result = result.strip_prefix("The result is ").unwrap_or(result);
            match one_line(&command.reason) {
                reason if reason.is_empty() => result.to_owned(),
                reason => format!("{result}, {reason}"),
            }
        }
        _ => said,
    }
}

/// Who gave the command, and why where [`what`] does not say it.
fn who(entry: &Entry) -> String {
    let said = who_and_why(entry);
    match &entry.command {
        Some(command) if command.verb == "result" => {
            let reason = format!(": {}", one_line(&command.reason));
            said.strip_suffix(&reason).unwrap_or(&said).to_owned()
        }
        _ => said,
    }
}

/// The text without its part `clocks at W 0:01:12.3 B 0:04:40.0`.
fn without_times(said: &str) -> String {
    let found = [", clocks stopped at W ", ", clocks at W "].into_iter().find_map(|mark| {
        let (before, rest) = said.split_once(mark)?;
        let (white, rest) = rest.split_once(" B ")?;
        let end = rest.find([',', ';']).unwrap_or(rest.len());
        (!white.contains([',', ';'])).then(|| format!("{before}{}", &rest[end..]))
    });
    found.unwrap_or_else(|| said.to_owned())
}

/// The result after the last entry; `no result` without one.
fn result(record: &Record) -> String {
    match record.entries.last().map(|last| one_line(&last.state.result)) {
        Some(result) if !result.is_empty() => result,
        _ => "no result".to_owned(),
    }
}

/// Both players, such as `Anand - Carlsen`; empty if neither is known.
fn players(record: &Record) -> String {
    let known = |name: &str| match one_line(name) {
        name if name.is_empty() => "?".to_owned(),
        name => name,
    };
    match (&*record.game.white, &*record.game.black) {
        ("", "") => String::new(),
        (white, black) => format!("{} - {}", known(white), known(black)),
    }
}

const STYLE: &str = "\
body { font: 10pt/1.35 sans-serif; margin: 1.5cm; color: #000; background: #fff }
h1 { font-size: 14pt; margin: 0 0 .5em }
h2 { font-size: 11pt; margin: 1.2em 0 .2em; break-after: avoid }
table { border-collapse: collapse; width: 100% }
td { border-top: 1px solid #999; padding: .15em .6em .15em 0; vertical-align: top }
td.time { white-space: nowrap; font-variant-numeric: tabular-nums }
tr { break-inside: avoid }
@page { margin: 1.5cm }
@media print { body { margin: 0 } }";

/// The report as one HTML page. It has no scripts and loads nothing. `when` gives the time of an
/// entry in words. Games without a reported entry are listed at the end, with their results.
pub fn html(games: &[ReportedGame], when: &dyn Fn(&Entry) -> String) -> String {
    let title = title(games);
    let (with, without): (Vec<&ReportedGame>, Vec<&ReportedGame>) =
        games.iter().partition(|game| reported(game.record).next().is_some());
    let sections: String = with.into_iter().map(|game| section(game, when)).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>\n{STYLE}\n</style>\n<h1>{title}</h1>\n{sections}{}</html>\n",
        nothing_to_report(&without)
    )
}

/// `Arbiter's report`, with the event and the round if all games have the same ones.
fn title(games: &[ReportedGame]) -> String {
    let same = |value: &dyn Fn(&Game) -> &String| {
        let mut values = games.iter().map(|game| value(&game.record.game));
        let first = values.next()?;
        Some(escaped(first)).filter(|text| !text.is_empty() && values.all(|value| value == first))
    };
    let event = same(&|game| &game.event).map(|event| format!(": {event}"));
    let round = same(&|game| &game.round).map(|round| format!(", round {round}"));
    format!("Arbiter's report{}{}", event.unwrap_or_default(), round.unwrap_or_default())
}

fn section(game: &ReportedGame, when: &dyn Fn(&Entry) -> String) -> String {
    let rows = reported(game.record).map(|(subject, entry)| {
        format!(
            "<tr><td class=\"time\">{}<td class=\"time\">{}<td>{}<td>{}<td>{}\n",
            escaped(&when(entry)),
            escaped(&both_times(&entry.state)),
            subject.as_str(),
            escaped(&what(entry)),
            escaped(&who(entry)),
        )
    });
    format!("<h2>{}</h2>\n<table>\n{}</table>\n", heading(game), rows.collect::<String>())
}

/// `Board 12: Anand - Carlsen, 1-0`.
fn heading(game: &ReportedGame) -> String {
    let board = match game.board {
        "" => format!("Game {}", game.record.game.game),
        board => format!("Board {}", escaped(board)),
    };
    let players = match players(game.record) {
        players if players.is_empty() => players,
        players => format!(": {}", escaped(&players)),
    };
    format!("{board}{players}, {}", escaped(&result(game.record)))
}

fn nothing_to_report(games: &[&ReportedGame]) -> String {
    if games.is_empty() {
        return String::new();
    }
    let lines: String = games.iter().map(|game| format!("<tr><td>{}\n", heading(game))).collect();
    format!("<h2>Nothing to report</h2>\n<table>\n{lines}</table>\n")
}

/// The text on one line, with the characters that have a meaning in HTML escaped.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in one_line(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
