//! Times as an arbiter types them.
//!
//! Integer arithmetic only: what is typed is what the clock gets, to the nanosecond.

use anyhow::{Context, Result, bail, ensure};
use clock_dbus::hms;

const SECOND: u64 = 1_000_000_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// The units, longest first: the order in which they may follow each other.
const UNITS: [(&str, u64); 5] = [
    ("h", HOUR),
    ("m", MINUTE),
    ("s", SECOND),
    ("ms", 1_000_000),
    ("ns", 1),
];

const ACCEPTED: &str = "write 1:30:00 (h:mm:ss, decimals allowed) or 1h30m, 90m, 31s, 250ms, \
                        1500000001ns";

/// Reads a time into nanoseconds.
pub fn parse(text: &str) -> Result<u64> {
    ensure!(!text.is_empty(), "no time is given; {ACCEPTED}");
    ensure!(
        !text.starts_with(['-', '\u{2212}']),
        "a time cannot be negative; {ACCEPTED}"
    );
    let parts: Vec<&str> = text.split(':').collect();
    match parts[..] {
        [alone] => with_units(alone),
        [first, second] => Err(two_readings(text, first, second)),
        [hours, minutes, seconds] => colons(hours, minutes, seconds),
        _ => bail!("a time has two colons; {ACCEPTED}"),
    }
}

/// `h:mm:ss`, the seconds with up to nine decimals.
fn colons(hours: &str, minutes: &str, seconds: &str) -> Result<u64> {
    let (seconds, decimals) = match seconds.split_once('.') {
        Some((seconds, decimals)) => (seconds, nanoseconds(decimals)?),
        None => (seconds, 0),
    };
    let hours = number(hours)?;
    let rest = sixty("minutes", minutes)? * MINUTE + sixty("seconds", seconds)? * SECOND + decimals;
    hours
        .checked_mul(HOUR)
        .and_then(|nsec| nsec.checked_add(rest))
        .with_context(too_long)
}

/// `1h30m`: whole numbers with units, each unit once, the longest first.
fn with_units(text: &str) -> Result<u64> {
    let mut total: u64 = 0;
    let mut rest = text;
    let mut units = &UNITS[..];
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let count = number(&rest[..digits])?;
        rest = &rest[digits..];
        let word = rest
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(rest.len());
        let name = &rest[..word];
        rest = &rest[word..];
        ensure!(
            !name.is_empty(),
            "a unit is missing after {count}; {ACCEPTED}"
        );
        let place = units.iter().position(|(unit, _)| *unit == name);
        let place = place.with_context(|| format!("{name:?} is out of place; {ACCEPTED}"))?;
        total = count
            .checked_mul(units[place].1)
            .and_then(|nsec| total.checked_add(nsec))
            .with_context(too_long)?;
        units = &units[place + 1..];
    }
    Ok(total)
}

/// Two parts are hours and minutes to one arbiter, minutes and seconds to the next: a clock set
/// wrong by the factor 60 is not a matter for a guess.
fn two_readings(text: &str, first: &str, second: &str) -> anyhow::Error {
    let (Ok(big), Ok(small)) = (number(first), sixty("", second)) else {
        return anyhow::anyhow!("{text:?} is no time; {ACCEPTED}");
    };
    let (long, short) = (
        format!("{big}:{second}:00"),
        format!("{}:{:02}", big / 60, big % 60),
    );
    let units = if big == 0 {
        format!("{small}m / {small}s")
    } else {
        format!("{big}h{small}m / {big}m{small}s")
    };
    anyhow::anyhow!("{text} can be {long} or {short}:{second}; write one of these or {units}")
}

fn number(digits: &str) -> Result<u64> {
    ensure!(
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()),
        "{digits:?} is no whole number; {ACCEPTED}"
    );
    digits.parse().with_context(too_long)
}

fn sixty(what: &str, digits: &str) -> Result<u64> {
    let value = number(digits)?;
    ensure!(
        digits.len() == 2 && value < 60,
        "{what} are two digits from 00 to 59, not {digits}; {ACCEPTED}"
    );
    Ok(value)
}

