//! The JSON of the record: the changes that an entry made, and its command (docs/record.md).
//! [`RecordedState`](clock_dbus::RecordedState) is the state right after it.

use super::replay::Replayed;
use crate::game::{CommandNote, cause, refusal, report, view_at};
use clock_engine::rules::GameCommand;
use clock_engine::{Instant, Side};
use clockd_rt::{Cause, Entry, Input, Noted, Update, name_of_command};
use serde::Serialize;

/// One change that an entry made.
#[derive(Debug, Default, Serialize)]
pub struct EventJson {
    kind: &'static str,
    at_ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    periods_left: Option<u32>,
    /// For a flag: whether it is final and fell before any other final flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<bool>,
    /// For an unplugged button board: whether a running clock was paused because of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    paused: Option<bool>,
    /// For a press that was read only after the flag of its side had been decided: the time stamp
    /// of the press.
    #[serde(skip_serializing_if = "Option::is_none")]
    pressed_ns: Option<u64>,
    /// A word whose meaning depends on the kind of the event: for example the button of an event
    /// `late`, the caller of an event `called`, the ground of a claim, or the kind of a penalty.
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<&'static str>,
    /// For a restart or a power cut: the latest instant at which the buttons are known to have been
    /// read. After a power cut it is an instant of the previous boot.
    #[serde(skip_serializing_if = "Option::is_none")]
    since_ns: Option<u64>,
    /// For a state: how many entries were lost before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<u64>,
    /// For an illegal move: how many illegal moves of the player have been taken back, including
    /// this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u32>,
}

/// Who gave a command, why, and with which result.
#[derive(Debug, Default, Serialize)]
pub struct CommandJson {
    verb: String,
    uid: Option<u32>,
    sender: String,
    capacity: String,
    reason: String,
    text: String,
    report: String,
    refused: Option<String>,
}

impl CommandJson {
    /// `note` is `None` if it was lost. `replayed` is the entry of the command.
    pub fn new(command: &GameCommand, note: Option<&CommandNote>, replayed: &Replayed) -> Self {
        let mut json =
            CommandJson { verb: name_of_command(command).to_owned(), ..CommandJson::default() };
        if let Some(CommandNote::Given { verb, uid, sender, capacity, reason, text, .. }) = note {
            json.verb.clone_from(verb);
            json.uid = *uid;
            json.sender.clone_from(sender);
            json.capacity.clone_from(capacity);
            json.reason.clone_from(reason);
            json.text.clone_from(text);
        }
        let answer = replayed.updates.iter().find_map(|update| Some((update, update.answer?.1)));
        match answer {
            Some((update, Ok(()))) => {
                let before = replayed.before.as_ref().unwrap_or(update);
                let before = view_at(&before.view, update.at);
                json.report = report(command, &json.text, &before, &update.view);
            }
            Some((_, Err(refusal))) => json.refused = Some(refusal::on_record(refusal)),
            None => {}
        }
        json
    }
}

/// The JSON text of a value.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings, numbers and arrays can be written as JSON")
}

/// The changes that the entry made, in their order. A command that was carried out is an event with
/// the name of the command as its kind; a refused command is the event `refused`.
pub fn events(entry: &Entry, updates: &[Update]) -> Vec<EventJson> {
    let first = match entry {
        Entry::State { clock, lost } => {
            let at_ns = clock.last().as_nanos();
            Some(EventJson { kind: "state", at_ns, lost: Some(*lost), ..EventJson::default() })
        }
        Entry::Input { input: Input::Restarted { since, at, .. }, .. } => {
            Some(restart("restarted", *since, *at))
        }
        Entry::Input { input: Input::PowerCut { stopped, at, .. }, .. } => {
            Some(restart("power-cut", *stopped, *at))
        }
        Entry::Input { .. } => None,
    };
    first.into_iter().chain(updates.iter().flat_map(of_update)).collect()
}

fn restart(kind: &'static str, since: Instant, at: Instant) -> EventJson {
    EventJson {
        kind,
        at_ns: at.as_nanos(),
        since_ns: Some(since.as_nanos()),
        ..EventJson::default()
    }
}

fn of_update(update: &Update) -> Vec<EventJson> {
    let at_ns = update.at.as_nanos();
    let event = |kind| EventJson { kind, at_ns, ..EventJson::default() };
    let of_side = |kind, side: Side| EventJson { side: Some(side.as_str()), ..event(kind) };
    // For a restart or a power cut, `events` has already made an event from the entry.
    if update.cause == Cause::Restarted {
        return Vec::new();
    }
    let mut events = vec![match update.cause {
        Cause::Press(side) => EventJson { accepted: Some(true), ..of_side("press", side) },
        Cause::IgnoredPress(side) => EventJson { accepted: Some(false), ..of_side("press", side) },
        Cause::Late(button) => EventJson { word: Some(button.as_str()), ..event("late") },
        Cause::PressBeforeFlag(side) => EventJson {
            pressed_ns: update.press_before_flag.map(|press| press.pressed.as_nanos()),
            ..of_side("press-before-flag", side)
        },
        Cause::Flag { side, period } => EventJson {
            period: Some(period),
            first: Some(update.is_first(side, period)),
            ..of_side("flag", side)
        },
        Cause::Period { side, period } => {
            EventJson { period: Some(period), ..of_side("period", side) }
        }
        Cause::Overtime { side, periods_left } => {
            EventJson { periods_left: Some(periods_left), ..of_side("overtime", side) }
        }
        Cause::Gong(side) => of_side("gong", side),
        Cause::DefaultDue(side) => of_side("default-due", side),
        Cause::ScoreOff(side) => of_side("score-off", side),
        Cause::Hold(side) => of_side("hold", side),
        Cause::BoardGone { button, paused } => {
            EventJson { word: Some(button.as_str()), paused: Some(paused), ..event("board-gone") }
        }
        Cause::BoardBack => event("board-back"),
        Cause::Refused => event("refused"),
        // The press called nobody: in unsupervised play, or if it took a call back.
        Cause::Call if update.view.called_by.is_none() => {
            EventJson { accepted: Some(false), ..event("call") }
        }
        Cause::SetBack
        | Cause::Call
        | Cause::Command(_)
        | Cause::Fault
        | Cause::GameNumber
        | Cause::Missed
        | Cause::Started
        | Cause::Restarted => event(cause(&update.cause).unwrap_or("started")),
    }];
    events.extend(update.noted.map(|noted| of_noted(noted, at_ns)));
    events
}

fn of_noted(noted: Noted, at_ns: u64) -> EventJson {
    let event = |kind, side: Option<Side>, word| EventJson {
        kind,
        at_ns,
        side: side.map(Side::as_str),
        word,
        ..EventJson::default()
    };
    match noted {
        Noted::Call(by) => event("called", None, Some(by.as_str())),
        Noted::Claim { by, ground } => {
            event("claim", Some(by), Some(ground.map_or("increment", |ground| ground.as_str())))
        }
        Noted::Ruling { ruling, side } => event("ruling", side, Some(ruling.as_str())),
        Noted::Penalty { side, kind } => event("penalty", Some(side), Some(kind.as_str())),
        Noted::IllegalMove { side, number } => {
            EventJson { number: Some(number), ..event("illegal-move", Some(side), None) }
        }
        Noted::Incident { side, kind } => event("incident", Some(side), Some(kind.as_str())),
    }
}
