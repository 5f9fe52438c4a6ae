//! Programs killed and started again, in any order: none of the others hangs, and all come back.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use clock_tests::{Bench, Face, Program, eventually, program};
use rustix::process::{Pid, Signal, kill_process};
use std::time::{Duration, Instant};

struct House {
    bench: Bench,
    bus: Program,
    clockd: Program,
    face: Face,
}

fn face(bench: &Bench) -> Face {
    Face::start(program("clock-display"), &["--bus", &bench.address()], 80, 24)
}

fn house() -> House {
    let bench = Bench::new().unwrap();
    let bus = bench.bus().unwrap();
    let clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    let face = face(&bench);
    face.shows("READY");
    House { bench, bus, clockd, face }
}

impl House {
    /// The exit code of `clockctl status`, which must not take long whatever is away.
    fn status(&self) -> i32 {
        let start = Instant::now();
        let code = self.bench.ctl(&["status", "-q"]).unwrap().status.code().unwrap();
        assert!(start.elapsed() < Duration::from_secs(15), "clockctl hangs");
        code
    }

    /// Everything works together: a press reaches the clock, the bus and the face.
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
fn the_clock_is_killed_and_comes_back() {
    let mut house = house();
    house.works();
    house.clockd.kill().unwrap();
    house.face.shows("no clock service");
    assert_eq!(house.status(), 3);
    house.clockd = house.bench.clockd(&["--control", "blitz-5-3"]).unwrap();
    house.face.shows("READY");
    house.works();
}

#[test]
fn the_bus_is_killed_the_clock_runs_on_and_is_back_with_the_bus() {
    let mut house = house();
    house.works();
    house.bus.kill().unwrap();
    house.face.shows("no clock service");
    assert_eq!(house.status(), 7);
    // Nobody can see it, but the clock still counts.
    house.bench.buttons().unwrap().press("white").unwrap();
    house.bus = house.bench.bus().unwrap();
    house.face.shows("▶ Black");
    assert_eq!(house.bench.status().unwrap()["white"]["moves"], 1);
    house.works();
}

#[test]
fn the_bus_goes_and_comes_back_many_times() {
    let mut house = house();
    for _ in 0..3 {
        house.bus.kill().unwrap();
        house.face.shows("no clock service");
        house.bus = house.bench.bus().unwrap();
        house.works();
    }
}

#[test]
fn clock_and_bus_both_go_and_come_back_bus_first() {
    let mut house = house();
    house.works();
    house.clockd.kill().unwrap();
    house.bus.kill().unwrap();
    house.face.shows("no clock service");
    house.bus = house.bench.bus().unwrap();
    assert_eq!(house.status(), 3);
    house.clockd = house.bench.clockd(&["--control", "blitz-5-3"]).unwrap();
    house.face.shows("READY");
    house.works();
}

#[test]
fn a_clock_without_a_bus_ends_with_a_message_instead_of_hanging() {
    let mut house = house();
    house.bus.kill().unwrap();
    house.clockd.kill().unwrap();
    let output = house.bench.clockd_command(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(7));
    house.face.shows("no clock service");
    assert!(house.face.runs());
}

#[test]
fn the_face_is_killed_and_the_others_do_not_care() {
    let mut house = house();
    house.works();
    let pid = Pid::from_raw(house.face.id().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    house.face.wait();
    let mut buttons = house.bench.buttons().unwrap();
    buttons.press("white").unwrap();
    house.face = face(&house.bench);
    house.face.shows("▶ Black");
    house.works();
}

#[test]
fn a_face_started_before_everything_else_waits() {
    let bench = Bench::new().unwrap();
    let face = face(&bench);
    face.shows("no clock service");
    let bus = bench.bus().unwrap();
    face.shows("no clock service");
    let clockd = bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    face.shows("READY");
    House { bench, bus, clockd, face }.works();
}

#[test]
fn a_clock_that_stands_still_is_reported_by_clockctl_in_time() {
    let mut house = house();
    house.clockd.signal(Signal::STOP).unwrap();
    assert_eq!(house.status(), 6);
    house.clockd.signal(Signal::CONT).unwrap();
    house.works();
}

#[test]
fn watch_lives_through_all_of_it() {
    let mut house = house();
    let mut watch =
        Face::start(program("clockctl"), &["--bus", &house.bench.address(), "watch"], 100, 30);
    watch.shows("now");
    house.clockd.kill().unwrap();
    watch.shows("no clock service");
    house.clockd = house.bench.clockd(&["--control", "blitz-3-2"]).unwrap();
    house.works();
    watch.shows("press");
    house.bus.kill().unwrap();
    house.bus = house.bench.bus().unwrap();
    house.works();
    eventually("it saw the press after the bus came back", || {
        (watch.text().matches("press").count() >= 2).then_some(())
    });
    watch.keys("\u{3}");
    assert_eq!(watch.wait(), 0);
}
