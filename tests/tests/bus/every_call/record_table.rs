//! The rows for the methods of the record. The clock of this test keeps no record.

use super::table::{
    ARGS, ARGUMENT, CONTROL, Cell, ODD, STALE, TOO_LONG, dictionary, megabytes, odd, rows, x,
};
use clock_dbus::{ARBITER_INTERFACE, HISTORY_INTERFACE};
use std::collections::HashMap;
use zbus::{Structure, Variant};

const NO_RECORD: &str = "org.chessclock.Clock1.Error.NoRecord";
const RULES_FILE: &str = "org.chessclock.Clock1.Error.InvalidRules";

pub fn cells() -> Vec<Cell> {
    [history(), rewind(), import(), proposals()].into_iter().flatten().collect()
}

fn history() -> Vec<Cell> {
    let white = || "white".to_owned();
    rows! {
        HISTORY_INTERFACE, "ListGames" {
            [0_u64, 1_u32] => NO_RECORD,
            [u64::MAX, 100_u32] => NO_RECORD,
            [0_u64, 0_u32] => ARGUMENT,
            [0_u64, 101_u32] => ARGUMENT,
            [u64::MAX, u32::MAX] => ARGUMENT,
            [0_u32, 1_u32] => ARGS,
            [odd(), 1_u32] => ARGS,
            [0_u64] => ARGS,
            [megabytes(), 1_u32] => TOO_LONG,
        }
        HISTORY_INTERFACE, "GetGame" {
            [0_u64] => NO_RECORD,
            [u64::MAX] => NO_RECORD,
            [-1_i64] => ARGS,
            [odd()] => ARGS,
            [megabytes()] => TOO_LONG,
        }
        HISTORY_INTERFACE, "ReadEntries" {
            [0_u64, 0_u64, 1_u32] => NO_RECORD,
            [u64::MAX, u64::MAX, 200_u32] => NO_RECORD,
            [0_u64, 0_u64, 0_u32] => ARGUMENT,
            [0_u64, 0_u64, 201_u32] => ARGUMENT,
            [0_u64, 0_u64, u32::MAX] => ARGUMENT,
            [0_u64, 0_u32, 1_u32] => ARGS,
            [odd(), 0_u64, 1_u32] => ARGS,
            [0_u64, 0_u64, megabytes()] => TOO_LONG,
        }
        HISTORY_INTERFACE, "ReadState" {
            [0_u64, 0_u64] => NO_RECORD,
            [u64::MAX, u64::MAX] => NO_RECORD,
            [0_u64, 0_u32] => ARGS,
            [odd(), 0_u64] => ARGS,
            [0_u64] => ARGS,
            [megabytes(), 0_u64] => TOO_LONG,
        }
        HISTORY_INTERFACE, "FindMove" {
            [0_u64, white(), 0_u32] => NO_RECORD,
            [u64::MAX, white(), u32::MAX] => NO_RECORD,
            [0_u64, String::new(), 0_u32] => ARGUMENT,
            [0_u64, odd(), 0_u32] => ARGUMENT,
            [0_u64, "arbiter".to_owned(), 0_u32] => ARGUMENT,
            [0_u64, x(65_536), 0_u32] => ARGUMENT,
            [0_u64, megabytes(), 0_u32] => TOO_LONG,
            [0_u64, white(), 0_u64] => ARGS,
            [0_u64, 1_u32, 0_u32] => ARGS,
        }
    }
}

fn rewind() -> Vec<Cell> {
    rows! {
        ARBITER_INTERFACE, "Rewind" {
            [1_u64, 1_u64, x(500)] => NO_RECORD,
            [u64::MAX, u64::MAX, odd()] => NO_RECORD,
            [1_u64, 1_u64, x(501)] => ARGUMENT,
            [1_u64, 1_u64, megabytes()] => TOO_LONG,
            [1_u32, 1_u64, String::new()] => ARGS,
            [1_u64, String::new()] => ARGS,
            [1_u64, String::new(), 1_u64] => ARGS,
        }
        ARBITER_INTERFACE, "ResumeAdjourned" {
            [1_u64, 1_u64, x(500)] => NO_RECORD,
            [0_u64, u64::MAX, odd()] => STALE,
            [1_u64, 1_u64, x(501)] => ARGUMENT,
            [1_u64, 1_u64, megabytes()] => TOO_LONG,
            [1_u32, 1_u64, String::new()] => ARGS,
            [1_u64, String::new()] => ARGS,
        }
    }
}

type Proposal = HashMap<String, Variant<'static>>;

fn source(machine: String, chain: String) -> Variant<'static> {
    Structure::from((machine, u64::MAX, chain)).into()
}

