//! The XML in the repository is the specification: the introspection data of the running service
//! must equal it, and no method in it may press a button.

use clock_tests::Bench;
use std::collections::BTreeMap;
use std::process::Command;
use zbus_xml::{ArgDirection, Node};

/// The methods, signals and properties of each interface, one line each.
fn members(xml: &str) -> BTreeMap<String, Vec<String>> {
    let node = Node::try_from(xml).expect("introspection data");
    let ours = node.interfaces().iter().filter(|i| i.name().as_str().contains("chessclock"));
    ours.map(|interface| {
        let mut lines = Vec::new();
        for method in interface.methods() {
            let args = method.args().iter().map(|arg| {
                let direction = match arg.direction() {
                    Some(ArgDirection::Out) => "out",
                    _ => "in",
                };
                format!("{direction} {} {}", arg.name().unwrap_or("?"), arg.ty())
            });
            lines.push(format!(
                "method {}({})",
                method.name(),
                args.collect::<Vec<_>>().join(", ")
            ));
        }
        for signal in interface.signals() {
            let args = signal.args().iter();
            let args = args.map(|arg| format!("{} {}", arg.name().unwrap_or("?"), arg.ty()));
            lines.push(format!(
                "signal {}({})",
                signal.name(),
                args.collect::<Vec<_>>().join(", ")
            ));
        }
        for property in interface.properties() {
            let notes = property.annotations().iter();
            // A missing annotation means the same as the value "true".
            let notes = notes
                .filter(|note| note.value() != "true")
                .map(|note| format!("{}={}", note.name(), note.value()));
            lines.push(format!(
                "property {} {} {:?} {}",
                property.name(),
                property.ty(),
                property.access(),
                notes.collect::<Vec<_>>().join(" ")
            ));
        }
        lines.sort();
        (interface.name().to_string(), lines)
    })
    .collect()
}

#[test]
fn live_introspection_equals_the_xml() {
    let bench = Bench::new().unwrap();
    let _bus = bench.bus().unwrap();
    let _clockd = bench.clockd(&[]).unwrap();
    let address = bench.address();
    let output = Command::new("gdbus")
        .args(["introspect", "--xml", "--address", &address])
        .args(["--dest", clock_dbus::SERVICE, "--object-path", clock_dbus::PATH])
        .output()
        .expect("gdbus is installed by `make test`");
    let live = String::from_utf8(output.stdout).unwrap();
    let (live, written) = (members(&live), members(clock_dbus::INTERFACE_XML));
    assert_eq!(written.len(), 6, "{written:?}");
    assert_eq!(live, written);
}

#[test]
fn no_method_presses_a_button() {
    let all = members(clock_dbus::INTERFACE_XML).into_values().flatten();
    let methods: Vec<String> = all.filter(|line| line.starts_with("method ")).collect();
    assert!(methods.len() > 5, "{methods:?}");
    // The lines of these methods contain `Press` or `Buttons`, but none of them presses a button:
    // `UndoPress` takes a press back, `SetButtons` says whose button is whose, and the test of the
    // buttons shows presses that were made.
    let harmless = ["method UndoPress(", "method SetButtons(", "method Begin(", "method Read("];
    let others = methods.iter().filter(|line| !harmless.iter().any(|name| line.starts_with(name)));
    assert_eq!(others.clone().count(), methods.len() - harmless.len());
    assert!(!others.into_iter().any(|line| line.contains("ress") || line.contains("utton")));
}
