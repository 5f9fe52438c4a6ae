//! The time controls that can be found by name, and how names, paths and notations are told
//! apart.

use super::{FileLibrary, LibraryEntry, is_surely_path};
use crate::named::notation_hint;
use crate::{LoadError, NamedControl, read_control_file};
use clock_engine::text::{looks_like_notation, parse_notation, preset, presets};
use std::path::Path;

/// The time controls that can be found by name.
pub type Library = FileLibrary<NamedControl>;

impl LibraryEntry for NamedControl {
    const WHAT: &'static str = "time control";
    const FILE: &'static str = "control file";
    const LIST: &'static str = "clockctl time-control list";

    fn shipped() -> Vec<&'static str> {
        presets().iter().map(|preset| preset.name).collect()
    }

    fn shipped_file(name: &str) -> Option<&'static str> {
        preset(name).map(|preset| preset.file)
    }

    fn parse_in(
        _library: &Library,
        name: &str,
        text: String,
        place: &str,
    ) -> Result<NamedControl, LoadError> {
        NamedControl::parse(name, text, place)
    }

    fn title(&self) -> &str {
        &self.title
    }
}

/// What kind of text was given for a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The name of a control, whether it exists or not.
    Name,
    /// The path of a control file, whether the file exists or not.
    File,
    /// A notation, correct or not.
    Notation,
}

impl Library {
    /// The control of this name, in this file, or with this notation. A relative path starts at
    /// `base`.
    ///
    /// This method must not be used for names from the bus, because it opens any file that this
    /// process may read.
    pub fn resolve(&self, argument: &str, base: &Path) -> Result<NamedControl, LoadError> {
        match self.classify(argument, base) {
            Argument::Notation => NamedControl::from_notation(argument),
            Argument::File => {
                let (name, text) = read_control_file(argument, base)?;
                NamedControl::parse(&name, text, &base.join(argument).display().to_string())
            }
            Argument::Name => self.find(argument).map_err(|error| match error {
                LoadError::UnknownName { what, name, hint } => {
                    let others = "a control file (*.toml) or a notation such as 3+2 or \
                                  '40/90, G/30, +30' will do too";
                    let hint = format!("{hint}; {others}{}", notation_hint(argument));
                    LoadError::UnknownName { what, name, hint }
                }
                other => other,
            }),
        }
    }

    /// Whether a text is a name, the path of a file or a notation. Relative paths start at `base`.
    /// The first of these rules that applies decides:
    ///
    /// - The name of a control of this library is a name, even if it is also a notation.
    /// - A text for which [`looks_like_notation`] returns `true` is a notation, correct or not.
    /// - A text that can only be a path is one: it ends in `.toml` or begins with `/`, `./`, `../`
    ///   or `~/`.
    /// - A text with a slash is a path if the file exists.
    /// - A text that is a correct notation, such as `2h` or `G60`, is a notation, and so is every
    ///   other text that has a slash and a digit, such as `G/60 x5`.
    /// - Any other text with a slash is a path; every other text is a name.
    ///
    /// A file whose name is like a notation needs a path with a slash: `./3+2`.
    pub fn classify(&self, argument: &str, base: &Path) -> Argument {
        if self.has(argument) {
            return Argument::Name;
        }
        if looks_like_notation(argument) {
            return Argument::Notation;
        }
        let has_slash = argument.contains('/');
        if is_surely_path(argument) || (has_slash && base.join(argument).exists()) {
            return Argument::File;
        }
        let has_digit = argument.contains(|c: char| c.is_ascii_digit());
        if parse_notation(argument).is_ok() || (has_slash && has_digit) {
            Argument::Notation
        } else if has_slash {
            Argument::File
        } else {
            Argument::Name
        }
    }
}

#[cfg(test)]
mod tests;
