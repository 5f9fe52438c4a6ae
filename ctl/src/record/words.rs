//! What an entry says, in the words of an arbiter's report.

use super::{Command, Entry};
use crate::times::{clock, passed};
use clock_dbus::{Phase, RecordedEvent as Event, RecordedSide, RecordedState, Side, Who, one_line};

/// All that happened with the entry, in words: `White pressed, move 12; Black's period 2 began`.
/// The names and texts in these words are on one line and cannot change what is shown around them.
pub fn what_happened(entry: &Entry) -> String {
    let mut said: Vec<String> = match (entry.kind.as_str(), &entry.command) {
        (_, Some(command)) => vec![of_command(command)],
        ("board-gone", None) => vec![board_gone(entry)],
        ("board-back", None) => vec!["The buttons are connected again".to_owned()],
        ("restarted", None) => vec![restarted(entry)],
        ("power-cut", None) => vec![power_cut(entry)],
        ("state", None) => vec![lost(entry)],
        _ => Vec::new(),
    };
    said.extend(entry.events.iter().filter_map(|event| of_event(event, entry)));
    if said.is_empty() {
        said.push(match entry.kind.as_str() {
            "press" => "A button was pressed; nothing happened".to_owned(),
            "call" => "The call button was pressed; nothing happened".to_owned(),
            "rocker" => "The rocker was pushed in the menu".to_owned(),
            "wrong-code" => "A wrong arbiter's code was entered at the clock".to_owned(),
            kind => one_line(kind),
        });
    }
    said.join("; ")
}

/// Who gave the command and why, such as `arbiter, uid 1000: a queen is missing`. The text is empty
/// if there is no command.
pub fn who_and_why(entry: &Entry) -> String {
    let Some(command) = &entry.command else { return String::new() };
    let capacity = match command.capacity.as_deref() {
        None | Some("") => "user",
        Some(capacity) => capacity,
    };
    let who = match command.uid {
        // No user gives a command in these two capacities: it comes from the schedule of the
        // service, or from the buttons of the clock.
        None if ["schedule", "buttons"].contains(&capacity) => capacity.to_owned(),
        // The record has only the number, and every other number is another account on each machine.
        Some(0) => format!("{}, root", one_line(capacity)),
        Some(uid) => format!("{}, uid {uid}", one_line(capacity)),
        None => format!("{}, uid not known", one_line(capacity)),
    };
    match one_line(&command.reason) {
        reason if reason.is_empty() => who,
        reason => format!("{who}: {reason}"),
    }
}

fn of_command(command: &Command) -> String {
    let verb = one_line(&command.verb);
    let report = one_line(&command.report);
    match &command.refused {
        Some(why) => format!("Refused: {verb}: {}", one_line(without_error_name(why))),
        None if report.is_empty() => verb,
        None => report,
    }
}

/// The words of a refusal. The service writes the name of the D-Bus error before them.
fn without_error_name(why: &str) -> &str {
    const NAME: &str = "org.chessclock.Clock1.Error.";
    let words = why.strip_prefix(NAME).and_then(|rest| rest.split_once(": "));
    words.map_or(why, |(_, words)| words)
}

fn board_gone(entry: &Entry) -> String {
    let stopped = own_event(entry).is_some_and(|event| event.paused == Some(true));
    let stopped = if stopped { "; both clocks were stopped" } else { "" };
    format!("The buttons were disconnected{stopped}")
}

/// The entry's event of the same kind as the entry itself. It contains the entry's values, such as
/// `since_ns`.
fn own_event(entry: &Entry) -> Option<&Event> {
    entry.events.iter().find(|event| event.kind == entry.kind)
}

fn restarted(entry: &Entry) -> String {
    let since = own_event(entry).and_then(|event| event.since_ns);
    let gap = since.map(|since| format!(" for {}", passed(entry.at_ns.saturating_sub(since))));
    let ran = if entry.state.phase == Phase::Running { "the clock ran on, and " } else { "" };
    format!("The clock service was restarted: {ran}no button was read{}", gap.unwrap_or_default())
}

fn power_cut(entry: &Entry) -> String {
    let stands = match entry.state.phase {
        Phase::Paused => "the game is paused as it was at the last instant on record",
        _ => "the clocks stood and are as they were",
    };
    format!("The power was cut, or the machine was restarted: {stands}")
}

fn lost(entry: &Entry) -> String {
    match own_event(entry).and_then(|event| event.lost) {
        Some(0) => "The game is set up".to_owned(),
        Some(1) => "An entry before this one was lost; the clock is right".to_owned(),
        Some(lost) => format!("{lost} entries before this one were lost; the clock is right"),
        None => "The whole state, after entries that were lost; the clock is right".to_owned(),
    }
}

