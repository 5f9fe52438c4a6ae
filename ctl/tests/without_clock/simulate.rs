//! Runs the program `clockctl simulate` and checks its answers to scripts, exact to the nanosecond.

use clock_dbus::{Method, SideState};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::program::{clockctl, run_with_input};

const S: u64 = 1_000_000_000;

fn run(arguments: &[&str], script: &[u8]) -> Output {
    let mut command = clockctl();
    command.arg("simulate").args(arguments);
    run_with_input(command, script)
}

/// The answers to a script that must have no malformed line.
fn play(control: &str, script: &[Value]) -> Vec<Value> {
    let output = run(&["--control", control], lines(script).as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    answers(&output)
}

fn lines(script: &[Value]) -> String {
    script.iter().map(|line| format!("{line}\n")).collect()
}

fn answers(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn press(at_ns: u64, side: &str) -> Value {
    json!({"at_ns": at_ns, "event": "press", "side": side})
}

fn show(at_ns: u64) -> Value {
    json!({"at_ns": at_ns, "event": "show"})
}

/// A control file of one test.
fn control_file(folder: &tempfile::TempDir, text: &str) -> String {
    let path = folder.path().join("control.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn an_answer_is_the_object_of_the_format_with_its_keys_in_order() {
    let output = run(&["--control", "blitz-3-2"], lines(&[press(7, "black")]).as_bytes());
    // The sides are those of a published state.
    let side = SideState {
        remaining_nsec: 182 * S,
        method: Method::Increment,
        method_nsec: 2 * S,
        low_nsec: 18 * S,
        period: 1,
        ..SideState::default()
    };
    let side = serde_json::to_string(&side).unwrap();
    let expected = r#"{"at_ns":7,"phase":"running","running":"white","white":"#.to_owned()
        + &side
        + r#","black":"#
        + &side
        + r#","first_flag":null,"error":null,"#
        + r#""events":[{"at_ns":7,"kind":"press","side":"black","accepted":true}]}"#
        + "\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn forty_moves_bring_the_period_and_the_increment_of_the_next_move() {
    let mut script = vec![press(0, "black")];
    for moved in 1..=80_u64 {
        script.push(press(moved * S, if moved % 2 == 1 { "white" } else { "black" }));
    }
    let answers = play("fide-standard", &script);
    let white = &answers[79]["white"];
    // White began with 1:30:00, got 30 s for each of the moves 1 to 40, and used 1 s for each of
    // them. The next period adds 0:30:00, and move 41 adds 30 s.
    assert_eq!(white["remaining_ns"], (5400 + 40 * 30 - 40 + 1800 + 30) * S);
    assert_eq!((&white["moves"], &white["period"]), (&json!(40), &json!(2)));
    assert_eq!(
        answers[79]["events"],
        json!([
            {"at_ns": 79 * S, "kind": "press", "side": "white", "accepted": true},
            {"at_ns": 79 * S, "kind": "period", "side": "white", "period": 2}
        ])
    );
    assert_eq!(answers[79]["black"]["period"], 1);
    assert_eq!(answers[80]["black"]["period"], 2);
}

#[test]
fn s0_6_8a_the_boundary_of_the_flag_is_a_nanosecond_wide() {
    // Without an increment the clocks run on after the flag, and the press still changes sides.
    let flag = 300 * S;
    let in_time = play("blitz-5-0", &[press(0, "black"), press(flag - 1, "white")]);
    assert_eq!(in_time[1]["white"]["remaining_ns"], 1);
    assert_eq!(in_time[1]["white"]["flag_ns"], Value::Null);
    let late = play("blitz-5-0", &[press(0, "black"), press(flag, "white"), show(flag + 1)]);
    assert_eq!(
        late[1]["events"],
        json!([
            {"at_ns": flag, "kind": "flag", "side": "white", "period": 1},
            {"at_ns": flag, "kind": "press", "side": "white", "accepted": true}
        ])
    );
    assert_eq!((&late[1]["first_flag"], &late[2]["running"]), (&json!("white"), &json!("black")));
    // With an increment the clocks stop at the flag, and the press does nothing.
    let flag = 303 * S;
    let late = play("blitz-5-3", &[press(0, "black"), press(flag, "white")]);
    assert_eq!((&late[1]["phase"], &late[1]["running"]), (&json!("ruling"), &Value::Null));
    assert_eq!(late[1]["events"][1]["accepted"], false);
}

#[test]
fn both_flags_fall_under_run_and_overrun_counts() {
    let script =
        [press(0, "black"), press(301 * S, "white"), press(602 * S, "black"), show(605 * S)];
    let answers = play("blitz-5-0", &script);
    let last = &answers[3];
    assert_eq!(last["first_flag"], "white");
    assert_eq!(last["white"]["flag_ns"], 300 * S);
    assert_eq!(last["black"]["flag_ns"], 601 * S);
    assert_eq!(last["white"]["overrun_ns"], (1 + 3) * S);
    assert_eq!(last["black"]["overrun_ns"], S);
    assert_eq!((&last["white"]["moves"], &last["phase"]), (&json!(1), &json!("running")));
}

#[test]
fn s0_6_2b_delay_and_bronstein_show_what_the_method_says() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        [press(0, "black"), show(3 * S), show(7 * S), press(7 * S, "white"), press(8 * S, "black")];
    let delay = control_file(&folder, "name = 'd'\n[[period]]\ntime = '1m'\ndelay = '5s'\n");
    let answers = play(&delay, &script);
    let shown = |index: usize, side: &str| {
        let half = &answers[index][side];
        (half["remaining_ns"].as_u64().unwrap() / S, half["delay_ns"].as_u64().unwrap() / S)
    };
    assert_eq!(
        [shown(0, "white"), shown(1, "white"), shown(2, "white")],
        [(60, 5), (60, 2), (58, 0)]
    );
    // A side that is not on move shows the delay of its next move. Black's unused delay is lost.
    assert_eq!(
        (shown(3, "white"), shown(3, "black"), shown(4, "black")),
        ((58, 5), (60, 5), (60, 5))
    );

    let bronstein =
        control_file(&folder, "name = 'b'\n[[period]]\ntime = '1m'\nbronstein = '5s'\n");
    let answers = play(&bronstein, &script);
    let shown = |index: usize, side: &str| {
        let half = &answers[index][side];
        assert_eq!(half["delay_ns"], 0);
        half["remaining_ns"].as_u64().unwrap() / S
    };
    assert_eq!([shown(0, "white"), shown(1, "white"), shown(2, "white")], [65, 62, 58]);
    assert_eq!((shown(3, "white"), shown(4, "black")), (63, 65));
}

#[test]
fn a_correction_acts_on_the_main_time_and_leaves_the_delay_of_the_turn() {
    let script = [
        press(0, "black"),
        json!({"at_ns": 3 * S, "event": "pause", "by": "white"}),
        json!({"at_ns": 9 * S, "event": "set-time", "side": "white", "time_ns": 10 * S}),
        json!({"at_ns": 9 * S, "event": "resume"}),
        show(12 * S),
    ];
    let answers = play("us-g60-d5", &script);
    assert_eq!(answers[1]["phase"], "paused");
    assert_eq!(
        (&answers[2]["white"]["remaining_ns"], &answers[2]["white"]["delay_ns"]),
        (&json!(10 * S), &json!(2 * S))
    );
    assert_eq!(
        (&answers[4]["white"]["remaining_ns"], &answers[4]["white"]["delay_ns"]),
        (&json!(9 * S), &json!(0))
    );
}

#[test]
fn a_refused_event_changes_nothing_and_says_why() {
    let script = [
        press(0, "black"),
        json!({"at_ns": 5, "event": "set-time", "side": "white", "time_ns": 1}),
        json!({"at_ns": 5, "event": "resume"}),
        json!({"at_ns": 5, "event": "start"}),
        json!({"at_ns": 6, "event": "pause"}),
        json!({"at_ns": 7, "event": "add-time", "side": "white", "delta_ns": -(182 * 1_000_000_000_i64)}),
        json!({"at_ns": 7, "event": "set-period", "side": "white", "period": 2}),
        json!({"at_ns": 8, "event": "result", "result": "1-0", "reason": "resigned"}),
        json!({"at_ns": 9, "event": "resume"}),
    ];
    let answers = play("blitz-3-2", &script);
    let error = |index: usize| {
        let error = &answers[index]["error"];
        (error["code"].as_str().unwrap(), error["clause"].as_str())
    };
    assert_eq!(error(1), ("not-paused", Some("old FIDE Laws 6.13")));
    assert_eq!(error(2), ("not-paused", Some("old FIDE Laws 6.13")));
    assert_eq!(error(3), ("not-ready", Some("old FIDE Laws 6.5")));
    assert_eq!(answers[4]["error"], Value::Null);
    assert_eq!(error(5), ("cut-too-large", Some("Chess Organisers' Handbook 13.4")));
    assert_eq!(error(6), ("no-such-period", None));
    assert_eq!(answers[6]["white"]["remaining_ns"], 182 * S - 6);
    assert_eq!(answers[7]["phase"], "over");
    assert_eq!(error(8).0, "game-over");
}

#[test]
fn a_player_stops_the_clocks_and_what_is_only_noted_changes_nothing() {
    let script = [
        press(0, "black"),
        json!({"at_ns": S, "event": "arrive", "side": "black"}),
        json!({"at_ns": 2 * S, "event": "assistant", "side": "white", "accepted": true}),
        json!({"at_ns": 3 * S, "event": "incident", "side": "white", "kind": "same hand"}),
        json!({"at_ns": 4 * S, "event": "attach", "kind": "position", "text": "8/8/4k3/8/8/4K3/8/8"}),
        json!({"at_ns": 5 * S, "event": "stop", "by": "black"}),
        json!({"at_ns": 9 * S, "event": "stop", "by": "black"}),
        json!({"at_ns": 9 * S, "event": "result", "result": "1-0", "reason": "resigned"}),
        json!({"at_ns": 9 * S, "event": "reopen"}),
        json!({"at_ns": 9 * S, "event": "resume"}),
        json!({"at_ns": 9 * S, "event": "reopen"}),
    ];
    let answers = play("blitz-3-2", &script);
    for (index, answer) in (0..).zip(&answers[..5]) {
        assert_eq!(answer["error"], Value::Null);
        assert_eq!(answer["running"], "white");
        assert_eq!(answer["white"]["remaining_ns"], (182 - index) * S);
        assert_eq!(answer["events"].as_array().unwrap().len(), usize::from(index == 0));
    }
    let phases: Vec<_> =
        answers[5..].iter().map(|answer| answer["phase"].as_str().unwrap()).collect();
    assert_eq!(phases, ["paused", "paused", "over", "paused", "running", "running"]);
    assert_eq!(answers[6]["error"]["code"], "not-running");
    assert_eq!(answers[10]["error"]["code"], "not-over");
    assert_eq!(answers[10]["white"]["remaining_ns"], 177 * S);
}

#[test]
fn the_last_press_is_taken_back() {
    let script = [
        press(0, "black"),
        press(10 * S, "white"),
        json!({"at_ns": 12 * S, "event": "pause"}),
        json!({"at_ns": 12 * S, "event": "undo-press"}),
        json!({"at_ns": 12 * S, "event": "undo-press"}),
    ];
    let answers = play("blitz-3-2", &script);
    assert_eq!(answers[3]["white"]["remaining_ns"], 172 * S);
    assert_eq!(answers[3]["white"]["moves"], 0);
    assert_eq!(answers[3]["black"]["remaining_ns"], 180 * S);
    assert_eq!(answers[3]["events"], json!([]));
    assert_eq!(answers[4]["error"]["code"], "nothing-to-undo");
}

#[test]
fn claims_and_rulings_without_a_profile_are_refused_by_name() {
    let mut script = vec![press(0, "black")];
    let names = [
        "claim-flag",
        "claim-draw",
        "request-increment",
        "rule",
        "illegal-move",
        "record-confirmation",
        "penalize",
        "adjourn",
        "resume-adjourned",
    ];
    script.extend(names.iter().map(|name| json!({"at_ns": 1, "event": name, "by": "white"})));
    let answers = play("blitz-3-2", &script);
    for (name, answer) in names.iter().zip(&answers[1..]) {
        assert_eq!(answer["error"]["code"], "no-profile", "{name}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(name), "{answer}");
        assert_eq!(answer["white"]["remaining_ns"], 182 * S - 1);
    }
    for (control, part) in [
        ("40/90, G/30, +30, d5", "`d5` (character 19): a second increment or delay"),
        ("byo-yomi", "no time control `byo-yomi`"),
    ] {
        let output = run(&["--control", control], b"");
        assert_eq!(output.status.code(), Some(2), "{control}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(part), "{control}: {text}");
    }
}

/// Without main time a side has the increment of move 1, or a delay as the limit of each move.
#[test]
fn a_game_without_main_time_is_played_with_its_increment_or_delay() {
    let script = [press(0, "black"), press(2 * S, "white"), press(5 * S, "black"), show(13 * S)];
    for (control, left) in [("0+5", [5 - 2 + 5, 5 - 3 + 5]), ("pgn:0+5", [8, 7])] {
        let answers = play(control, &script);
        assert_eq!(answers[0]["white"]["remaining_ns"], 5 * S, "{control}");
        let remaining = ["white", "black"].map(|side| answers[2][side]["remaining_ns"].clone());
        assert_eq!(remaining, left.map(|seconds| json!(seconds * S)), "{control}");
        // White's 8 seconds are used up at 13 s.
        assert_eq!(answers[3]["white"]["flag_ns"], 13 * S, "{control}");
    }
    for control in ["G/0 d5", "G/0 b5"] {
        let answers = play(control, &[press(0, "black"), press(4 * S, "white"), show(9 * S)]);
        assert_eq!(answers[1]["white"]["flag_ns"], Value::Null, "{control}");
        assert_eq!(answers[2]["black"]["flag_ns"], 9 * S, "{control}");
    }
}

#[test]
fn a_notation_plays_as_the_file_that_says_the_same_and_is_echoed_in_words() {
    let script = lines(&[press(0, "black"), press(7 * S, "white"), show(9 * S)]);
    for (notation, name, words) in [
        ("3 + 2", "blitz-3-2", "`3+2` means all moves in 0:03:00, 2 s a move from move 1"),
        ("40/90 G/30+30", "fide-standard", "`40/90, G/30, +30` means 40 moves in 1:30:00, then"),
        ("pgn:40/5400+30:1800+30", "fide-standard", "`40/90, G/30, +30` means 40 moves in"),
        ("g/60D5", "us-g60-d5", "`G/60 d5` means all moves in 1:00:00, 5 s delay a move"),
        ("10 v 7, +1 from 41", "armageddon-10-7-1-from-41", "White: all moves in 0:10:00, 1 s"),
        ("pgn:*180", "hourglass-3", "`pgn:*180` means 0:03:00 each as an hourglass"),
    ] {
        let said = run(&["--control", notation], script.as_bytes());
        assert_eq!(said.status.code(), Some(0), "{notation}");
        let named = run(&["--control", name], script.as_bytes());
        assert_eq!(said.stdout, named.stdout, "{notation}");
        let echo = String::from_utf8(said.stderr).unwrap();
        assert!(echo.starts_with("clockctl: ") && echo.contains(words), "{notation}: {echo}");
        assert_eq!(echo.lines().count(), 1);
        assert!(named.stderr.is_empty());
    }
    let quiet = run(&["--control", "3+2", "-q"], script.as_bytes());
    assert_eq!((quiet.status.code(), quiet.stdout.len(), quiet.stderr.len()), (Some(0), 0, 0));
}

#[test]
fn an_increment_from_move_41_comes_with_the_fortieth_press() {
    let mut script = vec![press(0, "black")];
    for moved in 1..=84_u64 {
        script.push(press(moved * S, if moved % 2 == 1 { "white" } else { "black" }));
    }
    let answers = play("G/120, +10 from 41", &script);
    let white = |moves: usize| answers[2 * moves - 1]["white"]["remaining_ns"].as_u64().unwrap();
    assert_eq!(white(39), (7200 - 39) * S);
    assert_eq!(white(40), (7200 - 40 + 10) * S);
    assert_eq!(white(41), (7200 - 41 + 20) * S);
}

#[test]
fn malformed_lines_are_answered_in_their_place_and_later_lines_are_played() {
    let long = format!("{{\"at_ns\": 5, \"event\": \"{}\"}}\n", "x".repeat(1 << 20));
    let mut script = lines(&[press(0, "black"), show(4)]).into_bytes();
    for line in [
        &b"nonsense\n"[..],
        b"\n",
        b"{\"at_ns\": 3, \"event\": \"show\"}\n",
        b"\xff\xfe\n",
        long.as_bytes(),
        b"{\"at_ns\": 5, \"event\": \"press\", \"side\": \"white\"}",
    ] {
        script.extend_from_slice(line);
    }
    let output = run(&["--control", "blitz-3-2"], &script);
    assert_eq!(output.status.code(), Some(1));
    let answers = answers(&output);
    assert_eq!(answers.len(), 8);
    for (index, answer) in answers.iter().enumerate().take(7).skip(2) {
        assert_eq!(answer["error"]["code"], "bad-input", "{answer}");
        assert_eq!(answer["error"]["line"], index + 1);
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(&format!("line {}: ", index + 1)), "{message}");
        // The answer shows the state at the instant of the last well-formed line.
        assert_eq!(
            (&answer["at_ns"], &answer["white"]["remaining_ns"]),
            (&json!(4), &json!(182 * S - 4))
        );
    }
    assert!(answers[4]["error"]["message"].as_str().unwrap().contains("expected 4 or more"));
    assert_eq!(answers[7]["white"]["moves"], 1);
}

#[test]
fn every_line_has_exactly_one_answer_whatever_it_asks_for() {
    let script = b"\xef\xbb\xbf{\"at_ns\":0,\"event\":\"show\"}\r\nnonsense\n";
    for arguments in [&["--control", "blitz-3-2"][..], &["--control", "blitz-3-2", "--json"]] {
        let output = run(arguments, script);
        assert_eq!((output.status.code(), answers(&output).len()), (Some(1), 2));
        let message = answers(&output)[1]["error"]["message"].to_string();
        assert!(
            message.contains("line 2: a word without") && !message.contains("line 1"),
            "{message}"
        );
    }
    let quiet = run(&["--control", "blitz-3-2", "-q"], script);
    assert_eq!((quiet.status.code(), quiet.stdout.len()), (Some(1), 0));
    let twice = run(&["--control", "blitz-3-2"], b"{\"at_ns\":1,\"at_ns\":5,\"event\":\"show\"}");
    assert_eq!(answers(&twice)[0]["error"]["code"], "bad-input");
}

#[test]
fn a_file_in_the_current_folder_does_not_replace_a_named_control() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("blitz-3-2"), "name = 'x'\n[[period]]\ntime = '5m'\n")
        .unwrap();
    let output = clockctl()
        .current_dir(&folder)
        .args(["time-control", "show", "blitz-3-2"])
        .output()
        .unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("Blitz 3+2: "));
    let zero = run(&["--control", "/dev/zero"], b"");
    assert_eq!(zero.status.code(), Some(2));
    assert!(String::from_utf8(zero.stderr).unwrap().contains("not a regular file"));
}

