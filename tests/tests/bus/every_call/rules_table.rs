//! The rows for the methods of the rules. The clock has no rule profile here.

use super::table::{ANSWERED, ARGS, ARGUMENT, CONTROL, Cell, ODD, STALE, TOO_LONG, megabytes, x};
use clock_dbus::{ARBITER_INTERFACE, CLOCK_INTERFACE};
use std::collections::HashMap;
use zbus::{Structure, Variant};

const NO_PROFILE: &str = "org.chessclock.Clock1.Error.NoProfile";
const RULES_FILE: &str = "org.chessclock.Clock1.Error.InvalidRules";

pub fn cells() -> Vec<Cell> {
    let methods = methods();
    let common = methods.iter().flat_map(|(method, good)| common(method, good));
    let further = amounts().into_iter().chain(time_control());
    common.chain(further).chain(files()).chain(new_game()).collect()
}

fn text(text: &str) -> Variant<'static> {
    Variant::from(text.to_owned())
}

fn body(arguments: impl IntoIterator<Item = Variant<'static>>) -> Option<Structure<'static>> {
    let mut builder = Structure::builder();
    for argument in arguments {
        builder.push_value(argument);
    }
    builder.build().ok()
}

/// Each method with arguments that are good.
fn methods() -> Vec<(&'static str, Vec<Variant<'static>>)> {
    let (white, yes) = (|| text("white"), || Variant::from(true));
    vec![
        ("ClaimFlag", vec![white(), text("flag")]),
        ("ClaimDraw", vec![white(), text("cannot-win"), yes(), text("refused")]),
        ("RequestIncrement", vec![white()]),
        ("Rule", vec![text("waive"), white(), Variant::from(-1_i64)]),
        ("Penalize", vec![white(), text("warning"), 0_u64.into(), 0_u32.into(), text("other")]),
        ("IllegalMove", vec![white(), yes(), Variant::from(-1_i64)]),
        ("Arrive", vec![white()]),
        ("RecordConfirmation", vec![white(), text("resume")]),
        ("Refer", vec![]),
        ("RecordAttachment", vec![text("details"), text("White has a rook more"), white()]),
        ("SetAssistant", vec![white(), yes()]),
        ("Incident", vec![white(), text("other")]),
        ("Adjourn", vec![white(), text("in the envelope")]),
        ("ChangeMethod", vec![text("increment"), Variant::from(1_u64), yes()]),
        ("SetRules", vec![text("fide-2023")]),
        ("SetButtons", vec![yes()]),
        ("Announce", vec![text("lunch until 14:00")]),
    ]
}

/// The rows that test the revision, the reason and each argument of a method. They are made in the
/// same way for every method.
fn common(method: &'static str, good: &[Variant<'static>]) -> Vec<Cell> {
    let call = |given: &[Variant<'static>], revision: Variant<'static>, reason: String| {
        body(given.iter().cloned().chain([revision, reason.into()]))
    };
    let cell = |body, expected| (ARBITER_INTERFACE, method, body, expected);
    let (first, stale) = (|| Variant::from(1_u64), || Variant::from(u64::MAX));
    let mut cells = vec![
        cell(call(good, stale(), x(500)), STALE),
        cell(call(good, 9_u64.into(), ODD.to_owned()), STALE),
        cell(call(good, first(), x(501)), ARGUMENT),
        cell(call(good, first(), megabytes()), TOO_LONG),
        cell(call(good, 1_u32.into(), String::new()), ARGS),
        cell(body([text("one argument"), text("more than"), text("it has")]), ARGS),
    ];
    // These methods need no rule profile.
    if !matches!(method, "SetRules" | "SetButtons" | "Announce") {
        cells.push(cell(call(good, first(), String::new()), NO_PROFILE));
    }
    for (place, argument) in good.iter().enumerate() {
        let with = |other: Variant<'static>| {
            let mut given = good.to_vec();
            given[place] = other;
            given
        };
        let row = |other, expected| cell(call(&with(other), 9_u64.into(), String::new()), expected);
        cells.push(row(Variant::from(vec![1_u8]), ARGS));
        if !matches!(argument, Variant::Str(_)) {
            cells.push(row(text("a text"), ARGS));
            continue;
        }
        let is_free = matches!((method, place), ("RecordAttachment" | "Adjourn", 1));
        let odd = match method {
            "SetRules" => RULES_FILE,
            _ if is_free => STALE,
            _ => ARGUMENT,
        };
        cells.push(row(text(ODD), odd));
        cells.push(row(Variant::from(x(501)), ARGUMENT));
        cells.push(row(Variant::from(x(65_536)), ARGUMENT));
        cells.push(row(Variant::from(megabytes()), TOO_LONG));
        if is_free {
            cells.push(row(Variant::from(x(500)), STALE));
        }
    }
    cells
}

