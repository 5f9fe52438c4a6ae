//! Every method of every interface, with arguments that are empty, as long as they may be, too
//! long, odd, extreme, or of the wrong type.

use super::*;
use clock_dbus::{ARBITER_INTERFACE, CLOCK_INTERFACE, DRY_RUN_PATH, PATH, SERVICE};
use std::collections::BTreeSet;
use table::{INTROSPECTABLE, PROPERTIES, READ_ONLY, TOO_LONG, cells, x};
use zbus::{Structure, Variant};
use zbus_xml::Node;

#[path = "every_call/record_table.rs"]
mod record_table;
#[path = "every_call/rules_table.rs"]
mod rules_table;
#[path = "every_call/table.rs"]
mod table;

/// The name and the message of the error that answers a call; both are empty if it succeeds.
async fn call(
    connection: &Connection,
    (path, interface, method): (&str, &str, &str),
    body: Option<&Structure<'static>>,
) -> (String, String) {
    let (service, interface) = (Some(SERVICE), Some(interface));
    let called = match body {
        Some(body) => connection.call_method(service, path, interface, method, body).await,
        None => connection.call_method(service, path, interface, method, &()).await,
    };
    match called {
        Ok(_) => (String::new(), String::new()),
        Err(zbus::Error::MethodError(name, message, _)) => {
            (name.to_string(), message.unwrap_or_default())
        }
        Err(zbus::Error::FDO(error)) => {
            use zbus::DBusError;
            (error.name().to_string(), error.description().unwrap_or_default().to_owned())
        }
        Err(other) => panic!("{interface:?} {method}: {other:?}"),
    }
}

#[tokio::test]
async fn every_call_gets_the_error_that_it_deserves_and_changes_nothing() {
    call_every_method(PATH, |_| true).await;
}

#[tokio::test]
async fn every_call_of_a_dry_run_gets_the_same_error() {
    let of_dry_run = [CLOCK_INTERFACE, ARBITER_INTERFACE];
    call_every_method(DRY_RUN_PATH, |interface| of_dry_run.contains(&interface)).await;
}

async fn call_every_method(path: &str, has: impl Fn(&str) -> bool) {
    let fixture = fixture(&[]).await;
    let before = fixture.state().await;
    let mut wrong = Vec::new();
    for (interface, method, body, expected) in cells() {
        if !has(interface) {
            continue;
        }
        let (name, message) =
            call(&fixture.connection, (path, interface, method), body.as_ref()).await;
        let given: String = format!("{body:?}").chars().take(120).collect();
        let place = format!("{interface}.{method} {given}");
        if name != expected {
            wrong.push(format!("{place}: {name}: {message}; expected {expected}"));
        }
        // The message repeats at most 64 characters of what was given. It contains no character
        // that could change the output of a terminal.
        let is_odd = |c: char| c.is_control() || "\u{202e}\u{200f}\u{feff}".contains(c);
        assert!(!message.contains(&x(65)) && message.len() < 800, "{place}: {message}");
        assert!(!message.contains(is_odd), "{place}: {message:?}");
        assert_eq!(fixture.state().await, before, "{place}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn the_table_has_every_method() {
    let fixture = fixture(&[]).await;
    let introspect = fixture.connection.call_method(
        Some(SERVICE),
        PATH,
        Some(INTROSPECTABLE),
        "Introspect",
        &(),
    );
    let live: String = introspect.await.unwrap().body().deserialize().unwrap();
    let cells = cells();
    let in_table: BTreeSet<(String, String)> = cells
        .iter()
        .map(|(interface, method, ..)| (interface.to_string(), method.to_string()))
        .collect();
    let too_long: BTreeSet<(String, String)> = cells
        .iter()
        .filter(|(.., expected)| *expected == TOO_LONG)
        .map(|(interface, method, ..)| (interface.to_string(), method.to_string()))
        .collect();
    let mut methods = BTreeSet::new();
    for xml in [clock_dbus::INTERFACE_XML, &live] {
        let node = Node::try_from(xml).unwrap();
        for interface in node.interfaces() {
            let name = |method: &zbus_xml::Method<'_>| {
                (interface.name().to_string(), method.name().to_string())
            };
            methods.extend(interface.methods().map(name));
        }
    }
    assert_eq!(methods, in_table);
    assert_eq!(methods, too_long, "each method is called with megabytes");
}

#[tokio::test]
async fn what_does_not_exist_gets_the_standard_errors() {
    let fixture = fixture(&[]).await;
    let standard = |name: &str| format!("org.freedesktop.DBus.Error.{name}");
    for (at, expected) in [
        ((PATH, CLOCK_INTERFACE, "Press"), "UnknownMethod"),
        ((PATH, ARBITER_INTERFACE, "GetState"), "UnknownMethod"),
        ((PATH, PROPERTIES, "Delete"), "UnknownMethod"),
        ((PATH, "org.example.None", "GetState"), "UnknownInterface"),
        (("/org/example", CLOCK_INTERFACE, "GetState"), "UnknownObject"),
    ] {
        let (name, message) = call(&fixture.connection, at, None).await;
        assert_eq!(name, standard(expected), "{at:?}: {message}");
        let missing = if expected == "UnknownObject" { at.0 } else { at.2 };
        let missing = if expected == "UnknownInterface" { at.1 } else { missing };
        assert!(message.contains(missing), "{at:?}: {message}");
    }
    // A path can have any length. A message with a header of this length is not read, so the call
    // gets no answer.
    let path = format!("/{}", x(100_000));
    let call = fixture.connection.call_method(
        Some(SERVICE),
        path.as_str(),
        Some(CLOCK_INTERFACE),
        "GetState",
        &(),
    );
    assert!(tokio::time::timeout(Duration::from_millis(300), call).await.is_err());
    assert_eq!(fixture.state().await.sequence, 1);
}

/// The rules that the shipped policy has for everyone.
fn policy_for_everyone() -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../systemd/org.chessclock.Clock1.conf");
    let text = std::fs::read_to_string(file).unwrap();
    let (_, rules) = text.split_once("<policy context=\"default\">").unwrap();
    let (rules, _) = rules.split_once("</policy>").unwrap();
    // The system bus has these rules by default, before those of the shipped policy.
    let system =
        "<deny send_type=\"method_call\"/><allow send_destination=\"org.freedesktop.DBus\"/>";
    format!("{system}{rules}")
}

#[tokio::test]
async fn the_policy_lets_a_property_say_that_it_is_read_only() {
    let bench = Bench::new().unwrap();
    let bus = bench.bus_with(&policy_for_everyone()).unwrap();
    let fixture = fixture_with(bench, bus, &[]).await;
    let value = Variant::from("over");
    let body = (CLOCK_INTERFACE.to_owned(), "Phase".to_owned(), value).into();
    let (name, message) = call(&fixture.connection, (PATH, PROPERTIES, "Set"), Some(&body)).await;
    assert_eq!(
        (name.as_str(), message.as_str()),
        (READ_ONLY, "the property \"Phase\" is read-only")
    );
    assert_eq!(fixture.state().await.phase, Phase::Ready);
    // The policy does not let everyone command the clock.
    let body = (1_u64, String::new()).into();
    let (name, _) =
        call(&fixture.connection, (PATH, ARBITER_INTERFACE, "Start"), Some(&body)).await;
    assert_eq!(name, "org.freedesktop.DBus.Error.AccessDenied");
}
