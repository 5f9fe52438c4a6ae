//! `make demo`, with keys in a terminal and without a terminal.

use clock_tests::{Bench, Face, Program, eventually, program};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::process::{Command, Stdio};

/// A control of a few seconds. A terminal of any size can show such short times.
const CONTROL: &str = "\
name = \"Four seconds\"
after_flag = \"halt\"
[[period]]
time = \"4s\"
delay = \"6s\"
";

/// Starts the demonstration in a terminal, in the folder of the bench.
fn demo(bench: &Bench, cols: u16, rows: u16) -> Face {
    demo_with(bench, CONTROL, cols, rows)
}

/// Does the same as [`demo`], but with `text` as the control file.
fn demo_with(bench: &Bench, text: &str, cols: u16, rows: u16) -> Face {
    let control = bench.folder().join("control.toml");
    std::fs::write(&control, text).unwrap();
    let folder = bench.folder().display().to_string();
    let control = control.display().to_string();
    let arguments = ["--dir", &folder, "--control", &control];
    Face::start(program("clock-demo"), &arguments, cols, rows)
}

/// A property of the clock, read with the independent D-Bus client `gdbus`.
fn gdbus(bench: &Bench, property: &str) -> String {
    let output = Command::new("gdbus")
        .args(["call", "--address", &bench.address(), "--dest", "org.chessclock.Clock1"])
        .args(["--object-path", "/org/chessclock/Clock1"])
        .args([
            "--method",
            "org.freedesktop.DBus.Properties.Get",
            "org.chessclock.Clock1",
            property,
        ])
        .output()
        .expect("gdbus is installed by `make test`");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    // The text is such as `(<uint64 5>,)`, `(<'white'>,)` or `(<int64 -1>,)`.
    let value = text.trim().trim_start_matches("(<").trim_end_matches(">,)");
    value.rsplit(' ').next().unwrap().trim_matches('\'').to_owned()
}

/// Checks that `clockctl status` and a D-Bus property have the expected value.
#[track_caller]
fn agree(bench: &Bench, expected: &[(&str, &str, Value)]) {
    let status = bench.status().unwrap();
    for (pointer, property, value) in expected {
        assert_eq!(status.pointer(pointer).unwrap(), value, "{pointer} in {status}");
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        assert_eq!(gdbus(bench, property), value, "{property}");
    }
}

#[test]
fn a_game_with_real_keys_shows_the_same_as_the_bus() {
    let bench = Bench::new().unwrap();
    // Five minutes are enough for ten moves on a busy machine.
    let control = CONTROL.replace("time = \"4s\"", "time = \"5m\"");
    let mut face = demo_with(&bench, &control, 110, 34);
    face.shows("starts White's clock");
    face.shows("w White's button");
    agree(&bench, &[("/phase", "Phase", "ready".into()), ("/running", "Running", Value::Null)]);

    face.keys("b");
    face.shows("▶ White");
    agree(
        &bench,
        &[
            ("/phase", "Phase", "running".into()),
            ("/running", "Running", "white".into()),
            ("/black/moves", "BlackMoves", 0.into()),
        ],
    );
    for moved in 1..=10_u32 {
        let (key, next) = if moved % 2 == 1 { ("w", "▶ Black") } else { ("b", "▶ White") };
        face.keys(key);
        face.shows(next);
        face.shows(&format!("move {}", moved.div_ceil(2)));
    }
    agree(
        &bench,
        &[
            ("/running", "Running", "white".into()),
            ("/white/moves", "WhiteMoves", 5.into()),
            ("/black/moves", "BlackMoves", 5.into()),
            ("/white/period", "WhitePeriod", 1.into()),
        ],
    );
    assert_eq!(bench.status().unwrap()["white"]["flag_ns"], Value::Null);
    assert_eq!(gdbus(&bench, "WhiteFlagNSec"), "-1");

    face.keys("c");
    face.shows("Paused. Both press to go on");
    face.shows("❚❚ White");
    let status = bench.status().unwrap();
    let remaining = status["white"]["remaining_ns"].clone();
    agree(
        &bench,
        &[
            ("/phase", "Phase", "paused".into()),
            ("/running", "Running", Value::Null),
            ("/arbiter_called_by", "ArbiterCalledBy", Value::Null),
            ("/white/remaining_ns", "WhiteRemainingNSec", remaining),
        ],
    );

    for command in [
        ["record-confirmation", "white", "correction"],
        ["record-confirmation", "black", "correction"],
        ["set", "--white-time", "0:00:01"],
    ] {
        let done = bench.ctl(&command).unwrap();
        assert!(done.status.success(), "{done:?}");
    }
    face.keys("w");
    face.shows("White ✓");
    face.keys("b");
    face.shows("▶ White");
    face.shows("FLAG");
    face.shows("time is up");
    let flag = bench.status().unwrap()["white"]["flag_ns"].clone();
    assert!(flag.is_u64(), "{flag}");
    agree(
        &bench,
        &[
            ("/phase", "Phase", "ruling".into()),
            ("/first_flag", "FirstFlag", "white".into()),
            ("/white/remaining_ns", "WhiteRemainingNSec", 0.into()),
            ("/white/flag_ns", "WhiteFlagNSec", flag),
        ],
    );

    // White's flag has fallen, so a press of White's button does nothing.
    face.keys("w");
    agree(&bench, &[("/white/moves", "WhiteMoves", 5.into())]);

    face.keys("q");
    assert_eq!(face.wait(), 0);
    // The last output may be read only after the program has ended.
    eventually("the terminal is restored", || (!face.alternate()).then_some(()));
    eventually("nothing runs any more", || bench.processes().is_empty().then_some(()));
}

