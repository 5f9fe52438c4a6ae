//! Time controls as notations, wherever a control can be given.

use clock_tests::{Bench, program};
use std::process::{Command, Stdio};

/// Starts a clock with this configuration and these arguments, and waits until its log has
/// `meaning`. Returns the name of the control, and White's time in nanoseconds.
fn started(config: &str, arguments: &[&str], meaning: &str) -> (String, u64) {
    let bench = Bench::new().unwrap();
    bench.configure(config).unwrap();
    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(arguments).unwrap();
    bench.logged(meaning);
    let status = bench.status().unwrap();
    let name = status["control"].as_str().unwrap().to_owned();
    (name, status["white"]["remaining_ns"].as_u64().unwrap())
}

#[test]
fn the_configuration_takes_a_notation_and_the_log_says_what_it_means() {
    let meaning = "all moves in 0:03:00, 2 s a move from move 1";
    let clock = started("control = \"3+2\"\n", &[], meaning);
    assert_eq!(clock, ("3+2".to_owned(), 182_000_000_000));
    let meaning = "White: all moves in 0:10:00; Black: all moves in 0:07:00";
    let clock = started("control = 'pgn:40/5400+30:1800+30'\n", &["--control", "10v7"], meaning);
    assert_eq!(clock, ("10 v 7".to_owned(), 600_000_000_000));
}

#[test]
fn a_control_file_of_the_clock_comes_before_the_notation_of_the_same_text() {
    let bench = Bench::new().unwrap();
    let folder = bench.folder().join("controls");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("3+2.toml"), "name = 'Ours'\n[[period]]\ntime = '7m'\n").unwrap();
    bench.configure("control = \"3+2\"\n").unwrap();
    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(&[]).unwrap();
    assert_eq!(bench.status().unwrap()["white"]["remaining_ns"], 420_000_000_000_u64);
}

#[test]
fn a_wrong_notation_on_the_command_line_ends_clockd_with_what_is_accepted() {
    let bench = Bench::new().unwrap();
    let output = bench.clockd_command(&["--control", "40/90"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    for part in ["the time control 40/90: ", "no time for the moves after move 40", "G/30"] {
        assert!(error.contains(part), "{error}");
    }
}

/// Runs the demonstration without a terminal. Returns its exit code, its standard output and its
/// standard error.
fn demo(control: &str) -> (i32, String, String) {
    let mut command = Command::new(program("clock-demo"));
    command.args(["--control", control]).stdin(Stdio::null());
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_demo_takes_a_notation_and_says_what_it_means() {
    let (code, said, errors) = demo("G/1s +200ms");
    assert_eq!(code, 0, "{said}{errors}");
    let meaning = "means all moves in 0:00:01, 0:00:00.2 a move from move 1";
    assert!(said.lines().next().unwrap().ends_with(meaning), "{said}");
    assert!(said.contains("over: 0-1"), "{said}");
}

#[test]
fn the_demo_refuses_a_wrong_control_with_the_message_of_the_clock() {
    let (code, said, errors) = demo("40/90");
    assert_eq!((code, said.as_str()), (1, ""), "{errors}");
    assert!(errors.starts_with("demo: the time control 40/90: "), "{errors}");
    let (code, _, errors) = demo("blits-3-2");
    assert_eq!(code, 1, "{errors}");
    assert!(errors.contains("no time control `blits-3-2`; perhaps blitz-3-2? "), "{errors}");
}
