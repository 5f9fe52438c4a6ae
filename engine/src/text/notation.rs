//! Time controls in the notation that people use, and in that of PGN's `TimeControl` tag.
//!
//! # Spoken: times in minutes, amounts in seconds
//!
//! Parts are separated by commas, semicolons or spaces. Capital letters make no difference. `with`,
//! `then` and `and` may stand between parts.
//!
//! | part | says |
//! |---|---|
//! | `40/90` | 40 moves in 90 minutes |
//! | `G/30`, `SD/30` | all remaining moves in 30 minutes; also `G30`, `SD30` |
//! | `3` | the same as `G/3`, if it is the only period: `3+2` |
//! | `+30`, `inc/30` | 30 s a move (Fischer), from move 1; also `30 s/move`, `30 s increment` |
//! | `d5`, `b5` | 5 s delay, Bronstein delay a move; also `d/5`, `delay 5` |
//! | `0+5`, `G/0 d5` | no main time: 5 s for move 1, and the increment or delay for each move |
//! | `+30 from 61` | from move 61; also with `d` and `b`; also `from move 61` |
//! | `10 v 7` | in place of any time or amount: 10 for White, 7 for Black; also `vs` |
//! | `5x30s` | overtime after the last period: 5 periods of 30 s for one move each (byo-yomi) |
//! | `repeat` | the last period repeats without end, as in `40/120, 20/60 repeat` |
//! | `draw Black` | a draw wins for Black |
//!
//! A time or an amount may be a duration instead (`G/1:30:00`, `G/90s`, `+500ms`) or may be
//! followed by its unit (`5'+3"`, `90 min + 30 sec`). `|` and `&` mean `+`. `/move` or `per move` may
//! follow an amount. `words.rs` lists the words of several languages for each meaning.
//!
//! Announcements name the time first and put `+` between the periods, as in
//! `90 min/40 moves + 30 min + 30 s/move from move 1` and `100'/40+50'/20+15'+30"`. A time that has a
//! unit may stand before its moves (`90' x 40`, `90 min for 40 moves`) and before `rest`, `end`,
//! `QPF` and the like. After `+` a time in minutes or hours is that of the rest of the moves if the
//! period before it has its moves. Otherwise it is refused: `75 min + 15 min` does not say the moves
//! of the first time. An increment in minutes needs `/move`.
//!
//! # Numbers that need their unit
//!
//! A number without a unit is refused if people use it with another meaning, and the error has the
//! spellings with units:
//!
//! | number | can be meant as |
//! |---|---|
//! | the 1 and 2 of `40/2, SD/1`; `40/2, G/30`; `30/90, G/1`: at most 6, or 2 for the last period without `SD` | hours, in US Chess |
//! | `300+3`, `180`, `60+0`: from 180 minutes on, or from 60 with at most 2 s a move | seconds, in PGN's tag |
//! | `G/600`, `40/5400`: more than 300 minutes, except for a single move | seconds, in PGN's tag |
//! | `90/40`: 60 moves or more in 20 minutes or more, except `60/50` | a time before its moves |
//! | `90+900`: more than 60 seconds a move | the time of a second period |
//!
//! An increment or delay holds to the end of the game, wherever it stands. It may be repeated with
//! the same amount after the time of another period, as in `40/90+30, G/30+30`. If no period begins
//! with the move that `from` names, a period is divided there: `G/120, +10 from 41` is 40 moves in
//! 120 minutes, then no more time and 10 s a move. The time left is kept, so the clock shows the
//! same as without the division, to the nanosecond. An amount of zero is no increment and no delay.
//!
//! # PGN: seconds, after `pgn:`
//!
//! | field | says |
//! |---|---|
//! | `40/5400` | 40 moves in 5400 s; as the last field it repeats without end |
//! | `1800` | all remaining moves in 1800 s; only as the last field |
//! | `+30` after either | 30 s a move in this period |
//! | `*180` | hourglass of 180 s; only as the only field |
//!
//! Seconds may have decimals, as in `pgn:75+0.6`.
//!
//! Fields are separated by colons: `pgn:40/5400+30:1800+30`.

mod pgn;
mod print;
mod spoken;
mod token;

pub use pgn::pgn;
pub use print::spoken;

use crate::Control;
use std::fmt;

/// The longest text that is read, in bytes. No time control needs as much.
const LONGEST: usize = 2048;

/// The prefix of PGN's notation.
const PGN: &str = "pgn:";

/// Why a text is not a time control: what was given, where, and what is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    message: String,
    /// The spellings with hours and with minutes, if the text can mean either.
    spellings: Option<Box<[String; 2]>>,
}

/// Why a notation cannot express a control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotExpressible(&'static str);

