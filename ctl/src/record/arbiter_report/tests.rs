use super::{ReportedGame, Subject, csv, html, text};
use crate::record::{Entry, Record};
use serde_json::{Value, json};

/// An entry of this kind with these events and, if it is not empty, this command.
fn entry(number: u64, kind: &str, events: Value, verb: &str, refused: Value) -> Value {
    let side = json!({"remaining_ns": 60_000_000_000_u64, "delay_ns": 0, "moves": 12, "period": 1,
        "flag_ns": null, "out_of_time": false, "overrun_ns": 0});
    let state = json!({"revision": 7, "phase": "paused", "on_move": "white", "running": "",
        "first_flag": "", "result": "1-0", "white": side, "black": side});
    let command = match verb {
        "" => Value::Null,
        verb => json!({"verb": verb, "uid": 1000, "capacity": "arbiter", "reason": "<b>why</b>",
            "report": format!("{verb} was done"), "refused": refused}),
    };
    json!({"entry": number, "game": 1, "boot": "b", "at_ns": 9_000_000_000_u64, "raw_ns": 9,
        "wall_ns": 1_795_375_800_000_000_000_u64, "kind": kind, "events": events,
        "command": command, "state": state, "chain": ""})
}

fn record(entries: &[Value]) -> Record {
    let game = json!({"game": 3, "first_entry": 1, "entries": entries.len(), "started_wall_ns": null,
        "control": "5+3", "control_text": "", "rules": "", "rules_text": "",
        "white": "=O'Kelly & <i>", "black": "", "round": "2", "event": "Open", "result": "",
        "ended": null, "adjourned": false, "imported_from": null, "machine": "m"});
    serde_json::from_value(json!({"game": game, "entries": entries})).unwrap()
}

fn subject(kind: &str, events: Value, verb: &str, refused: Value) -> Option<&'static str> {
    let entry: Entry = serde_json::from_value(entry(1, kind, events, verb, refused)).unwrap();
    Subject::of(&entry).map(Subject::as_str)
}

#[test]
fn what_the_arbiter_has_to_answer_for_is_reported() {
    for (kind, events, subject_is) in [
        ("press", json!([{"kind": "press", "side": "white", "accepted": true}]), None),
        ("call", json!([{"kind": "call"}]), Some("claim")),
        ("call", json!([]), None),
        ("time", json!([{"kind": "period", "side": "white", "period": 2}]), None),
        ("time", json!([{"kind": "flag", "side": "white", "period": 1}]), Some("flag")),
        ("time", json!([{"kind": "default-due", "side": "white"}]), Some("incident")),
        ("hold", json!([{"kind": "hold", "side": "white"}]), Some("incident")),
        ("power-cut", json!([]), Some("clock")),
        ("state", json!([{"kind": "state", "lost": 0}]), None),
        ("state", json!([{"kind": "state", "lost": 2}]), Some("clock")),
    ] {
        assert_eq!(subject(kind, events, "", Value::Null), subject_is, "{kind}");
    }
    // A player's stop is reported, as the ruling on it is.
    for (called, subject_is) in [("white", Some("claim")), ("", None)] {
        let mut events = vec![json!({"kind": "pause"})];
        if !called.is_empty() {
            events.push(json!({"kind": "called", "word": called}));
        }
        assert_eq!(subject("command", json!(events), "pause", Value::Null), subject_is, "{called}");
    }
    for (verb, subject_is) in [
        ("new", None),
        ("add", Some("correction")),
        ("penalize", Some("penalty")),
        ("claim-draw", Some("claim")),
        ("incident", Some("incident")),
        ("result", Some("result")),
        ("of-a-later-version", Some("other")),
    ] {
        assert_eq!(subject("command", json!([]), verb, Value::Null), subject_is, "{verb}");
        assert_eq!(subject("command", json!([]), verb, json!("no")), None, "{verb}, refused");
    }
}

