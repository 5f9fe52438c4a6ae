//! Runs the program `clockctl simulate --rules`, and checks its answers to claims and rulings under
//! a rule profile.

use serde_json::{Value, json};
use std::process::Output;

use crate::program::{clockctl, err, run_with_input};

const S: u64 = 1_000_000_000;

fn run(arguments: &[&str], script: &str) -> Output {
    let mut command = clockctl();
    command.arg("simulate").args(arguments);
    run_with_input(command, script.as_bytes())
}

fn answers(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answers to a script without malformed lines.
fn play(control: &str, rules: &str, script: &[Value]) -> Vec<Value> {
    let lines: String = script.iter().map(|line| format!("{line}\n")).collect();
    let output = run(&["--control", control, "--rules", rules], &lines);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    answers(&output)
}

fn at(at_ns: u64, event: &str) -> Value {
    json!({"at_ns": at_ns, "event": event})
}

fn claim(at_ns: u64, ground: &str) -> Value {
    json!({"at_ns": at_ns, "event": "claim-draw", "by": "white", "ground": ground})
}

#[test]
fn a_claim_and_its_rulings_change_the_clock_and_are_shown_on_every_line() {
    let script = [
        at(0, "start"),
        claim(180 * S, "cannot-win"),
        claim(181 * S, "cannot-win"),
        json!({"at_ns": 182 * S, "event": "rule", "decision": "postpone", "award_ns": 120 * S}),
        at(182 * S, "resume"),
        json!({"at_ns": 183 * S, "event": "rule", "decision": "drawn"}),
        at(301 * S, "show"),
        json!({"at_ns": 302 * S, "event": "claim-flag", "by": "black"}),
        json!({"at_ns": 303 * S, "event": "rule", "decision": "drawn"}),
        at(304 * S, "reopen"),
    ];
    let answers = play("G/5", "handbook-county", &script);
    let refused = |answer: &Value, clause: &str| {
        assert_eq!(answer["error"]["code"], "refused-by-rules", "{answer}");
        assert_eq!(answer["error"]["clause"], clause, "{answer}");
        assert!(!answer["error"]["message"].as_str().unwrap().is_empty(), "{answer}");
    };
    for answer in &answers {
        let keys = answer.as_object().unwrap();
        assert!(["result", "claim", "question"].iter().all(|key| keys.contains_key(*key)));
    }
    refused(&answers[1], "Chess Organisers' Handbook 10.2");
    assert_eq!(answers[2]["phase"], "ruling");
    let called = json!({"by": "white", "ground": "cannot-win", "state": "called"});
    assert_eq!((&answers[2]["claim"], &answers[2]["question"]), (&called, &json!("claim")));
    assert_eq!(answers[3]["black"]["remaining_ns"], 420 * S);
    assert_eq!(answers[3]["claim"]["state"], "pending");
    refused(&answers[5], "Chess Organisers' Handbook 10.2b");
    assert_eq!(answers[6]["white"]["flag_ns"], 301 * S);
    assert_eq!(answers[6]["question"], "moves-made");
    let kinds = |answer: &Value| -> Vec<String> {
        let events = answer["events"].as_array().unwrap().iter();
        events.map(|event| event["kind"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&answers[7]), ["call"]);
    assert_eq!(answers[7]["events"][0]["by"], "black");
    assert_eq!((&answers[8]["phase"], &answers[8]["result"]), (&json!("over"), &json!("1/2-1/2")));
    refused(&answers[9], "Chess Organisers' Handbook 10.2d");
}

#[test]
fn the_keys_of_the_rules_come_only_with_a_profile() {
    let lines = "{\"at_ns\": 0, \"event\": \"start\"}\n";
    let without = run(&["--control", "G/5"], lines);
    let with = run(&["--control", "G/5", "--rules", "fide-article-6"], lines);
    let [without, with] = [without, with].map(|output| String::from_utf8(output.stdout).unwrap());
    let rules = r#","result":null,"claim":null,"question":null}"#;
    assert_eq!(without.trim_end().strip_suffix('}'), with.trim_end().strip_suffix(rules));
}

#[test]
fn a_control_that_the_profile_forbids_ends_the_run_before_the_first_line() {
    for control in ["3+2", "blitz-5-0", "G/60 d5"] {
        let output = run(
            &["--control", control, "--rules", "guidelines-iii"],
            "nonsense that is not read\n",
        );
        assert_eq!((output.status.code(), output.stdout.len()), (Some(5), 0), "{control}");
        assert!(err(&output).contains("FIDE Guidelines III.2.2"), "{}", err(&output));
    }
    let output = run(&["--json", "--control", "3+2", "--rules", "guidelines-iii"], "");
    assert_eq!(output.status.code(), Some(5));
    let error = &answers(&output)[0]["error"];
    assert_eq!((&error["code"], &error["exit"]), (&json!("refused-by-rules"), &json!(5)));
}

#[test]
fn rules_are_given_by_name_or_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(
        path("club.toml"),
        "name = 'Club'\ninherits = 'allegro-1996'\nclaim_below = '1m'\n",
    )
    .unwrap();
    std::fs::write(path("wrong.toml"), "name = 'x'\nclaim_below = '-1m'\n").unwrap();
    let script = [at(0, "start"), claim(239 * S, "no-effort"), claim(240 * S, "no-effort")];
    let answers = play("G/5", &path("club.toml"), &script);
    assert_eq!(answers[1]["error"]["clause"], "Irish allegro rules 7");
    assert_eq!(answers[2]["claim"]["state"], "called");
    for (rules, parts) in [
        ("fide2023", &["no rule profile `fide2023`; perhaps fide-2023?", "(*.toml)"][..]),
        (&path("wrong.toml"), &["wrong.toml:2:15: `claim_below`: `-1m` is negative"]),
        (&path("none.toml"), &["the rule file", "none.toml: there is no such file"]),
        ("3+2", &["no rule profile `3+2`"]),
    ] {
        let output = run(&["--control", "G/5", "--rules", rules], "");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{rules}");
        for part in parts {
            assert!(err(&output).contains(part), "{rules}: {}", err(&output));
        }
    }
}

#[test]
fn a_malformed_line_is_answered_and_later_lines_are_played() {
    let lines = [
        r#"{"at_ns": 0, "event": "start"}"#,
        r#"{"at_ns": 1, "event": "rule", "decision": "maybe"}"#,
        r#"{"at_ns": 2, "event": "result", "result": "1-0"}"#,
        r#"{"at_ns": 3, "event": "claim-flag"}"#,
        r#"{"at_ns": 4, "event": "claim-flag", "by": "a spectator"}"#,
        r#"{"at_ns": 5, "event": "result", "result": "1-0", "reason": "mate"}"#,
    ]
    .map(|line| format!("{line}\n"))
    .concat();
    let output = run(&["--control", "G/5", "--rules", "fide-2023"], &lines);
    assert_eq!(output.status.code(), Some(1));
    let answers = answers(&output);
    for number in 2..=4 {
        let error = &answers[number - 1]["error"];
        assert_eq!((&error["code"], &error["line"]), (&json!("bad-input"), &json!(number)));
        assert_eq!(answers[number - 1]["at_ns"], 0, "a malformed line changes nothing");
    }
    assert_eq!(answers[4]["error"]["clause"], "FIDE Laws 2023 6.8");
    assert_eq!(answers[5]["result"], "1-0");
}

#[test]
fn what_the_rules_note_by_themselves_is_an_event() {
    let script = [at(0, "start"), at(3601 * S, "show")];
    let answers = play("G/90", "fide-article-6", &script);
    let events = answers[1]["events"].as_array().unwrap();
    assert_eq!(answers[1]["question"], "default");
    let due = |side: &str| json!({"at_ns": 3600 * S + 1, "kind": "default-due", "side": side});
    assert_eq!(events, &[due("white"), due("black")]);
    let script = [
        at(0, "start"),
        json!({"at_ns": 1, "event": "arrive", "side": "white"}),
        json!({"at_ns": 1, "event": "arrive", "side": "black"}),
        at(400 * S, "show"),
    ];
    let answers = play("G/10", "allegro-1996", &script);
    let score_off = json!([{"at_ns": 300 * S + 1, "kind": "score-off", "side": "white"}]);
    assert_eq!(answers[3]["events"], score_off);
}