/// A proposal that is good, with one more key.
fn with(key: &str, value: impl Into<Variant<'static>>) -> Proposal {
    let source = source("x".repeat(64), "a".repeat(64));
    let mut proposal = Proposal::from([
        ("Begun".to_owned(), Variant::from(true)),
        ("Source".to_owned(), source),
        ("WhiteMoves".to_owned(), Variant::from(1_u32)),
    ]);
    proposal.insert(key.to_owned(), value.into());
    proposal
}

fn import() -> Vec<Cell> {
    let good = || with("BlackMoves", 1_u32);
    rows! {
        ARBITER_INTERFACE, "Import" {
            [good(), 9_u64, x(500)] => STALE,
            [good(), u64::MAX, odd()] => STALE,
            [good(), 1_u64, x(501)] => ARGUMENT,
            [good(), 1_u64, megabytes()] => TOO_LONG,
            [with("WhitePlayer", megabytes()), 1_u64, String::new()] => TOO_LONG,
            [Proposal::new(), 1_u64, String::new()] => ARGUMENT,
            [dictionary("Begun", true), 1_u64, String::new()] => ARGUMENT,
            [dictionary("Source", source(String::new(), x(64))), 1_u64, String::new()] => ARGUMENT,
            [odd(), 1_u64, String::new()] => ARGS,
            [1_u64, String::new(), good()] => ARGS,
            [good(), 1_u32, String::new()] => ARGS,
        }
    }
}

/// The rows for the keys of a proposal. Each row tests one key.
fn proposals() -> Vec<Cell> {
    let digits = || "f".repeat(64);
    let structure = |fields: Structure<'static>| Variant::from(fields);
    let keys: Vec<(&str, Variant<'static>, &'static str)> = vec![
        ("Source", source(String::new(), digits()), STALE),
        ("Source", source(ODD.to_owned(), digits()), STALE),
        ("Source", source(x(65), digits()), ARGUMENT),
        ("Source", source(x(60_000), digits()), ARGUMENT),
        ("Source", source(String::new(), String::new()), ARGUMENT),
        ("Source", source(String::new(), "f".repeat(63)), ARGUMENT),
        ("Source", source(String::new(), "f".repeat(60_000)), ARGUMENT),
        ("Source", source(String::new(), ODD.to_owned()), ARGUMENT),
        ("Source", structure((String::new(), 1_u32, digits()).into()), ARGUMENT),
        ("Source", structure((String::new(), 1_u64).into()), ARGUMENT),
        ("Source", Variant::from(ODD.to_owned()), ARGUMENT),
        ("Begun", Variant::from(1_u32), ARGUMENT),
        ("Begun", Variant::from(false), STALE),
        ("Game", Variant::from(1_u64), ARGUMENT),
        (ODD, Variant::from(1_u64), ARGUMENT),
        ("", Variant::from(1_u64), ARGUMENT),
        ("WhitePlayer", Variant::from(x(64)), STALE),
        ("WhitePlayer", Variant::from(x(65)), ARGUMENT),
        ("TimeControl", Variant::from(x(64)), CONTROL),
        ("TimeControl", Variant::from(x(65)), ARGUMENT),
        ("TimeControlFile", Variant::from(x(16_000)), CONTROL),
        ("TimeControlFile", Variant::from(x(16_385)), ARGUMENT),
        ("Rules", Variant::from(ODD.to_owned()), RULES_FILE),
        ("StartAtRealtimeNSec", Variant::from(u64::MAX), ARGUMENT),
        ("CaptainPlays", Variant::from("arbiter"), ARGUMENT),
        ("PresentArbiter", Variant::from(x(65)), ARGUMENT),
        ("Force", Variant::from("yes"), ARGUMENT),
        ("WhiteTimeNSec", Variant::from(-1_i64), ARGUMENT),
        ("OnMove", Variant::from(""), ARGUMENT),
        ("BlackPeriod", Variant::from(1_u64), ARGUMENT),
        ("State", Variant::from(""), ARGUMENT),
        ("State", Variant::from("{}"), ARGUMENT),
        ("State", Variant::from("[".repeat(16_384)), ARGUMENT),
        ("State", Variant::from(x(16_385)), ARGUMENT),
        ("State", Variant::from(ODD.to_owned()), ARGUMENT),
        ("State", Variant::from(1_u64), ARGUMENT),
    ];
    let cell = |(key, value, expected): (&str, Variant<'static>, &'static str)| {
        let body = (with(key, value), 9_u64, String::new()).into();
        (ARBITER_INTERFACE, "Import", Some(body), expected)
    };
    keys.into_iter().map(cell).collect()
}