/// The words of the commands are those of the methods of the interface, which the service checks.
#[test]
fn every_command_has_a_subject() {
    let xml = include_str!("../../../../dbus/org.chessclock.Clock1.xml");
    let (_, interface) =
        xml.split_once("<interface name=\"org.chessclock.Clock1.Arbiter\">").unwrap();
    let (interface, _) = interface.split_once("</interface>").unwrap();
    let methods: Vec<&str> = interface
        .split("<method name=\"")
        .skip(1)
        .map(|rest| rest.split_once('"').unwrap().0)
        .collect();
    assert!(methods.len() > 30, "{methods:?}");
    for method in methods {
        let mut verb = String::new();
        for letter in method.chars() {
            if letter.is_uppercase() && !verb.is_empty() {
                verb.push('-');
            }
            verb.extend(letter.to_lowercase());
        }
        let verb = if verb == "add-time" { "add".to_owned() } else { verb };
        let subject = subject("command", json!([]), &verb, Value::Null);
        assert_ne!(subject, Some("other"), "the report does not know {verb}");
    }
}

#[test]
fn the_report_is_text_csv_and_a_page() {
    let with = record(&[
        entry(1, "command", json!([]), "new", Value::Null),
        entry(2, "command", json!([]), "add", Value::Null),
    ]);
    let without = record(&[entry(1, "command", json!([]), "new", Value::Null)]);
    let games =
        [ReportedGame { board: "12", record: &with }, ReportedGame { board: "", record: &without }];
    let when = |_: &Entry| "14:05:00".to_owned();

    let said = text(&games, &when);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "12  =O'Kelly & <i> - ?  1-0");
    assert_eq!(
        lines[1],
        "  14:05:00  > White  0:01:00.0    Black  0:01:00.0  correction  add was done (arbiter, \
         uid 1000: <b>why</b>)"
    );
    assert_eq!(lines.len(), 3, "{said}");

    let table = csv(&games);
    let lines: Vec<&str> = table.split("\r\n").collect();
    let columns = lines[0].split(',').count();
    assert!(lines[1].starts_with("Open,2,12,'=O'Kelly & <i>,,1-0,3,2,2026-11-"), "{}", lines[1]);
    assert!(lines[1].contains(",correction,add was done,\"arbiter, uid 1000: <b>why</b>\","));
    assert_eq!(lines[2].split(',').count(), columns, "{}", lines[2]);
    assert_eq!((lines[3], lines.len()), ("", 4));

    let page = html(&games, &when);
    assert!(page.contains("<title>Arbiter's report: Open, round 2</title>"), "{page}");
    assert!(page.contains("<h2>Board 12: =O'Kelly &amp; &lt;i&gt; - ?, 1-0</h2>"), "{page}");
    assert!(page.contains("&lt;b&gt;why&lt;/b&gt;") && !page.contains("<b>why"), "{page}");
    let (_, rest) = page.split_once("Nothing to report").unwrap();
    assert!(rest.contains("Game 3: "), "{page}");
}

#[test]
fn a_line_of_the_report_says_each_thing_once() {
    let of = |verb: &str, report: &str, reason: &str| {
        let mut entry = entry(2, "command", json!([]), verb, Value::Null);
        entry["command"]["report"] = report.into();
        entry["command"]["reason"] = reason.into();
        let record = record(&[entry]);
        let said = text(&[ReportedGame { board: "1", record: &record }], &|_| "14:05".to_owned());
        let line = said.lines().nth(1).unwrap().to_owned();
        line.split_once("0:01:00.0  ").unwrap().1.split_once("0:01:00.0  ").unwrap().1.to_owned()
    };
    for (verb, report, reason, expected) in [
        (
            "result",
            "The result is 1-0, clocks stopped at W 1:29:25.9 B 1:31:29.5, result 1-0",
            "resignation",
            "result      1-0, resignation (arbiter, uid 1000)",
        ),
        (
            "result",
            "The result is 1-0, clocks at W 1:29:25.9 B 1:31:29.5, result 1-0",
            "",
            "result      1-0 (arbiter, uid 1000)",
        ),
        (
            "rule",
            "Ruling: White has lost, clocks at W +0:00:02.0 B 0:04:40.0, result 0-1",
            "no mate",
            "claim       Ruling: White has lost, result 0-1 (arbiter, uid 1000: no mate)",
        ),
        // What the command has changed is said.
        (
            "add",
            "White gets 0:02:00, White 0:01:00.0 → 0:03:00.0",
            "",
            "correction  White gets 0:02:00, White 0:01:00.0 → 0:03:00.0 (arbiter, uid 1000)",
        ),
    ] {
        assert_eq!(of(verb, report, reason), expected, "{report}");
    }
}
