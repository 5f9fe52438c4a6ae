//! `clockctl watch --json`: the keys of its lines, heartbeats, the last known state, the delayed
//! feed. The lines are compared with docs/schemas/watch.schema.json.

use std::time::{Duration, Instant};

use clock_dbus::{
    Answer, ClaimState, Counting, Fault, FaultCode, LatePlayers, Method, PausedBy, Phase, Question,
    QuestionKind, QuestionProgress, Ruling, SideState, State, Who,
};
use serde_json::{Value, json};

use crate::{
    fake::{Fake, SECOND, game},
    private_bus::PrivateBus,
    program::{Watching, run},
};

/// What `tests/schema/validate.py` says of the lines.
fn validated(lines: &[String]) -> String {
    let schema = "docs/schemas/watch.schema.json";
    crate::python::run("schema/validate.py", &[schema], &lines.join("\n"))
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

/// A state in which every optional value is present, and numbers are the largest that can occur.
pub fn full() -> State {
    let answer = Answer {
        ruling: Some(Ruling::Reject),
        side: Some(LatePlayers::Both),
        award_nsec: Some(120 * SECOND),
        white_delta_nsec: -1,
        black_delta_nsec: 1,
        phase: Phase::Ruling,
        result: "1-0".to_owned(),
    };
    let question = Question {
        kind: Some(QuestionKind::Claim),
        side: Who::White,
        since_nsec: u64::MAX,
        progress: QuestionProgress::Nothing,
        answers: vec![answer],
    };
    State {
        at_nsec: 1 << 60,
        phase: Phase::Ruling,
        running: Who::Nobody,
        first_flag: Who::White,
        arbiter_called_by: Who::Button,
        paused_by: PausedBy::Arbiter,
        announcement: "lunch".to_owned(),
        faults: vec![Fault::new(FaultCode::BoardGone, "check the cable")],
        changed_method: "increment 30 s".to_owned(),
        counting: Counting::Up,
        white: SideState {
            limit_nsec: Some(3_600_000 * SECOND),
            method: Method::Bronstein,
            flag_nsec: Some(1 << 59),
            overtime_periods: Some(3),
            overtime_moves: Some(1),
            player: "<script>".to_owned(),
            ..game().white
        },
        board: "12".to_owned(),
        round: "3".to_owned(),
        event: "Cup".to_owned(),
        result: "1-0".to_owned(),
        rules: "fide-2023".to_owned(),
        claim_by: Who::White,
        claim_ground: "no-effort".to_owned(),
        claim_state: ClaimState::Pending,
        adjourned: Who::Black,
        questions: vec![question],
        start_at_realtime_nsec: Some(u64::MAX),
        game_number: Some(1),
        ..game()
    }
}

#[test]
fn every_kind_of_line_is_as_the_schema_says() {
    let bus = PrivateBus::start();
    let watching = Watching::start(&bus, &["--json", "--heartbeat", "1"]);
    let mut lines = vec![watching.line()];
    let fake = Fake::start(&bus, game());
    lines.push(watching.line());
    fake.transition("set", |state| *state = State { sequence: state.sequence, ..full() });
    for _ in 0..2 {
        // One of them is a heartbeat, which comes 1 s after the service.
        lines.push(watching.line());
    }
    drop(fake);
    // A further heartbeat can come before the service has gone.
    lines.extend(std::iter::from_fn(|| Some(watching.line())).take_while(|line| {
        assert!(parse(line)["cause"] == "set");
        parse(line)["stale"] == false
    }));
    lines.push(r#"{"format":1,"kind":"state","stale":false,"unknown":1}"#.to_owned());
    let said = validated(&lines);
    // Of these lines, only the last one, which is no line of `watch`, is wrong.
    let wrong: Vec<&str> = said.lines().filter(|line| line.starts_with("line ")).collect();
    let (last, wrong_line) = (lines.len(), format!("line {}, ", lines.len()));
    assert!(said.ends_with(&format!("{last} lines\n")), "{said}");
    assert!(!wrong.is_empty() && wrong.iter().all(|line| line.starts_with(&wrong_line)), "{said}");
}

/// The clock of the fake service is on another machine, whose monotonic clock read 101 s and whose
/// wall time is not known.
#[test]
fn a_line_has_what_is_needed_to_compute_the_present_times() {
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, SECOND);
    let begun = Instant::now();
    let watching = Watching::start(&bus, &["--json"]);
    let first = parse(&watching.line());
    let nanos = |line: &Value, key: &str| line[key].as_str().unwrap().parse::<u64>().unwrap();
    assert_eq!((&first["format"], &first["kind"]), (&json!(1), &json!("state")));
    assert_eq!((&first["stale"], &first["cause"]), (&json!(false), &json!("now")));
    assert_eq!((&first["machine"], &first["at_ns"]), (&Value::Null, &json!("100000000000")));
    assert_eq!(first["boot_id"], "b3f1c2d4-0000-4000-8000-000000000002");
    assert_eq!((&first["running"], &first["counting"]), (&json!("white"), &json!("down")));
    assert_eq!(first["white"]["delay_ns"], json!(5 * SECOND));
    let latest = 101 * SECOND + u64::try_from(begun.elapsed().as_nanos()).unwrap();
    let sent = nanos(&first, "sent_ns");
    assert!((101 * SECOND..=latest).contains(&sent), "{first}");
    assert_eq!((nanos(&first, "sent_realtime_ns"), nanos(&first, "at_realtime_ns")), (0, 0));
    fake.transition("press", |state| state.at_nsec = 102 * SECOND);
    let line = parse(&watching.line());
    assert_eq!((&line["cause"], &line["at_ns"]), (&json!("press"), &json!("102000000000")));
    assert!(nanos(&line, "sent_ns") >= sent, "{line}");
}

#[test]
fn a_heartbeat_repeats_the_latest_line_while_the_service_answers() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &["--json", "--heartbeat", "1"]);
    let first = parse(&watching.line());
    // The instants of the beats are those of the fake's clock, which moves only here.
    for seconds in [200, 300] {
        fake.script.lock().unwrap().monotonic_nsec = seconds * SECOND;
        let mut beat = std::iter::from_fn(|| Some(parse(&watching.line())))
            .inspect(|line| assert_eq!(line["kind"], "heartbeat"))
            .find(|line| line["sent_ns"].as_str().unwrap().starts_with(&seconds.to_string()))
            .unwrap();
        // Everything but the instants of sending is as it was.
        for key in ["kind", "sent_ns", "sent_realtime_ns", "at_realtime_ns"] {
            beat[key] = first[key].clone();
        }
        assert_eq!(beat, first);
    }
    drop(fake);
    let stale = parse(&watching.line());
    assert_eq!((&stale["kind"], &stale["stale"]), (&json!("state"), &json!(true)));
    // Without the service there are no heartbeats, so the next line is that of the new service.
    std::thread::sleep(Duration::from_millis(2500));
    let _fake = Fake::start(&bus, State { revision: 9, ..game() });
    let line = parse(&watching.line());
    assert_eq!((&line["kind"], &line["revision"]), (&json!("state"), &json!(9)), "{line}");
}