/// The words for an event; `None` if these words are already in those for the command, for the
/// entry or for another event.
fn of_event(event: &Event, entry: &Entry) -> Option<String> {
    // Without `..`, the compiler reports every new field that is not handled here.
    let Event {
        kind,
        at_ns: _, // the entry has its own instant
        side,
        accepted,
        period,
        periods_left,
        first,
        paused: _, // board_gone() says it
        pressed_ns: _,
        word: _, // the report of the command has it
        number,
        since_ns: _, // restarted() says it
        lost: _,     // lost() says it
    } = event;
    let who = name(side.unwrap_or_default());
    let with_command = entry.command.is_some();
    Some(match kind.as_str() {
        "press" if *accepted != Some(true) && is_to_go_on(entry) => {
            format!("{who} pressed to go on")
        }
        "press" if *accepted != Some(true) => pressed_in_vain(event),
        "press" => match side.and_then(|who| Some(entry.state.side(who.side()?))) {
            // Black's press starts the game and completes no move.
            Some(RecordedSide { moves: 0, .. }) => format!("{who} pressed: the game is started"),
            Some(side) => format!("{who} pressed, move {}", side.moves),
            None => format!("{who} pressed"),
        },
        "flag" => {
            let first = if *first == Some(true) { " first" } else { "" };
            let period = period.map(|period| format!(" in period {period}"));
            format!("{who}'s flag fell{first}{}", period.unwrap_or_default())
        }
        "period" => match period {
            Some(period) => format!("{who}'s period {period} began"),
            None => format!("{who}'s next period began"),
        },
        "overtime" => match periods_left {
            Some(left) => format!("{who}'s overtime began anew, {left} periods left"),
            None => format!("{who}'s overtime began"),
        },
        "gong" => format!("{who}'s slice began"),
        "set-back" => "Both clocks stand for both readings to be noted".to_owned(),
        "late" => "It was read late".to_owned(),
        "press-before-flag" => {
            format!("A press of {who} before the flag was read only after it")
        }
        "default-due" => format!("{who} is later than the default time"),
        "score-off" => format!("{who} need not keep score any more"),
        "hold" => format!("{who}'s button was held down"),
        "illegal-move" => match (*number)? {
            0 => "It was replied to: no press is taken back, and it is not counted".to_owned(),
            number => format!("It is taken back and is {who}'s illegal move number {number}"),
        },
        "call" if *accepted == Some(false) => "The call button was pressed".to_owned(),
        "call" if !with_command => "The call button was pressed: the arbiter is called".to_owned(),
        "pause" if !with_command => {
            "Both players held their buttons: the clocks are as before these presses".to_owned()
        }
        "record-confirmation" if !with_command => return None,
        "resume" if !with_command => "The game goes on, as the players want".to_owned(),
        // The words for the command, or for an entry of this kind, include these events.
        "call" | "called" | "claim" | "ruling" | "penalty" | "incident" | "refused" | "fault"
        | "started" | "missed" | "restarted" | "power-cut" | "state" | "board-gone"
        | "board-back" => return None,
        kind if with_command || kind == entry.kind => return None,
        kind => one_line(kind),
    })
}

/// Whether a press of this entry confirms that a paused game without an arbiter goes on.
fn is_to_go_on(entry: &Entry) -> bool {
    let goes_on = |event: &Event| matches!(&*event.kind, "record-confirmation" | "resume");
    entry.command.is_none() && entry.events.iter().any(goes_on)
}

fn pressed_in_vain(event: &Event) -> String {
    match event.side {
        Some(side) => format!("{} pressed; nothing happened", name(side)),
        None => "A button was pressed; nothing happened".to_owned(),
    }
}

/// A side or a caller at the beginning of a sentence.
pub fn name(who: Who) -> &'static str {
    match who {
        Who::White => "White",
        Who::Black => "Black",
        Who::Arbiter => "The arbiter",
        Who::Button => "A player",
        Who::Nobody => "A player",
    }
}

/// The times of both sides, with a mark before the side on move:
///
/// `> White 1:29:58.3    Black 1:30:00.0`.
pub fn both_times(state: &RecordedState) -> String {
    let shown = Side::BOTH.map(|side| {
        let mark = if state.on_move == Who::from(side) { '>' } else { ' ' };
        format!("{mark} {} {:>10}", side.name(), time(state.side(side)))
    });
    shown.join("  ")
}

/// The time that a side shows. After its final flag, this is the time since that flag, with a plus
/// sign.
fn time(side: &RecordedSide) -> String {
    let RecordedSide { remaining_ns, out_of_time, overrun_ns, .. } = side;
    match *overrun_ns {
        overrun if *out_of_time && overrun > 0 => format!("+{}", passed(overrun)),
        _ => clock(*remaining_ns),
    }
}

#[cfg(test)]
mod tests {
    use super::{what_happened, who_and_why};
    use crate::record::Entry;
    use serde_json::{Value, json};

    /// An entry of this kind with these events and this command, in a game that is paused.
    fn entry(kind: &str, events: Value, command: Value) -> Entry {
        let side = json!({"remaining_ns": 60_000_000_000_u64, "delay_ns": 0, "moves": 12, "period": 1,
            "flag_ns": null, "out_of_time": false, "overrun_ns": 0});
        let state = json!({"revision": 7, "phase": "paused", "on_move": "white", "running": "",
            "first_flag": "", "result": "", "white": side, "black": side});
        let entry = json!({"entry": 5, "game": 1, "boot": "b", "at_ns": 9_000_000_000_u64, "raw_ns": 9,
            "wall_ns": null, "kind": kind, "events": events, "command": command, "state": state, "chain": ""});
        serde_json::from_value(entry).unwrap()
    }

