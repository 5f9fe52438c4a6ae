//! Durations: `1:30:00`, `90m`, `90min`, `1h30`, `30s`, `250ms`, `1500000001ns`.

use crate::{MAX_GIVEN, Span};
use std::fmt;

/// Reads a duration.
///
/// It accepts `h:mm:ss`, with up to nine decimals, and numbers with units, the larger unit first:
/// `h`, `m` or `min`, `s` or `sec`, `ms`, `us`, `ns`. The minutes after hours need no unit: `1h30`.
/// The longest duration is 1000:00:00. `0:31` can be read in two ways; it is refused, and the error
/// names both readings.
///
/// ```
/// use clock_engine::{Span, text::parse_duration};
/// assert_eq!(parse_duration("1:30:00"), Ok(Span::from_secs(5400)));
/// assert_eq!(parse_duration("1h30m"), parse_duration("90m"));
/// assert!(parse_duration("0:31").unwrap_err().to_string().contains("0:31:00"));
/// ```
///
/// # Errors
///
/// The text has another form, can be read in two ways, or is longer than 1000:00:00.
pub fn parse_duration(text: &str) -> Result<Span, DurationError> {
    let nanos = if text.contains(':') { colons(text)? } else { units(text)? };
    let nanos = nanos.ok_or_else(|| DurationError::unreadable(text))?;
    match u64::try_from(nanos).map(Span::from_nanos) {
        Ok(span) if span <= MAX_GIVEN => Ok(span),
        _ => Err(DurationError(format!("`{text}` is longer than the 1000:00:00 a clock takes"))),
    }
}

/// Writes a duration as `h:mm:ss`, with decimals only if it has a fraction of a second;
/// [`parse_duration`] reads it back.
///
/// ```
/// use clock_engine::{Span, text::hms};
/// assert_eq!(hms(Span::from_secs(5400)), "1:30:00");
/// assert_eq!(hms(Span::from_nanos(1_250_000_000)), "0:00:01.25");
/// ```
pub fn hms(span: Span) -> String {
    span.to_string()
}

/// Why a text is no duration: what was given and what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DurationError(String);

impl DurationError {
    fn unreadable(text: &str) -> DurationError {
        DurationError(format!(
            "`{text}` is no duration; expected h:mm:ss as in 1:30:00, or units as in 90m, 30s, \
             250ms, 1500000001ns"
        ))
    }
}

impl fmt::Display for DurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DurationError {}

