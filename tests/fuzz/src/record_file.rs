//! Target: any text as an exported record, and any course of a game as PGN and CSV.

use crate::bytes::Bytes;
use crate::plain_words::assert_plain;
use clock_engine::rules::Profile;
use clockctl::record::csv::csv;
use clockctl::record::file::difference;
use clockctl::record::file::{self, RecordFile};
use clockctl::record::json_text::{canonical, escaped};
use clockctl::record::pgn::pgn;
use clockctl::record::proposal::{control, proposal};
use clockctl::record::words::{what_happened, who_and_why};
use clockctl::record::{Entry, Game, Record};
use serde_json::json;

/// Checks that a record is read, or is refused with a message of bounded length. The words, the PGN
/// and the CSV of a record that is read must be well formed. An input that begins with `{` is the
/// text of a file; any other input chooses the entries of a record that the test makes.
pub fn record_file(data: &[u8]) {
    if !data.starts_with(b"{") {
        return is_well_formed(&course(&mut Bytes::new(data)));
    }
    match file::read(data) {
        Ok(file) => {
            is_well_formed(&file.record);
            is_proposed(&file);
            is_a_state(data, &file);
            is_written_the_same(data, &file);
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && message.chars().count() < 300, "{message}");
            assert_plain(&message, data);
        }
    }
}

/// Checks that the words are on one line, that PGN has its tags, one result and closed comments,
/// and that CSV has a line for each entry.
fn is_well_formed(record: &Record) {
    for entry in &record.entries {
        let words = format!("{} {}", what_happened(entry), who_and_why(entry));
        assert!(!words.contains(|c: char| c.is_control()), "{words:?}");
        assert!(
            !words.contains(['\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}']),
            "{words:?}"
        );
    }
    let text = pgn(record, 3600);
    let (tags, moves) = text.split_once("\n\n").expect("an empty line after the tags");
    assert!(tags.lines().all(|line| line.starts_with('[') && line.ends_with("\"]")), "{tags}");
    assert_eq!(tags.lines().filter(|line| line.starts_with("[Result ")).count(), 1);
    let mut inside = false;
    for line in moves.lines() {
        assert!(!line.is_empty() && !line.starts_with(['[', '%', ';']), "{line}");
        for c in line.chars() {
            match c {
                '{' => assert!(!std::mem::replace(&mut inside, true), "{line}"),
                '}' => assert!(std::mem::replace(&mut inside, false), "{line}"),
                '[' => assert!(inside, "{line}"),
                _ => assert!(!c.is_control(), "{line:?}"),
            }
        }
    }
    assert!(!inside);
    // If no move was made, the result is the first and only word of the line with the moves.
    let last = moves.split_whitespace().next_back();
    assert!(matches!(last, Some("1-0" | "0-1" | "1/2-1/2" | "*")), "{last:?}");
    let table = csv(record);
    assert_eq!(table.matches("\r\n").count(), record.entries.len() + 1);
    assert!(table.split("\r\n").all(|line| !line.contains(['\r', '\n'])), "{table}");
}

/// Checks that the proposal for an import of the game contains both times, `begun` and its source,
/// and that it does not contain `force`.
fn is_proposed(file: &RecordFile) {
    let made = proposal(file);
    assert!(made.white_time_nsec.is_some() && made.black_time_nsec.is_some());
    assert!(made.begun.is_some() && made.source.is_some() && made.force.is_none());
}

/// Checks that a state that was read makes a game of its control, or is refused with a message, and
/// that its difference from the last entry is described in fewer than 200 bytes.
fn is_a_state(data: &[u8], file: &RecordFile) {
    let Some(state) = &file.state else { return };
    match (state, control(file)) {
        (Ok(state), Some(control)) => match state.game(control, Some(Profile::default())) {
            Ok(game) => {
                let said = difference(&game, &file.last().state).unwrap_or_default();
                assert!(said.len() < 200, "{said}");
            }
            Err(refused) => assert!(!refused.to_string().is_empty()),
        },
        (Ok(_), None) => {}
        (Err(error), _) => {
            let message = error.to_string();
            assert!(message.chars().count() < 300, "{message}");
            assert_plain(&message, data);
        }
    }
}

