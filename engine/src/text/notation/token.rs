//! The words, numbers and signs of the spoken notation.

use super::{NotationError, shortened};

/// A token of the text, in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A number, or a duration such as `1:30:00` and `90s`.
    Amount(&'a str),
    /// Letters.
    Word(&'a str),
    /// The unit of minutes after a number: `'`, `min`.
    Minutes,
    /// The unit of seconds after a number: `"`, `sec`.
    Seconds,
    /// The unit of hours after a number: `hours`.
    Hours,
    Plus,
    Slash,
}

/// A token and the byte it begins at.
pub(super) type Placed<'a> = (Token<'a>, usize);

const WORDS: &str = "g sd d b v vs from move repeat repeating draw white black with then and h m s \
                     ms us ns min mins minutes sec secs seconds hour hours move moves x per";

/// Signs of the notation other than letters and digits.
pub(super) const SIGNS: &str = "+|/*,.:;'’′\"”″×";

/// The unit that a word names.
fn unit(word: &str) -> Option<Token<'static>> {
    match word {
        "min" | "mins" | "minutes" => Some(Token::Minutes),
        "s" | "sec" | "secs" | "seconds" => Some(Token::Seconds),
        "hour" | "hours" => Some(Token::Hours),
        _ => None,
    }
}

/// Whether these letters are a word of the notation, or empty.
pub(super) fn is_word(letters: &str) -> bool {
    letters.is_empty() || WORDS.split_whitespace().any(|word| letters.eq_ignore_ascii_case(word))
}

/// The tokens of a text, without separators. `lower` is the text in lower case.
pub(super) fn tokens<'a>(text: &str, lower: &'a str) -> Result<Vec<Placed<'a>>, NotationError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = lower[at..].chars().next() {
        let rest = &lower[at..];
        let (token, length) = match first {
            ',' | ';' => (None, 1),
            _ if first.is_whitespace() => (None, first.len_utf8()),
            '+' | '|' => (Some(Token::Plus), 1),
            '\'' | '’' if rest[first.len_utf8()..].starts_with(first) => {
                (Some(Token::Seconds), 2 * first.len_utf8())
            }
            '\'' | '’' | '′' => (Some(Token::Minutes), first.len_utf8()),
            '"' | '”' | '″' => (Some(Token::Seconds), first.len_utf8()),
            '/' => (Some(Token::Slash), 1),
            '×' => (Some(Token::Word("x")), first.len_utf8()),
            '0'..='9' => {
                let number = run(rest, |c| c.is_ascii_digit());
                let letters = run(&rest[number.len()..], |c| c.is_ascii_lowercase());
                // `90min` is a number followed by a unit; `30s` is one token, a duration.
                let is_word = unit(letters).is_some() || matches!(letters, "move" | "moves");
                let apart = letters.len() > 1 && is_word;
                let text = if apart { number } else { amount(rest) };
                (Some(Token::Amount(text)), text.len())
            }
            'a'..='z' => {
                let text = run(rest, |c| c.is_ascii_lowercase());
                (Some(unit(text).unwrap_or(Token::Word(text))), text.len())
            }
            _ => {
                let why = "is not part of the notation; expected parts as in `40/90, G/30, +30`";
                return Err(NotationError::at(text, at, &format!("`{first}` {why}")));
            }
        };
        tokens.extend(token.map(|token| (token, at)));
        at += length;
    }
    Ok(tokens)
}

/// Whether a character belongs to an amount. Of the letters only those of units do, so `60d5` is
/// three tokens, `60`, `d` and `5`.
fn in_amount(c: char) -> bool {
    c.is_ascii_digit() || ":.hmsun".contains(c)
}

/// The amount at the beginning of a text. The `min` of `1h30min` belongs to it.
fn amount(text: &str) -> &str {
    let amount = run(text, in_amount);
    let is_min =
        amount.ends_with('m') && run(&text[amount.len()..], |c| c.is_ascii_lowercase()) == "in";
    if is_min { &text[..amount.len() + "in".len()] } else { amount }
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c: char| !belongs(c)).unwrap_or(text.len());
    &text[..end]
}

impl NotationError {
    /// An error in the part of the text that begins at this byte.
    pub(super) fn at(text: &str, at: usize, why: &str) -> NotationError {
        let rest = &text[at..];
        let number = text[..at].chars().count() + 1;
        let between = |c: char| c.is_whitespace() || [',', ';'].contains(&c);
        let part = shortened(rest.split(between).next().unwrap_or(rest));
        NotationError::new(format!("`{part}` (character {number}): {why}"))
    }
}
