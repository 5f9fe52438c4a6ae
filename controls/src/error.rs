//! The errors for a time control or a rule profile that cannot be used. If a name does not exist, the
//! error suggests similar names.

use crate::LibraryEntry;
use crate::read_text::in_plain_words;
use clock_engine::text::{FileError, NotationError};
use std::io;
use strsim::jaro_winkler;

/// Why a time control or a rule profile cannot be used, with a message for the user who asked for
/// it.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no time control or rule profile of this name.
    #[error("no {what} `{name}`; {hint}")]
    UnknownName {
        /// What was asked for: `time control` or `rule profile`.
        what: &'static str,
        /// The name that was asked for.
        name: String,
        /// The similar names, the command that lists all names, and, for a command line, what is
        /// accepted besides a name.
        hint: String,
    },
    /// The text of a file is wrong; the error has the line and the column.
    #[error("{place}:{error}")]
    Invalid {
        /// The path of the file, or the name if there is no file.
        place: String,
        /// What is wrong, and where.
        error: FileError,
    },
    /// A file cannot be read.
    #[error("the {what} {place}: {}", in_plain_words(source))]
    Unreadable {
        /// What the file is: `control file` or `rule file`.
        what: &'static str,
        /// The path of the file.
        place: String,
        /// What the system says. The message has its own words for it.
        source: io::Error,
    },
    /// A notation is wrong.
    #[error("the time control {notation}: {error}")]
    Notation {
        /// The text that was given.
        notation: String,
        /// What is wrong with it, and what is accepted.
        error: NotationError,
    },
}

impl LoadError {
    /// The error for a name that is not among `names`. It names the most similar ones and the
    /// command that lists all names.
    pub(crate) fn unknown<T: LibraryEntry>(name: &str, names: &[&str]) -> LoadError {
        let all = format!("`{}` shows all {}", T::LIST, names.len());
        let hint = match suggest(name, names).as_slice() {
            [] => all,
            [one] => format!("perhaps {one}? {all}"),
            [several @ .., last] => format!("perhaps {} or {last}? {all}", several.join(", ")),
        };
        LoadError::UnknownName { what: T::WHAT, name: name.to_owned(), hint }
    }
}

/// The similarity below which a name is not suggested; 1 means equal.
const SIMILAR: f64 = 0.8;
/// A name is suggested only if its similarity is less than that of the most similar name by at most
/// this much.
const NEARLY_AS_SIMILAR: f64 = 0.05;
/// The similarity of a name that contains the given text: `standard` is part of `fide-standard`.
const CONTAINS: f64 = 0.95;
/// The shortest text, in bytes, for which `CONTAINS` applies: a shorter one is part of too many
/// names.
const CONTAINS_AT_LEAST: usize = 3;
/// The most suggestions that are listed.
const MOST: usize = 5;

/// The names that are similar to `given`, the most similar first. Capitals make no difference, and
/// only letters and digits are compared.
///
/// ```
/// use clock_controls::suggest;
/// let names = ["blitz-10-0", "blitz-5-0", "blitz-5-3", "g60-30"];
/// assert_eq!(suggest("Blitz5", &names), ["blitz-5-0", "blitz-5-3"]);
/// assert_eq!(suggest("g06-30", &names), ["g60-30"]);
/// assert!(suggest("x", &names).is_empty());
/// ```
pub fn suggest<'a>(given: &str, names: &[&'a str]) -> Vec<&'a str> {
    let given = normalized(given);
    let rated = names.iter().map(|name| (similarity(&given, &normalized(name)), *name));
    let mut similar: Vec<(f64, &str)> = rated.filter(|(rate, _)| *rate >= SIMILAR).collect();
    // Names that are equally similar stay in their order.
    similar.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let best = similar.first().map_or(0.0, |(rate, _)| *rate);
    similar.retain(|(rate, _)| *rate >= best - NEARLY_AS_SIMILAR);
    similar.into_iter().take(MOST).map(|(_, name)| name).collect()
}

fn similarity(given: &str, name: &str) -> f64 {
    let contains = given.len() >= CONTAINS_AT_LEAST && name.contains(given);
    jaro_winkler(given, name).max(if contains { CONTAINS } else { 0.0 })
}

fn normalized(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::suggest;
    use clock_engine::text::presets;

    #[test]
    fn a_misspelt_name_of_a_shipped_control_is_recognized() {
        let names: Vec<&str> = presets().iter().map(|preset| preset.name).collect();
        for (given, first) in [
            ("fide-standrad", "fide-standard"),
            ("fide_standard", "fide-standard"),
            ("standard", "fide-standard"),
            ("bundeslgia", "bundesliga"),
            ("byoyomi", "byo-yomi-30-5x30"),
            ("Hourglas", "hourglass-1"),
            ("rapid-15+10", "rapid-15-10"),
            ("us-g60-d6", "us-g60-d5"),
        ] {
            assert_eq!(suggest(given, &names).first(), Some(&first), "{given}");
        }
        for given in ["", "x", "lichess", "???"] {
            assert!(suggest(given, &names).is_empty(), "{given}: {:?}", suggest(given, &names));
        }
        assert_eq!(suggest("handicap", &names).len(), 5);
    }
}
