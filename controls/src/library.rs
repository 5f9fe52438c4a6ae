//! Libraries: time controls or rule profiles by name, from the files of some folders and from those
//! that are compiled in.

mod controls;
mod rules;

use crate::{LoadError, ReadError, read_text};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

pub use controls::{Argument, Library};
pub use rules::RuleLibrary;

/// An entry of a library: a time control or a rule profile.
pub trait LibraryEntry: Clone + Debug {
    /// What an entry is called in messages.
    const WHAT: &'static str;
    /// What the file of an entry is called in messages.
    const FILE: &'static str;
    /// The command that lists all names.
    const LIST: &'static str;

    /// The names of the entries that are compiled in.
    fn shipped() -> Vec<&'static str>;

    /// The text of the file of this name, if it is compiled in.
    fn shipped_file(name: &str) -> Option<&'static str>;

    /// Parses the text of a file. Other files that the text names, such as those that a rule file
    /// inherits, are found in `library`. The message of an error in the text begins with `place`
    /// and the line.
    fn parse_in(
        library: &FileLibrary<Self>,
        name: &str,
        text: String,
        place: &str,
    ) -> Result<Self, LoadError>;

    /// The title for people.
    fn title(&self) -> &str;
}

/// The entries that can be found by name. A [`Library`] has time controls, a [`RuleLibrary`] rule
/// profiles.
#[derive(Clone, Debug)]
pub struct FileLibrary<T> {
    folders: Vec<PathBuf>,
    entries: PhantomData<T>,
}

impl<T> Default for FileLibrary<T> {
    fn default() -> FileLibrary<T> {
        FileLibrary { folders: Vec::new(), entries: PhantomData }
    }
}

impl<T: LibraryEntry> FileLibrary<T> {
    /// Creates a library of the files of these folders and of those that are compiled in. If
    /// several folders have a file of the same name, the file in the first of them counts. A file
    /// that is compiled in counts only if no folder has a file of its name. A folder need not
    /// exist.
    pub fn new(folders: Vec<PathBuf>) -> FileLibrary<T> {
        FileLibrary { folders, entries: PhantomData }
    }

    /// The entry of this name. Names from the bus are safe here: no name leads out of the folders.
    pub fn find(&self, name: &str) -> Result<T, LoadError> {
        let (text, place) = self.text(name)?;
        T::parse_in(self, name, text, &place)
    }

    /// All names with their titles. A file that cannot be used has the reason as its title.
    pub fn list(&self) -> BTreeMap<String, String> {
        let title = |name: &String| match self.find(name) {
            Ok(entry) => entry.title().to_owned(),
            Err(error) => format!("cannot be used: {error}"),
        };
        self.names().into_iter().map(|name| (name.clone(), title(&name))).collect()
    }

    /// The text of the file of this name, and the place that error messages name: the path of the
    /// file, or its name if it is compiled in.
    pub(crate) fn text(&self, name: &str) -> Result<(String, String), LoadError> {
        if let Some(path) = self.path(name) {
            let (_, text) = load(&path, T::FILE)?;
            return Ok((text, path.display().to_string()));
        }
        match T::shipped_file(name) {
            Some(text) => Ok((text.to_owned(), name.to_owned())),
            None => {
                let names = self.names();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                Err(LoadError::unknown::<T>(name, &names))
            }
        }
    }

    fn has(&self, name: &str) -> bool {
        self.path(name).is_some() || T::shipped_file(name).is_some()
    }

    /// All names.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let shipped = T::shipped().into_iter().map(str::to_owned);
        let named = self.toml_files().filter_map(|path| {
            let name = path.file_stem()?.to_str()?.to_owned();
            self.path(&name).is_some().then_some(name)
        });
        shipped.chain(named).collect()
    }

    /// The paths of the folders, and of the files in them that end in `.toml`.
    pub(crate) fn files(&self) -> BTreeSet<PathBuf> {
        self.folders.iter().cloned().chain(self.toml_files()).collect()
    }

    fn toml_files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = self.folders.iter().flat_map(std::fs::read_dir).flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
    }

    /// The path of the file with this name. The name may come from the bus, so it must not lead out
    /// of the folders. Hidden files, such as those that editors leave behind, are ignored.
    fn path(&self, name: &str) -> Option<PathBuf> {
        if name.is_empty() || name.starts_with('.') || name.contains(['/', '\0']) {
            return None;
        }
        let file = format!("{name}.toml");
        self.folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
    }
}

/// Whether an argument is written as a path, and not as a name.
fn is_path(argument: &str) -> bool {
    argument.contains('/') || argument.ends_with(".toml")
}

/// Whether an argument can only be meant as a path: it ends in `.toml` or begins with `/`, `./`,
/// `../` or `~/`.
fn is_surely_path(argument: &str) -> bool {
    argument.ends_with(".toml")
        || ["/", "./", "../", "~/"].iter().any(|beginning| argument.starts_with(beginning))
}

/// The name and the text of a file. If the file cannot be read, the error message calls it `what`,
/// such as `control file`.
pub(crate) fn load(path: &Path, what: &'static str) -> Result<(String, String), LoadError> {
    let place = || path.display().to_string();
    let unreadable = |source| LoadError::Unreadable { what, place: place(), source };
    let name = path.file_stem().and_then(|stem| stem.to_str());
    let name = name.ok_or_else(|| unreadable(io::Error::other("has no name")))?;
    match read_text(path) {
        Ok(text) => Ok((name.to_owned(), text)),
        Err(ReadError::NotText(error)) => Err(LoadError::Invalid { place: place(), error }),
        Err(ReadError::Io(source)) => Err(unreadable(source)),
    }
}
