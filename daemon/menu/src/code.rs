//! The arbiter's code, and the waits after wrong codes.

use clock_engine::{Instant, Side, Span};

pub const MIN_CODE_LENGTH: usize = 4;
pub const MAX_CODE_LENGTH: usize = 12;

/// How many wrong codes have no wait after them.
const FREE_TRIES: u32 = 2;
/// The wait after the first wrong code that exceeds [`FREE_TRIES`].
const FIRST_WAIT: Span = Span::from_secs(30);
/// The longest wait. Until it is reached, each wait is twice as long as the previous one.
const LONGEST_WAIT: Span = Span::from_secs(600);
/// After this many doublings, [`FIRST_WAIT`] has become longer than [`LONGEST_WAIT`], so more
/// doublings are not computed.
const MOST_DOUBLINGS: u32 = 5;

/// The arbiter's code: a sequence of presses of the two buttons as they are wired, such as `wbbw`.
#[derive(Clone, PartialEq, Eq)]
pub struct ArbiterCode(Vec<Side>);

impl ArbiterCode {
    /// Reads a code of 4 to 12 letters `w` and `b`. With `rocker`, no letter may follow itself,
    /// because the throws of a rocker alternate.
    ///
    /// So a rocker has only 18 codes, two of each length. If the rocker stands on the side of the
    /// first letter, it must first be pushed to the other side. So one more letter may precede the
    /// code, and 10 different entries are enough to try all codes. The waits after wrong codes are
    /// then the only protection.
    ///
    /// # Errors
    ///
    /// A sentence that says what is accepted. It does not repeat the code, because the log is read
    /// by others.
    pub fn parse(text: &str, rocker: bool) -> Result<ArbiterCode, String> {
        let length = text.chars().count();
        if !(MIN_CODE_LENGTH..=MAX_CODE_LENGTH).contains(&length) {
            return Err(format!(
                "a code of {length} letters; expected {MIN_CODE_LENGTH} to {MAX_CODE_LENGTH}"
            ));
        }
        let side = |letter| match letter {
            'w' => Some(Side::White),
            'b' => Some(Side::Black),
            _ => None,
        };
        let sides: Option<Vec<Side>> = text.chars().map(side).collect();
        let sides = sides.ok_or("a code has the letters `w` and `b` only")?;
        if rocker && sides.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(
                "with a rocker no letter of the code can follow itself, because the throws \
                        alternate"
                    .to_owned(),
            );
        }
        Ok(ArbiterCode(sides))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether these presses are the code. With `rocker`, one more press may precede the code,
    /// because the rocker can stand on the side of the first letter.
    pub(crate) fn is(&self, presses: &[Side], rocker: bool) -> bool {
        let more = usize::from(rocker);
        presses.ends_with(&self.0) && presses.len() <= self.0.len() + more
    }
}

/// Does not write the code, so that no log has it.
impl std::fmt::Debug for ArbiterCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ArbiterCode(..)")
    }
}

/// The wrong codes since the last right one. They outlive the closing of the menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tries {
    wrong: u32,
    until: Option<Instant>,
}

impl Tries {
    pub fn right(&mut self) {
        *self = Tries::default();
    }

    /// The state after this many wrong codes. The wait after the last of them begins now.
    pub fn after(wrong: u32, now: Instant) -> Tries {
        let doublings = wrong.checked_sub(FREE_TRIES + 1);
        let until = doublings.and_then(|doublings| {
            let factor = 1 << doublings.min(MOST_DOUBLINGS);
            let wait = Span::from_nanos(FIRST_WAIT.as_nanos() * factor);
            now.checked_add(wait.min(LONGEST_WAIT))
        });
        Tries { wrong, until }
    }

    pub fn wrong(&mut self, now: Instant) {
        *self = Tries::after(self.wrong.saturating_add(1), now);
    }

    /// How many codes were wrong since the last right one.
    pub fn count(&self) -> u32 {
        self.wrong
    }

    /// The time until the next code is accepted; zero if one is accepted now.
    pub fn wait(&self, now: Instant) -> Span {
        self.until.map_or(Span::ZERO, |until| until.since(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_4_to_12_letters_and_alternates_on_a_rocker() {
        for (text, rocker) in [("wbw", false), ("wbxw", false), ("", false), ("wbbw", true)] {
            assert!(ArbiterCode::parse(text, rocker).is_err(), "{text}");
        }
        assert!(ArbiterCode::parse(&"wb".repeat(7), false).is_err());
        assert!(ArbiterCode::parse("wbwb", true).is_ok());
    }

    #[test]
    fn a_rocker_may_have_one_throw_before_the_code() {
        let presses = |text: &str| -> Vec<Side> {
            text.chars().map(|c| if c == 'w' { Side::White } else { Side::Black }).collect()
        };
        for (code, entry, rocker, is_right) in [
            ("wbbw", "wbbw", false, true),
            ("wbbw", "wwbbw", false, false),
            ("wbbw", "wbb", false, false),
            ("wbbw", "wbww", false, false),
            ("wbbw", "", false, false),
            ("wbwb", "wbwb", true, true),
            ("wbwb", "bwbwb", true, true),
            ("wbwb", "wbwbwb", true, false),
            ("wbwb", "wbwbw", true, false),
            ("wbwb", "bwb", true, false),
        ] {
            let read = ArbiterCode::parse(code, rocker).unwrap();
            assert_eq!(read.is(&presses(entry), rocker), is_right, "{code} {entry} {rocker}");
        }
    }

    #[test]
    fn nothing_shows_the_code() {
        let code = ArbiterCode::parse("wbbw", false).unwrap();
        assert_eq!(format!("{code:?}"), "ArbiterCode(..)");
        assert!(!ArbiterCode::parse("wwbbx", false).unwrap_err().contains("wwbb"));
    }

    #[test]
    fn the_wait_after_wrong_codes_grows_to_10_minutes() {
        let wait = |tries: Tries| tries.wait(Instant::ZERO).as_nanos() / 1_000_000_000;
        let mut tries = Tries::default();
        for (wrong, seconds) in (1..).zip([0, 0, 30, 60, 120, 240, 480, 600, 600, 600]) {
            tries.wrong(Instant::ZERO);
            assert_eq!((tries.count(), wait(tries)), (wrong, seconds));
            // A restart begins the same wait.
            assert_eq!(Tries::after(wrong, Instant::ZERO), tries);
        }
        assert_eq!(wait(Tries::after(u32::MAX, Instant::ZERO)), 600);
        tries.right();
        assert_eq!(tries, Tries::default());
    }
}
