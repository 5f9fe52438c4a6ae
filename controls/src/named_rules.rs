//! A rule profile with its name and the text of its file.

use crate::{LoadError, RuleLibrary};
use clock_engine::rules::Profile;
use clock_engine::text::RuleFile;
use std::collections::BTreeMap;

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
