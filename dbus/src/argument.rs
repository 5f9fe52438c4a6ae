//! The arguments of the arbiter's commands: how each type is written on the wire, and how it is read and
//! checked. An error names the argument, what was given and what is accepted.

use crate::{Error, Method, OrMinus1, Result, one_line};
use clock_engine::rules::{
    Attachment, Claimant, Confirmation, Evidence, Ground, IncidentKind, LatePlayers, OfferAnswer,
    PenaltyCause, PenaltyKind, Ruling,
};
use clock_engine::{Caller, MAX_GIVEN, Outcome, Side, Span, Word};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use zbus::Type;

/// The largest size of a name, such as that of a player or of a time control, in bytes.
pub const NAME_LIMIT: usize = 64;
/// The largest size of the number of a board or of a round, in bytes.
pub const BOARD_LIMIT: usize = 16;
/// The largest size in bytes of each of these texts: a reason, an attachment, a sealed move.
pub const TEXT_LIMIT: usize = 500;
/// An error repeats at most this many characters of a text of the caller.
pub const ECHO_LIMIT: usize = 64;
/// The largest length of the message of an error that repeats a text of the caller, in characters.
const MESSAGE_LIMIT: usize = 500;

/// The type of an argument.
pub trait Argument: Sized {
    /// What is read from the wire. Every value that this type can have is then checked by
    /// [`Argument::read`].
    type Wire<'a>: Type + Deserialize<'a>;

    /// The value of the argument with this name.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`]: the value is not accepted.
    fn read(name: &str, wire: Self::Wire<'_>) -> Result<Self>;

    /// The value as it is written on the wire.
    fn write(&self) -> impl Type + Serialize;
}

macro_rules! numbers {
    ($($type:ty),+) => { $(
        impl Argument for $type {
            type Wire<'a> = $type;

            fn read(_: &str, wire: $type) -> Result<$type> {
                Ok(wire)
            }

            fn write(&self) -> impl Type + Serialize {
                *self
            }
        }
    )+ };
}
numbers!(bool, u32, u64);

macro_rules! words {
    ($($type:ident),+ $(,)?) => { $(
        impl Argument for $type {
            type Wire<'a> = &'a str;

            fn read(name: &str, wire: &str) -> Result<$type> {
                $type::from_word(wire).ok_or_else(|| wrong_word(name, wire, of::<$type>()))
            }

            fn write(&self) -> impl Type + Serialize {
                self.as_str()
            }
        }
    )+ };
}
words!(
    Attachment,
    Caller,
    Claimant,
    Confirmation,
    Evidence,
    Ground,
    IncidentKind,
    LatePlayers,
    OfferAnswer,
    Outcome,
    PenaltyCause,
    PenaltyKind,
    Method,
    Ruling,
    Side,
);

/// A word, or the empty text for `None`.
impl<T: Argument + Word> Argument for Option<T> {
    type Wire<'a> = &'a str;

    fn read(name: &str, wire: &str) -> Result<Option<T>> {
        match wire {
            "" => Ok(None),
            word => T::from_word(word)
                .map(Some)
                .ok_or_else(|| wrong_word(name, word, of::<T>().chain([""]))),
        }
    }

    fn write(&self) -> impl Type + Serialize {
        self.map_or("", Word::as_str)
    }
}

/// A time of at most [`MAX_GIVEN`].
impl Argument for Span {
    type Wire<'a> = u64;

    fn read(name: &str, wire: u64) -> Result<Span> {
        let (span, most) = (Span::from_nanos(wire), MAX_GIVEN.as_nanos());
        if span <= MAX_GIVEN {
            return Ok(span);
        }
        Err(invalid(format!("{name} = {wire}; expected at most {most} nanoseconds (1000 hours)")))
    }

    fn write(&self) -> impl Type + Serialize {
        self.as_nanos()
    }
}

impl Argument for OrMinus1<Option<Span>> {
    type Wire<'a> = i64;

