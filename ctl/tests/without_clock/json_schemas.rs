//! What `clockctl --json` prints without a clock is as docs/schemas says.

use std::path::Path;

use crate::program::{clockctl, run_with_input};
use crate::python::{CLOCKCTL, RECORD, check_lines};

/// The lines that `clockctl --json` prints with these words, with this standard input.
fn lines(words: &str, input: &str) -> Vec<String> {
    let mut command = clockctl();
    command.arg("--json").args(words.split(' '));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap());
    let output = run_with_input(command, input.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.is_empty(), "{words}: nothing");
    text.lines().map(str::to_owned).collect()
}

fn names(words: &str) -> Vec<String> {
    let name = |line: &String| {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        object["name"].as_str().unwrap().to_owned()
    };
    lines(words, "").iter().map(name).collect()
}

/// Every kind of event of a script without rules, and two malformed lines.
const SCRIPT: &str = r#"{"at_ns": 0, "event": "start"}
{"at_ns": 1000000000, "event": "press", "side": "white"}
{"at_ns": 2000000000, "event": "press", "side": "white"}
{"at_ns": 3000000000, "event": "press", "side": "black"}
{"at_ns": 4000000000, "event": "claim-draw", "by": "white", "ground": "cannot-win"}
no JSON
{"at_ns": 4000000000, "event": "shout"}
{"at_ns": 40000000000000, "event": "show"}
{"at_ns": 80000000000000, "event": "show"}
{"at_ns": 18446744073709551615, "event": "show"}
"#;

#[test]
fn lists_and_files_of_time_controls_and_rules_fit_their_definitions() {
    let mut all: Vec<(&str, String)> = Vec::new();
    let mut add = |definition, words: &str| {
        all.extend(lines(words, "").into_iter().map(|line| (definition, line)));
    };
    add("name", "time-control list");
    add("name", "rules list");
    for name in names("time-control list") {
        add("control", &format!("time-control show {name}"));
        add("checked-control", &format!("time-control check configs/controls/{name}.toml"));
    }
    for notation in ["3+2", "40/90,G/30,+30", "G/60d5", "pgn:*180", "5m+5x30s"] {
        add("control", &format!("time-control show {notation}"));
    }
    for name in names("rules list") {
        add("rules", &format!("rules show {name}"));
        add("checked-rules", &format!("rules check configs/rules/{name}.toml"));
    }
    add("checked-control", "time-control check README.md nowhere.toml");
    add("checked-rules", "rules check README.md nowhere.toml");
    add("failure", "time-control show nowhere");
    add("failure", "rules show nowhere");
    add("failure", "report --format csv");
    add("failure", "pasue");
    add("failure", "status");
    check_lines(CLOCKCTL, &all);
}

#[test]
fn answers_of_simulated_games_fit_their_definition() {
    let mut all = Vec::new();
    for control in names("time-control list") {
        let words = format!("simulate --control {control}");
        all.extend(lines(&words, SCRIPT).into_iter().map(|line| ("simulated", line)));
    }
    let words = "simulate --control G/60 --rules fide-2023";
    all.extend(lines(words, SCRIPT).into_iter().map(|line| ("simulated", line)));
    check_lines(CLOCKCTL, &all);
}

#[test]
fn hall_files_fit_their_definitions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hall.toml");
    let path = path.to_str().unwrap();
    let mut all = Vec::new();
    let mut add = |definition, words: &str| {
        all.extend(lines(words, "").into_iter().map(|line| (definition, line)));
    };
    add("hall-file", "hall init arbiter@clock-[01-03]");
    add("hall-file", &format!("hall init arbiter@clock-[01-03] -o {path}"));
    add("hall-board", &format!("hall check {path}"));
    let text = "[[board]]\nboard = '12'\nbus = 'unix:path=/x'\nwhite = \"O'Kelly\"\n";
    std::fs::write(path, text).unwrap();
    add("hall-board", &format!("hall check {path}"));
    add("failure", &format!("hall init clock-1 -o {path}"));
    add("failure", "hall check README.md");
    assert_eq!(all.len(), 8);
    check_lines(CLOCKCTL, &all);
}

#[test]
fn exports_of_a_file_and_the_file_itself_fit_their_definitions() {
    let file = "ctl/tests/record/game.json";
    let game = include_str!("../record/game.json").replace('\n', "");
    let mut all = vec![("file", game)];
    for format in ["json", "pgn", "csv"] {
        let words = format!("export --from {file} --format {format}");
        all.extend(lines(&words, "").into_iter().map(|line| ("export", line)));
    }
    assert_eq!(all.len(), 4);
    check_lines(RECORD, &all);
}
