//! The table: a row for each call.

use super::{record_table, rules_table};
use clock_dbus::{
    ARBITER_INTERFACE, BUTTON_TEST_INTERFACE, CLOCK_INTERFACE, HEALTH_INTERFACE, MENU_INTERFACE,
};
use std::collections::HashMap;
use zbus::{Structure, Variant};

/// All rows, with those for the methods of the rules and of the record.
pub fn cells() -> Vec<Cell> {
    [clock(), commands(), changes(), standard(), rules_table::cells(), record_table::cells()]
        .into_iter()
        .flatten()
        .collect()
}

pub const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
pub const INTROSPECTABLE: &str = "org.freedesktop.DBus.Introspectable";
pub const PEER: &str = "org.freedesktop.DBus.Peer";

/// Control characters, marks that reverse the direction of the text, an invisible character, and
/// the highest of all code points.
pub const ODD: &str = "a\u{1}\u{1b}[31m\n\u{202e}\u{200f}\u{feff}\u{10ffff}";
/// Answered without an error.
pub const ANSWERED: &str = "";
pub const STALE: &str = "org.chessclock.Clock1.Error.StaleRevision";
pub const ARGUMENT: &str = "org.chessclock.Clock1.Error.InvalidArgument";
pub const BUSY: &str = "org.chessclock.Clock1.Error.Busy";
pub const NOT_FOUND: &str = "org.chessclock.Clock1.Error.NotFound";
pub const CONTROL: &str = "org.chessclock.Clock1.Error.InvalidControl";
pub const RULES: &str = "org.chessclock.Clock1.Error.RefusedByRules";
pub const ARGS: &str = "org.freedesktop.DBus.Error.InvalidArgs";
pub const TOO_LONG: &str = "org.freedesktop.DBus.Error.LimitsExceeded";
pub const READ_ONLY: &str = "org.freedesktop.DBus.Error.PropertyReadOnly";
pub const NO_PROPERTY: &str = "org.freedesktop.DBus.Error.UnknownProperty";
pub const NO_INTERFACE: &str = "org.freedesktop.DBus.Error.UnknownInterface";

/// An interface and its method, the arguments of a call, and the name of the error that answers it.
pub type Cell = (&'static str, &'static str, Option<Structure<'static>>, &'static str);

pub fn x(count: usize) -> String {
    "x".repeat(count)
}

pub fn megabytes() -> String {
    x(3 << 20)
}

pub fn odd() -> String {
    ODD.to_owned()
}

pub fn dictionary(
    key: &str,
    value: impl Into<Variant<'static>>,
) -> HashMap<String, Variant<'static>> {
    HashMap::from([(key.to_owned(), value.into())])
}

/// The text of a good control file with this many bytes.
fn file(bytes: usize) -> String {
    let text = "name = 'x'\n[[period]]\ntime = '5m'\n#";
    format!("{text}{}", x(bytes - text.len()))
}

/// One row for each call.
macro_rules! cells {
    ($($interface:expr, $method:literal { $([$($argument:expr),*] => $expected:expr,)+ })+) => {
        vec![$($((
            $interface,
            $method,
            $crate::every_call::table::body((String::new(), $($argument),*).into()),
            $expected,
        )),+),+]
    };
}

pub(super) use cells as rows;

