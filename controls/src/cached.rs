//! A library that stays in memory, for a service that anyone may ask at any rate.

use crate::{Library, LoadError, NamedControl};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// A [`Library`] whose controls are read and parsed once, and again only when a file has changed.
///
/// Each call compares the control files of the folders with those that were read: their names, and of
/// each file and folder the inode, the size and the times of the last change. So a file that was
/// added, removed, replaced or edited is noticed with the next call. An edit is not noticed if it
/// comes less than one tick of the kernel (10 ms at most) after the file was read and leaves its size as
/// it was.
#[derive(Debug)]
pub struct CachedLibrary {
    library: Library,
    loaded: Mutex<Loaded>,
}

#[derive(Debug, Default)]
struct Loaded {
    /// How often the controls were loaded.
    times: u64,
    files: Vec<File>,
    controls: Arc<BTreeMap<String, Result<NamedControl, String>>>,
}

/// What tells whether a file or a folder has changed.
#[derive(Debug, PartialEq, Eq)]
struct File {
    path: PathBuf,
    /// Nothing if there is no such file.
    status: Option<[i64; 6]>,
}

impl File {
    fn new(path: PathBuf) -> File {
        let status = std::fs::metadata(&path).ok();
        File { path, status: status.as_ref().map(status_of) }
    }
}

fn status_of(of: &Metadata) -> [i64; 6] {
    // The numbers are only compared, so it does not matter that large ones become negative.
    let [inode, size] = [of.ino(), of.size()].map(u64::cast_signed);
    [inode, size, of.mtime(), of.mtime_nsec(), of.ctime(), of.ctime_nsec()]
}

impl CachedLibrary {
    /// The controls of this library. Nothing is read before the first call.
    pub fn new(library: Library) -> CachedLibrary {
        CachedLibrary { library, loaded: Mutex::default() }
    }

    /// The control of this name, or why there is none. Names from the bus are safe here, as they are
    /// for [`Library::find`].
    pub fn find(&self, name: &str) -> Result<NamedControl, String> {
        let controls = self.controls();
        match controls.get(name) {
            Some(found) => found.clone(),
            None => {
                let names: Vec<&str> = controls.keys().map(String::as_str).collect();
                Err(LoadError::unknown(name, &names).to_string())
            }
        }
    }

    /// All names with their titles, as [`Library::list`] gives them.
    pub fn list(&self) -> Vec<(String, String)> {
        let titled = |(name, found): (&String, &Result<NamedControl, String>)| match found {
            Ok(named) => (name.clone(), named.title.clone()),
            Err(error) => (name.clone(), format!("cannot be used: {error}")),
        };
        self.controls().iter().map(titled).collect()
    }

    fn controls(&self) -> Arc<BTreeMap<String, Result<NamedControl, String>>> {
        let mut loaded = self.lock();
        let files: Vec<File> = self.library.files().into_iter().map(File::new).collect();
        if loaded.times == 0 || loaded.files != files {
            let names = self.library.names();
            let find = |name: &String| self.library.find(name).map_err(|error| error.to_string());
            let controls = names.into_iter().map(|name| (name.clone(), find(&name))).collect();
            let times = loaded.times + 1;
            *loaded = Loaded { times, files, controls: Arc::new(controls) };
        }
        Arc::clone(&loaded.controls)
    }

    fn lock(&self) -> MutexGuard<'_, Loaded> {
        self.loaded.lock().expect("nothing panics while it holds the lock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::text::presets;

    fn control(title: &str) -> String {
        format!("name = '{title}'\n[[period]]\ntime = '5m'\n")
    }

    fn title(library: &CachedLibrary, name: &str) -> Option<String> {
        library.list().into_iter().find(|(other, _)| other == name).map(|(_, title)| title)
    }

    #[test]
    fn the_controls_are_loaded_once_and_again_only_when_a_file_has_changed() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        // This folder does not exist yet.
        let late = second.path().join("late");
        let folders = vec![first.path().to_owned(), late.clone()];
        let library = CachedLibrary::new(Library::new(folders.clone()));
        let file = first.path().join("mine.toml");
        std::fs::write(&file, control("One")).unwrap();
        let times = || library.lock().times;
        assert_eq!(times(), 0);
        for _ in 0..100 {
            assert_eq!(library.list().len(), presets().len() + 1);
            assert_eq!(library.find("mine").unwrap().title, "One");
            assert!(library.find("mime").unwrap_err().contains("perhaps mine?"));
        }
        assert_eq!(times(), 1);

        std::fs::write(&file, control("Other")).unwrap();
        assert_eq!(title(&library, "mine").as_deref(), Some("Other"), "edited");
        assert_eq!(times(), 2);
        let temporary = first.path().join("mine.new");
        std::fs::write(&temporary, control("Third")).unwrap();
        std::fs::rename(temporary, &file).unwrap();
        assert_eq!(title(&library, "mine").as_deref(), Some("Third"), "replaced");
        std::fs::create_dir(&late).unwrap();
        std::fs::write(late.join("yours.toml"), "nonsense").unwrap();
        let yours = title(&library, "yours").unwrap();
        assert!(yours.starts_with("cannot be used: "), "added: {yours}");
        assert!(library.find("yours").is_err());
        std::fs::remove_file(&file).unwrap();
        assert_eq!(title(&library, "mine"), None, "removed");
        let loaded = times();
        // A file that is no control changes the folder, so the folder is read again.
        std::fs::write(first.path().join("notes.txt"), "").unwrap();
        library.list();
        assert!(times() <= loaded + 1);
        let unchanged = times();
        library.list();
        assert_eq!(times(), unchanged);
        let plain: Vec<_> = Library::new(folders).list().into_iter().collect();
        assert_eq!(library.list(), plain);
    }
}
