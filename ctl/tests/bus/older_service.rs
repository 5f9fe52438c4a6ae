//! A clock service that is older than `clockctl`: it lacks a field of the state and an object.

use std::{collections::HashMap, future::pending, sync::mpsc::channel, thread};

use clock_dbus::{ARBITER_SERVICE, PATH, SERVICE, Timebase};
use serde_json::Value;
use zbus::{OwnedVariant, connection::Builder, interface};

use crate::{
    fake::{Fake, game},
    private_bus::PrivateBus,
    program::{DEADLINE, Ran, clockctl, finish, run},
};

/// A service whose state has no `Announcement`. No game is changed by it: it has no other method.
struct Older;

#[interface(name = "org.chessclock.Clock1")]
impl Older {
    fn get_state(&self) -> HashMap<String, OwnedVariant> {
        let mut state = game().properties().unwrap();
        assert!(state.remove("Announcement").is_some());
        state
    }

    fn get_timebase(&self) -> Timebase {
        Timebase { monotonic_nsec: game().at_nsec, ..Timebase::default() }
    }
}

/// A bus with such a service, which serves until the process of the tests ends.
fn bus_of_an_older_clock() -> PrivateBus {
    let bus = PrivateBus::start();
    let address = bus.address();
    let (ready, is_ready) = channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let builder = Builder::address(address.as_str()).serve_at(PATH, Older);
            let builder = builder.name(SERVICE).name(ARBITER_SERVICE);
            let _connection = builder.build().await.unwrap();
            ready.send(()).unwrap();
            pending::<()>().await;
        });
    });
    is_ready.recv_timeout(DEADLINE).expect("the service starts");
    bus
}

#[test]
fn what_an_older_service_lacks_is_named_and_nothing_is_in_doubt() {
    let bus = bus_of_an_older_clock();
    for args in [&["status"][..], &["pause"], &["add", "white", "2m"], &["watch"]] {
        let ran = run(&bus, args);
        let said = "the clock's clockd is older than clockctl: missing key `Announcement`; \
                    install both from one version (this clockctl: 0.1.0";
        assert!(ran.err.contains(said), "{args:?}: {ran:?}");
        assert!(!ran.err.contains("not known") && !ran.err.contains("asked again"), "{ran:?}");
        assert_eq!((ran.exit, ran.out.as_str()), (7, ""), "{args:?}: {ran:?}");
    }

    // A service without the object of the dry runs.
    let bus = PrivateBus::start();
    let fake = Fake::with_game(&bus, 0);
    let ran = run(&bus, &["--dry-run", "pause", "--json"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["error"]["code"], "older-service", "{ran:?}");
    assert!(!fake.calls().contains(&"pause".to_owned()));
}

#[test]
fn one_older_clock_of_a_hall_does_not_hinder_the_others() {
    let (one, older, three) = (PrivateBus::start(), bus_of_an_older_clock(), PrivateBus::start());
    let fakes = [&one, &three].map(|bus| Fake::with_game(bus, 0));
    let board = |(name, bus): (&str, &PrivateBus)| {
        format!("[[board]]\nboard = \"{name}\"\nbus = \"{}\"\n", bus.address())
    };
    let hall: String = [("1", &one), ("2", &older), ("3", &three)].map(board).concat();
    std::fs::write(one.folder().join("hall.toml"), hall).unwrap();
    let on_all = |args: &[&str]| -> Ran {
        let mut command = clockctl();
        command.current_dir(one.folder()).env("XDG_STATE_HOME", one.folder());
        command.args(["--hall", "hall.toml"]).args(args);
        finish(command)
    };

    let ran = on_all(&["pause"]);
    assert_eq!((ran.exit, ran.out.lines().count()), (7, 2), "{ran:?}");
    let failed = "failed on 1 of 3 boards\n  2: cannot pause the clocks: the clock's clockd is older than clockctl: ";
    assert!(ran.err.contains(failed), "{ran:?}");
    for fake in fakes {
        assert!(fake.calls().iter().any(|call| call.starts_with("pause")), "{:?}", fake.calls());
    }
    let table = on_all(&["status"]);
    let row = table.out.lines().find(|line| line.contains("older clockd"));
    assert!(
        row.is_some() && table.err.contains("2: the clock's clockd is older than"),
        "{table:?}"
    );
}

#[test]
fn an_older_service_has_no_test_of_the_buttons() {
    let bus = bus_of_an_older_clock();
    let ran = run(&bus, &["doctor", "--buttons"]);
    assert!(ran.err.contains("the clock's clockd is older than clockctl: "), "{ran:?}");
    assert!(ran.err.contains("org.chessclock.Clock1.ButtonTest"), "{ran:?}");
    assert_eq!((ran.exit, ran.out.as_str()), (7, ""), "{ran:?}");
}
