//! Random calls of the running service. Every answer is a reply or a named error, nothing changes
//! unless a command was accepted, and the service keeps no memory and no open file of the calls.
//! Meanwhile the players' presses are timed exactly.
//!
//! `CLOCK_FUZZ_CALLS=N` makes the runs longer, `CLOCK_FUZZ_SEED=N` repeats one.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod arguments;
mod fixture;
mod storm;

use arguments::{RandomCall, methods, random_call};
use clock_dbus::{PATH, SERVICE};
use clock_test_bus::RawClient;
use clock_test_bus::raw_client::{BUS, Kind, Outgoing, Received, Value};
use edge_player::Rng;
use fixture::{Fixture, number_from};
use std::collections::BTreeMap;
use std::os::fd::AsFd;

/// By how much the memory of the service may grow, in KiB. The service reads 64 calls at a time,
/// and the largest message that it reads has 128 KiB.
const GROWTH: u64 = 12 * 1024;

/// How many calls were answered with a reply (the key `reply`), and how many with each error (the
/// key is the name of the error).
type Names = BTreeMap<String, u64>;

#[test]
fn random_calls_get_named_errors_and_change_nothing_unless_they_are_accepted() {
    let calls = number_from("CLOCK_FUZZ_CALLS", 2000);
    let seed = fixture::seed();
    let mut rng = Rng::new(seed);
    let fixture = Fixture::new("", &["--control", "blitz-3-2"]);
    let mut client = fixture.client();
    let (introspection, service) = (fixture.introspection(), fixture.owner());
    let methods = methods(&introspection);
    let _ = fixture.state(&mut client);
    let (memory, files) = (fixture.memory("VmRSS:"), fixture.open_files());
    let (mut names, mut accepted) = (Names::new(), 0);
    let mut before = fixture.state(&mut client);
    for number in 0..calls {
        let call = random_call(&mut rng, &methods, before.revision);
        let place = format!("CLOCK_FUZZ_SEED={seed}, call {number}: {}", call.text);
        let Some(answer) = send(&fixture, &mut client, &call, &place) else {
            assert_eq!(fixture.state(&mut client), before, "{place}");
            continue;
        };
        let name = name_of(&answer, &service, &place);
        *names.entry(name.clone()).or_default() += 1;
        let after = fixture.state(&mut client);
        if name == "reply" && call.is_command {
            accepted += 1;
            fixture::stop(&mut client, &after);
            before = fixture.state(&mut client);
        } else {
            assert_eq!(after, before, "{place}: {name}");
        }
    }
    println!("{calls} calls, {accepted} commands accepted; answers: {names:#?}");
    assert!(accepted > 0 && names.len() > 5, "the calls never get far");
    assert_eq!(fixture.owner(), service, "the service has lost its connection");
    fixture.is_sound(memory, files);
}

/// Sends the call. Returns the answer, if there is one.
fn send(
    fixture: &Fixture,
    client: &mut RawClient,
    call: &RandomCall,
    place: &str,
) -> Option<Received> {
    let file = std::fs::File::open("/dev/null").unwrap();
    let files = [file.as_fd()];
    let files = if call.has_file { &files[..] } else { &[] };
    let answer = client.send_with_descriptors(&call.message, files).and_then(|serial| {
        match call.wants_answer {
            true => client.answer(serial).map(Some),
            // No answer comes to this call. `synchronize` makes another call, whose answer comes
            // after everything that this call could cause.
            false => client.synchronize().map(|()| None),
        }
    });
    answer.unwrap_or_else(|error| {
        assert!(call.is_invalid, "{place}: the bus has ended the connection: {error}");
        *client = fixture.client();
        None
    })
}

/// Returns "reply", or the name of the error. Checks that the service or the bus sent the answer,
/// and that the name is one that the sender may give.
fn name_of(answer: &Received, service: &str, place: &str) -> String {
    assert!([service, BUS].contains(&answer.sender.as_str()), "{place}: {answer:?}");
    if answer.kind == Kind::Return {
        return "reply".to_owned();
    }
    let name = answer.error_name.as_str();
    let own = name.strip_prefix("org.chessclock.Clock1.Error.");
    let standard = name.strip_prefix("org.freedesktop.DBus.Error.");
    // The service takes no open files. The bus reports this to the caller.
    if answer.sender == BUS && standard == Some("NotSupported") {
        return name.to_owned();
    }
    let is_named = own.is_some_and(|name| !["", "ZBus", "TimedOut"].contains(&name))
        || standard.is_some_and(|name| STANDARD.contains(&name));
    let text = answer.text().unwrap_or_default();
    assert!(is_named && !text.is_empty(), "{place}: {name}: {text}");
    let is_odd = |c: char| c.is_control() || "\u{202e}\u{200f}\u{feff}".contains(c);
    assert!(text.len() < 800 && !text.contains(is_odd), "{place}: {text:?}");
    name.to_owned()
}

/// The errors of the standard interfaces that a call can get.
const STANDARD: &[&str] = &[
    "InvalidArgs",
    "LimitsExceeded",
    "PropertyReadOnly",
    "UnknownInterface",
    "UnknownMethod",
    "UnknownProperty",
];

#[test]
fn the_largest_message_that_the_bus_passes_on_is_refused_by_name() {
    let fixture = Fixture::new("", &[]);
    let service = fixture.owner();
    let call = |size: usize| {
        Outgoing::call(SERVICE, PATH, clock_dbus::CLOCK_INTERFACE, "ReadTimeControl")
            .body(vec![Value::Text("x".repeat(size))])
    };
    // Besides its characters, a string takes 4 bytes for its length and 1 for a NUL at its end.
    let size = fixture::MAX_MESSAGE - call(0).bytes(1).len();
    let mut client = fixture.client();
    let before = fixture.memory("VmHWM:");
    let refused = client.call(&call(size)).unwrap();
    let name = name_of(&refused, &service, "the largest message");
    assert_eq!(
        (refused.sender, name.as_str()),
        (service, "org.freedesktop.DBus.Error.LimitsExceeded")
    );
    // The bus ends the connection of whoever sends more.
    assert!(client.call(&call(size + 1)).is_err());
    assert!(fixture.client().synchronize().is_ok());
    let after = fixture.memory("VmHWM:");
    assert!(after < before + GROWTH, "{before} KiB, then {after} KiB");
}