/// Decimals of a second.
fn nanoseconds(decimals: &str) -> Result<u64> {
    ensure!(
        decimals.len() <= 9,
        "a time has at most 9 decimals (nanoseconds); {ACCEPTED}"
    );
    let value = number(decimals)?;
    let missing = u32::try_from(9 - decimals.len()).context("at most nine are missing")?;
    Ok(value * 10_u64.pow(missing))
}

fn too_long() -> String {
    format!("the time is too long; at most {}", hms(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{HOUR, MINUTE, SECOND, hms, parse};

    #[test]
    fn reads_what_is_clear() {
        let table = [
            ("1:30:00", 90 * MINUTE),
            ("0:00:00", 0),
            ("0:05:00", 5 * MINUTE),
            ("00:00:59", 59 * SECOND),
            ("100:00:00", 100 * HOUR),
            ("0:00:00.1", 100_000_000),
            ("0:00:01.25", 1_250_000_000),
            ("0:00:00.000000001", 1),
            ("0:00:00.123456789", 123_456_789),
            ("5124095:34:33.709551615", u64::MAX),
            ("90m", 90 * MINUTE),
            ("31s", 31 * SECOND),
            ("250ms", 250_000_000),
            ("1500000001ns", 1_500_000_001),
            ("1h30m", 90 * MINUTE),
            ("1h1m1s1ms1ns", HOUR + MINUTE + SECOND + 1_000_001),
            ("1h1ns", HOUR + 1),
            ("90s", 90 * SECOND),
            ("0s", 0),
            ("18446744073709551615ns", u64::MAX),
        ];
        for (text, nsec) in table {
            assert_eq!(parse(text).unwrap(), nsec, "{text}");
        }
    }

    #[test]
    fn reads_back_what_it_echoes() {
        for nsec in [
            0,
            1,
            SECOND,
            90 * MINUTE,
            HOUR + 1,
            123_456_789_012_345,
            u64::MAX,
        ] {
            assert_eq!(parse(&hms(nsec)).unwrap(), nsec);
        }
    }

    #[test]
    fn refuses_what_has_two_readings_and_names_both() {
        let table = [
            (
                "0:31",
                "0:31 can be 0:31:00 or 0:00:31; write one of these or 31m / 31s",
            ),
            (
                "1:30",
                "1:30 can be 1:30:00 or 0:01:30; write one of these or 1h30m / 1m30s",
            ),
            (
                "90:05",
                "90:05 can be 90:05:00 or 1:30:05; write one of these or 90h5m / 90m5s",
            ),
        ];
        for (text, message) in table {
            assert_eq!(parse(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn refuses_the_rest_and_says_what_is_accepted() {
        let table = [
            ("", "no time is given"),
            ("-1:30:00", "negative"),
            ("-5s", "negative"),
            ("\u{2212}5s", "negative"),
            ("90", "a unit is missing after 90"),
            ("1h30", "a unit is missing after 30"),
            ("h", "no whole number"),
            ("1.5h", "out of place"),
            ("31sec", "out of place"),
            ("31S", "out of place"),
            ("30m1h", "out of place"),
            ("1h1h", "out of place"),
            ("1 h", "out of place"),
            ("1:60:00", "minutes are two digits"),
            ("1:00:60", "seconds are two digits"),
            ("1:5:00", "minutes are two digits"),
            ("1:05:0", "seconds are two digits"),
            ("1:05:", "no whole number"),
            (":05:00", "no whole number"),
            ("0:99", "is no time"),
            ("a:10", "is no time"),
            ("1:2:3:4", "two colons"),
            ("0:00:01.", "no whole number"),
            ("0:00:01.1234567890", "at most 9 decimals"),
            ("0:00:01.1.1", "no whole number"),
            ("+1:00:00", "no whole number"),
            ("٣s", "no whole number"),
        ];
        for (text, part) in table {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
            assert!(
                message.contains("write 1:30:00 (h:mm:ss"),
                "{text}: {message}"
            );
        }
    }

    #[test]
    fn refuses_what_is_too_long() {
        let table = [
            "5124095:34:33.709551616",
            "5124096:00:00",
            "99999999999999999999:00:00",
            "18446744073709551616ns",
            "5124096h",
            "5124095h60m",
        ];
        for text in table {
            let message = parse(text).unwrap_err().to_string();
            assert_eq!(
                message, "the time is too long; at most 5124095:34:33.709551615",
                "{text}"
            );
        }
    }
}