/// The arguments of a call: `fields` without the first one, which `cells!` adds because a structure
/// needs at least one field.
pub fn body(fields: Structure<'static>) -> Option<Structure<'static>> {
    let mut builder = Structure::builder();
    for field in fields.into_fields().into_iter().skip(1) {
        builder.push_value(field);
    }
    builder.build().ok()
}

fn clock() -> Vec<Cell> {
    cells! {
        CLOCK_INTERFACE, "GetState" {
            [] => ANSWERED,
            [u64::MAX] => ARGS,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
        }
        CLOCK_INTERFACE, "GetTimebase" {
            [] => ANSWERED,
            [u64::MAX] => ARGS,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
        }
        CLOCK_INTERFACE, "GetTimeControl" {
            [] => ANSWERED,
            [u64::MAX] => ARGS,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
        }
        CLOCK_INTERFACE, "ListTimeControls" {
            [] => ANSWERED,
            [u64::MAX] => ARGS,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
        }
        CLOCK_INTERFACE, "ReadTimeControl" {
            [String::new()] => CONTROL,
            [x(64)] => CONTROL,
            [x(65)] => ARGUMENT,
            [x(65_536)] => ARGUMENT,
            [megabytes()] => TOO_LONG,
            [odd()] => CONTROL,
            ["/etc/passwd".to_owned()] => CONTROL,
            [u64::MAX] => ARGS,
        }
    }
}

fn commands() -> Vec<Cell> {
    let plain = ["Start", "UndoPress", "Reopen"].into_iter().flat_map(|method| {
        let cell =
            |body: Structure<'static>, expected| (ARBITER_INTERFACE, method, Some(body), expected);
        [
            cell((0_u64, String::new()).into(), STALE),
            cell((u64::MAX, x(500)).into(), STALE),
            cell((1_u64, x(501)).into(), ARGUMENT),
            cell((1_u64, megabytes()).into(), TOO_LONG),
            cell((9_u64, odd()).into(), STALE),
            cell((1_u32, String::new()).into(), ARGS),
            cell((1_u64,).into(), ARGS),
            cell((String::new(), 1_u64).into(), ARGS),
        ]
    });
    let worded = [("Pause", STALE), ("Resume", STALE), ("Result", ARGUMENT)];
    let worded = worded.into_iter().flat_map(|(method, empty)| {
        let good = if method == "Result" { "1-0" } else { "white" }.to_owned();
        let cell =
            |body: Structure<'static>, expected| (ARBITER_INTERFACE, method, Some(body), expected);
        [
            cell((String::new(), 0_u64, String::new()).into(), empty),
            cell((good.clone(), u64::MAX, x(500)).into(), STALE),
            cell((good.clone(), 1_u64, x(501)).into(), ARGUMENT),
            cell((good.clone(), 1_u64, megabytes()).into(), TOO_LONG),
            cell((megabytes(), 1_u64, String::new()).into(), TOO_LONG),
            cell((x(65_536), 1_u64, String::new()).into(), ARGUMENT),
            cell((odd(), 1_u64, String::new()).into(), ARGUMENT),
            cell(("button".to_owned(), 1_u64, String::new()).into(), ARGUMENT),
            cell(("White".to_owned(), 1_u64, String::new()).into(), ARGUMENT),
            cell((7_u32, 1_u64, String::new()).into(), ARGS),
            cell((good, 1_i64, String::new()).into(), ARGS),
        ]
    });
    plain.chain(worded).collect()
}

fn changes() -> Vec<Cell> {
    let none = || HashMap::<String, Variant<'static>>::new();
    let name = |key: &str, bytes| dictionary(key, x(bytes));
    cells! {
        ARBITER_INTERFACE, "New" {
            [none(), 0_u64, String::new()] => STALE,
            [none(), u64::MAX, x(500)] => STALE,
            [none(), 1_u64, x(501)] => ARGUMENT,
            [name("TimeControl", 0), 1_u64, String::new()] => CONTROL,
            [name("TimeControl", 64), 1_u64, String::new()] => CONTROL,
            [name("TimeControl", 65), 1_u64, String::new()] => ARGUMENT,
            [dictionary("TimeControl", odd()), 1_u64, String::new()] => CONTROL,
            [name("WhitePlayer", 64), 9_u64, String::new()] => STALE,
            [name("WhitePlayer", 65), 1_u64, String::new()] => ARGUMENT,
            [name("BlackPlayer", 65), 1_u64, String::new()] => ARGUMENT,
            [dictionary("BlackPlayer", odd()), 9_u64, odd()] => STALE,
            [dictionary("TimeControlFile", file(16_384)), 9_u64, String::new()] => STALE,
            [dictionary("TimeControlFile", file(16_385)), 1_u64, String::new()] => ARGUMENT,
            [dictionary("TimeControlFile", megabytes()), 1_u64, String::new()] => TOO_LONG,
            [dictionary("TimeControlFile", String::new()), 1_u64, String::new()] => CONTROL,
            [dictionary("TimeControlFile", odd()), 1_u64, String::new()] => CONTROL,
            [name("TimeControlFile", 16_000), 1_u64, String::new()] => CONTROL,
            [dictionary("Force", 1_u32), 1_u64, String::new()] => ARGUMENT,
            [dictionary("TimeControl", 1_u64), 1_u64, String::new()] => ARGUMENT,
            [dictionary("WhitePlayer", Variant::from(vec![1_u8])), 1_u64, String::new()] => ARGUMENT,
            [dictionary(&x(60_000), 1_u64), 1_u64, String::new()] => ARGUMENT,
            [dictionary("", 1_u64), 1_u64, String::new()] => ARGUMENT,
            [dictionary(ODD, 1_u64), 1_u64, String::new()] => ARGUMENT,
            [String::new(), 1_u64, String::new()] => ARGS,
        }
        ARBITER_INTERFACE, "SetNames" {
            [none(), 9_u64, String::new()] => ARGUMENT,
            [name("WhitePlayer", 64), 9_u64, x(500)] => STALE,
            [dictionary("Event", odd()), u64::MAX, odd()] => STALE,
            [name("WhitePlayer", 65), 9_u64, String::new()] => ARGUMENT,
            [name("Round", 16), 9_u64, String::new()] => STALE,
            [name("Board", 17), 9_u64, String::new()] => ARGUMENT,
            [name("Rules", 5), 9_u64, String::new()] => ARGUMENT,
            [dictionary("Event", 5_u32), 9_u64, String::new()] => ARGUMENT,
            [name("Event", 5), 1_u64, x(501)] => ARGUMENT,
            [dictionary("Event", megabytes()), 9_u64, String::new()] => TOO_LONG,
            [String::new(), 1_u64, String::new()] => ARGS,
        }
        ARBITER_INTERFACE, "Set" {
            [none(), 1_u64, String::new()] => ARGUMENT,
            [dictionary("WhiteMoves", 1_u32), u64::MAX, x(500)] => STALE,
            [dictionary("WhiteMoves", 1_u32), 1_u64, x(501)] => ARGUMENT,
            [dictionary("WhiteMoves", 1_u32), 1_u64, megabytes()] => TOO_LONG,
            [dictionary("WhiteTimeNSec", u64::MAX), 1_u64, String::new()] => ARGUMENT,
            [dictionary("WhitePeriod", 0_u32), 1_u64, String::new()] => ARGUMENT,
            [dictionary("BlackPeriod", u32::MAX), 1_u64, String::new()] => ARGUMENT,
            [dictionary("BlackOvertimeMoves", u32::MAX), 1_u64, String::new()] => ARGUMENT,
            [dictionary("WhiteTimeNSec", -1_i64), 1_u64, String::new()] => ARGUMENT,
            [dictionary("WhiteMoves", 1_u64), 1_u64, String::new()] => ARGUMENT,
            [dictionary("OnMove", odd()), 1_u64, String::new()] => ARGUMENT,
            [dictionary("OnMove", x(60_000)), 1_u64, String::new()] => ARGUMENT,
            [dictionary("OnMove", String::new()), 1_u64, String::new()] => ARGUMENT,
            [dictionary("OnMove", true), 1_u64, String::new()] => ARGUMENT,
            [dictionary("WhiteTime", 5_u64), 1_u64, String::new()] => ARGUMENT,
            [dictionary(&x(60_000), 5_u64), 1_u64, String::new()] => ARGUMENT,
            [dictionary(ODD, 5_u64), 9_u64, odd()] => ARGUMENT,
            [5_u64, 1_u64, String::new()] => ARGS,
        }
        ARBITER_INTERFACE, "Add" {
            [String::new(), 0_i64, 0_u64, String::new()] => ARGUMENT,
            ["white".to_owned(), 0_i64, 1_u64, String::new()] => ARGUMENT,
            ["white".to_owned(), 1_i64, u64::MAX, x(500)] => STALE,
            ["white".to_owned(), 1_i64, 1_u64, x(501)] => ARGUMENT,
            ["white".to_owned(), 1_i64, 1_u64, megabytes()] => TOO_LONG,
            ["white".to_owned(), i64::MAX, 1_u64, String::new()] => ARGUMENT,
            ["black".to_owned(), i64::MIN, 1_u64, String::new()] => RULES,
            [odd(), 1_i64, 1_u64, odd()] => ARGUMENT,
            ["arbiter".to_owned(), 1_i64, 1_u64, String::new()] => ARGUMENT,
            ["white".to_owned(), 1_u64, 1_u64, String::new()] => ARGS,
        }
    }
}

fn standard() -> Vec<Cell> {
    let text = str::to_owned;
    cells! {
        PROPERTIES, "Get" {
            [text(CLOCK_INTERFACE), text("Phase")] => ANSWERED,
            [text(MENU_INTERFACE), text("Page")] => ANSWERED,
            [text(CLOCK_INTERFACE), String::new()] => NO_PROPERTY,
            [text(CLOCK_INTERFACE), x(65_536)] => NO_PROPERTY,
            [text(CLOCK_INTERFACE), megabytes()] => TOO_LONG,
            [text(HEALTH_INTERFACE), odd()] => NO_PROPERTY,
            [text("org.example.None"), text("Phase")] => NO_INTERFACE,
            [String::new(), text("Phase")] => ARGS,
            [odd(), text("Phase")] => ARGS,
            [1_u32] => ARGS,
        }
        PROPERTIES, "GetAll" {
            [text(HEALTH_INTERFACE)] => ANSWERED,
            [text(ARBITER_INTERFACE)] => ANSWERED,
            [text(MENU_INTERFACE)] => ANSWERED,
            [text("org.example.None")] => NO_INTERFACE,
            [String::new()] => ARGS,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
            [u64::MAX] => ARGS,
        }
        PROPERTIES, "Set" {
            [text(CLOCK_INTERFACE), text("Phase"), Variant::from("over")] => READ_ONLY,
            [text(CLOCK_INTERFACE), text("Version"), Variant::from(1_u8)] => READ_ONLY,
            [text(CLOCK_INTERFACE), text("Revision"), Variant::from(u64::MAX)] => READ_ONLY,
            [text(HEALTH_INTERFACE), text("LostEdges"), Variant::from(0_u64)] => READ_ONLY,
            [text(CLOCK_INTERFACE), text("Phase"), Variant::from(x(100_000))] => READ_ONLY,
            [text(MENU_INTERFACE), text("Settings"), Variant::from(true)] => READ_ONLY,
            [text(ARBITER_INTERFACE), text("Phase"), Variant::from("")] => NO_PROPERTY,
            [text(CLOCK_INTERFACE), String::new(), Variant::from("")] => NO_PROPERTY,
            [text(CLOCK_INTERFACE), x(65_536), Variant::from("")] => NO_PROPERTY,
            [text(CLOCK_INTERFACE), odd(), Variant::from("")] => NO_PROPERTY,
            [text(CLOCK_INTERFACE), text("Phase"), Variant::from(megabytes())] => TOO_LONG,
            [text("org.example.None"), text("Phase"), Variant::from("")] => NO_INTERFACE,
            [text(CLOCK_INTERFACE), text("Phase"), text("over")] => ARGS,
        }
        INTROSPECTABLE, "Introspect" {
            [] => ANSWERED,
            [u64::MAX] => ARGS,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
        }
        HEALTH_INTERFACE, "ReportDisplay" {
            [0_u32] => ANSWERED,
            [10_000_000_u32] => ANSWERED,
            [10_000_001_u32] => ARGUMENT,
            [u32::MAX] => ARGUMENT,
            [-1_i32] => ARGS,
            [15_000_u64] => ARGS,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
        }
        BUTTON_TEST_INTERFACE, "Read" {
            [0_u64] => NOT_FOUND,
            [2_000_000_001_u64] => ARGUMENT,
            [u64::MAX] => ARGUMENT,
            [] => ARGS,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
        }
        BUTTON_TEST_INTERFACE, "End" {
            [] => NOT_FOUND,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
        }
        BUTTON_TEST_INTERFACE, "Begin" {
            [] => ANSWERED,
            [] => BUSY,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
        }
        PEER, "Ping" {
            [] => ANSWERED,
            // zbus ignores arguments here.
            [u64::MAX] => ANSWERED,
            [odd()] => ANSWERED,
            [megabytes()] => TOO_LONG,
        }
        PEER, "GetMachineId" {
            [] => ANSWERED,
            // zbus ignores arguments here.
            [u64::MAX] => ANSWERED,
            [odd()] => ANSWERED,
            [megabytes()] => TOO_LONG,
        }
    }
}
