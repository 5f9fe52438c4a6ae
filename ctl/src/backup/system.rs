//! Reads and writes the files of a backup on a system. The system is this machine (root `/`) or a card
//! that is mounted in a folder.

use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use clock_controls::{StagedFile, replace_file_with};
use rustix::fs::OFlags;
use serde::Deserialize;

use super::place::{FILES, FOLDERS, Place, RECORD};
use crate::failure::Failure;

const CONFIGURATION: &str = "etc/chess-clock";
const STATE: &str = "var/lib/chess-clock";
/// The file with the reason why a backup was not loaded completely. The environment variable
/// `CHESS_CLOCK_LOAD_FAILED` of clockd.service has this path.
const FAILED_LOAD: &str = "run/chess-clock/load-failed";

/// The file tree of a clock, below a root folder.
pub struct System {
    root: PathBuf,
}

/// The keys of `clockd.toml` that a backup needs. Other keys are ignored.
#[derive(Default, Deserialize)]
struct Configuration {
    board: Option<toml::Value>,
    #[serde(default)]
    record: RecordTable,
}

#[derive(Default, Deserialize)]
struct RecordTable {
    path: Option<PathBuf>,
}

impl System {
    pub fn new(root: &Path) -> System {
        System { root: root.to_owned() }
    }

    /// Whether this is the running system.
    pub fn is_this_machine(&self) -> bool {
        self.root == Path::new("/")
    }

    /// Refuses everybody but root, who alone can read the record of this machine.
    pub fn check_rights(&self) -> Result<(), Failure> {
        match self.is_this_machine() && !rustix::process::geteuid().is_root() {
            false => Ok(()),
            true => {
                let why = "only root may read the record: use sudo";
                Err(Failure::Denied(why.to_owned()))
            }
        }
    }

    /// The name of the machine.
    pub fn host(&self) -> String {
        if self.is_this_machine() {
            return rustix::system::uname().nodename().to_string_lossy().into_owned();
        }
        let text = fs::read_to_string(self.root.join("etc/hostname")).unwrap_or_default();
        text.trim().to_owned()
    }

    /// The places of all files that belong to a backup, and the paths that are left out. A path is left
    /// out if it is not a regular file, or if its name is not one that a backup can contain.
    pub fn files(&self) -> io::Result<(Vec<Place>, Vec<String>)> {
        let (mut places, mut left_out) = (Vec::new(), Vec::new());
        let mut paths: Vec<String> = FILES.map(str::to_owned).to_vec();
        for folder in FOLDERS {
            let in_folder = match fs::read_dir(self.root.join(CONFIGURATION).join(folder)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.map_err(|error| at(folder, &error))?,
            };
            for entry in in_folder {
                let name = entry?.file_name().to_string_lossy().into_owned();
                paths.push(format!("{folder}/{name}"));
            }
        }
        paths.sort();
        for path in paths {
            match (self.is_file(&Path::new(CONFIGURATION).join(&path))?, Place::of_setting(&path)) {
                (None, _) => {}
                (Some(true), Some(place)) => places.push(place),
                _ => left_out.push(path),
            }
        }
        if self.is_file(&Path::new(STATE).join("menu.json"))? == Some(true) {
            places.push(Place::Menu);
        }
        Ok((places, left_out))
    }

