//! `clockctl control`, without a clock.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use serde_json::Value;
use std::process::{Command, Output};

/// With a system bus that is not there: nothing of this machine's is asked.
fn control(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_clockctl"))
        .env("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nowhere/bus")
        .arg("control")
        .args(arguments)
        .output()
        .unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn without_a_clock_the_shipped_controls_are_listed_and_that_is_said() {
    let output = control(&["list"]);
    assert_eq!(output.status.code(), Some(0));
    // The titles stand below each other, two columns to the right of the longest name.
    let line = |title: &str| out(&output).lines().find(|l| l.ends_with(title)).map(str::to_owned);
    let (short, long) = (line("  Blitz 3+2").unwrap(), line("  40/120, 20/60, G/30").unwrap());
    assert!(short.starts_with("blitz-3-2 ") && long.starts_with("classical-40-120-20-60-30 "));
    assert_eq!(short.find("Blitz"), long.find("40/120"));
    assert!(err(&output).contains("no clock service"), "{}", err(&output));
    let listed = out(&control(&["list", "--json"]));
    let names: Vec<Value> =
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(names.iter().any(|known| known["name"] == "fide-standard"));
}

#[test]
fn a_control_is_shown_in_words_and_as_its_file() {
    let text = out(&control(&["show", "fide-standard"]));
    let words = "40 moves in 1:30:00, then 0:30:00, 30 s a move from move 1";
    let first = format!("FIDE 40/90, G/30, +30: {words}. At the final flag both clocks stop.\n");
    assert!(text.starts_with(&first), "{text}");
    assert!(text.contains("[[period]]\nmoves = 40\ntime = \"1:30:00\"\n"), "{text}");
    let json: Value =
        serde_json::from_str(&out(&control(&["show", "us-g60-d5", "--json"]))).unwrap();
    assert_eq!(json["periods"][0]["method"]["white"], "delay");
    assert_eq!(json["periods"][0]["amount_ns"]["black"], 5_000_000_000_u64);
    assert_eq!((&json["after_flag"], &json["periods"][0]["moves"]), (&"halt".into(), &Value::Null));
    let output = control(&["show", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("no time control `nothing`"), "{}", err(&output));
    let output = control(&["show", "3+2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("notation"), "{}", err(&output));
}

#[test]
fn every_file_is_checked_and_what_is_wrong_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let bad = write("bad.toml", "name = 'x'\n[[period]]\ntime = '-5m'\n");
    let good = write("good.toml", "name = 'x'\n[[period]]\ntime = '5m'\n");
    let output = control(&["check", &bad, &good, "/nowhere.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(out(&output), format!("{good}: good: all moves in 0:05:00\n"));
    assert!(err(&output).contains(&format!("{bad}:3: `-5m` is negative")), "{}", err(&output));
    assert!(err(&output).contains("/nowhere.toml: No such file"), "{}", err(&output));
    assert!(err(&output).contains("2 of 3 control files cannot be used"), "{}", err(&output));
    assert_eq!(control(&["check", &good]).status.code(), Some(0));
    let output = control(&["check", "--json", &bad, &good]);
    let objects: Vec<Value> =
        out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 2);
    assert!(objects[0]["error"].as_str().unwrap().contains("bad.toml:3: "), "{}", objects[0]);
    assert_eq!(objects[1]["control"]["words"], "all moves in 0:05:00");
    let quiet = control(&["check", "-q", &good]);
    assert_eq!((quiet.status.code(), quiet.stdout.len()), (Some(0), 0));
}

#[test]
fn what_a_file_holds_does_not_command_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    let title = "name = \"red \\u001b[31m\" # \u{1b}[2J\n[[period]]\ntime = '5m'\n";
    std::fs::write(&path, title.replace('\u{1b}', "")).unwrap();
    let output = control(&["show", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(!out(&output).contains('\u{1b}'), "{:?}", out(&output));
    std::fs::write(&path, "name = \"x\"\nadvance = \"\\u001b[2J\"\n[[period]]\ntime = '5m'\n")
        .unwrap();
    let output = control(&["check", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!err(&output).contains('\u{1b}'), "{:?}", err(&output));
}
