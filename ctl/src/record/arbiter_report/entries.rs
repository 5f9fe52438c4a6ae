//! Which entries of a record the report has, and what it says of a game.

use crate::record::words::{what_happened, who_and_why};
use crate::record::{Entry, Record};
use clock_dbus::RecordedEvent as Event;
use clock_dbus::one_line;

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
pub(super) fn reported(record: &Record) -> impl Iterator<Item = (Subject, &Entry)> {
    record.entries.iter().filter_map(|entry| Some((Subject::of(entry)?, entry)))
}

/// What happened, without what the line has already: both times stand before it, and the reason of a
/// result belongs to the result.
pub(super) fn what(entry: &Entry) -> String {
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
pub(super) fn who(entry: &Entry) -> String {
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
pub(super) fn result(record: &Record) -> String {
    match record.entries.last().map(|last| one_line(&last.state.result)) {
        Some(result) if !result.is_empty() => result,
        _ => "no result".to_owned(),
    }
}

/// Both players, such as `Anand - Carlsen`; empty if neither is known.
pub(super) fn players(record: &Record) -> String {
    let known = |name: &str| match one_line(name) {
        name if name.is_empty() => "?".to_owned(),
        name => name,
    };
    match (&*record.game.white, &*record.game.black) {
        ("", "") => String::new(),
        (white, black) => format!("{} - {}", known(white), known(black)),
    }
}
