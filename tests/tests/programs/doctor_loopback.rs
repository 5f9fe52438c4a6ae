//! `clockctl doctor --loopback` with the real service. The wire is the socket of the simulated
//! buttons.

use crate::python::run;
use clock_tests::{Bench, Program, eventually, program};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

fn clock() -> (Bench, (Program, Program)) {
    let bench = Bench::new().unwrap();
    let bus = bench.bus().unwrap();
    let record = bench.folder().join("games");
    let clockd = bench.clockd(&["--control", "3+2", "--record", record.to_str().unwrap()]).unwrap();
    (bench, (bus, clockd))
}

/// Presses the button `pressed` of the simulated board 20 times, and asks for the certificate of
/// `button`.
fn loopback(bench: &Bench, pressed: &str, button: &str, more: &[&str]) -> Output {
    let line = format!("sim:{}:{pressed}", bench.socket().display());
    line_loopback(bench, &line, &[&["--button", button, "--presses", "20"], more].concat())
}

fn line_loopback(bench: &Bench, line: &str, more: &[&str]) -> Output {
    command(bench, line, more).output().unwrap()
}

fn command(bench: &Bench, line: &str, more: &[&str]) -> Command {
    let mut command = bench.clockctl(&[&["doctor", "--loopback", "--line", line], more].concat());
    // `clockctl` starts the `clockd` that it finds first.
    command.env("PATH", program("clockd").parent().unwrap());
    command
}

/// Presses this button 1,000 times. Returns when the presses have begun and so many milliseconds
/// have passed.
fn pressing(bench: &Bench, button: &str, milliseconds: u64) -> Child {
    let line = format!("sim:{}:{button}", bench.socket().display());
    let mut command = command(bench, &line, &["--button", button, "--seed", "7"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    errors.read_line(&mut said).unwrap();
    let name = format!(
        "Pressing {}'s button 1000 times over the wire, for about 2 min.\n",
        capital(button)
    );
    assert_eq!(said, name);
    child.stderr = Some(errors.into_inner());
    std::thread::sleep(Duration::from_millis(milliseconds));
    child
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The number of the latest entry on record; `None` if there is no record that is written.
fn entries(bench: &Bench) -> Option<u64> {
    let output = bench.ctl(&["doctor", "--json"]).unwrap();
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut findings = said["findings"].as_array().unwrap().iter();
    let record = findings.find(|finding| finding["id"] == "record").unwrap();
    record["value"].as_str().unwrap().strip_prefix("written up to entry ")?.parse().ok()
}

#[test]
fn the_certificate_says_how_exactly_the_presses_were_stamped() {
    let (bench, _programs) = clock();
    // The entry of the new game is written in the background.
    let before =
        eventually("the new game is on record", || entries(&bench).filter(|entry| *entry > 0));
    let (exit, out, err) = said(&loopback(&bench, "black", "black", &["--json", "--seed", "7"]));
    assert_eq!((exit, err.as_str()), (Some(0), ""), "{out}");
    let schema = "docs/schemas/doctor-loopback.schema.json";
    assert_eq!(run("schema/validate.py", &[schema], &out), "1 lines\n");
    let line: Value = serde_json::from_str(&out).unwrap();
    let counts = ["presses", "lost", "unexpected", "stamped_outside", "seed"].map(|key| &line[key]);
    assert_eq!(counts, [20, 0, 0, 0, 7], "the simulated board stamps within the call: {line}");
    assert_eq!(line["stamp_error"]["max_ns"], 0, "{line}");
    let latency = |key: &str| line["decision_latency"][key].as_u64().unwrap();
    assert!(latency("min_ns") >= line["settle_ns"].as_u64().unwrap(), "{line}");
    assert!(latency("p50_ns") <= latency("p99_ns") && latency("p99_ns") <= latency("max_ns"));
    // No press reached the game or the record, and the buttons belong to the game again.
    assert_eq!(
        (&bench.status().unwrap()["phase"], entries(&bench)),
        (&"ready".into(), Some(before))
    );
    bench.buttons().unwrap().press("black").unwrap();
    assert_eq!(bench.status().unwrap()["phase"], "running");
}

#[test]
fn the_certificate_in_text_has_what_the_json_has() {
    let (bench, _programs) = clock();
    let (exit, out, _) = said(&loopback(&bench, "call", "call", &[]));
    assert_eq!(exit, Some(0), "{out}");
    assert!(out.starts_with("Loopback test of a chess clock: fit for play\n"), "{out}");
    assert!(out.contains("presses      20 made, 0 lost, 0 that nobody made\n"), "{out}");
    assert!(out.contains("call to the call button, seed "), "{out}");
    for name in ["date", "machine", "kernel", "clock", "wire", "stamp error", "call", "decision"] {
        assert!(out.lines().any(|line| line.starts_with(&format!("{name:11}  "))), "{name}: {out}");
    }
}

#[test]
fn a_wire_to_another_line_is_presses_that_are_lost_and_that_nobody_made() {
    let (bench, _programs) = clock();
    let (exit, out, err) = said(&loopback(&bench, "white", "black", &["--json"]));
    assert_eq!(exit, Some(8), "{out}{err}");
    let line: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&line["lost"], &line["unexpected"]), (&20.into(), &20.into()));
    assert_eq!(line["fit"], false);
}

#[test]
fn it_is_refused_during_a_game_and_without_a_line() {
    let (bench, _programs) = clock();
    let (exit, _, err) = said(&line_loopback(&bench, "nowhere:3", &["--button", "black"]));
    let (code, why) = match rustix::process::geteuid().is_root() {
        true => (2, "no GPIO chip `nowhere`"),
        false => (4, "denied: only root may drive a line"),
    };
    assert!(exit == Some(code) && err.contains(why), "{err}");
    let (exit, _, err) = said(&loopback(&bench, "nobody", "black", &[]));
    assert!(exit == Some(2) && err.contains("the line cannot be set"), "{err}");
    assert!(bench.ctl(&["start"]).unwrap().status.success());
    let (exit, _, err) = said(&loopback(&bench, "black", "black", &[]));
    assert!(exit == Some(5) && err.contains("a game is on the clock"), "{err}");
    assert_eq!(bench.status().unwrap()["phase"], "running", "and nothing was pressed");
}

/// Without the time for which the clock keeps presses, three of four rounds fail.
#[test]
fn a_game_that_is_started_in_the_meantime_gets_no_press() {
    let (bench, _programs) = clock();
    for round in 0..6 {
        let child = pressing(&bench, "white", 300 + 37 * round);
        assert!(bench.ctl(&["start"]).unwrap().status.success());
        let (exit, _, err) = said(&child.wait_with_output().unwrap());
        assert!(exit == Some(5) && err.contains("has ended: a clock was started"), "{err}");
        let status = bench.status().unwrap();
        assert_eq!((&status["phase"], &status["on_move"]), (&"running".into(), &"white".into()));
        assert_eq!(status["white"]["moves"], 0, "{status}");
        assert!(bench.ctl(&["new", "--force"]).unwrap().status.success());
    }
}

/// The unit tests of the driver say that it does not touch the line.
#[test]
fn no_press_is_made_after_the_command_was_killed() {
    let (bench, _programs) = clock();
    for round in 0..3 {
        let mut child = pressing(&bench, "black", 300 + 37 * round);
        child.kill().unwrap();
        child.wait().unwrap();
        // For longer than the longest time before a press.
        std::thread::sleep(Duration::from_millis(150));
        assert_eq!(bench.status().unwrap()["phase"], "ready");
    }
}
