//! The keys of a set-up file that say what the clock is used for, and which game it starts with.

use clock_controls::{Argument, Library};
use clock_engine::text::parse_notation;
use std::path::Path;

use super::value::one_of;

/// The longest name of a control or a rule profile, and the longest notation, in bytes.
const NAME_LIMIT: usize = 100;

/// What the clock is used for: the value of the key `use`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Two players without an arbiter. A card that was just written is such a clock.
    Club,
    /// Games with an arbiter under the Laws of Chess.
    Tournament,
}

impl Use {
    /// Every value, in the order of the messages.
    pub const ALL: [Use; 2] = [Use::Club, Use::Tournament];

    /// The value in the file.
    pub fn word(self) -> &'static str {
        match self {
            Use::Club => "club",
            Use::Tournament => "tournament",
        }
    }

    /// The time control and the rule profile that the clock starts with.
    pub fn game(self) -> (&'static str, &'static str) {
        match self {
            Use::Club => ("5+3", "players-agree"),
            Use::Tournament => ("fide-standard", "fide-2023"),
        }
    }
}

/// The value of `use`.
pub(super) fn use_for(word: &str) -> Result<Use, String> {
    let expected = Use::ALL.map(|it| format!("\"{}\"", it.word()));
    let known = Use::ALL.into_iter().find(|known| known.word() == word);
    known.ok_or_else(|| format!("`{word}`; expected {}", one_of(&expected)))
}

/// The value of `control`. The computer that writes the card does not have the clock's own controls, so
/// only a notation is checked completely here.
pub(super) fn control(text: &str) -> Result<String, String> {
    const EXPECTED: &str = "expected the name of a time control, or a notation such as \"3+2\"";
    match Library::default().classify(text, Path::new("")) {
        Argument::Notation => {
            parse_notation(text).map_err(|error| format!("`{text}`; {error}"))?;
            Ok(text.to_owned())
        }
        Argument::Name if is_name(text) => Ok(text.to_owned()),
        Argument::Name | Argument::File => Err(format!("`{text}`; {EXPECTED}")),
    }
}

/// The value of `rules`.
pub(super) fn rules(text: &str) -> Result<String, String> {
    let expected = "expected the name of a rule profile such as \"fide-2023\"";
    is_name(text).then(|| text.to_owned()).ok_or_else(|| format!("`{text}`; {expected}"))
}

/// Whether this can be the name of a control, a rule profile or a wiring file.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    !text.is_empty() && text.len() <= NAME_LIMIT && text.chars().all(is_plain)
}