    /// Returns `Some(true)` if the path is a regular file, `Some(false)` if it is something else, such as
    /// a symbolic link or a folder, and `None` if nothing exists at the path.
    fn is_file(&self, path: &Path) -> io::Result<Option<bool>> {
        match fs::symlink_metadata(self.root.join(path)) {
            Ok(found) => Ok(Some(found.is_file())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(at(&path.to_string_lossy(), &error)),
        }
    }

    /// The path of a file; for the record, the one that applies if `clockd.toml` names no other folder.
    pub fn path(&self, place: &Place) -> PathBuf {
        match place {
            Place::Setting(path) => self.root.join(CONFIGURATION).join(path),
            Place::Menu => self.root.join(STATE).join("menu.json"),
            Place::Record(_) => self.root.join(STATE).join(place.name()),
        }
    }

    /// The folder of the settings.
    pub fn configuration_folder(&self) -> PathBuf {
        self.root.join(CONFIGURATION)
    }

    /// Writes the file with the reason why a backup was not loaded completely. `clockd` reads the file when
    /// it starts, and the face shows the reason. If `reason` is `None`, removes the file of an earlier load.
    /// The file is in `/run`, so a restart of the machine removes it, too.
    pub fn write_failed_load(&self, reason: Option<&str>) -> io::Result<()> {
        let path = self.root.join(FAILED_LOAD);
        let done = match reason {
            None => fs::remove_file(&path),
            Some(reason) => {
                // The folder exists already if chess-clock-set-up.service has run.
                fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
                replace_file_with(&path, reason.as_bytes(), |file| {
                    file.set_permissions(Permissions::from_mode(0o644))
                })
            }
        };
        match done {
            Err(error) if reason.is_none() && error.kind() == io::ErrorKind::NotFound => Ok(()),
            done => done.map_err(|error| at(FAILED_LOAD, &error)),
        }
    }

    /// The contents of a file; `None` if it does not exist. A symbolic link is an error.
    pub fn read(&self, place: &Place) -> io::Result<Option<Vec<u8>>> {
        let path = self.path(place);
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let file = match File::options().read(true).custom_flags(flags).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|error| at(&place.shown(), &error))?,
        };
        let mut contents = Vec::new();
        file.take(place.limit() + 1)
            .read_to_end(&mut contents)
            .map_err(|error| at(&place.shown(), &error))?;
        if u64::try_from(contents.len()).unwrap_or(u64::MAX) > place.limit() {
            let why = format!("it has more than {} bytes", place.limit());
            return Err(at(&place.shown(), &io::Error::other(why)));
        }
        Ok(Some(contents))
    }

    /// Writes the new version of a file, which does not take its place yet. If the file exists, its owner
    /// and its permissions are kept. A new file of the menu gets the owner of its folder.
    pub fn stage(&self, place: &Place, contents: &[u8]) -> io::Result<StagedFile> {
        let path = self.path(place);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(|error| at(&place.shown(), &error))?;
        let earlier = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file);
        let owner = match (&earlier, place) {
            (None, Place::Menu) => fs::metadata(folder).ok(),
            _ => earlier.clone(),
        };
        let mode = earlier.map_or(place.mode(), |earlier| earlier.mode() & 0o7777);
        StagedFile::write(&path, contents, |file| {
            if let Some(owner) = owner {
                fchown(file, Some(owner.uid()), Some(owner.gid()))?;
            }
            file.set_permissions(Permissions::from_mode(mode))
        })
        .map_err(|error| at(&place.shown(), &error))
    }

    /// Creates the folder `/etc/chess-clock/before-load-N`, in which the replaced files are kept. `N` is
    /// the first free number. Only root can read the folder.
    pub fn make_folder_before(&self) -> io::Result<PathBuf> {
        for number in 1_u32.. {
            let path = self.root.join(CONFIGURATION).join(format!("before-load-{number}"));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| path),
            }
        }
        Err(io::Error::other("no free name"))
    }

    /// The board and the folder of the record that this text of `clockd.toml` configures.
    ///
    /// # Errors
    ///
    /// The text is not valid TOML; the message says what is wrong.
    pub fn configured(&self, text: Option<&[u8]>) -> Result<(Option<String>, PathBuf), String> {
        let text = String::from_utf8_lossy(text.unwrap_or_default());
        let read: Configuration = toml::from_str(&text).map_err(|error| {
            format!("clockd.toml cannot be read, and it can name the record: {}", error.message())
        })?;
        let board = match read.board {
            Some(toml::Value::String(board)) => Some(board),
            Some(toml::Value::Integer(board)) => Some(board.to_string()),
            _ => None,
        };
        let record = match read.record.path {
            Some(path) => self.root.join(path.strip_prefix("/").unwrap_or(&path)),
            None => self.root.join(STATE).join(RECORD),
        };
        Ok((board.filter(|board| !board.is_empty()), record))
    }
}

fn at(path: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{path}: {error}"))
}
