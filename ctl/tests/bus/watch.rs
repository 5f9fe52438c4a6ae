//! `clockctl watch`: changes, absences of the service and of the bus, and its end.

use std::io::{BufRead, BufReader};

use clock_dbus::{Fault, FaultCode, PausedBy, Phase, State, Who};
use rustix::{io::ioctl_fionread, process::Signal};
use serde_json::{Value, json};

use crate::{
    fake::{Fake, SECOND, game},
    private_bus::PrivateBus,
    program::{Watching, wait_until},
};

fn press(state: &mut State) {
    state.at_nsec += 2 * SECOND;
    state.white_moves += 1;
    (state.on_move, state.running) = (Who::Black, Who::Black);
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn one_line_for_the_state_and_one_per_transition() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &[]);
    let expected = "+0:00:00.0  now       running  > White 1:29:58.3    Black 1:30:00.0";
    assert_eq!(watching.line().trim_start(), expected);
    fake.transition("press", press);
    let expected = "+0:00:02.0  press     running    White 1:29:58.3  > Black 1:30:00.0";
    assert_eq!(watching.line().trim_start(), expected);
    fake.transition("pause", |state| {
        state.revision += 1;
        state.at_nsec += SECOND / 2;
        (state.phase, state.running) = (Phase::Paused, Who::Nobody);
        state.arbiter_called_by = Who::White;
    });
    let expected = "+0:00:02.5  pause     paused     White 1:29:58.3  > Black 1:30:00.0  \
                    White called the arbiter";
    assert_eq!(watching.line().trim_start(), expected);
}

#[test]
fn faults_are_shown_when_they_begin_and_when_they_end() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &[]);
    watching.line();
    let text = "the buttons are not connected: check the cable";
    fake.transition("fault", |state| {
        state.revision += 1;
        (state.phase, state.running) = (Phase::Paused, Who::Nobody);
        state.paused_by = PausedBy::BoardGone;
        state.faults = vec![Fault::new(FaultCode::BoardGone, text)];
    });
    assert!(watching.line().contains("fault     paused "));
    assert_eq!(watching.line().trim(), format!("fault     {text}"));
    // The board is back, and nothing else has changed.
    fake.transition("fault", |state| state.faults.clear());
    assert!(watching.line().contains("fault     paused "));
    assert_eq!(watching.line().trim(), "fault     board-gone is over");
    fake.transition("resume", |state| {
        state.revision += 1;
        (state.phase, state.running) = (Phase::Running, Who::White);
    });
    assert!(watching.line().contains("resume    running"), "no fault is shown again");
}

#[test]
fn json_is_the_status_object_with_the_cause() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, SECOND);
    let watching = Watching::start(&bus, &["--json"]);
    let first = parse(&watching.line());
    assert_eq!((&first["cause"], &first["at_ns"]), (&Value::Null, &(101 * SECOND).into()));
    fake.transition("press", press);
    let line = watching.line();
    assert!(line.starts_with(r#"{"at_ns":102000000000,"phase":"running","running":"black","#));
    assert!(line.ends_with(r#","paused_by":null,"faults":[],"cause":"press"}"#), "{line}");
}

#[test]
fn it_outlasts_a_restart_of_the_service() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &[]);
    watching.line();
    drop(fake);
    assert_eq!(watching.line(), "no clock service");
    let fake = Fake::start(&bus, State { revision: 1, ..game() });
    assert!(watching.line().contains("now       running"));
    fake.transition("press", press);
    assert!(watching.line().contains("press     running"));
}

#[test]
fn it_waits_for_a_service_that_is_not_there_yet() {
    let bus = PrivateBus::start();
    let watching = Watching::start(&bus, &["--json"]);
    assert_eq!(watching.line(), r#"{"service":false}"#);
    let _fake = Fake::start(&bus, game());
    assert_eq!(parse(&watching.line())["revision"], 7);
}

#[test]
fn it_outlasts_a_restart_of_the_bus() {
    let mut bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &["--json"]);
    watching.line();
    bus.end();
    assert_eq!(parse(&watching.line()), json!({"service": false}));
    drop(fake);
    bus.restart();
    let fake = Fake::start(&bus, State { revision: 1, ..game() });
    // The service may be found before or after this; either way its absence is not shown again.
    assert_eq!(parse(&watching.line())["revision"], 1);
    fake.transition("press", press);
    assert_eq!(parse(&watching.line())["cause"], "press");
}

#[test]
fn a_forged_transition_is_not_shown() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &["--json"]);
    watching.line();
    fake.forge(State { revision: 99, ..game() });
    fake.transition("press", press);
    assert_eq!(parse(&watching.line())["cause"], "press");
}

#[test]
fn a_burst_is_shown_whole_and_in_order() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &["--json"]);
    watching.line();
    // More transitions than a stream of the bus library holds.
    for _ in 0..500 {
        fake.transition("set", |state| state.revision += 1);
    }
    for revision in 8..508 {
        assert_eq!(parse(&watching.line())["revision"], revision);
    }
}

#[test]
fn signals_end_it_well() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, game());
    for signal in [Signal::INT, Signal::TERM] {
        let watching = Watching::start(&bus, &[]);
        watching.line();
        watching.signal(signal);
        let ran = watching.end();
        assert_eq!((ran.exit, ran.err.as_str(), ran.out.as_str()), (0, "", ""));
    }
}

#[test]
fn a_reader_that_closes_the_pipe_ends_it_without_waiting_for_the_next_change() {
    let bus = PrivateBus::start();
    let _fake = Fake::start(&bus, game());
    let mut watching = Watching::unread(&bus, &[]);
    let mut reader = BufReader::new(watching.child.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    drop(reader);
    let ran = watching.end();
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""));
}

#[test]
fn a_reader_that_does_not_read_does_not_keep_it_from_ending() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let mut watching = Watching::unread(&bus, &["--json"]);
    let stdout = watching.child.stdout.take().unwrap();
    wait_until("the first line", || ioctl_fionread(&stdout).unwrap() > 0);
    // A pipe holds 64 KiB or less, since no line is split over two pages; a line is some 600 bytes.
    for _ in 0..300 {
        fake.transition("set", |state| state.revision += 1);
    }
    wait_until("the pipe fills up", || ioctl_fionread(&stdout).unwrap() > 48 * 1024);
    watching.signal(Signal::TERM);
    let ran = watching.end();
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""));
}
