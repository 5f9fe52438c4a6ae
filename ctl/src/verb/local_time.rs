//! Wall time in the zone of this machine.

use std::process::{Command, Stdio};

use clockctl::record::wall_time::{WallTime, known_seconds};
use clockctl::times::clock;

/// The time from one change of the offset to the next is far longer: the offset is asked for once in each
/// such part of a day.
const PART: u64 = 3600;

/// The offset from UTC, as the program `date` knows it. The standard library knows no time zones.
#[derive(Default)]
pub struct Zone {
    known: Option<(u64, i32)>,
}

impl Zone {
    /// Seconds east of UTC at this instant; 0 if it is not known.
    pub fn offset(&mut self, wall_ns: Option<i64>) -> i32 {
        let Some(seconds) = known_seconds(wall_ns) else { return 0 };
        let part = seconds / PART;
        match self.known {
            Some((known, offset)) if known == part => offset,
            _ => {
                let offset = ask(seconds).unwrap_or(0);
                self.known = Some((part, offset));
                offset
            }
        }
    }

    /// `2026-11-22 19:30:05`; or, where the machine did not know the time, `boot +0:12:34.5`: the time since
    /// its start.
    pub fn text(&mut self, wall_ns: Option<i64>, at_ns: u64) -> String {
        match WallTime::new(wall_ns, self.offset(wall_ns)) {
            Some(WallTime { year, month, day, hour, minute, second, .. }) => {
                format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
            }
            None => format!("boot +{}", clock(at_ns)),
        }
    }
}

/// coreutils and busybox take the same arguments.
fn ask(seconds: u64) -> Option<i32> {
    let mut date = Command::new("date");
    date.args(["-d", &format!("@{seconds}"), "+%z"]).stdin(Stdio::null()).stderr(Stdio::null());
    offset(String::from_utf8(date.output().ok()?.stdout).ok()?.trim())
}

/// Reads `+0130` or `-0800`.
fn offset(text: &str) -> Option<i32> {
    let (sign, digits) = match (text.strip_prefix('+'), text.strip_prefix('-')) {
        (Some(digits), _) => (1, digits),
        (None, Some(digits)) => (-1, digits),
        (None, None) => return None,
    };
    let number: i32 =
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
    (digits.len() == 4).then_some(sign * (number / 100 * 3600 + number % 100 * 60))
}

#[cfg(test)]
mod tests {
    use super::{Zone, offset};

    #[test]
    fn an_offset_has_a_sign_and_four_digits() {
        for (text, expected) in [
            ("+0000", Some(0)),
            ("+0130", Some(5400)),
            ("-0800", Some(-28_800)),
            ("0100", None),
            ("+1", None),
            ("+01:00", None),
            ("", None),
        ] {
            assert_eq!(offset(text), expected, "{text}");
        }
    }

    #[test]
    fn before_the_time_is_known_the_start_of_the_machine_counts() {
        let mut zone = Zone::default();
        assert_eq!(zone.text(None, 754_500_000_000), "boot +0:12:34.5");
        assert_eq!(zone.text(Some(0), 1), "boot +0:00:00.1");
        assert!(zone.text(Some(1_795_375_800_000_000_000), 1).starts_with("2026-11-2"));
    }
}
