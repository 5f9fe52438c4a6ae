//! What each user tries: calls, properties, names, signals, forged answers, and reading the
//! messages of others.

use anyhow::{Context, Result, bail};
use clock_dbus::{
    ARBITER_INTERFACE, ARBITER_SERVICE, CLOCK_INTERFACE, DRY_RUN_PATH, INTERFACE_XML, PATH, SERVICE,
};
use clock_test_bus::raw_client::{BUS, Outgoing, Value};
use zbus_xml::{ArgDirection, Node};

/// The unique names on the bus that the attempts need.
pub struct Names {
    /// The unique name of the service's connection that owns the name `SERVICE`.
    pub service: String,
    /// The unique name of the service's connection that owns the name `ARBITER_SERVICE`.
    pub arbiters: String,
    /// The unique name of the connection on which the service asks the bus who calls.
    pub second: String,
    /// The unique name of a program that receives every signal that it can.
    pub subscriber: String,
    /// The unique name of a connection of the face's user.
    pub face: String,
    /// The introspection data of the service, which has the standard interfaces too.
    pub introspection: String,
}

pub struct Cell {
    pub name: String,
    pub attempt: Attempt,
}

pub enum Attempt {
    /// A call of the service or of the bus.
    Call(Outgoing),
    /// A signal without arguments. The attempt adds a text by which the signal is recognized.
    Signal(Outgoing),
    /// An answer to a call that another program has made. With `is_error`, the answer is an error.
    ForgedAnswer { is_error: bool },
    /// The user asks the bus for messages to others.
    Eavesdrop { rule: &'static str },
    /// The user asks the bus for a copy of all messages.
    BecomeMonitor,
}

const PROPERTIES: &str = "org.freedesktop.DBus.Properties";

/// All attempts. They are made from the description of the interfaces, so a new method, property or
/// signal is among them without a change here.
pub fn cells(names: &Names) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    let specification = Node::try_from(INTERFACE_XML).context("the specification")?;
    calls(names, &mut cells)?;
    properties(&specification, &mut cells);
    owners(&mut cells);
    signals(names, &specification, &mut cells);
    let mut add = |name: &str, attempt| cells.push(Cell { name: name.to_owned(), attempt });
    add("forged answer", Attempt::ForgedAnswer { is_error: false });
    add("forged error", Attempt::ForgedAnswer { is_error: true });
    add("monitor", Attempt::BecomeMonitor);
    add("eavesdrop with eavesdrop=true", Attempt::Eavesdrop { rule: "eavesdrop='true'" });
    add("eavesdrop without a key", Attempt::Eavesdrop { rule: "" });
    Ok(cells)
}

/// Arguments of these types that no command accepts.
fn refused_arguments(types: &[String]) -> Result<Vec<Value>> {
    let value = |kind: &String| {
        Ok(match kind.as_str() {
            "s" => Value::text(""),
            "t" => Value::U64(0),
            "x" => Value::I64(0),
            "u" => Value::U32(0),
            "b" => Value::Bool(0),
            "v" => Value::text("").variant(),
            "a{sv}" => Value::dictionary(Vec::new()),
            other => bail!("no argument of type {other}: add one"),
        })
    };
    types.iter().map(value).collect()
}

/// The interface, the name and the arguments of each method in introspection data.
fn methods(xml: &str) -> Result<Vec<(String, String, Vec<Value>)>> {
    let node = Node::try_from(xml).context("the introspection data")?;
    let mut found = Vec::new();
    for interface in node.interfaces() {
        for method in interface.methods() {
            let is_in = |arg: &&zbus_xml::Arg<'_>| arg.direction() != Some(ArgDirection::Out);
            let types: Vec<String> =
                method.args().iter().filter(is_in).map(|arg| arg.ty().to_string()).collect();
            found.push((
                interface.name().to_string(),
                method.name().to_string(),
                refused_arguments(&types)?,
            ));
        }
    }
    Ok(found)
}

