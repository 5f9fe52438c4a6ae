//! A library that stays in memory, so that a service need not parse the files again for each
//! request.

use crate::{FileLibrary, LibraryEntry, LoadError, NamedControl};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// A [`FileLibrary`] whose files are read and parsed once, and again only when a file has changed.
///
/// Each call compares the present files of the folders with those that were read. It compares their
/// names and, for each file and folder, the inode, the size and the times of the last change. So a
/// file that was added, removed, replaced or edited is noticed with the next call. An edit is not
/// noticed if it comes less than one tick of the kernel (10 ms at most) after the file was read and
/// leaves its size as it was.
#[derive(Debug)]
pub struct CachedLibrary<T = NamedControl> {
    library: FileLibrary<T>,
    loaded: Mutex<Loaded<T>>,
}

#[derive(Debug)]
struct Loaded<T> {
    /// How many times the files were loaded; 0 before the first call.
    times: u64,
    files: Vec<File>,
    entries: Entries<T>,
}

/// Each name with its entry, or with the reason why its file cannot be used.
type Entries<T> = Arc<BTreeMap<String, Result<T, String>>>;

/// The state of a file or a folder. If it differs from the state at the last load, all files are
/// loaded again.
#[derive(Debug, PartialEq, Eq)]
struct File {
    path: PathBuf,
    /// The result of `status_of`; `None` if the path does not exist.
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

impl<T: LibraryEntry> CachedLibrary<T> {
    /// Creates a cache of this library. No file is read before the first call of a method.
    pub fn new(library: FileLibrary<T>) -> CachedLibrary<T> {
        let loaded = Loaded { times: 0, files: Vec::new(), entries: Arc::default() };
        CachedLibrary { library, loaded: Mutex::new(loaded) }
    }

    /// The library that reads the files.
    pub fn library(&self) -> &FileLibrary<T> {
        &self.library
    }

    /// The entry of this name, or why there is none. Names from the bus are safe here, as they are
    /// for [`FileLibrary::find`].
    pub fn find(&self, name: &str) -> Result<T, String> {
        let entries = self.entries();
        match entries.get(name) {
            Some(found) => found.clone(),
            None => {
                let names: Vec<&str> = entries.keys().map(String::as_str).collect();
                Err(LoadError::unknown::<T>(name, &names).to_string())
            }
        }
    }

    /// All names with their titles, as [`FileLibrary::list`] gives them.
    pub fn list(&self) -> Vec<(String, String)> {
        let titled = |(name, found): (&String, &Result<T, String>)| match found {
            Ok(entry) => (name.clone(), entry.title().to_owned()),
            Err(error) => (name.clone(), format!("cannot be used: {error}")),
        };
        self.entries().iter().map(titled).collect()
    }

    fn entries(&self) -> Entries<T> {
        let mut loaded = self.lock();
        let files: Vec<File> = self.library.files().into_iter().map(File::new).collect();
        if loaded.times == 0 || loaded.files != files {
            let names = self.library.names();
            let find = |name: &String| self.library.find(name).map_err(|error| error.to_string());
            let entries = names.into_iter().map(|name| (name.clone(), find(&name))).collect();
            let times = loaded.times + 1;
            *loaded = Loaded { times, files, entries: Arc::new(entries) };
        }
        Arc::clone(&loaded.entries)
    }

    fn lock(&self) -> MutexGuard<'_, Loaded<T>> {
        self.loaded.lock().expect("nothing panics while it holds the lock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Library, RuleLibrary};
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
        // The folder `late` does not exist yet.
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
        // A new file that is no control changes the state of the folder, so the files are loaded
        // once more at most.
        std::fs::write(first.path().join("notes.txt"), "").unwrap();
        library.list();
        assert!(times() <= loaded + 1);
        let unchanged = times();
        library.list();
        assert_eq!(times(), unchanged);
        let plain: Vec<_> = Library::new(folders).list().into_iter().collect();
        assert_eq!(library.list(), plain);
    }

    #[test]
    fn a_profile_is_read_again_when_the_file_that_it_inherits_from_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("club.toml", "name = 'Club'\nshow_moves = true\n");
        write("juniors.toml", "name = 'Juniors'\ninherits = 'club'\n");
        let library = CachedLibrary::new(RuleLibrary::new(vec![folder.path().to_owned()]));
        let shows_moves = || library.find("juniors").unwrap().profile().show_moves;
        assert!(shows_moves());
        assert_eq!((shows_moves(), library.lock().times), (true, 1));
        write("club.toml", "name = 'Club'\nshow_moves = false\n");
        assert!(!shows_moves());
        let error = library.find("junior").unwrap_err();
        assert!(error.starts_with("no rule profile `junior`; perhaps juniors?"), "{error}");
    }
}
