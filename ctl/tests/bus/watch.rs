//! `clockctl watch`: changes, absences of the service and of the bus, and its end.

use std::io::{BufRead, BufReader};

use clock_dbus::{Fault, FaultCode, PausedBy, Phase, SideState, State, Who};
use rustix::{io::ioctl_fionread, process::Signal};
use serde_json::{Value, json};

use crate::{
    fake::{Fake, Reading, SECOND, Sent, game},
    private_bus::PrivateBus,
    program::{Watching, run, wait_until},
};

fn press(state: &mut State) {
    state.at_nsec += 2 * SECOND;
    state.white.moves += 1;
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
        (state.paused_by, state.arbiter_called_by) = (PausedBy::White, Who::White);
    });
    let expected = "+0:00:02.5  pause     paused     White 1:29:58.3  > Black 1:30:00.0  \
                    paused by White  White called the arbiter";
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
    // The button board is back, and nothing else has changed.
    fake.transition("fault", |state| state.faults.clear());
    assert!(watching.line().contains("fault     paused "));
    assert_eq!(watching.line().trim(), "fault     board-gone is over");
    fake.transition("resume", |state| {
        state.revision += 1;
        (state.phase, state.running) = (Phase::Running, Who::White);
    });
    assert!(watching.line().contains("resume    running"), "no fault is shown again");
}

/// The signal of a gong with this sequence number. The test uses gongs because no other change
/// changes so little: the revision and the counters stay the same.
fn gong(sequence: u64) -> Sent {
    let running = if sequence.is_multiple_of(2) { Who::White } else { Who::Black };
    let at_nsec = (80 + sequence) * SECOND;
    let state = State { sequence, at_nsec, on_move: running, running, ..game() };
    Sent { cause: format!("gong-{sequence}"), state }
}

/// The signals of the changes 20 to `before` are sent before the answer with the state. Those of
/// the changes `before + 1` to 24 are sent after it. The state includes the changes up to `read`.
#[test]
fn each_change_is_shown_once_whether_its_signal_comes_before_or_after_the_state() {
    for read in 20..=23 {
        for before in 20..=24 {
            let bus = PrivateBus::start();
            let fake = Fake::start(&bus, game());
            fake.script.lock().unwrap().reading = Some(Reading {
                before: (20..=before).map(gong).collect(),
                answer: gong(read).state,
                after: (before + 1..=24).map(gong).collect(),
            });
            let watching = Watching::start(&bus, &["--json"]);
            let first = parse(&watching.line());
            assert_eq!(
                (&first["cause"], &first["running"]),
                (&json!("now"), &gong(read).state.running.as_str().into())
            );
            for sequence in read + 1..=24 {
                let line = parse(&watching.line());
                assert_eq!(line["cause"], gong(sequence).cause, "{read} {before}: {line}");
            }
            fake.script.lock().unwrap().state = gong(24).state;
            fake.transition("end", |_| {});
            assert_eq!(parse(&watching.line())["cause"], "end", "{read} {before}");
            assert_eq!(fake.calls(), ["get-state", "get-timebase"]);
        }
    }
}

#[test]
fn a_missing_signal_is_shown_with_the_state_that_is_read_then() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &["--json"]);
    watching.line();
    fake.change(press);
    // While the state is read again, two more changes are signalled, with the numbers 23 and 24.
    // The state that is read includes only change 23.
    let mut missed = game();
    (missed.sequence, missed.white.moves) = (23, 14);
    let last = State { sequence: 24, white: SideState { moves: 15, ..game().white }, ..game() };
    fake.script.lock().unwrap().reading = Some(Reading {
        before: vec![Sent { cause: "press".to_owned(), state: missed.clone() }],
        answer: missed,
        after: vec![Sent { cause: "press".to_owned(), state: last }],
    });
    fake.transition("resume", |_| {});
    let line = parse(&watching.line());
    assert_eq!((&line["cause"], &line["white"]["moves"]), (&json!("missed"), &json!(14)));
    let line = parse(&watching.line());
    assert_eq!((&line["cause"], &line["white"]["moves"]), (&json!("press"), &json!(15)));
    let reads = fake.calls().iter().filter(|call| *call == "get-state").count();
    assert_eq!(reads, 2);
}

/// The sequence numbers of the new service begin below the last one of the old service, and then
/// pass it.
#[test]
fn the_numbers_of_a_new_service_are_not_taken_for_those_of_the_old_one() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &["--json"]);
    watching.line();
    drop(fake);
    assert_eq!(parse(&watching.line())["stale"], true);
    let fake = Fake::start(&bus, State { sequence: 1, ..game() });
    assert_eq!(parse(&watching.line())["cause"], "now");
    for _ in 2..=30 {
        fake.transition("press", press);
        assert_eq!(parse(&watching.line())["cause"], "press");
    }
    assert_eq!(fake.calls(), ["get-state", "get-timebase"]);
}

/// The shipped policy names the service by its well-known name, but `watch` calls the service by
/// its unique name. The policy must allow these calls, too.
#[test]
fn the_shipped_policy_allows_it() {
    let shipped = include_str!("../../../systemd/org.chessclock.Clock1.conf");
    let (_, rules) = shipped.split_once("<policy context=\"default\">").unwrap();
    let (rules, _) = rules.split_once("</policy>").unwrap();
    // The shipped policy lets only the user of the service send the signals. The fake is not that
    // user, so the rules that deny the signals are left out.
    let allowed = rules.split_inclusive('>').filter(|rule| !rule.contains("<deny send_type"));
    // As on a system bus, every call that is not allowed is denied.
    let policy = format!(
        "<deny send_type=\"method_call\"/><allow send_destination=\"org.freedesktop.DBus\"/>{}",
        allowed.collect::<String>()
    );
    let bus = PrivateBus::with_policy(&policy);
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &["--json"]);
    assert_eq!(parse(&watching.line())["revision"], 7);
    fake.transition("press", press);
    assert_eq!(parse(&watching.line())["cause"], "press");
    // The arbiter's commands are not allowed to everyone.
    assert_eq!(run(&bus, &["pause"]).exit, 4);
}

#[test]
fn a_fault_that_is_there_from_the_start_is_shown_in_words() {
    let bus = PrivateBus::start();
    let text = "the buttons are not connected: check the cable";
    let faults = vec![Fault::new(FaultCode::BoardGone, text)];
    let _fake = Fake::start(&bus, State { phase: Phase::Ready, faults, ..game() });
    let watching = Watching::start(&bus, &[]);
    assert!(watching.line().contains("now       ready "));
    assert_eq!(watching.line().trim(), format!("fault     {text}"));
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
    assert_eq!(watching.line(), r#"{"format":1,"kind":"nothing","stale":true}"#);
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
    let stale = parse(&watching.line());
    assert_eq!((&stale["stale"], &stale["revision"]), (&json!(true), &json!(7)));
    drop(fake);
    bus.restart();
    let fake = Fake::start(&bus, State { revision: 1, ..game() });
    // `watch` may find the bus before or after the fake is on it. In both cases, the absence of the
    // service is not shown again.
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
    // 500 transitions are more than a message stream of zbus holds.
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
    // A pipe holds at most 64 KiB. It can hold less, because no line is split over two pages: a line
    // with more than half a page leaves the rest of its page empty. 300 lines do not fit.
    for _ in 0..300 {
        fake.transition("set", |state| state.revision += 1);
    }
    wait_until("the pipe fills up", || ioctl_fionread(&stdout).unwrap() > 32 * 1024);
    watching.signal(Signal::TERM);
    let ran = watching.end();
    assert_eq!((ran.exit, ran.err.as_str()), (0, ""));
}