#[test]
fn a_delayed_feed_has_the_lines_as_they_were() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let begun = Instant::now();
    let watching = Watching::start(&bus, &["--json", "--delay", "3s"]);
    // `watch` has read the state after its second call.
    crate::program::wait_until("the state is read", || fake.calls().len() == 2);
    fake.transition("press", |state| state.at_nsec += SECOND);
    let first = parse(&watching.line());
    assert!(begun.elapsed() >= Duration::from_secs(3));
    assert_eq!((&first["cause"], &first["at_ns"]), (&json!("now"), &json!("100000000000")));
    let sent: u64 = first["sent_ns"].as_str().unwrap().parse().unwrap();
    // Without the delay, `sent_ns` would be 103 s or more when this line is written.
    assert!(sent < 103 * SECOND, "{first}");
    let press = parse(&watching.line());
    assert_eq!((&press["cause"], &press["at_ns"]), (&json!("press"), &json!("101000000000")));
}

#[test]
fn the_end_does_not_wait_for_delayed_lines() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, game());
    let watching = Watching::start(&bus, &["--delay", "2h"]);
    crate::program::wait_until("the state is read", || fake.calls().len() == 2);
    watching.signal(rustix::process::Signal::TERM);
    let ran = watching.end();
    assert_eq!((ran.exit, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
}

#[test]
fn wrong_options_are_refused_with_what_is_accepted() {
    let bus = PrivateBus::start();
    for (args, words) in [
        (&["watch", "--heartbeat", "2"][..], "--heartbeat needs --json"),
        (&["watch", "--json", "--heartbeat", "0"], "expected a whole number from 1 to 3600"),
        (&["watch", "--delay", "3h"], "at most 2h"),
        (&["watch", "--delay", "soon"], "soon"),
    ] {
        let ran = run(&bus, args);
        assert_eq!(ran.exit, 2, "{args:?}: {ran:?}");
        assert!(ran.err.contains(words), "{args:?}: {ran:?}");
    }
}
