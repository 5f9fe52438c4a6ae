//! A clock service that is older than `clockctl`, which lacks a field of the state and an object, and a
//! later one, which has further words.

use std::{collections::HashMap, future::pending, sync::mpsc::channel, thread};

use clock_dbus::{ARBITER_SERVICE, PATH, SERVICE, Timebase};
use serde_json::Value;
use zbus::{OwnedVariant, Variant, connection::Builder, interface};

use crate::{
    fake::{Fake, game},
    private_bus::PrivateBus,
    program::{DEADLINE, Ran, clockctl, finish, run},
    rules::claimed,
};

type Properties = HashMap<String, OwnedVariant>;

/// A service of another version, which publishes this state. It has no methods, so a test cannot
/// change a game through it.
struct Other(fn() -> Properties);

#[interface(name = "org.chessclock.Clock1")]
impl Other {
    fn get_state(&self) -> Properties {
        (self.0)()
    }

    fn get_timebase(&self) -> Timebase {
        Timebase { monotonic_nsec: game().at_nsec, ..Timebase::default() }
    }
}

fn bus_of_an_older_clock() -> PrivateBus {
    bus_with(|| {
        let mut state = game().properties().unwrap();
        assert!(state.remove("Announcement").is_some());
        state
    })
}

/// A bus with a service that has this state, and serves until the process of the tests ends.
fn bus_with(state: fn() -> Properties) -> PrivateBus {
    let bus = PrivateBus::start();
    let address = bus.address();
    let (ready, is_ready) = channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let builder = Builder::address(address.as_str()).serve_at(PATH, Other(state));
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
        command.current_dir(one.folder());
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

/// The words of a state that a later version can add to, and those of its questions.
#[test]
fn words_of_a_later_service_are_read_and_no_unknown_ruling_is_offered() {
    type Answer = (&'static str, &'static str, i64, i64, i64, &'static str, &'static str);
    type Question = (&'static str, &'static str, u64, &'static str, Vec<Answer>);
    let bus = bus_with(|| {
        let mut state = claimed().properties().unwrap();
        let of_sides = ["WhiteMethod", "BlackMethod", "ClaimBy", "FirstFlag", "Adjourned"];
        for word in of_sides.into_iter().chain(["ArbiterCalledBy", "PausedBy", "ClaimState"]) {
            let before = state.insert(word.into(), Variant::from("later").try_into().unwrap());
            assert!(before.is_some(), "{word}");
        }
        let answer = |ruling| (ruling, "", -1, 0, 0, "paused", "");
        let answers = || vec![answer("later"), answer("reject")];
        let questions: Vec<Question> =
            vec![("later", "white", 1, "", answers()), ("claim", "later", 1, "later", answers())];
        state.insert("Questions".into(), Variant::from(questions).try_into().unwrap());
        state
    });
    let ran = run(&bus, &["status"]);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(ran.out.contains("White's question that only a later version knows"), "{ran:?}");
    assert!(ran.out.contains("clockctl rule reject"), "{ran:?}");
    let ran = run(&bus, &["rule"]);
    assert!(ran.err.contains("no ruling is given; type: rule reject\n"), "{ran:?}");
}
