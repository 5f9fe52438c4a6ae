//! The controls that have names: those of some folders, then those that are compiled in.

use crate::named::notation_hint;
use crate::{LoadError, NamedControl, read_control_file};
use clock_engine::text::{looks_like_notation, parse_notation, preset, presets};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The controls that have names.
#[derive(Clone, Debug, Default)]
pub struct Library {
    folders: Vec<PathBuf>,
}

/// What kind of text was given for a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The name of a control, whether it exists or not.
    Name,
    /// The path of a control file: it has a slash or ends in `.toml`.
    File,
    /// A notation, correct or not.
    Notation,
}

impl Library {
    /// The control files of these folders, earlier folders first, and the controls that are compiled
    /// in. A folder need not exist.
    pub fn new(folders: Vec<PathBuf>) -> Library {
        Library { folders }
    }

    /// The control of this name. Names from the bus are safe here: no name leads out of the folders.
    pub fn find(&self, name: &str) -> Result<NamedControl, LoadError> {
        if let Some(path) = self.path(name) {
            return NamedControl::read(&path);
        }
        match preset(name) {
            Some(preset) => NamedControl::parse(name, preset.file.to_owned(), name),
            None => {
                let names = self.names();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                Err(LoadError::unknown(name, &names))
            }
        }
    }

    /// All names with their titles. A file that cannot be used has the reason as its title.
    pub fn list(&self) -> BTreeMap<String, String> {
        let title = |name: &String| match self.find(name) {
            Ok(named) => named.title,
            Err(error) => format!("cannot be used: {error}"),
        };
        self.names().into_iter().map(|name| (name.clone(), title(&name))).collect()
    }

    /// The control of this name, in this file, or with this notation. Paths start at `base`.
    ///
    /// Not for names from the bus: this opens any file that this process may read.
    pub fn resolve(&self, argument: &str, base: &Path) -> Result<NamedControl, LoadError> {
        match self.classify(argument, base) {
            Argument::Notation => NamedControl::from_notation(argument),
            Argument::File => {
                let (name, text) = read_control_file(argument, base)?;
                NamedControl::parse(&name, text, &base.join(argument).display().to_string())
            }
            Argument::Name => self.find(argument).map_err(|error| match error {
                LoadError::UnknownName { name, hint } => {
                    let others = "a control file (*.toml) or a notation such as 3+2 or \
                                  '40/90, G/30, +30' will do too";
                    let hint = format!("{hint}; {others}{}", notation_hint(argument));
                    LoadError::UnknownName { name, hint }
                }
                other => other,
            }),
        }
    }

    /// Whether a text is a name, the path of a file or a notation. Paths start at `base`.
    ///
    /// A name of this library is a name, even if it is also a notation. Every other text that looks
    /// like a notation is one, correct or not. Texts such as `2h` and `G60`, which could be names as
    /// well, are notations if they are correct and do not name an existing file. A file in the
    /// current folder needs its path: `./3+2`.
    pub fn classify(&self, argument: &str, base: &Path) -> Argument {
        if self.has(argument) {
            return Argument::Name;
        }
        let is_existing_path = || argument.contains('/') && base.join(argument).exists();
        let is_notation = looks_like_notation(argument)
            || (parse_notation(argument).is_ok() && !is_existing_path());
        if is_notation {
            Argument::Notation
        } else if argument.contains('/') || argument.ends_with(".toml") {
            Argument::File
        } else {
            Argument::Name
        }
    }

    fn has(&self, name: &str) -> bool {
        self.path(name).is_some() || preset(name).is_some()
    }

    /// The names of all controls.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let shipped = presets().iter().map(|preset| preset.name.to_owned());
        let named = self.control_files().filter_map(|path| {
            let name = path.file_stem()?.to_str()?.to_owned();
            self.path(&name).is_some().then_some(name)
        });
        shipped.chain(named).collect()
    }

    /// The folders, and the files in them that have the ending of a control file, in any order.
    pub(crate) fn files(&self) -> BTreeSet<PathBuf> {
        self.folders.iter().cloned().chain(self.control_files()).collect()
    }

    fn control_files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = self.folders.iter().flat_map(std::fs::read_dir).flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
    }

    /// The file of a name. The name may come from the bus, so it must not lead out of the folders.
    /// Hidden files, such as those that editors leave behind, are not controls.
    fn path(&self, name: &str) -> Option<PathBuf> {
        if name.is_empty() || name.starts_with('.') || name.contains(['/', '\0']) {
            return None;
        }
        let file = format!("{name}.toml");
        self.folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
    }
}

#[cfg(test)]
mod tests;