fn calls(names: &Names, cells: &mut Vec<Cell>) -> Result<()> {
    for (interface, method, body) in methods(&names.introspection)? {
        let own = interface.as_str();
        let mut places = vec![
            ("call", SERVICE, PATH, own),
            ("by unique name", &names.service, PATH, own),
            ("arbiters' name", ARBITER_SERVICE, PATH, own),
            ("arbiters' connection", &names.arbiters, PATH, own),
            ("second connection", &names.second, PATH, own),
            ("without interface", SERVICE, PATH, ""),
            ("path /", SERVICE, "/", own),
            ("with no interface's name", SERVICE, PATH, "org.example.None"),
        ];
        let others = [
            ("with the interface Clock1", CLOCK_INTERFACE),
            ("with the interface Clock1.Arbiter", ARBITER_INTERFACE),
            ("with the interface Properties", PROPERTIES),
        ];
        if own == ARBITER_INTERFACE {
            places.push(("dry run of", SERVICE, DRY_RUN_PATH, own));
            places.push(("dry run without interface of", SERVICE, DRY_RUN_PATH, ""));
        }
        let others = others.into_iter().filter(|(_, other)| *other != own);
        places.extend(others.map(|(what, other)| (what, SERVICE, PATH, other)));
        for (what, to, path, interface) in places {
            let call = Outgoing::call(to, path, interface, &method).body(body.clone());
            let name = format!("{what} {own}.{method}");
            cells.push(Cell { name, attempt: Attempt::Call(call) });
        }
    }
    Ok(())
}

fn properties(specification: &Node<'_>, cells: &mut Vec<Cell>) {
    let mut add = |name: String, method: &str, body| {
        let call = Outgoing::call(SERVICE, PATH, PROPERTIES, method).body(body);
        cells.push(Cell { name, attempt: Attempt::Call(call) });
    };
    for interface in specification.interfaces() {
        let own = Value::text(interface.name().as_str());
        add(format!("get all {}", interface.name()), "GetAll", vec![own.clone()]);
        for property in interface.properties() {
            let full = format!("{}.{}", interface.name(), property.name());
            let name = Value::text(property.name().as_str());
            add(format!("get {full}"), "Get", vec![own.clone(), name.clone()]);
            let value = Value::text("forged").variant();
            add(format!("set {full}"), "Set", vec![own.clone(), name, value]);
        }
    }
}

fn owners(cells: &mut Vec<Cell>) {
    let mut add = |name: String, method: &str, body| {
        let call = Outgoing::call(BUS, "/org/freedesktop/DBus", BUS, method).body(body);
        cells.push(Cell { name, attempt: Attempt::Call(call) });
    };
    // These flags say: do not queue, and replace the owner if the owner allows that.
    let flags = Value::U32(2 | 4);
    for own in [SERVICE, "org.chessclock.Clock1.Arbiter", "org.chessclock.Clock2", "org.chessclock"]
    {
        add(format!("own {own}"), "RequestName", vec![Value::text(own), flags.clone()]);
        // The name is released, because this user would otherwise still own it at the next attempt.
        add(format!("release {own}"), "ReleaseName", vec![Value::text(own)]);
    }
}

fn signals(names: &Names, specification: &Node<'_>, cells: &mut Vec<Cell>) {
    let mut add = |(path, interface, member): (&str, &str, &str)| {
        let signal = Outgoing::signal(path, interface, member);
        let forms = [
            ("broadcast", signal.clone()),
            ("unicast", signal.clone().to(&names.subscriber)),
            ("to the face", signal.clone().to(&names.face)),
            ("broadcast as the service", signal.clone().from(&names.service)),
            ("unicast as the service", signal.clone().to(&names.subscriber).from(&names.service)),
            ("to the face as the service", signal.to(&names.face).from(&names.service)),
        ];
        for (form, signal) in forms {
            let name = format!("{form} {interface}.{member} {path}");
            cells.push(Cell { name, attempt: Attempt::Signal(signal) });
        }
    };
    let below = format!("{PATH}/x");
    for interface in specification.interfaces() {
        let name = interface.name().to_string();
        for signal in interface.signals() {
            for path in [PATH, "/", &below] {
                add((path, &name, signal.name().as_str()));
            }
        }
        // No interface has a signal with the name `Forged`.
        add((PATH, &name, "Forged"));
        add(("/", &name, "Forged"));
    }
    for path in [PATH, "/", "/org/freedesktop/DBus"] {
        add((path, PROPERTIES, "PropertiesChanged"));
        add((path, BUS, "NameOwnerChanged"));
        add((path, "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved"));
    }
    add(("/org/example", "org.example.Free", "Free"));
}
