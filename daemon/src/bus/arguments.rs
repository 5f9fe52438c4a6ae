//! Reads the arguments that are words, such as `white`, and checks arguments against their limits.
//! Also makes the errors, which name what is accepted.
//!
//! The length of an argument is checked before the argument is copied or looked up.

use clock_dbus::{Error, one_line};
use clock_engine::rules::Announcement;
use clock_engine::text::ControlFile;
use clock_engine::{Caller, Outcome, Side};
use std::fmt::Write;

/// The largest size of the name of a time control or of a player, in bytes.
pub const NAME_LIMIT: usize = 64;
/// The largest size of the number of a board or of a round, in bytes.
pub const BOARD_LIMIT: usize = crate::game::BOARD_LIMIT;
/// The largest size of a reason, in bytes.
pub const REASON_LIMIT: usize = 500;
/// An error repeats at most this many characters of a text of the caller.
pub const ECHO_LIMIT: usize = 64;
/// The largest length of the message of an error that repeats a text of the caller, in characters.
const MESSAGE_LIMIT: usize = 500;

/// The error for an argument that is out of its range.
pub fn invalid(message: impl Into<String>) -> Error {
    Error::InvalidArgument(message.into())
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
fn shortened(message: &str) -> String {
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

/// The error for a time control that does not exist or cannot be read.
pub fn invalid_control(problem: &str) -> Error {
    Error::InvalidControl(shortened(problem))
}

/// The error for a rule profile that does not exist or cannot be read.
pub fn invalid_rules(problem: &str) -> Error {
    Error::InvalidRules(shortened(problem))
}

/// The error if the state in the key `State` of `Import` cannot be imported.
pub fn invalid_state(problem: &str) -> Error {
    invalid(shortened(&format!("State: {problem}")))
}

/// The error for a record that cannot be read.
pub fn no_record(problem: &str) -> Error {
    Error::NoRecord(shortened(problem))
}

/// Returns the name of a time control or of a rule profile, or an error if it is too long.
pub fn name<'a>(argument: &str, name: &'a str) -> Result<&'a str, Error> {
    limited(argument, name, NAME_LIMIT)
}

/// Returns the text of a control file, or an error if it is longer than
/// [`ControlFile::LIMIT`].
pub fn control_file<'a>(argument: &str, text: &'a str) -> Result<&'a str, Error> {
    limited(argument, text, ControlFile::LIMIT)
}

/// Refuses a reason that is too long.
pub fn check_reason(reason: &str) -> Result<(), Error> {
    limited("reason", reason, REASON_LIMIT).map(|_| ())
}

/// Reads an announcement; `None` for the empty text, which takes an announcement back.
pub fn announcement(text: &str) -> Result<Option<Announcement>, Error> {
    let text = limited("text", text, Announcement::LIMIT)?;
    if text.is_empty() {
        return Ok(None);
    }
    match Announcement::new(text).filter(|_| one_line(text) == text) {
        Some(announcement) => Ok(Some(announcement)),
        None => Err(invalid(format!(
            "text = {}; expected one line, with single blanks between words, and without characters \
             that control a terminal or the direction of text",
            quoted(text)
        ))),
    }
}

pub fn limited<'a>(argument: &str, text: &'a str, limit: usize) -> Result<&'a str, Error> {
    if text.len() <= limit {
        return Ok(text);
    }
    Err(invalid(format!("{argument} has {} bytes; expected at most {limit}", text.len())))
}

/// Who called for the pause: a player, or the arbiter if the word is `arbiter` or empty.
pub fn stopped_by(word: &str) -> Result<Caller, Error> {
    match word {
        "" | "arbiter" => Ok(Caller::Arbiter),
        "white" => Ok(Caller::Player(Side::White)),
        "black" => Ok(Caller::Player(Side::Black)),
        other => Err(wrong_word("by", other, &["arbiter", "white", "black", ""])),
    }
}

/// The side on move after a resume; `None` for the empty word, which does not change the side on
/// move.
pub fn side_to_resume(word: &str) -> Result<Option<Side>, Error> {
    side_or_none("side", word)
}

/// One of the two sides; `None` for the empty word.
pub fn side_or_none(argument: &str, word: &str) -> Result<Option<Side>, Error> {
    match word {
        "" => Ok(None),
        "white" => Ok(Some(Side::White)),
        "black" => Ok(Some(Side::Black)),
        other => Err(wrong_word(argument, other, &["white", "black", ""])),
    }
}

/// One of the two sides.
pub fn side(argument: &str, word: &str) -> Result<Side, Error> {
    match word {
        "white" => Ok(Side::White),
        "black" => Ok(Side::Black),
        other => Err(wrong_word(argument, other, &["white", "black"])),
    }
}

/// The outcome that is written as this word, such as `1-0`.
pub fn outcome(word: &str) -> Result<Outcome, Error> {
    Outcome::from_text(word)
        .ok_or_else(|| wrong_word("result", word, &Outcome::ALL.map(|outcome| outcome.as_str())))
}

pub fn wrong_word(argument: &str, given: &str, accepted: &[&str]) -> Error {
    let accepted: Vec<_> = accepted.iter().map(|word| format!("\"{word}\"")).collect();
    invalid(format!("{argument} = {}; expected {}", quoted(given), or_list(&accepted)))
}

/// The words as `a, b or c`.
pub fn or_list<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [several @ .., last] => format!("{} or {last}", several.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
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
        let by = message(stopped_by("button"));
        assert_eq!(by, r#"by = "button"; expected "arbiter", "white", "black" or """#);
        let resumed = message(side_to_resume("arbiter"));
        assert_eq!(resumed, r#"side = "arbiter"; expected "white", "black" or """#);
        assert_eq!(message(side("side", "")), r#"side = ""; expected "white" or "black""#);
        let result = message(outcome("2-0"));
        assert_eq!(result, r#"result = "2-0"; expected "1-0", "0-1", "1/2-1/2" or "0-0""#);
    }
}
