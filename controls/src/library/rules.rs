//! The rule profiles that can be found by name or by the path of a file.

use super::{FileLibrary, LibraryEntry, is_path, load};
use crate::{LoadError, NamedRules};
use clock_engine::text::{rule_preset, rule_presets};
use std::path::Path;

/// The rule profiles that can be found by name.
pub type RuleLibrary = FileLibrary<NamedRules>;

impl LibraryEntry for NamedRules {
    const WHAT: &'static str = "rule profile";
    const FILE: &'static str = "rule file";
    const LIST: &'static str = "clockctl rules list";

    fn shipped() -> Vec<&'static str> {
        rule_presets().iter().map(|preset| preset.name).collect()
    }

    fn shipped_file(name: &str) -> Option<&'static str> {
        rule_preset(name).map(|preset| preset.file)
    }

    fn parse_in(
        library: &RuleLibrary,
        name: &str,
        text: String,
        place: &str,
    ) -> Result<NamedRules, LoadError> {
        NamedRules::parse(library, name, text, place)
    }

    fn title(&self) -> &str {
        &self.rules.name
    }
}

impl RuleLibrary {
    /// The rule profile of this name, or in this file. A relative path starts at `base`.
    ///
    /// This method must not be used for names from the bus, because it opens any file that this
    /// process may read.
    pub fn resolve(&self, argument: &str, base: &Path) -> Result<NamedRules, LoadError> {
        if !self.is_file(argument) {
            return self.find(argument).map_err(|error| match error {
                LoadError::UnknownName { what, name, hint } => {
                    let hint = format!("{hint}; a rule file (*.toml) will do too");
                    LoadError::UnknownName { what, name, hint }
                }
                other => other,
            });
        }
        self.read(&base.join(argument))
    }

    /// Whether a text is the path of a rule file and not a name: it has a slash or ends in `.toml`,
    /// and no profile of this library has it as its name.
    pub fn is_file(&self, argument: &str) -> bool {
        is_path(argument) && !self.has(argument)
    }

    /// The profile in the file at this path. The files that it inherits are looked for in the
    /// folder of this file first.
    ///
    /// This method must not be used for paths from the bus, because it opens any file that this
    /// process may read.
    pub fn read(&self, path: &Path) -> Result<NamedRules, LoadError> {
        let (name, text) = load(path, NamedRules::FILE)?;
        let beside = path.parent().map(Path::to_owned);
        let folders = beside.into_iter().chain(self.folders.iter().cloned()).collect();
        let library = RuleLibrary::new(folders);
        NamedRules::parse(&library, &name, text, &path.display().to_string())
    }
}

#[cfg(test)]
mod tests;