    fn read(name: &str, wire: i64) -> Result<Self> {
        match u64::try_from(wire) {
            Ok(nsec) => Span::read(name, nsec).map(|span| OrMinus1(Some(span))),
            Err(_) if wire == -1 => Ok(OrMinus1(None)),
            Err(_) => {
                Err(invalid(format!("{name} = {wire}; expected -1, or 0 or more nanoseconds")))
            }
        }
    }

    fn write(&self) -> impl Type + Serialize {
        OrMinus1(self.0.map(Span::as_nanos))
    }
}

impl From<Option<u64>> for OrMinus1<Option<Span>> {
    fn from(nsec: Option<u64>) -> Self {
        OrMinus1(nsec.map(Span::from_nanos))
    }
}

/// A time by which a clock changes, in nanoseconds. The service refuses 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotZero(pub i64);

impl From<i64> for NotZero {
    fn from(nsec: i64) -> NotZero {
        NotZero(nsec)
    }
}

impl Argument for NotZero {
    type Wire<'a> = i64;

    fn read(name: &str, wire: i64) -> Result<NotZero> {
        match wire {
            0 => Err(invalid(format!("{name} = 0: nothing to add"))),
            nsec => Ok(NotZero(nsec)),
        }
    }

    fn write(&self) -> impl Type + Serialize {
        self.0
    }
}

/// A text. The service refuses one of more than `LIMIT` bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<const LIMIT: usize>(pub String);

impl<const LIMIT: usize> From<&str> for Text<LIMIT> {
    fn from(text: &str) -> Self {
        Text(text.to_owned())
    }
}

impl<const LIMIT: usize> Argument for Text<LIMIT> {
    type Wire<'a> = &'a str;

    fn read(name: &str, wire: &str) -> Result<Self> {
        limited(name, wire, LIMIT).map(Text::from)
    }

    fn write(&self) -> impl Type + Serialize {
        self.0.as_str()
    }
}

/// The text, or an error if it has more than `limit` bytes.
///
/// # Errors
///
/// [`Error::InvalidArgument`]: it has more.
pub fn limited<'a>(name: &str, text: &'a str, limit: usize) -> Result<&'a str> {
    if text.len() <= limit {
        return Ok(text);
    }
    Err(invalid(format!("{name} has {} bytes; expected at most {limit}", text.len())))
}

/// The error for an argument that is out of its range.
pub fn invalid(message: impl Into<String>) -> Error {
    Error::InvalidArgument(message.into())
}

/// The words of the type `T`.
fn of<T: Word>() -> impl Iterator<Item = &'static str> {
    T::ALL.iter().map(|value| value.as_str())
}

fn wrong_word(name: &str, given: &str, words: impl Iterator<Item = &'static str>) -> Error {
    let accepted: Vec<_> = words.map(|word| format!("\"{word}\"")).collect();
    invalid(format!("{name} = {}; expected {}", quoted(given), or_list(&accepted)))
}

/// The words as `a, b or c`.
pub(crate) fn or_list<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [several @ .., last] => format!("{} or {last}", several.join(", ")),
    }
}

/// A text of the caller in the form in which errors repeat it: in quotation marks, and with escapes
/// for characters that could change how the text around them is shown. There are at most 64
/// characters between the quotation marks; an escape such as `\u{202e}` counts as eight.
pub fn quoted(given: &str) -> String {
    let ends = given.char_indices().map(|(at, character)| at + character.len_utf8());
    let fits = |end: &usize| given[..*end].escape_debug().count() <= ECHO_LIMIT;
    let shown = &given[..ends.take_while(fits).last().unwrap_or_default()];
    let mut text = format!("\"{}\"", shown.escape_debug());
    if shown.len() < given.len() {
        // Writing to a string does not fail.
        let _ = write!(text, "… ({} bytes)", given.len());
    }
    text
}

