//! `clockctl doctor --loopback` with the real service. The wire is the socket of the simulated
//! buttons.

use crate::schema::validate;
use clock_tests::{Bench, Program, program};
use serde_json::Value;
use std::process::Output;

fn clock() -> (Bench, (Program, Program)) {
    let bench = Bench::new().unwrap();
    let bus = bench.bus().unwrap();
    let record = bench.folder().join("record.sqlite3");
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
    let mut command = bench.clockctl(&[&["doctor", "--loopback", "--line", line], more].concat());
    // `clockctl` starts the `clockd` that it finds first.
    command.env("PATH", program("clockd").parent().unwrap());
    command.output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn entries(bench: &Bench) -> Value {
    let output = bench.ctl(&["health", "--json"]).unwrap();
    serde_json::from_slice::<Value>(&output.stdout).unwrap()["recorded_entries"].clone()
}

#[test]
fn the_certificate_says_how_exactly_the_presses_were_stamped() {
    let (bench, _programs) = clock();
    let before = entries(&bench);
    assert!(before.is_u64(), "{before}");
    let (exit, out, err) = said(&loopback(&bench, "black", "black", &["--json", "--seed", "7"]));
    assert_eq!((exit, err.as_str()), (Some(0), ""), "{out}");
    validate("doctor-loopback", &out);
    let line: Value = serde_json::from_str(&out).unwrap();
    let counts = ["presses", "lost", "unexpected", "stamped_outside", "seed"].map(|key| &line[key]);
    assert_eq!(counts, [20, 0, 0, 0, 7], "the simulated board stamps within the call: {line}");
    assert_eq!(line["stamp_error"]["max_ns"], 0, "{line}");
    let latency = |key: &str| line["decision_latency"][key].as_u64().unwrap();
    assert!(latency("min_ns") >= line["settle_ns"].as_u64().unwrap(), "{line}");
    assert!(latency("p50_ns") <= latency("p99_ns") && latency("p99_ns") <= latency("max_ns"));
    // No press reached the game or the record, and the buttons belong to the game again.
    assert_eq!((&bench.status().unwrap()["phase"], entries(&bench)), (&"ready".into(), before));
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
    let root = rustix::process::geteuid().is_root();
    let why = if root { "no GPIO chip `nowhere`" } else { "only root may drive a line" };
    assert!(exit == Some(2) && err.contains(why), "{err}");
    let (exit, _, err) = said(&loopback(&bench, "nobody", "black", &[]));
    assert!(exit == Some(2) && err.contains("the line cannot be set"), "{err}");
    assert!(bench.ctl(&["start"]).unwrap().status.success());
    let (exit, _, err) = said(&loopback(&bench, "black", "black", &[]));
    assert!(exit == Some(5) && err.contains("a game is on the clock"), "{err}");
    assert_eq!(bench.status().unwrap()["phase"], "running", "and nothing was pressed");
}
