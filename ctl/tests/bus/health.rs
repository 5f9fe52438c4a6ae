//! Tests of `clockctl health`.

use clock_dbus::{Fault, FaultCode};
use serde_json::{Value, json};

use crate::fake::{Fake, SECOND};
use crate::private_bus::PrivateBus;
use crate::record::run;
use crate::verbs::{good, json, paused};

#[test]
fn a_sound_clock_has_its_figures_and_exit_code_0() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let expected = "\
all is well

real time      yes
record         ok; written up to entry 56, not yet written: 0
record size    1.5 MiB
lost entries   0
latency        wake-up at most 0.081 ms, reading an edge at most 0.020 ms, deciding a press not measured
buttons        none stuck; 12 presses rejected, 0 edges lost
clock rate     -3.2 ppm, worst +5.0 ppm
digits         21.5 mm high, readable from 4.3 m
version        0.1.0
";
    assert_eq!(good(&run(&bus, &["health"])), expected);
    assert_eq!(good(&run(&bus, &["health", "-q"])), "");
    assert!(fake.calls().iter().all(|call| call.starts_with("get-")), "{:?}", fake.calls());
    let expected = json!({
        "ok": true, "realtime_ok": true, "storage_ok": true, "storage_error": null, "last_entry": null,
        "recorded_entries": 56, "uncommitted_entries": 0, "lost_entries": 0, "record_bytes": 1_572_864,
        "worst_wake_lateness_ns": 80_001, "worst_edge_latency_ns": 20_000,
        "worst_decision_latency_ns": null, "stuck_buttons": [], "rejected_presses": 12, "lost_edges": 0,
        "clock_rate_ppb": -3150, "worst_clock_rate_ppb": 5000, "faults": [],
        "digit_height_um": 21_500, "warnings": [], "version": "0.1.0"
    });
    assert_eq!(json(&run(&bus, &["health", "--json"])), expected);
}

#[test]
fn a_record_that_is_not_written_says_why_and_since_when() {
    let bus = PrivateBus::start();
    // The latest entry that the fake reports as recorded, 56, was written before the power cut, in
    // another boot. So its age is not known.
    let fake = Fake::start(&bus, paused());
    {
        let vitals = &mut fake.script.lock().unwrap().vitals;
        vitals.storage_error = "No space left on device";
        vitals.uncommitted = 4;
    }
    let ran = run(&bus, &["health"]);
    assert_eq!((ran.exit, ran.err.as_str()), (8, "clockctl: one thing is wrong with the clock\n"));
    let wrong = "\
one thing is wrong
wrong: the record is not written: No space left on device; nothing is recorded since 2026-11-22 19:";
    assert!(ran.out.starts_with(wrong), "{}", ran.out);
    assert!(ran.out.contains("(entry 56); 4 entries wait in memory\n"), "{}", ran.out);
    assert!(
        ran.out
            .contains("record         NOT WRITTEN; written up to entry 56, not yet written: 4\n")
    );
    let ran = run(&bus, &["health", "--json"]);
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.exit, &object["ok"]), (8, &json!(false)));
    assert_eq!(object["storage_error"], "No space left on device");
    assert_eq!(
        (&object["last_entry"]["entry"], &object["last_entry"]["age_ns"]),
        (&json!(56), &Value::Null)
    );
}

#[test]
fn the_age_of_the_last_entry_is_that_of_this_boot() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    {
        let mut script = fake.script.lock().unwrap();
        script.vitals.storage_error = "read-only";
        let entry = script.record.entries.iter_mut().find(|entry| entry.contains("\"entry\":56,"));
        let entry = entry.unwrap();
        *entry = entry.replace("-000000000001\"", "-000000000002\"");
        let at_ns = serde_json::from_str::<Value>(entry).unwrap()["at_ns"].as_u64().unwrap();
        script.monotonic_nsec = at_ns + 130 * SECOND;
    }
    let ran = run(&bus, &["health"]);
    assert!(ran.out.contains("(0:02:10.0 ago, entry 56)"), "{}", ran.out);
}

#[test]
fn every_thing_that_is_wrong_is_said_once() {
    let bus = PrivateBus::start();
    let state = clock_dbus::State {
        faults: vec![
            Fault::new(FaultCode::PowerCut, "the power was cut\u{202e}"),
            Fault::new(FaultCode::StuckWhite, "White's button is stuck"),
        ],
        ..paused()
    };
    let fake = Fake::start(&bus, state);
    {
        let vitals = &mut fake.script.lock().unwrap().vitals;
        vitals.realtime_ok = false;
        vitals.lost = 3;
        vitals.stuck = vec!["white".to_owned(), "call".to_owned()];
        vitals.rate_windows = 0;
    }
    let ran = run(&bus, &["health"]);
    let expected = "\
5 things are wrong
wrong: the power was cut
wrong: White's button is stuck
wrong: 3 entries of the record were lost since the service started
wrong: the clock loop has no real-time priority or no locked memory
wrong: the button call is stuck

real time      NO
";
    assert!(ran.exit == 8 && ran.out.starts_with(expected), "{}", ran.out);
    assert!(ran.out.contains("buttons        STUCK: white, call; "), "{}", ran.out);
    assert!(ran.out.contains("clock rate     not measured yet\n"), "{}", ran.out);
    let ran = run(&bus, &["health", "--json"]);
    assert_eq!(ran.out.matches('\n').count(), 1, "{}", ran.out);
}

#[test]
fn digits_that_are_too_small_are_a_warning_and_no_fault() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    fake.script.lock().unwrap().vitals.digit_height = 12_000;
    let warning =
        "the digits on the screen are 12.0 mm high, readable from 2.4 m; 15 mm are needed for 3 m";
    let ran = run(&bus, &["health"]);
    let shown = good(&ran);
    assert!(shown.starts_with(&format!("nothing is wrong\nwarning: {warning}\n\n")), "{shown}");
    let object = json(&run(&bus, &["health", "--json"]));
    assert_eq!((&object["ok"], &object["warnings"]), (&json!(true), &json!([warning])));
    fake.script.lock().unwrap().vitals.digit_height = 0;
    assert!(good(&run(&bus, &["health", "--json"])).contains("\"digit_height_um\":null"));
}
