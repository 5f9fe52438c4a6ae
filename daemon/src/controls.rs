//! The time controls this clock knows: the user's files, then the package's, then those compiled
//! in.

use clock_engine::Control;
use clock_engine::text::{ControlFile, preset, presets};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A time control with the text it was read from.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its file name without ending.
    pub name: String,
    /// The text of the file.
    pub text: String,
    /// What it says.
    pub control: Control,
}

/// Why a time control cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ControlProblem {
    /// No such name.
    #[error("no time control `{name}`; this clock knows {known}")]
    Unknown { name: String, known: String },
    /// It says something wrong.
    #[error("{place}:{error}")]
    Wrong { place: String, error: clock_engine::text::FileError },
    /// It cannot be read.
    #[error("{place}: {source}")]
    Unreadable {
        place: String,
        #[source]
        source: std::io::Error,
    },
}

/// Where time controls are looked for.
#[derive(Clone, Debug)]
pub struct Library {
    folders: Vec<PathBuf>,
}

impl Library {
    /// These folders, the first before the others, then what is compiled in.
    pub fn new(folders: Vec<PathBuf>) -> Library {
        Library { folders }
    }

    /// The control of this name or, with a slash or the ending `.toml`, in this file. Not for
    /// names that come over the bus.
    pub fn find_or_read(&self, name: &str) -> Result<Known, ControlProblem> {
        let path = Path::new(name);
        match stem(path).filter(|_| name.contains('/') || name.ends_with(".toml")) {
            Some(stem) => read(&stem, path),
            None => self.find(name),
        }
    }

    /// The control of this name.
    pub fn find(&self, name: &str) -> Result<Known, ControlProblem> {
        // A name comes over the bus: it must not lead out of the folders.
        let safe = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\0']);
        if let Some(path) = safe.then(|| self.path(name)).flatten() {
            return read(name, &path);
        }
        match preset(name) {
            Some(preset) => parse(name, preset.file.to_owned(), name.to_owned()),
            None => Err(ControlProblem::Unknown {
                name: name.to_owned(),
                known: self.list().into_keys().collect::<Vec<_>>().join(", "),
            }),
        }
    }

    /// All names with their titles; a file that cannot be read has the reason as its title.
    pub fn list(&self) -> BTreeMap<String, String> {
        let mut found: BTreeMap<String, String> =
            presets().iter().map(|preset| (preset.name.to_owned(), preset.read().name)).collect();
        for folder in self.folders.iter().rev() {
            for path in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if let Some(name) = stem(&path.path()) {
                    let title = match self.find(&name) {
                        Ok(known) => ControlFile::parse(&known.text).map(|file| file.name),
                        Err(problem) => Ok(format!("cannot be used: {problem}")),
                    };
                    found.insert(name, title.unwrap_or_default());
                }
            }
        }
        found
    }

    fn path(&self, name: &str) -> Option<PathBuf> {
        let file = format!("{name}.toml");
        self.folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
    }
}

fn read(name: &str, path: &Path) -> Result<Known, ControlProblem> {
    let place = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => parse(name, text, place),
        Err(source) => Err(ControlProblem::Unreadable { place, source }),
    }
}

/// Reads the text of a control file that did not come from a folder.
pub fn parse(name: &str, text: String, place: String) -> Result<Known, ControlProblem> {
    match ControlFile::parse(&text) {
        Ok(file) => Ok(Known { name: name.to_owned(), text, control: file.control }),
        Err(error) => Err(ControlProblem::Wrong { place, error }),
    }
}

fn stem(path: &Path) -> Option<String> {
    let is_control = path.extension().is_some_and(|ending| ending == "toml");
    is_control.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}