#[test]
fn a_terminal_of_20_by_5_shows_both_times_and_says_what_is_too_small() {
    let bench = Bench::new().unwrap();
    let mut face = demo(&bench, 20, 5);
    face.shows("W");
    face.shows("W   4.0");
    face.shows("B   4.0");
    face.shows("enlarge");
    face.resize(80, 24);
    face.shows("starts White's clock");
    // The arbiter's terminal needs the address of this bus; the command may take two lines.
    let command = format!("clockctl --bus {} status", bench.address());
    eventually("the whole command is shown", || {
        face.text().replace('\n', "").contains(&command).then_some(())
    });
    face.keys("\u{3}");
    assert_eq!(face.wait(), 0);
    eventually("nothing runs any more", || bench.processes().is_empty().then_some(()));
}

/// The command that runs the demonstration without a terminal. The temporary folder of the
/// demonstration is inside the folder of the bench.
fn scripted(bench: &Bench) -> Command {
    let mut command = Command::new(program("clock-demo"));
    command.env("TMPDIR", bench.folder()).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn assert_nothing_left(bench: &Bench) {
    eventually("nothing runs any more", || bench.processes().is_empty().then_some(()));
    let left: Vec<_> = std::fs::read_dir(bench.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name != "clockd.toml")
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn without_a_terminal_a_scripted_game_prints_each_transition() {
    let bench = Bench::new().unwrap();
    let output = scripted(&bench).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}{:?}", String::from_utf8(output.stderr));
    let causes: Vec<&str> = text.lines().filter(|line| line.starts_with(" +")).map(cause).collect();
    let mut expected = vec!["now"];
    expected.extend(["press"; 11]);
    expected.extend(["pause", "resume", "flag", "result"]);
    assert_eq!(causes, expected, "{text}");
    assert!(text.contains("over: 0-1"), "{text}");
    assert!(!text.contains("no clock service"), "{text}");
    assert_nothing_left(&bench);
}

/// The second word of a line of `clockctl watch`.
fn cause(line: &str) -> &str {
    line.split_whitespace().nth(1).unwrap_or_default()
}

#[test]
fn a_signal_leaves_no_process_and_no_file_behind() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let bench = Bench::new().unwrap();
        let mut demo = Program::start(&mut scripted(&bench)).unwrap();
        // The game is under way: all programs run.
        eventually("the game is on", || {
            (bench.processes().iter().any(|line| line.contains("watch"))).then_some(())
        });
        demo.signal(signal).unwrap();
        assert_eq!(demo.wait().unwrap(), code);
        assert_nothing_left(&bench);
    }
}

#[test]
fn a_signal_restores_the_terminal() {
    let bench = Bench::new().unwrap();
    let mut face = demo(&bench, 80, 24);
    face.shows("starts White's clock");
    kill_process(Pid::from_raw(face.id().try_into().unwrap()).unwrap(), Signal::TERM).unwrap();
    assert_eq!(face.wait(), 143);
    eventually("the terminal is restored", || (!face.alternate()).then_some(()));
    eventually("nothing runs any more", || bench.processes().is_empty().then_some(()));
}
