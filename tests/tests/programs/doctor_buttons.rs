//! `clockctl doctor --buttons` with the real service and simulated buttons.

use crate::python::run;
use clock_tests::{Bench, Program};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStderr, Stdio};

/// A clock, and `clockctl doctor --buttons` that asks for presses.
struct Asked {
    bench: Bench,
    _programs: (Program, Program),
    child: Child,
    asks: BufReader<ChildStderr>,
}

fn clock() -> (Bench, (Program, Program)) {
    let bench = Bench::new().unwrap();
    let bus = bench.bus().unwrap();
    let clockd = bench.clockd(&["--control", "3+2"]).unwrap();
    (bench, (bus, clockd))
}

fn asked(arguments: &[&str]) -> Asked {
    let (bench, _programs) = clock();
    let mut command = bench.clockctl(&[&["doctor", "--buttons"], arguments].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let asks = BufReader::new(child.stderr.take().unwrap());
    Asked { bench, _programs, child, asks }
}

impl Asked {
    /// Waits for this request.
    fn hears(&mut self, request: &str) {
        let mut line = String::new();
        self.asks.read_line(&mut line).unwrap();
        assert_eq!(line.trim_end(), request);
    }

    fn press(&self, button: &str) {
        self.bench.buttons().unwrap().press(button).unwrap();
    }

    /// The exit code, and what was printed.
    fn ends(self) -> (Option<i32>, String) {
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    }
}

const WHITE: &str = "Press White's button and let it go.";
const BLACK: &str = "Press Black's button and let it go.";
const CALL: &str = "Press the call button and let it go.";

#[test]
fn each_button_is_asked_for_and_its_bounce_is_shown() {
    let mut asked = asked(&[]);
    asked.hears(WHITE);
    asked.bench.buttons().unwrap().press_with_bounce("white").unwrap();
    asked.hears(BLACK);
    asked.press("black");
    asked.hears(CALL);
    asked.press("call");
    let status = asked.bench.status().unwrap();
    let (exit, said) = asked.ends();
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.starts_with("fit      white-button  3 edges in 0."), "{said}");
    assert!(said.contains("fit      black-button  1 edge, no bounce; decided after"), "{said}");
    assert!(said.contains("fit      call-button   1 edge, no bounce"), "{said}");
    assert_eq!(said.matches("┘ closed for 1.000 ms: a press").count(), 3, "{said}");
    assert_eq!(status["phase"], "ready", "no press has started the game: {status}");
}

#[test]
fn exchanged_wires_are_named_after_a_second_press() {
    let mut asked = asked(&["--json"]);
    asked.hears(WHITE);
    asked.press("black");
    asked.hears("The line of Black's button moved. Press White's button and let it go once more.");
    asked.press("black");
    asked.hears(BLACK);
    asked.press("black");
    asked.hears(CALL);
    asked.press("call");
    let (exit, said) = asked.ends();
    assert_eq!(exit, Some(8), "{said}");
    let line: Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    let white = &line["findings"][0];
    assert_eq!((&white["id"], &white["verdict"]), (&"white-button".into(), &"unfit".into()));
    assert_eq!(white["value"], "the line of Black's button moved");
    assert_eq!(line["presses"][0]["moved"], "black");
    let schema = "docs/schemas/doctor-buttons.schema.json";
    assert_eq!(run("schema/validate.py", &[schema], &said), "1 lines\n");
}

#[test]
fn during_a_game_it_is_refused_with_the_way_out() {
    let (bench, _programs) = clock();
    assert!(bench.ctl(&["start"]).unwrap().status.success());
    let output = bench.ctl(&["doctor", "--buttons"]).unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{said}");
    for part in ["between games", "clockctl result RESULT REASON ends the game", "new --force"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_command_ends_it_and_it_says_so() {
    let mut asked = asked(&[]);
    asked.hears(WHITE);
    assert!(asked.bench.ctl(&["start"]).unwrap().status.success());
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut asked.asks, &mut rest).unwrap();
    assert!(rest.contains("the test of the buttons has ended: a clock was started"), "{rest}");
    assert_eq!(asked.ends().0, Some(5));
}
