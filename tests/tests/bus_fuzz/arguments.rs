//! Random calls: arguments of the right types with extreme values, and arguments of wrong types.

use super::fixture::MAX_MESSAGE;
use clock_dbus::{ARBITER_INTERFACE, PATH, SERVICE};
use clock_test_bus::raw_client::{Outgoing, Value};
use edge_player::Rng;
use zbus_xml::{ArgDirection, Node};

/// A method and its arguments: the name and the type of each.
pub struct Method {
    pub interface: String,
    pub name: String,
    arguments: Vec<(String, String)>,
}

/// The methods of introspection data.
pub fn methods(xml: &str) -> Vec<Method> {
    let node = Node::try_from(xml).unwrap();
    let mut found = Vec::new();
    for interface in node.interfaces() {
        for method in interface.methods() {
            let is_in = |arg: &&zbus_xml::Arg<'_>| arg.direction() != Some(ArgDirection::Out);
            let argument = |arg: &zbus_xml::Arg<'_>| {
                (arg.name().unwrap_or_default().to_owned(), arg.ty().to_string())
            };
            found.push(Method {
                interface: interface.name().to_string(),
                name: method.name().to_string(),
                arguments: method.args().iter().filter(is_in).map(argument).collect(),
            });
        }
    }
    found
}

/// A random call.
pub struct RandomCall {
    pub message: Outgoing,
    /// Whether the message is invalid, so that the bus may end the connection of the caller.
    pub is_invalid: bool,
    /// Whether one open file is sent with the message.
    pub has_file: bool,
    /// Whether the call asks for an answer. A call that asks for none has the revision 0, which is
    /// never the current one.
    pub wants_answer: bool,
    /// Whether the method belongs to the arbiter's interface.
    pub is_command: bool,
    pub text: String,
}

/// The words that the service accepts somewhere, so that some calls get further than the first
/// check.
const WORDS: &[&str] = &[
    "",
    "white",
    "black",
    "arbiter",
    "button",
    "1-0",
    "0-1",
    "1/2-1/2",
    "draw",
    "win",
    "lost",
    "rejected",
    "upheld",
    "postponed",
    "justified",
    "unjustified",
    "warning",
    "time",
    "points",
    "disturbing",
    "noise",
    "fide-standard",
    "blitz-3-2",
    "us-g60-d5",
    "fide-iii",
    "county",
    "accept",
    "decline",
    "present",
    "moves-made",
    "not-made",
    "sealed",
    "Phase",
    "Revision",
    "Faults",
    "org.chessclock.Clock1",
    "org.chessclock.Clock1.Health",
    "org.chessclock.Clock1.Arbiter",
    "org.chessclock.Clock1.Menu",
    "/etc/passwd",
    "../../../../etc/passwd",
    "name = 'x'\n[[period]]\ntime = '5m'\n",
];

/// The keys that a dictionary in a random call can have.
const KEYS: &[&str] = &[
    "WhiteTimeNSec",
    "BlackTimeNSec",
    "WhiteMoves",
    "BlackMoves",
    "WhitePeriod",
    "BlackPeriod",
    "OnMove",
    "WhiteOvertimeMoves",
    "TimeControl",
    "TimeControlFile",
    "WhitePlayer",
    "BlackPlayer",
    "Board",
    "Round",
    "Event",
    "Force",
    "Rules",
    "StartAtRealtimeNSec",
    "CaptainPlays",
    "PresentArbiter",
    "NoSuchKey",
    "",
    "begun",
    "source",
];

const NUMBERS: &[u64] = &[
    0,
    1,
    2,
    59,
    1_000_000_000,
    60_000_000_000,
    u32::MAX as u64,
    1 << 32,
    i64::MAX as u64,
    1 << 63,
    u64::MAX - 1,
    u64::MAX,
];

