//! A rule profile with its name and the text of its file.

use crate::{LoadError, RuleLibrary};
use clock_engine::rules::Profile;
use clock_engine::text::RuleFile;

/// A rule profile with its name and the text of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRules {
    /// The name on command lines and on the bus: the file name without its ending.
    pub name: String,
    /// The text of the rule file.
    pub text: String,
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
        let inherited = |name: &str| {
            library.text(name).map(|(text, _)| text).map_err(|error| error.to_string())
        };
        match RuleFile::parse(&text, inherited) {
            Ok(rules) => Ok(NamedRules { name: name.to_owned(), text, rules }),
            Err(error) => Err(LoadError::Invalid { place: place.to_owned(), error }),
        }
    }

    /// The rule profile.
    pub fn profile(&self) -> &Profile {
        &self.rules.profile
    }
}
