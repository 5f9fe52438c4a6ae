//! Programs are killed and started again in any order. The others do not hang, and all of them work
//! together again afterwards.

use clock_tests::{Bench, Face, Program, eventually, program};
use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant};

/// A bus, a clock and a face that work together.
struct Fixture {
    bench: Bench,
    bus: Program,
    clockd: Program,
    face: Face,
}

fn face(bench: &Bench) -> Face {
    Face::start(program("clock-display"), &["--bus", &bench.address()], 80, 24)
}

fn fixture() -> Fixture {
    let bench = Bench::new().unwrap();
    let bus = bench.bus().unwrap();
    let clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    let face = face(&bench);
    face.shows("starts White's clock");
    Fixture { bench, bus, clockd, face }
}

impl Fixture {
    /// The exit code of `clockctl status`. It must not take long, whichever program is missing.
    fn status(&self) -> i32 {
        let start = Instant::now();
        let code = self.bench.ctl(&["status", "-q"]).unwrap().status.code().unwrap();
        assert!(start.elapsed() < Duration::from_secs(15), "clockctl hangs");
        code
    }

    /// Checks that a press reaches the clock, the bus and the face.
    fn works(&mut self) {
        eventually("the clock is on the bus", || (self.status() == 0).then_some(()));
        let mut buttons = self.bench.buttons().unwrap();
        let before = self.bench.status().unwrap();
        match before["running"].as_str() {
            Some("black") => {
                buttons.press("black").unwrap();
                self.face.shows("▶ White");
            }
            Some(_) => {
                buttons.press("white").unwrap();
                self.face.shows("▶ Black");
            }
            None => {
                buttons.press("black").unwrap();
                self.face.shows("▶ White");
            }
        }
        assert_ne!(self.bench.status().unwrap()["running"], before["running"]);
    }
}

#[test]
fn a_killed_clock_works_again_after_a_restart() {
    let mut fixture = fixture();
    fixture.works();
    fixture.clockd.kill().unwrap();
    fixture.face.shows("no clock service");
    assert_eq!(fixture.status(), 3);
    fixture.clockd = fixture.bench.clockd(&["--control", "blitz-5-3"]).unwrap();
    fixture.face.shows("starts White's clock");
    fixture.works();
}

#[test]
fn a_killed_bus_does_not_stop_the_clock() {
    let mut fixture = fixture();
    fixture.works();
    fixture.bus.kill().unwrap();
    fixture.face.shows("no clock service");
    assert_eq!(fixture.status(), 7);
    // Without the bus, presses still count.
    fixture.bench.buttons().unwrap().press("white").unwrap();
    fixture.bus = fixture.bench.bus().unwrap();
    fixture.face.shows("▶ Black");
    assert_eq!(fixture.bench.status().unwrap()["white"]["moves"], 1);
    fixture.works();
}

#[test]
fn the_bus_can_be_restarted_many_times() {
    let mut fixture = fixture();
    for _ in 0..3 {
        fixture.bus.kill().unwrap();
        fixture.face.shows("no clock service");
        fixture.bus = fixture.bench.bus().unwrap();
        fixture.works();
    }
}

#[test]
fn clock_and_bus_can_both_be_restarted_bus_first() {
    let mut fixture = fixture();
    fixture.works();
    fixture.clockd.kill().unwrap();
    fixture.bus.kill().unwrap();
    fixture.face.shows("no clock service");
    fixture.bus = fixture.bench.bus().unwrap();
    assert_eq!(fixture.status(), 3);
    fixture.clockd = fixture.bench.clockd(&["--control", "blitz-5-3"]).unwrap();
    fixture.face.shows("starts White's clock");
    fixture.works();
}

#[test]
fn a_clock_without_a_bus_ends_with_a_message_instead_of_hanging() {
    let mut fixture = fixture();
    fixture.bus.kill().unwrap();
    fixture.clockd.kill().unwrap();
    let output = fixture.bench.clockd_command(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    fixture.face.shows("no clock service");
    assert!(fixture.face.runs());
}

#[test]
fn a_killed_face_does_not_affect_the_other_programs() {
    let mut fixture = fixture();
    fixture.works();
    let pid = Pid::from_raw(fixture.face.id().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    fixture.face.wait();
    let mut buttons = fixture.bench.buttons().unwrap();
    buttons.press("white").unwrap();
    fixture.face = face(&fixture.bench);
    fixture.face.shows("▶ Black");
    fixture.works();
}

#[test]
fn a_face_that_starts_first_waits_for_bus_and_clock() {
    let bench = Bench::new().unwrap();
    let face = face(&bench);
    face.shows("no clock service");
    let bus = bench.bus().unwrap();
    face.shows("no clock service");
    let clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    face.shows("starts White's clock");
    Fixture { bench, bus, clockd, face }.works();
}

#[test]
fn clockctl_reports_a_clock_that_does_not_answer() {
    let mut fixture = fixture();
    fixture.clockd.signal(Signal::STOP).unwrap();
    assert_eq!(fixture.status(), 6);
    fixture.clockd.signal(Signal::CONT).unwrap();
    fixture.works();
}

#[test]
fn watch_goes_on_after_a_restart_of_clock_and_bus() {
    let mut fixture = fixture();
    let mut watch =
        Face::start(program("clockctl"), &["--bus", &fixture.bench.address(), "watch"], 100, 30);
    // `watch` prints a line with `now` once it has subscribed. It does not see earlier presses.
    let follows = |watch: &Face, times| {
        eventually("watch follows the clock", || {
            (watch.text().matches(" now ").count() == times).then_some(())
        });
    };
    follows(&watch, 1);
    fixture.clockd.kill().unwrap();
    watch.shows("no clock service");
    fixture.clockd = fixture.bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    follows(&watch, 2);
    fixture.works();
    watch.shows("press");
    fixture.bus.kill().unwrap();
    fixture.bus = fixture.bench.bus().unwrap();
    follows(&watch, 3);
    fixture.works();
    eventually("watch prints the press after the restart of the bus", || {
        (watch.text().matches("press").count() == 2).then_some(())
    });
    watch.keys("\u{3}");
    assert_eq!(watch.wait(), 0);
}