/// A random call of one of the methods, in a game with this revision.
pub fn random_call(rng: &mut Rng, methods: &[Method], revision: u64) -> RandomCall {
    let method = random_method(rng, methods);
    let wants_answer = !rng.one_in(20);
    let revision = if wants_answer { revision } else { 0 };
    let is_right = rng.one_in(2);
    let argument = |rng: &mut Rng, (name, kind): &(String, String)| {
        // A random number can be the current revision. The revision 0 never is, so it is kept.
        if name == "revision" && (revision == 0 || !rng.one_in(4)) {
            return Value::U64(revision);
        }
        if name == "reason" && !rng.one_in(8) {
            return Value::text("random");
        }
        of_type(rng, kind)
    };
    let mut body: Vec<Value> = method.arguments.iter().map(|of| argument(rng, of)).collect();
    let mut call = Outgoing::call(SERVICE, PATH, &method.interface, &method.name);
    let (mut is_invalid, mut has_file) = (false, false);
    if !is_right {
        let place = usize::try_from(rng.between(0, body.len() as u64)).unwrap();
        match rng.between(0, 8) {
            0 | 1 if place < body.len() => body[place] = anything(rng, 4),
            2 if place < body.len() => drop(body.remove(place)),
            3 => body.insert(place, anything(rng, 4)),
            4 => body.push(nested(rng)),
            5 => body = (0..rng.between(1, 100)).map(|_| anything(rng, 2)).collect(),
            6 => {
                body.insert(place, Value::Descriptor(0));
                call = call.descriptors(1);
                has_file = true;
            }
            7 => {
                body.insert(place, invalid(rng));
                is_invalid = true;
            }
            _ => body = body.into_iter().map(Value::variant).collect(),
        }
    }
    if !wants_answer {
        call = call.without_answer();
    }
    let text: String =
        format!("{}.{} {body:?}", method.interface, method.name).chars().take(400).collect();
    let message = call.body(body);
    is_invalid |= message.signature().len() > 255 || message.bytes(1).len() > MAX_MESSAGE;
    RandomCall {
        is_command: method.interface == ARBITER_INTERFACE,
        message,
        is_invalid,
        has_file,
        wants_answer,
        text,
    }
}

fn pick<'a, T>(rng: &mut Rng, from: &'a [T]) -> &'a T {
    &from[usize::try_from(rng.draw() % from.len() as u64).unwrap()]
}

