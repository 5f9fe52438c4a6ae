//! A time control or a rule profile with its name and the text of its file.

use crate::library::{LibraryEntry, load};
use crate::{LoadError, RuleLibrary};
use clock_engine::Control;
use clock_engine::rules::Profile;
use clock_engine::text::{ControlFile, RuleFile, describe, parse_notation, pgn, spoken, to_toml};
use std::collections::BTreeMap;
use std::path::Path;

/// A time control with its name and the text of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedControl {
    /// The name on command lines and on the bus. For a file: the file name without its ending.
    pub name: String,
    /// The title for people.
    pub title: String,
    /// The text of the control file.
    pub text: String,
    /// The control that the text describes.
    pub control: Control,
}

impl NamedControl {
    /// Parses the text of a control file. The message of an error in the text begins with `place`
    /// and the line.
    pub fn parse(name: &str, text: String, place: &str) -> Result<NamedControl, LoadError> {
        match ControlFile::parse(&text) {
            Ok(ControlFile { name: title, control }) => {
                Ok(NamedControl { name: name.to_owned(), title, text, control })
            }
            Err(error) => Err(LoadError::Invalid { place: place.to_owned(), error }),
        }
    }

    /// Reads a notation, such as `3+2` or `pgn:40/5400+30:1800+30`.
    ///
    /// The control gets the text of a control file that describes it. Its name and its title are
    /// the notation in its usual spelling: `g/60D5` becomes `G/60 d5`.
    pub fn from_notation(notation: &str) -> Result<NamedControl, LoadError> {
        let control = parse_notation(notation)
            .map_err(|error| LoadError::Notation { notation: notation.to_owned(), error })?;
        let name = spoken(&control)
            .or_else(|_| pgn(&control).map(|tag| format!("pgn:{tag}")))
            .unwrap_or_else(|_| notation.trim().to_owned());
        let text = to_toml(&name, &control);
        Ok(NamedControl { title: name.clone(), name, text, control })
    }

    /// The control in words, such as `all moves in 0:03:00, 2 s a move from move 1`.
    pub fn describe(&self) -> String {
        describe(&self.control)
    }
}

/// The name and the text of the control file at `path`. A relative path starts at `base`. The text
/// is not parsed, because a clock on another machine may have to decide whether it is valid.
pub fn read_control_file(path: &str, base: &Path) -> Result<(String, String), LoadError> {
    load(&base.join(path), NamedControl::FILE)
}

/// A hint that says why a text is no notation. Every notation has a digit, so a text without a
/// digit gets no hint.
pub(crate) fn notation_hint(text: &str) -> String {
    match parse_notation(text) {
        Err(error) if text.contains(|c: char| c.is_ascii_digit()) => {
            format!("; nor is it a notation: {error}")
        }
        _ => String::new(),
    }
}

/// A rule profile with its name and the text of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRules {
    /// The name on command lines and on the bus: the file name without its ending.
    pub name: String,
    /// The text of the rule file.
    pub text: String,
    /// The texts of the files that this rule file inherits, by the names of the files.
    pub inherited: BTreeMap<String, String>,
    /// The profile and the texts that the file sets or inherits.
    pub rules: RuleFile,
}

impl NamedRules {
    /// Parses the text of a rule file. The files that it inherits are found by name in `library`.
    /// The message of an error in the text begins with `place` and the line.
    pub fn parse(
        library: &RuleLibrary,
        name: &str,
        text: String,
        place: &str,
    ) -> Result<NamedRules, LoadError> {
        NamedRules::parse_with(name, text, place, |name| {
            library.text(name).map(|(text, _)| text).map_err(|error| error.to_string())
        })
    }

    /// Like [`NamedRules::parse`], but the inherited files are not looked for: `inherited` has
    /// their texts by their names.
    pub fn parse_inheriting(
        inherited: &BTreeMap<String, String>,
        name: &str,
        text: String,
        place: &str,
    ) -> Result<NamedRules, LoadError> {
        NamedRules::parse_with(name, text, place, |name| {
            inherited.get(name).cloned().ok_or_else(|| format!("no rule profile `{name}`"))
        })
    }

    fn parse_with(
        name: &str,
        text: String,
        place: &str,
        find: impl Fn(&str) -> Result<String, String>,
    ) -> Result<NamedRules, LoadError> {
        match RuleFile::parse(&text, &find) {
            Ok(rules) => {
                let texts = rules
                    .inherited
                    .iter()
                    .filter_map(|name| find(name).ok().map(|text| (name.clone(), text)));
                Ok(NamedRules { name: name.to_owned(), inherited: texts.collect(), text, rules })
            }
            Err(error) => Err(LoadError::Invalid { place: place.to_owned(), error }),
        }
    }

    /// A rule file of this name for this profile. Its text sets all parameters and has no texts for
    /// the arbiter.
    pub fn of_profile(name: &str, profile: Profile) -> NamedRules {
        let rules = RuleFile::of_profile(name, profile);
        let text = rules.to_toml();
        NamedRules { name: name.to_owned(), text, inherited: BTreeMap::new(), rules }
    }

    /// The rule profile.
    pub fn profile(&self) -> &Profile {
        &self.rules.profile
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Library;

    #[test]
    fn a_notation_is_a_control_with_a_name_and_a_file() {
        for (notation, name) in [
            (" g/60D5", "G/60 d5"),
            ("pgn:40/5400+30:1800+30", "40/90, G/30, +30"),
            ("PGN:*180", "pgn:*180"),
            ("300m", "G/300"),
        ] {
            let named = NamedControl::from_notation(notation).unwrap();
            assert_eq!((named.name.as_str(), named.title.as_str()), (name, name));
            let file = NamedControl::parse(name, named.text.clone(), "x").unwrap();
            assert_eq!(file, named);
        }
        let error = NamedControl::from_notation("40/90").unwrap_err().to_string();
        assert!(error.starts_with("the time control 40/90: "), "{error}");
    }

    #[test]
    fn errors_of_a_file_have_its_path_and_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        let read = |path: &Path| {
            let path = path.to_str().unwrap();
            Library::default().resolve(path, Path::new("")).unwrap_err().to_string()
        };
        let error = |text: &[u8]| {
            std::fs::write(&path, text).unwrap();
            read(&path)
        };
        let place = path.display().to_string();
        let wrong = error(b"name = 'x'\n[[period]]\ntime = '-5m'\n");
        assert!(wrong.starts_with(&format!("{place}:3:8: `time`: `-5m` is negative")), "{wrong}");
        assert_eq!(error(b"\xff"), format!("{place}:1:1: not UTF-8 text"));
        let error = read(folder.path());
        let expected = format!("the control file {}: not a regular file", folder.path().display());
        assert_eq!(error, expected);
        let error = read(Path::new("/.."));
        assert_eq!(error, "the control file /..: has no name");
    }
}