/// Returns the message of an error on one line. Each text that it quotes between backticks is cut
/// to 64 characters, and the whole message to 500.
pub fn shortened(message: &str) -> String {
    let message = one_line(message);
    let mut parts = message.split('`');
    let mut short = parts.next().unwrap_or_default().to_owned();
    for (index, part) in parts.enumerate() {
        short.push('`');
        if index % 2 == 0 && part.chars().nth(ECHO_LIMIT).is_some() {
            short.extend(part.chars().take(ECHO_LIMIT));
            short.push('…');
        } else {
            short.push_str(part);
        }
    }
    // A text of the caller can contain backticks itself, and so be longer than 64 characters here.
    // Therefore the whole message is cut too.
    short.chars().take(MESSAGE_LIMIT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T>) -> String {
        match result {
            Err(Error::InvalidArgument(message)) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_error_repeats_at_most_64_characters_and_no_control_characters() {
        assert_eq!(quoted("a\u{1b}[31m\u{202e}\"\n"), r#""a\u{1b}[31m\u{202e}\"\n""#);
        // A character of several bytes is not cut in two.
        let long = "é".repeat(65);
        assert_eq!(quoted(&long), format!("\"{}\"… (130 bytes)", "é".repeat(64)));
        assert_eq!(quoted(&"é".repeat(64)), format!("\"{}\"", "é".repeat(64)));
        // A combining accent after a letter is printed as it is, and not as an escape.
        let accents = "e\u{301}".repeat(32);
        assert_eq!(quoted(&accents), format!("\"{accents}\""));
        // The text is not cut within an escape.
        let shown = r"\u{202e}".repeat(8);
        assert_eq!(quoted(&"\u{202e}".repeat(8)), format!("\"{shown}\""));
        assert_eq!(
            quoted(&format!("{}\n", "\u{202e}".repeat(8))),
            format!("\"{shown}\"… (25 bytes)")
        );
        let message = format!("x:3: `{long}` is wrong; expected `5m`");
        let short = format!("x:3: `{}…` is wrong; expected `5m`", "é".repeat(64));
        assert_eq!(shortened(&message), short);
        assert_eq!(shortened("nothing\u{1b}\nquoted"), "nothing quoted");
        assert_eq!(shortened(&"`".repeat(9_999)).len(), 500);
    }

    #[test]
    fn a_wrong_word_lists_what_this_argument_accepts() {
        let by = message(Option::<Caller>::read("by", "button"));
        assert_eq!(by, r#"by = "button"; expected "white", "black", "arbiter" or """#);
        assert_eq!(message(Side::read("side", "")), r#"side = ""; expected "white" or "black""#);
        let result = message(Outcome::read("result", "2-0"));
        assert_eq!(result, r#"result = "2-0"; expected "1-0", "0-1", "1/2-1/2" or "0-0""#);
        let offer = message(Option::<OfferAnswer>::read("offer", "yes"));
        assert_eq!(offer, r#"offer = "yes"; expected "accepted", "refused" or """#);
        assert_eq!(Option::<OfferAnswer>::read("offer", "").unwrap(), None);
        assert!(message(Claimant::read("by", "")).contains(r#""arbiter" or "bystander""#));
    }

    #[test]
    fn amounts_have_limits_and_only_minus_one_is_negative() {
        let award = |nsec| OrMinus1::<Option<Span>>::read("award_nsec", nsec);
        assert_eq!(award(-1).unwrap().0, None);
        assert_eq!(award(0).unwrap().0, Some(Span::ZERO));
        let most = i64::try_from(MAX_GIVEN.as_nanos()).unwrap();
        assert_eq!(award(most).unwrap().0, Some(MAX_GIVEN));
        for nsec in [-2, i64::MIN] {
            assert!(message(award(nsec)).starts_with(&format!("award_nsec = {nsec}; expected -1")));
        }
        assert!(message(award(most + 1)).contains("(1000 hours)"));
        assert!(message(NotZero::read("delta_nsec", 0)).starts_with("delta_nsec = 0"));
        let long = message(Text::<TEXT_LIMIT>::read("text", &"x".repeat(501)));
        assert_eq!(long, "text has 501 bytes; expected at most 500");
    }
}