#[test]
fn a_script_and_a_control_in_files_and_files_that_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.jsonl");
    std::fs::write(&script, lines(&[press(0, "black")])).unwrap();
    let control = control_file(&folder, "name = 'x'\n[[period]]\ntime = '90m'\n");
    let output = run(&["--control", &control, script.to_str().unwrap()], b"");
    assert_eq!(answers(&output)[0]["white"]["remaining_ns"], 5400 * S);

    for (arguments, part) in [
        (
            ["--control", "blitz-3-2", "/nowhere/script"],
            "the script /nowhere/script: there is no such file",
        ),
        (["--control", "/nowhere/x.toml", "-"], "/nowhere/x.toml: there is no such file"),
    ] {
        let output = run(&arguments, b"");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8(output.stderr).unwrap().contains(part));
    }
    let control = control_file(&folder, "name = 'x'\n[[period]]\ntime = '90m'\nhourglas = true\n");
    let output = run(&["--control", &control], b"");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("control.toml:4:1: unknown key `hourglas`"), "{text}");
}

/// Writes lines until the pipe is closed, like a program that never stops.
fn write_without_end(mut stdin: impl Write) {
    let lines = "{\"at_ns\": 0, \"event\": \"show\"}\n".repeat(1000);
    while stdin.write_all(lines.as_bytes()).is_ok() {}
}

#[test]
fn a_reader_that_closes_the_pipe_ends_an_endless_script_quietly() {
    // A malformed line before the end would give exit code 1, but there is no reader who could be
    // informed of it.
    for first in ["", "nonsense\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_clockctl"))
            .args(["simulate", "--control", "blitz-3-2"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(first.as_bytes()).unwrap();
        let writing = std::thread::spawn(move || write_without_end(stdin));
        let mut answer = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut answer).unwrap();
        assert!(answer.starts_with("{\"at_ns\":0,"), "{answer}");
        // The reader is gone now: the program must end by itself.
        let deadline = Instant::now() + Duration::from_secs(30);
        while child.try_wait().unwrap().is_none() {
            if Instant::now() > deadline {
                child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), said.as_ref()), (Some(0), ""));
        writing.join().unwrap();
    }
}