/// Checks that a record stays the same, with the same chain, if its unsafe characters are escaped
/// or its white space is removed.
fn is_written_the_same(data: &[u8], file: &RecordFile) {
    let text = std::str::from_utf8(data).expect("a record that was read is UTF-8");
    for same in [escaped(text), canonical(text)] {
        assert_eq!(file::read(same.as_bytes()).as_ref(), Ok(file), "{same}");
    }
    assert_eq!(canonical(&canonical(text)), canonical(text));
}

/// Entries in any order of kinds, with any counters, times and texts.
fn course(bytes: &mut Bytes<'_>) -> Record {
    let game: Game = serde_json::from_value(json!({"game": 1, "first_entry": 1, "entries": 1, "started_wall_ns": null,
        "control": "x", "control_text": bytes.pick(&["", "name = \"x\"\n[[period]]\ntime = \"0:05:00\"\n"]),
        "rules": "", "rules_text": "", "white": text(bytes), "black": text(bytes), "result": "",
        "ended": null, "adjourned": false, "imported_from": null, "machine": text(bytes)}))
    .expect("the keys of a game");
    let mut entries = Vec::new();
    while !bytes.is_empty() && entries.len() < 100 {
        entries.push(entry(bytes, entries.len()));
    }
    Record { game, entries }
}

fn entry(bytes: &mut Bytes<'_>, index: usize) -> Entry {
    let kinds = [
        "press",
        "call",
        "command",
        "time",
        "board-gone",
        "restarted",
        "power-cut",
        "state",
        "\u{9}",
    ];
    let sides = ["white", "black"];
    let kind = bytes.pick(&kinds);
    let side = bytes.pick(&sides);
    let [event, with_command, refused, out_of_time, accepted] = bytes.flags::<5>();
    let events = if event {
        json!([{"kind": bytes.pick(&kinds), "at_ns": 1, "side": side, "accepted": accepted,
            "period": bytes.number(), "word": text(bytes)}])
    } else {
        json!([])
    };
    let command = with_command.then(|| {
        json!({"verb": bytes.pick(&["undo-press", "rewind", "set", "start", "[x]"]), "uid": null,
            "reason": text(bytes), "text": text(bytes), "report": text(bytes),
            "refused": refused.then(|| text(bytes))})
    });
    let mut reading = || {
        json!({"remaining_ns": bytes.u64(), "delay_ns": 0, "moves": bytes.number(), "period": bytes.number(),
            "flag_ns": null, "out_of_time": out_of_time, "overrun_ns": bytes.span().as_nanos()})
    };
    let (white, black) = (reading(), reading());
    let state = json!({"revision": 1, "phase": bytes.pick(&["ready", "running", "over"]), "on_move": side,
        "running": bytes.pick(&["", "white", "black"]), "first_flag": "",
        "result": bytes.pick(&["", "1-0", "0-1", "1/2-1/2", "0-0", "}"]), "white": white, "black": black});
    serde_json::from_value(json!({"entry": index, "game": 1, "boot": bytes.pick(&sides), "at_ns": bytes.u64(), "raw_ns": 0,
        "wall_ns": null, "kind": kind, "events": events, "command": command, "state": state, "chain": ""}))
    .expect("the keys of an entry")
}

/// A text of up to 15 characters. Most of them have a special meaning in PGN, in CSV or in a
/// terminal.
fn text(bytes: &mut Bytes<'_>) -> String {
    let length = bytes.byte() % 16;
    let chars = [
        'a', ' ', '{', '}', '[', ']', '%', ';', '"', '\\', '\n', '\r', '=', '\u{202e}', '\u{1b}',
        'é',
    ];
    (0..length).map(|_| bytes.pick(&chars)).collect()
}