/// Amounts at their limits and beyond.
fn amounts() -> Vec<Cell> {
    let most = 1000 * 3_600_000_000_000_i64;
    let mut cells = Vec::new();
    for (award, expected) in [
        (0, STALE),
        (most, STALE),
        (most + 1, ARGUMENT),
        (i64::MAX, ARGUMENT),
        (-2, ARGUMENT),
        (i64::MIN, ARGUMENT),
    ] {
        let rule = [text("postpone"), text(""), award.into(), 9_u64.into(), text("")];
        cells.push((ARBITER_INTERFACE, "Rule", body(rule), expected));
        let illegal = [text("white"), false.into(), award.into(), 9_u64.into(), text("")];
        cells.push((ARBITER_INTERFACE, "IllegalMove", body(illegal), expected));
    }
    let most = most.unsigned_abs();
    for (kind, time, half_points, expected) in [
        ("opponent-plus", most, 0_u32, STALE),
        ("opponent-plus", most + 1, 0, ARGUMENT),
        ("opponent-plus", u64::MAX, 0, ARGUMENT),
        ("opponent-plus", most, 1, ARGUMENT),
        ("points-off", 0, 1000, STALE),
        ("points-off", 0, 1001, ARGUMENT),
        ("points-off", 0, u32::MAX, ARGUMENT),
        ("points-off", 1, 1000, ARGUMENT),
        ("warning", 1, 0, ARGUMENT),
    ] {
        let penalty = [
            text("black"),
            text(kind),
            time.into(),
            half_points.into(),
            text("force"),
            9_u64.into(),
            text(""),
        ];
        cells.push((ARBITER_INTERFACE, "Penalize", body(penalty), expected));
    }
    for (method, amount, expected) in [
        ("none", 0, STALE),
        ("none", 1, ARGUMENT),
        ("delay", 0, ARGUMENT),
        ("bronstein", most, STALE),
        ("delay", u64::MAX, ARGUMENT),
        ("hourglass", 1, ARGUMENT),
    ] {
        let change = [text(method), amount.into(), false.into(), 9_u64.into(), text("")];
        cells.push((ARBITER_INTERFACE, "ChangeMethod", body(change), expected));
    }
    let empty = [text("position"), text(" "), text(""), 9_u64.into(), text("")];
    cells.push((ARBITER_INTERFACE, "RecordAttachment", body(empty), ARGUMENT));
    cells
}

/// `ChangeTimeControl`, which needs no rule profile.
fn time_control() -> Vec<Cell> {
    let file = "name = 'x'\n[[period]]\ntime = '1m'\n";
    let call = |name: &str, file: &str, recompute: Variant<'static>, revision: u64| {
        let flags = [recompute, Variant::from(false), revision.into(), text("")];
        body([text(name), text(file)].into_iter().chain(flags))
    };
    let yes = || Variant::from(true);
    let mut cells = Vec::new();
    for (name, file, expected) in [
        ("blitz-5-0", "", STALE),
        ("", file, STALE),
        (&x(64), file, STALE),
        ("", "", CONTROL),
        (ODD, "", CONTROL),
        ("/etc/passwd", "", CONTROL),
        ("", ODD, CONTROL),
        ("blitz-5-0", &x(16_384), CONTROL),
        (&x(65), file, ARGUMENT),
        ("blitz-5-0", &x(16_385), ARGUMENT),
        (&megabytes(), "", TOO_LONG),
        ("", &megabytes(), TOO_LONG),
    ] {
        cells.push((ARBITER_INTERFACE, "ChangeTimeControl", call(name, file, yes(), 9), expected));
    }
    let wrong = call("blitz-5-0", "", text("yes"), 9);
    cells.push((ARBITER_INTERFACE, "ChangeTimeControl", wrong, ARGS));
    cells.push((ARBITER_INTERFACE, "ChangeTimeControl", body([text("blitz-5-0")]), ARGS));
    cells
}

/// The methods that read rule profiles.
fn files() -> Vec<Cell> {
    let mut cells = Vec::new();
    for method in ["GetRules", "ListRules"] {
        cells.push((CLOCK_INTERFACE, method, None, ANSWERED));
        cells.push((CLOCK_INTERFACE, method, body([u64::MAX.into()]), ARGS));
        cells.push((CLOCK_INTERFACE, method, body([megabytes().into()]), TOO_LONG));
    }
    for (name, expected) in [
        (String::new(), RULES_FILE),
        ("fide-2023".to_owned(), ANSWERED),
        ("/etc/passwd".to_owned(), RULES_FILE),
        ("../rules/fide-2023".to_owned(), RULES_FILE),
        (ODD.to_owned(), RULES_FILE),
        (x(64), RULES_FILE),
        (x(65), ARGUMENT),
        (megabytes(), TOO_LONG),
    ] {
        cells.push((CLOCK_INTERFACE, "ReadRules", body([name.into()]), expected));
    }
    cells.push((CLOCK_INTERFACE, "ReadRules", body([u64::MAX.into()]), ARGS));
    cells
}

/// The keys of `New` that belong to the rules.
fn new_game() -> Vec<Cell> {
    let long = x(65);
    let keys: [(&str, Variant<'static>, &str); 17] = [
        ("Rules", text("fide-2023"), STALE),
        ("Rules", text(""), STALE),
        ("Rules", text("fide"), RULES_FILE),
        ("Rules", text(&long), ARGUMENT),
        ("Rules", 1_u64.into(), ARGUMENT),
        ("StartAtRealtimeNSec", 0_u64.into(), ARGUMENT),
        ("StartAtRealtimeNSec", u64::MAX.into(), ARGUMENT),
        ("StartAtRealtimeNSec", Variant::from(-1_i64), ARGUMENT),
        ("CaptainPlays", text("white"), STALE),
        ("CaptainPlays", text("arbiter"), ARGUMENT),
        ("PresentArbiter", text(&x(64)), STALE),
        ("PresentArbiter", text(&long), ARGUMENT),
        ("Board", text(&x(16)), STALE),
        ("Board", text(&x(17)), ARGUMENT),
        ("Round", text(&x(17)), ARGUMENT),
        ("Event", text(&x(64)), STALE),
        ("Event", text(&long), ARGUMENT),
    ];
    let cell = |(key, value, expected): (&str, Variant<'static>, &'static str)| {
        let game = HashMap::from([(key.to_owned(), value)]);
        (ARBITER_INTERFACE, "New", body([game.into(), 9_u64.into(), text("")]), expected)
    };
    keys.into_iter().map(cell).collect()
}