/// Reads digits only; `parse` alone would accept a sign.
fn number(text: &str) -> Option<u128> {
    // Numbers of at most 20 digits cover every accepted duration and cannot overflow `u128` in the
    // sums below.
    let digits = !text.is_empty() && text.len() <= 20 && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

fn colons(text: &str) -> Result<Option<u128>, DurationError> {
    match text.split(':').collect::<Vec<_>>()[..] {
        [left, right] => match (number(left), number(right)) {
            (Some(left), Some(right)) => Err(DurationError(two_readings(text, left, right))),
            _ => Ok(None),
        },
        [hours, minutes, seconds] => Ok(read_hms(hours, minutes, seconds)),
        _ => Ok(None),
    }
}

fn two_readings(text: &str, left: u128, right: u128) -> String {
    let echo = |seconds: u128| {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    };
    format!(
        "`{text}` can be {} or {}; write one of these, or units as in 31m or 31s",
        echo((left * 60 + right) * 60),
        echo(left * 60 + right)
    )
}

fn read_hms(hours: &str, minutes: &str, seconds: &str) -> Option<u128> {
    let (seconds, fraction) = match seconds.split_once('.') {
        Some((_, fraction)) if fraction.is_empty() || fraction.len() > 9 => return None,
        Some((seconds, fraction)) => (seconds, number(&format!("{fraction:0<9}"))?),
        None => (seconds, 0),
    };
    if minutes.len() != 2 || seconds.len() != 2 {
        return None;
    }
    let (hours, minutes, seconds) = (number(hours)?, number(minutes)?, number(seconds)?);
    let in_range = minutes < 60 && seconds < 60;
    in_range.then_some(((hours * 60 + minutes) * 60 + seconds) * 1_000_000_000 + fraction)
}

const UNITS: [(&[&str], u128); 6] = [
    (&["h"], 3_600_000_000_000),
    (&["m", "min"], 60_000_000_000),
    (&["s", "sec"], 1_000_000_000),
    (&["ms"], 1_000_000),
    (&["us"], 1_000),
    (&["ns"], 1),
];

/// The number of units that are smaller than an hour.
const BELOW_HOURS: usize = UNITS.len() - 1;

fn units(text: &str) -> Result<Option<u128>, DurationError> {
    if text.starts_with('-') {
        return Err(DurationError(format!(
            "`{text}` is negative; expected a duration of 0 or more"
        )));
    }
    let mut rest = text;
    let mut total = None;
    let mut smaller = &UNITS[..];
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let letters = rest[digits..].bytes().take_while(u8::is_ascii_alphabetic).count();
        let unit = match &rest[digits..digits + letters] {
            // The 30 of `1h30` are minutes.
            "" if digits == 2 && total.is_some() && smaller.len() == BELOW_HOURS => "m",
            unit => unit,
        };
        let Some(at) = smaller.iter().position(|(names, _)| names.contains(&unit)) else {
            return Ok(None);
        };
        let Some(amount) = number(&rest[..digits]) else {
            return Ok(None);
        };
        total = Some(total.unwrap_or(0) + amount * smaller[at].1);
        smaller = &smaller[at + 1..];
        rest = &rest[digits + letters..];
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted() {
        for (text, nanos) in [
            ("0:00:00", 0),
            ("1:30:00", 5_400_000_000_000),
            ("0:05:00", 300_000_000_000),
            ("100:00:01.25", 360_001_250_000_000),
            ("0:00:00.000000001", 1),
            ("90m", 5_400_000_000_000),
            ("1h30m", 5_400_000_000_000),
            ("1h30", 5_400_000_000_000),
            ("2min", 120_000_000_000),
            ("1h30min", 5_400_000_000_000),
            ("2min30sec", 150_000_000_000),
            ("1m0s1ms", 60_001_000_000),
            ("30s", 30_000_000_000),
            ("250ms", 250_000_000),
            ("7us", 7_000),
            ("1500000001ns", 1_500_000_001),
            ("1000h", 3_600_000_000_000_000),
        ] {
            assert_eq!(parse_duration(text), Ok(Span::from_nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn refused_with_what_was_given() {
        for text in [
            "",
            "5",
            "1.5s",
            "-5m",
            "+5m",
            "0:5:00",
            "0:60:00",
            "0:00:60",
            "1:2:3:4",
            "0:00:00.",
            "0:00:00.1234567890",
            "5m1h",
            "5m5m",
            "5m5min",
            "1h5",
            "1h300",
            "1m30",
            "90m30",
            "30",
            "1hmin",
            "5 m",
            "5x",
            "s",
            "1000h1ns",
            "::",
            ":00:00",
            "99999999999999999999999h",
            "18446744073709551616ns",
            "٣s",
            "1:٣٣:00",
        ] {
            let error = parse_duration(text).expect_err(text).to_string();
            assert!(error.contains(&format!("`{text}`")), "{text}: {error}");
        }
    }

    #[test]
    fn two_parts_are_refused_with_both_readings() {
        for (text, readings) in [
            ("0:31", "0:31:00 or 0:00:31"),
            ("5:30", "5:30:00 or 0:05:30"),
            ("90:00", "90:00:00 or 1:30:00"),
            ("5:3", "5:03:00 or 0:05:03"),
            ("0:75", "1:15:00 or 0:01:15"),
        ] {
            let error = parse_duration(text).expect_err(text).to_string();
            assert!(error.contains(readings), "{error}");
        }
    }
}
