//! `clockctl doctor`, as far as a bus with a fake service decides what it says. What it says of the
//! machine depends on the machine that runs the tests.

use clock_dbus::{Fault, FaultCode};
use serde_json::Value;

use crate::{
    fake::Fake,
    private_bus::PrivateBus,
    program::{Ran, run},
    verbs::paused,
};

/// Runs on a bus that is not the system's, whose policy and record would be looked at on this
/// machine.
fn doctor(bus: &PrivateBus, args: &[&str]) -> Ran {
    run(bus, &[&["--bus", &bus.address()], args].concat())
}

/// The line that is shown for a finding.
fn line<'a>(ran: &'a Ran, id: &str) -> &'a str {
    let is_it = |line: &&str| line.split_whitespace().nth(1) == Some(id);
    ran.out.lines().find(is_it).unwrap_or_else(|| panic!("no {id} in {}", ran.out))
}

#[test]
fn a_good_clock_is_fit_and_nothing_is_changed() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let ran = doctor(&bus, &["doctor"]);
    assert_eq!((ran.err.as_str(), ran.exit), ("", 0), "{}", ran.out);
    assert!(ran.out.starts_with("the clock is fit for play"), "{}", ran.out);
    for (id, expected) in [
        ("service", "fit      service         clockd 0.1.0 answers"),
        ("real-time", "fit      real-time       the service reports real-time priority"),
        ("permissions", "fit      permissions     the bus lets you command the clock"),
        ("record", "fit      record          written up to entry 56"),
        ("clock-rate", "fit      clock-rate      -3.1 ppm, worst +5.0 ppm"),
        ("screen", "fit      screen          21.5 mm high, readable from 4.3 m"),
    ] {
        assert_eq!(line(&ran, id), expected);
    }
    // Another bus than the system's can have another policy, configuration and record.
    for id in ["bus-policy", "configuration"] {
        assert!(!ran.out.contains(id), "{}", ran.out);
    }
    assert_eq!(
        doctor(&bus, &["doctor", "-q"]),
        Ran { out: String::new(), err: String::new(), exit: 0 }
    );
    assert!(fake.calls().iter().all(|call| call.starts_with("get-")), "{:?}", fake.calls());
}

#[test]
fn what_makes_the_clock_unfit_has_a_remedy_and_exit_code_8() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    fake.script.lock().unwrap().vitals.storage_error = "No space left on device";
    fake.change(|state| {
        state.faults = vec![Fault::new(FaultCode::BoardGone, "the button board is not connected")];
    });
    let ran = doctor(&bus, &["doctor"]);
    assert_eq!(ran.exit, 8);
    let overall = "the clock is NOT fit for play: buttons, record";
    assert!(ran.out.starts_with(overall) && ran.err.contains(overall), "{ran:?}");
    let mut lines = ran.out.lines().skip_while(|line| !line.contains("No space left on device"));
    assert!(lines.next().unwrap().starts_with("unfit    record"), "{}", ran.out);
    assert!(lines.next().unwrap().contains("→ docs/reliability.md, \"The storage fails"));
}

#[test]
fn the_json_is_as_the_schema_says() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    let fit = doctor(&bus, &["doctor", "--json"]);
    fake.script.lock().unwrap().vitals.realtime_ok = false;
    let unfit = doctor(&bus, &["doctor", "--json"]);
    assert_eq!((fit.exit, unfit.exit), (0, 8));
    let lines = format!("{}{}", fit.out, unfit.out);
    let said =
        crate::python::run("schema/validate.py", &["docs/schemas/doctor.schema.json"], &lines);
    assert_eq!(said, "2 lines\n");
    let read = |ran: &Ran| serde_json::from_str::<Value>(&ran.out).unwrap();
    assert_eq!((&read(&fit)["fit"], &read(&unfit)["fit"]), (&true.into(), &false.into()));
    let findings = read(&unfit)["findings"].as_array().unwrap().clone();
    let real_time = findings.iter().find(|finding| finding["id"] == "real-time").unwrap();
    assert_eq!(real_time["verdict"], "unfit");
}

/// The players, the machine and the reason of a fault can be named in no line.
#[test]
fn the_report_for_others_names_nobody() {
    let bus = PrivateBus::start();
    let fake = Fake::start(&bus, paused());
    fake.change(|state| {
        state.white.player = "Vera Menchik".to_owned();
        state.faults = vec![Fault::new(FaultCode::RecordLost, "the game of Vera Menchik")];
    });
    let ran = doctor(&bus, &["doctor", "--report"]);
    assert_eq!((ran.err.as_str(), ran.exit), ("", 0), "{}", ran.out);
    let first = "Report of a chess clock: no names, no addresses, no keys\n";
    assert!(ran.out.starts_with(first), "{}", ran.out);
    for part in ["\nclockd: 0.1.0\n", "\nfault: record-lost\n", "\nfit: real-time "] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let bus_address = bus.address();
    for hidden in ["Menchik", bus_address.as_str()] {
        assert!(!ran.out.contains(hidden), "{hidden}: {}", ran.out);
    }
    let refused = doctor(&bus, &["--json", "doctor", "--report"]);
    assert_eq!(refused.exit, 2, "{refused:?}");
    assert!(refused.err.contains("takes no --json") || refused.out.contains("takes no --json"));
}

#[test]
fn a_bus_without_the_service_is_a_finding() {
    let bus = PrivateBus::start();
    let ran = doctor(&bus, &["doctor"]);
    assert_eq!(ran.exit, 8);
    assert!(line(&ran, "service").starts_with("unfit    service"), "{}", ran.out);
    // The machine is looked at all the same.
    line(&ran, "kernel");
    let mut gone = PrivateBus::start();
    gone.end();
    assert_eq!(doctor(&gone, &["doctor"]).exit, 7);
}

#[test]
fn of_many_clocks_only_what_has_to_be_done_is_shown() {
    let (good, bad) = (PrivateBus::start(), PrivateBus::start());
    let _good = Fake::start(&good, paused());
    let fake = Fake::start(&bad, paused());
    fake.script.lock().unwrap().vitals.storage_error = "No space left on device";
    let board = |number, bus: &PrivateBus| {
        format!("[[board]]\nboard = '{number}'\nbus = '{}'\n", bus.address())
    };
    let hall = good.folder().join("hall.toml");
    std::fs::write(&hall, board(1, &good) + &board(12, &bad)).unwrap();
    let mut command = crate::program::clockctl();
    command.arg("--hall").arg(&hall).arg("doctor");
    let ran = crate::program::finish(command);
    assert_eq!(ran.exit, 8, "{ran:?}");
    assert!(ran.out.contains("1   the clock is fit for play"), "{}", ran.out);
    assert!(ran.out.contains("12  the clock is NOT fit for play: record"), "{}", ran.out);
    assert!(ran.out.contains("12  unfit    record"), "{}", ran.out);
    assert!(!ran.out.contains("  fit      "), "{}", ran.out);
    assert!(ran.err.contains("failed on 1 of 2 boards"), "{}", ran.err);
}