    #[test]
    fn events_are_in_words() {
        let press = json!({"kind": "press", "side": "white", "accepted": true});
        let flag = json!({"kind": "flag", "side": "black", "period": 2, "first": true});
        for (kind, events, words) in [
            ("press", json!([press]), "White pressed, move 12"),
            (
                "press",
                json!([press, {"kind": "set-back"}]),
                "White pressed, move 12; Both clocks stand for both readings to be noted",
            ),
            (
                "press",
                json!([{"kind": "press", "accepted": false, "side": "black"}]),
                "Black pressed; nothing happened",
            ),
            (
                "press",
                json!([{"kind": "press", "accepted": false, "side": "white"}, {"kind": "record-confirmation"}]),
                "White pressed to go on",
            ),
            (
                "press",
                json!([{"kind": "press", "accepted": false, "side": "black"}, {"kind": "resume"}]),
                "Black pressed to go on; The game goes on, as the players want",
            ),
            ("press", json!([]), "A button was pressed; nothing happened"),
            ("time", json!([flag]), "Black's flag fell first in period 2"),
            (
                "time",
                json!([flag, {"kind": "period", "side": "white", "period": 2}]),
                "Black's flag fell first in period 2; White's period 2 began",
            ),
            (
                "call",
                json!([{"kind": "call", "by": "button"}]),
                "The call button was pressed: the arbiter is called",
            ),
            ("hold", json!([{"kind": "hold", "side": "white"}]), "White's button was held down"),
            ("board-gone", json!([]), "The buttons were disconnected"),
            (
                "board-gone",
                json!([{"kind": "board-gone", "word": "white", "paused": true}]),
                "The buttons were disconnected; both clocks were stopped",
            ),
            ("board-back", json!([]), "The buttons are connected again"),
            ("restarted", json!([]), "The clock service was restarted: no button was read"),
            (
                "restarted",
                json!([{"kind": "restarted", "since_ns": 8_700_000_000_u64}]),
                "The clock service was restarted: no button was read for 0:00:00.3",
            ),
            (
                "power-cut",
                json!([{"kind": "power-cut", "since_ns": 1}, {"kind": "restarted"}]),
                "The power was cut, or the machine was restarted: the game is paused as it was at the last \
                 instant on record",
            ),
            (
                "state",
                json!([{"kind": "state", "lost": 3}]),
                "3 entries before this one were lost; the clock is right",
            ),
            ("rocker", json!([]), "The rocker was pushed in the menu"),
            ("wrong-code", json!([]), "A wrong arbiter's code was entered at the clock"),
            // The following kinds of entries and events are of a later version of the service.
            ("bell", json!([]), "bell"),
            ("time", json!([{"kind": "b\u{202e}ell\n"}]), "bell"),
        ] {
            assert_eq!(
                what_happened(&entry(kind, events.clone(), Value::Null)),
                words,
                "{kind} {events}"
            );
        }
    }

    #[test]
    fn a_command_has_who_and_why() {
        let command = |capacity: &str, uid: Value, report: &str, refused: Value| {
            json!({"verb": "add", "uid": uid, "sender": ":1.5", "capacity": capacity,
                "reason": "a queen\u{1b}[31m is\n missing", "text": "", "report": report, "refused": refused})
        };
        let done = entry(
            "command",
            json!([]),
            command("arbiter", json!(1000), "White gets 0:02:00", Value::Null),
        );
        assert_eq!(what_happened(&done), "White gets 0:02:00");
        assert_eq!(who_and_why(&done), "arbiter, uid 1000: a queen [31m is missing");
        let root = entry("command", json!([]), command("arbiter", json!(0), "", Value::Null));
        assert_eq!(who_and_why(&root), "arbiter, root: a queen [31m is missing");
        let refused = command("captain of Black", Value::Null, "", json!("the clock runs"));
        let refused = entry("command", json!([{"kind": "refused"}]), refused);
        assert_eq!(what_happened(&refused), "Refused: add: the clock runs");
        let why = json!("org.chessclock.Clock1.Error.NotPaused: only while: the clocks stand");
        let named = entry(
            "command",
            json!([{"kind": "refused"}]),
            command("arbiter", Value::Null, "", why),
        );
        assert_eq!(what_happened(&named), "Refused: add: only while: the clocks stand");
        assert_eq!(
            who_and_why(&refused),
            "captain of Black, uid not known: a queen [31m is missing"
        );
        let at_the_clock =
            entry("command", json!([]), command("buttons", Value::Null, "", Value::Null));
        assert_eq!(who_and_why(&at_the_clock), "buttons: a queen [31m is missing");
        assert_eq!(who_and_why(&entry("press", json!([]), Value::Null)), "");
    }
}