/// Reads a time control in the spoken notation or, after `pgn:`, as PGN's `TimeControl`.
///
/// ```
/// use clock_engine::text::{describe, parse_notation};
/// let control = parse_notation("40/90, G/30, +30")?;
/// assert_eq!(describe(&control), "40 moves in 1:30:00, then 0:30:00, 30 s a move from move 1");
/// assert_eq!(parse_notation("pgn:40/5400+30:1800+30")?, control);
/// # Ok::<(), clock_engine::text::NotationError>(())
/// ```
///
/// # Errors
///
/// The text is in neither notation, or what it says is not a time control. The error names the part
/// of the text and what is accepted there.
pub fn parse_notation(text: &str) -> Result<Control, NotationError> {
    let control = parse_either(text)?;
    match super::without_time(&control) {
        Some(message) => Err(NotationError::new(message)),
        None => Ok(control),
    }
}

fn parse_either(text: &str) -> Result<Control, NotationError> {
    let text = text.trim();
    if text.len() > LONGEST {
        let message = format!("{} bytes are longer than any time control", text.len());
        return Err(NotationError::new(message));
    }
    if let Some(tag) = after_pgn(text) {
        return pgn::parse(tag);
    }
    // A text with neither `:` nor `*` gets no hint that it may be PGN, even if it can be read as
    // PGN. For example, `40/90` would be 40 moves in 90 seconds in PGN.
    let pgn_only = text.contains([':', '*']);
    spoken::parse(text).map_err(|error| match pgn::parse(text) {
        Ok(control) if pgn_only && pgn::is_plausible(&control) => {
            NotationError::new(format!("{error}; if it is PGN's TimeControl, write `{PGN}{text}`"))
        }
        _ => error,
    })
}

/// Whether a text is probably a notation, correct or not, and not the name of a control or a file.
///
/// A text is probably a notation if it begins with `pgn:`, or if it consists only of numbers and of
/// the notation's words and signs. A single word, such as `G60` or `2h`, can also be a name, so
/// this returns `false` for it and the caller decides. It also returns `false` for what looks like
/// the path of a file: a text that begins with `.` or `/`, or that has a slash before anything but
/// a number or a word such as `move`.
pub fn looks_like_notation(text: &str) -> bool {
    let text = text.trim();
    let lower = token::lower_case(text);
    let sign = |c: char| {
        c.is_alphabetic() || c.is_ascii_digit() || c.is_whitespace() || token::SIGNS.contains(c)
    };
    let made_of_it = lower.chars().all(sign)
        && lower.contains(in_number)
        && lower.char_indices().all(|(at, c)| c != 'x' || is_times_sign(&lower, at))
        && lower.split(|c: char| !c.is_alphabetic()).all(token::is_word);
    let more_than_a_word = text
        .contains(|c: char| c.is_whitespace() || "+|/*&'’‘′´\"”“″×".contains(c))
        || !text.contains(char::is_alphabetic);
    let path = text.starts_with(['.', '/'])
        || lower.split('/').skip(1).any(|after| !may_follow_slash(after.trim_start()));
    after_pgn(text).is_some() || (made_of_it && more_than_a_word && !path)
}

/// Whether the `x` at this byte stands before a number and after a number or its unit, as in
/// `5x30s` and `90' x 40`.
fn is_times_sign(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end();
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let is_unit = before.ends_with(['\'', '’', '‘', '′', '´']) || !word.is_empty();
    (before.ends_with(in_number) || is_unit) && text[at + 1..].trim_start().starts_with(in_number)
}

/// Whether a notation can go on like this after a slash: with a number, or with a word such as
/// `move`.
fn may_follow_slash(after: &str) -> bool {
    let word = after.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    after.starts_with(in_number) || token::may_follow_slash(word)
}

fn in_number(c: char) -> bool {
    c.is_ascii_digit()
}

/// The tag after the prefix `pgn:`.
fn after_pgn(text: &str) -> Option<&str> {
    let (prefix, tag) = text.split_at_checked(PGN.len())?;
    prefix.eq_ignore_ascii_case(PGN).then_some(tag)
}

/// A text for an error message, cut to 40 characters.
fn shortened(text: &str) -> String {
    const ENOUGH: usize = 40;
    match text.char_indices().nth(ENOUGH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl NotationError {
    fn new(message: String) -> NotationError {
        NotationError { message, spellings: None }
    }

    /// The spellings with hours and with minutes, if the text can mean either.
    pub fn spellings(&self) -> Option<&[String; 2]> {
        self.spellings.as_deref()
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NotationError {}

impl fmt::Display for NotExpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for NotExpressible {}

#[cfg(test)]
mod tests;
