//! The time controls this clock knows: the user's files, then the package's, then those compiled
//! in.

use clock_engine::Control;
use clock_engine::text::{ControlFile, FileError, meant, preset, presets};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Far more than any file needs.
const FILE_LIMIT: u64 = 64 * 1024;

/// A time control with the text it was read from.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its file name without ending.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// The text of the file.
    pub text: String,
    /// What it says.
    pub control: Control,
}

/// Why a time control cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ControlProblem {
    /// No such name.
    #[error("no time control `{name}`; {meant}")]
    Unknown { name: String, meant: String },
    /// It says something wrong.
    #[error("{place}:{error}")]
    Wrong { place: String, error: FileError },
    /// It cannot be read.
    #[error("{place}: {source}")]
    Unreadable {
        place: String,
        #[source]
        source: io::Error,
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

    /// The control of this name or, with a slash or the ending `.toml`, in this file below
    /// `folder`. Not for names that come over the bus.
    pub fn find_or_read(&self, name: &str, folder: &Path) -> Result<Known, ControlProblem> {
        let is_file = name.contains('/') || name.ends_with(".toml");
        match Path::new(name).file_stem().and_then(|stem| stem.to_str()) {
            Some(stem) if is_file => read(stem, &folder.join(name)),
            _ => self.find(name),
        }
    }

    /// The control of this name.
    pub fn find(&self, name: &str) -> Result<Known, ControlProblem> {
        if let Some(path) = self.path(name) {
            return read(name, &path);
        }
        match preset(name) {
            Some(preset) => parse(name, preset.file.to_owned(), name.to_owned()),
            None => {
                let names = self.names();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let meant = meant(name, &names);
                Err(ControlProblem::Unknown { name: name.to_owned(), meant })
            }
        }
    }

    /// All names with their titles; a file that cannot be used has the reason as its title.
    pub fn list(&self) -> BTreeMap<String, String> {
        let title = |name: &String| match self.find(name) {
            Ok(known) => known.title,
            Err(problem) => format!("cannot be used: {problem}"),
        };
        self.names().into_iter().map(|name| (name.clone(), title(&name))).collect()
    }

    fn names(&self) -> BTreeSet<String> {
        let shipped = presets().iter().map(|preset| preset.name.to_owned());
        let files = self.folders.iter().flat_map(std::fs::read_dir).flatten().flatten();
        let named = files.filter_map(|entry| {
            let path = entry.path();
            let name = path.file_stem()?.to_str()?.to_owned();
            (path.extension()? == "toml" && self.path(&name).is_some()).then_some(name)
        });
        shipped.chain(named).collect()
    }

    /// The file of a name, which may come over the bus: it must not lead out of the folders, nor to
    /// what editors leave behind.
    fn path(&self, name: &str) -> Option<PathBuf> {
        if name.is_empty() || name.starts_with('.') || name.contains(['/', '\0']) {
            return None;
        }
        let file = format!("{name}.toml");
        self.folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file())
    }
}

fn read(name: &str, path: &Path) -> Result<Known, ControlProblem> {
    let place = path.display().to_string();
    match read_text(path) {
        Ok(Ok(text)) => parse(name, text, place),
        Ok(Err(error)) => Err(ControlProblem::Wrong { place, error }),
        Err(source) => Err(ControlProblem::Unreadable { place, source }),
    }
}

/// The text of a file, or where it is none. A device or a pipe is no file.
pub fn read_text(path: &Path) -> io::Result<Result<String, FileError>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(FILE_LIMIT + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > FILE_LIMIT) {
        return Err(io::Error::other(format!("larger than {} KiB", FILE_LIMIT / 1024)));
    }
    Ok(FileError::text(bytes))
}

/// Reads the text of a control file that did not come from a folder.
pub fn parse(name: &str, text: String, place: String) -> Result<Known, ControlProblem> {
    match ControlFile::parse(&text) {
        Ok(ControlFile { name: title, control }) => {
            Ok(Known { name: name.to_owned(), title, text, control })
        }
        Err(error) => Err(ControlProblem::Wrong { place, error }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_lies_about_in_a_folder_is_no_control_and_breaks_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        file("mine.toml", "name = 'Mine'\n[[period]]\ntime = '5m'\n");
        file("bad.toml", "name = 'Bad'\n");
        file(".hidden.toml", "name = 'x'\n[[period]]\ntime = '5m'\n");
        file("notes.txt", "");
        symlink("nowhere", folder.path().join(".#mine.toml")).unwrap();
        symlink("nowhere", folder.path().join("dangling.toml")).unwrap();
        std::fs::create_dir(folder.path().join("folder.toml")).unwrap();
        let library = Library::new(vec![folder.path().to_owned(), "/nowhere".into()]);
        let list = library.list();
        let own: Vec<&String> = list.keys().filter(|name| preset(name).is_none()).collect();
        assert_eq!(own, ["bad", "mine"]);
        assert_eq!(list["mine"], "Mine");
        assert!(list["bad"].starts_with("cannot be used: "), "{}", list["bad"]);
        for name in ["dangling", "folder", ".#mine", "../mine", "", "\0"] {
            let problem = library.find(name).expect_err(name).to_string();
            let all = format!("shows all {}", presets().len() + 2);
            assert!(problem.contains(&all), "{problem}");
        }
        let problem = library.find("min").expect_err("not the whole name").to_string();
        assert!(problem.contains("perhaps mine?"), "{problem}");
    }

    #[test]
    fn bytes_that_are_no_text_are_named_with_their_line() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.toml"), b"name = 'x'\n\xff\n").unwrap();
        let library = Library::new(vec![folder.path().to_owned()]);
        let problem = library.find("x").expect_err("no text").to_string();
        assert!(problem.contains("x.toml:2: not UTF-8"), "{problem}");
    }
}
