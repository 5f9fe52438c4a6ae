//! Who can do what on the system bus, with the policy file as it is shipped: each user tries every method,
//! every property, every name and every signal, on `dbus-daemon` and on `dbus-broker`. What must come of each
//! attempt is in expected.txt.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

mod cells;
mod expected;
mod fixture;

use clock_dbus::{ARBITER_INTERFACE, CLOCK_INTERFACE, PATH, SERVICE};
use clock_tests::eventually;
use clock_tests::raw_client::{Kind, Outgoing, Value};
use clock_tests::system_bus::{BusProgram, can_be_other_users};
use expected::Expected;
use fixture::Fixture;

/// Every cell of the table on this bus, and afterwards a clock that nobody has changed.
fn matrix(which: BusProgram) {
    if !can_be_other_users(&format!("the matrix of users on {which:?}")) {
        return;
    }
    let mut fixture = Fixture::new(which);
    let mut expected = Expected::read(include_str!("expected.txt"), which);
    let before = fixture.bench.ctl_status();
    let mut wrong = Vec::new();
    for user in expected.users.clone() {
        for cell in cells::cells(&fixture.names) {
            let outcome = fixture.attempt(&user, &cell.attempt);
            match expected.find(&cell.name, &user) {
                Some(wanted) if wanted == outcome => {}
                wanted => {
                    wrong.push(format!("{} {user}: {outcome}; expected {wanted:?}", cell.name))
                }
            }
        }
    }
    wrong.extend(expected.unused().map(|row| format!("no attempt belongs to the row {row}")));
    assert!(wrong.is_empty(), "{which:?}, {} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(fixture.bench.ctl_status(), before);
    for user in expected.users {
        assert_eq!(adds_time(&mut fixture, &user), user == "arbiter", "{which:?} {user}");
    }
}

/// Whether White's time changes when this user sends a valid command that asks for no answer. The log of one
/// that is carried out has the user's id.
fn adds_time(fixture: &mut Fixture, user: &str) -> bool {
    let before = fixture.bench.ctl_status();
    let reason = format!("of {user}");
    let body = vec![
        Value::text("white"),
        Value::I64(1_000_000_000),
        Value::U64(before["revision"].as_u64().unwrap()),
        Value::text(&reason),
    ];
    let command = Outgoing::call(SERVICE, PATH, ARBITER_INTERFACE, "AddTime").body(body);
    let uid = format!("uid={}", fixture.users.find(user).id);
    let client = fixture.client(user);
    client.send(&command.without_answer()).unwrap();
    // The service starts its calls in the order of their arrival.
    client.call(&Outgoing::call(SERVICE, PATH, CLOCK_INTERFACE, "GetState")).unwrap();
    if fixture.bench.ctl_status() == before {
        return false;
    }
    eventually("a line in the log", || {
        let log = fixture.bench.0.log();
        log.lines().any(|line| line.contains(&reason) && line.contains(&uid)).then_some(())
    });
    true
}

#[test]
fn every_user_can_do_what_the_table_says_on_dbus_daemon() {
    matrix(BusProgram::DbusDaemon);
}

#[test]
fn every_user_can_do_what_the_table_says_on_dbus_broker() {
    matrix(BusProgram::DbusBroker);
}