/// A value of this type.
fn of_type(rng: &mut Rng, kind: &str) -> Value {
    let number = if rng.one_in(3) { rng.draw() } else { *pick(rng, NUMBERS) };
    let bytes = number.to_le_bytes();
    match kind {
        "s" => Value::Text(text(rng)),
        "t" => Value::U64(number),
        "x" => Value::I64(i64::from_le_bytes(bytes)),
        "u" => Value::U32(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        "b" => Value::Bool(u32::from(rng.one_in(2))),
        "v" => anything(rng, 4).variant(),
        "a{sv}" => dictionary(rng, 4),
        other => panic!("no random value of type {other}: add one"),
    }
}

fn text(rng: &mut Rng) -> String {
    let repeated = |count: u64| "x".repeat(usize::try_from(count).unwrap());
    match rng.between(0, 11) {
        0..=6 => (*pick(rng, WORDS)).to_owned(),
        7 => repeated(*pick(rng, &[1, 63, 64, 65, 499, 500, 501, 4096])),
        8 => repeated(*pick(rng, &[16_383, 16_384, 16_385, 65_536, 130_000, 131_072, 140_000])),
        9 => "\u{202e}\u{200f}\u{feff}\u{10ffff}"
            .repeat(usize::try_from(rng.between(1, 40)).unwrap()),
        10 => {
            "\u{1}\u{1b}[31m\r\n\u{7f}\u{9b}".repeat(usize::try_from(rng.between(1, 40)).unwrap())
        }
        // D-Bus allows every character apart from NUL.
        _ => (0..rng.between(1, 80))
            .filter_map(|_| char::from_u32(u32::try_from(rng.between(1, 0x10_ffff)).unwrap()))
            .collect(),
    }
}

/// A dictionary in which keys can be missing, unknown or there twice. `depth` limits how deeply its
/// values are nested. Without that limit, nested dictionaries could have more than 64 levels, and
/// the bus would end the connection. One dictionary has three levels: an array, an entry and a
/// variant.
fn dictionary(rng: &mut Rng, depth: u32) -> Value {
    let count = if rng.one_in(30) { 2000 } else { rng.between(0, 4) };
    let entry = |rng: &mut Rng| {
        let key = if rng.one_in(10) { text(rng) } else { (*pick(rng, KEYS)).to_owned() };
        let kind = *pick(rng, &["s", "t", "x", "u", "b", "u", "t"]);
        let value = if rng.one_in(10) { anything(rng, depth) } else { of_type(rng, kind) };
        (key, value)
    };
    let long = |value: &Value| matches!(value, Value::Text(text) if text.len() > 100);
    let entries = (0..count).map(|_| entry(rng)).filter(|(key, value)| {
        // 2000 entries with long texts would be more than the bus passes on.
        count < 100 || (key.len() < 100 && !long(value))
    });
    Value::dictionary(entries.collect())
}

/// A value of any type.
fn anything(rng: &mut Rng, depth: u32) -> Value {
    let simple = *pick(rng, &["s", "t", "x", "u", "b"]);
    match rng.between(0, if depth == 0 { 8 } else { 13 }) {
        0 => Value::Byte(u8::MAX),
        1 => Value::I16(i16::MIN),
        2 => Value::U16(u16::MAX),
        3 => Value::I32(i32::MIN),
        4 => Value::Double(*pick(rng, &[0.0, -0.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE])),
        5 => Value::Path(
            "/".to_owned() + &"a/".repeat(usize::try_from(rng.between(0, 60)).unwrap()) + "a",
        ),
        6 => Value::Signature("a{sv}(iiay)".to_owned()),
        7 | 8 => of_type(rng, simple),
        9 => anything(rng, depth - 1).variant(),
        10 => Value::Struct((0..rng.between(1, 4)).map(|_| anything(rng, depth - 1)).collect()),
        11 => dictionary(rng, depth - 1),
        12 => {
            let count = *pick(rng, &[0, 1, 3, 5000]);
            Value::Array("y".to_owned(), (0..count).map(|_| Value::Byte(7)).collect())
        }
        _ => Value::Array("v".to_owned(), vec![anything(rng, depth - 1).variant()]),
    }
}

/// A value with the deepest nesting that the bus accepts in the argument of a call: nested
/// variants, arrays, structures or dictionaries.
fn nested(rng: &mut Rng) -> Value {
    let (start, form) = (Value::Byte(1), rng.between(0, 3));
    let depth = [63, 32, 32, 21][usize::try_from(form).unwrap()];
    (0..depth).fold(start, |value, _| match form {
        0 => value.variant(),
        1 => Value::Array(value.signature(), vec![value]),
        2 => Value::Struct(vec![value]),
        _ => Value::dictionary(vec![(String::new(), value)]),
    })
}

/// A value that no message may have.
fn invalid(rng: &mut Rng) -> Value {
    match rng.between(0, 5) {
        0 => Value::Bool(2),
        1 => Value::Path("no/path/".to_owned()),
        2 => Value::Signature("a{vs}(".to_owned()),
        3 => (0..70).fold(Value::Byte(1), |value, _| value.variant()),
        4 => (0..40).fold(Value::Byte(1), |value, _| Value::Array(value.signature(), vec![value])),
        _ => Value::text("with a NUL \0 in it"),
    }
}

/// A random method. A method of the arbiter's interface is drawn twice as often as any other
/// method.
fn random_method<'a>(rng: &mut Rng, methods: &'a [Method]) -> &'a Method {
    loop {
        let method = pick(rng, methods);
        if method.interface == ARBITER_INTERFACE || rng.one_in(2) {
            return method;
        }
    }
}
