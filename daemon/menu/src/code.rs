//! The arbiter's code, and the waits after wrong ones.

use clock_engine::{Instant, Side, Span};

/// The fewest presses of a code.
pub const MIN_CODE_LENGTH: usize = 3;
/// The most presses of a code.
pub const MAX_CODE_LENGTH: usize = 12;

/// How many wrong codes have no wait after them.
const FREE_TRIES: u32 = 2;
/// The wait after the first wrong code that has one.
const FIRST_WAIT: Span = Span::from_secs(30);
/// The longest wait doubles [`FIRST_WAIT`] this often: 64 minutes.
const MOST_DOUBLINGS: u32 = 7;

/// The arbiter's code: a sequence of presses of the two buttons as they are wired, such as `wbbw`.
#[derive(Clone, PartialEq, Eq)]
pub struct ArbiterCode(Vec<Side>);

impl ArbiterCode {
    /// Reads a code of 3 to 12 letters `w` and `b`. With `rocker`, no letter may follow itself,
    /// because the throws of a rocker alternate. Only the length of such a code is a secret.
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

    pub(crate) fn first(&self) -> Option<Side> {
        self.0.first().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is(&self, presses: &[Side]) -> bool {
        self.0 == presses
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

    /// Notes a wrong code, and returns how many there are.
    pub fn wrong(&mut self, now: Instant) -> u32 {
        self.wrong = self.wrong.saturating_add(1);
        let doublings = self.wrong.checked_sub(FREE_TRIES + 1);
        self.until = doublings.and_then(|doublings| {
            let factor = 1 << doublings.min(MOST_DOUBLINGS);
            now.checked_add(Span::from_nanos(FIRST_WAIT.as_nanos() * factor))
        });
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
    fn a_code_has_3_to_12_letters_and_alternates_on_a_rocker() {
        assert!(ArbiterCode::parse("wbbw", false).unwrap().is(&[
            Side::White,
            Side::Black,
            Side::Black,
            Side::White
        ]));
        for (text, rocker) in [("wb", false), ("wbxw", false), ("", false), ("wbbw", true)] {
            assert!(ArbiterCode::parse(text, rocker).is_err(), "{text}");
        }
        assert!(ArbiterCode::parse(&"wb".repeat(7), false).is_err());
        assert!(ArbiterCode::parse("wbwb", true).is_ok());
    }

    #[test]
    fn nothing_shows_the_code() {
        let code = ArbiterCode::parse("wbbw", false).unwrap();
        assert_eq!(format!("{code:?}"), "ArbiterCode(..)");
        assert!(!ArbiterCode::parse("wwbbx", false).unwrap_err().contains("wwbb"));
    }

    #[test]
    fn the_wait_after_wrong_codes_grows_to_64_minutes() {
        let mut tries = Tries::default();
        let waits: Vec<u64> = (0..13)
            .map(|_| {
                tries.wrong(Instant::ZERO);
                tries.wait(Instant::ZERO).as_nanos() / 1_000_000_000
            })
            .collect();
        assert_eq!(waits, [0, 0, 30, 60, 120, 240, 480, 960, 1920, 3840, 3840, 3840, 3840]);
        tries.right();
        assert_eq!(tries, Tries::default());
    }
}
