//! When a time is low: as the service says, or as `display.toml` says for every time control.

use clock_dbus::State;
use serde::Deserialize;

const SECOND: u64 = 1_000_000_000;
/// The longest duration that `display.toml` can give, in seconds.
const LONGEST: u64 = 3600;

/// When a time is low: the value of `low_time`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum LowTime {
    /// As the service says, which depends on the time control: `auto`.
    #[default]
    Auto,
    /// If at most this many nanoseconds are left.
    From(u64),
}

impl LowTime {
    /// `state`, in which the time of each side is low at and below the time left of this setting. A
    /// time that is counted up without a limit is never low, because nothing is left of it.
    #[must_use]
    pub fn applied_to(self, mut state: State) -> State {
        if let LowTime::From(nsec) = self {
            (state.white.low_nsec, state.black.low_nsec) = (nsec, nsec);
        }
        state
    }
}

impl TryFrom<String> for LowTime {
    type Error = String;

    fn try_from(text: String) -> Result<LowTime, String> {
        if text == "auto" {
            return Ok(LowTime::Auto);
        }
        match seconds(&text) {
            Some(seconds) if seconds <= LONGEST => Ok(LowTime::From(seconds * SECOND)),
            _ => Err(format!(
                "`{text}` is no time for `low_time`; expected \"auto\", or up to 60m such as \"30s\", \"5m\" or \"1m30s\""
            )),
        }
    }
}

/// The seconds of a text such as `30s`, `5m` or `1m30s`.
fn seconds(text: &str) -> Option<u64> {
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse::<u64>().ok()).flatten().filter(|number| *number <= LONGEST)
    };
    match text.split_once('m') {
        Some((minutes, "")) => Some(number(minutes)? * 60),
        Some((minutes, rest)) => Some(number(minutes)? * 60 + number(rest.strip_suffix('s')?)?),
        None => number(text.strip_suffix('s')?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_dbus::SideState;

    #[test]
    fn a_low_time_is_auto_or_a_duration() {
        let read = |text: &str| LowTime::try_from(text.to_owned());
        assert_eq!(read("auto"), Ok(LowTime::Auto));
        for (text, seconds) in [("30s", 30), ("5m", 300), ("1m30s", 90), ("0s", 0), ("60m", 3600)] {
            assert_eq!(read(text), Ok(LowTime::From(seconds * SECOND)), "{text}");
        }
        for wrong in ["", "30", "s", "m", "-1s", "+1s", "61m", "60m1s", "1h", "1m30", "0:30", "5 m"]
        {
            assert!(read(wrong).unwrap_err().contains("expected \"auto\""), "{wrong}");
        }
    }

    #[test]
    fn a_duration_takes_the_place_of_what_the_service_says() {
        let state = State {
            white: SideState { low_nsec: 1, ..SideState::default() },
            black: SideState { low_nsec: 2, ..SideState::default() },
            ..State::default()
        };
        let of = |low_time: LowTime| {
            let state = low_time.applied_to(state.clone());
            (state.white.low_nsec, state.black.low_nsec)
        };
        assert_eq!((of(LowTime::Auto), of(LowTime::From(7))), ((1, 2), (7, 7)));
    }
}
