//! `clockctl backup save`: writes the backup to a temporary file, checks it, and gives it its name.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use clock_controls::{is_at, is_locked};
use clockctl::record::wall_time::WallTime;
use rustix::fs::OFlags;
use serde::Serialize;

use super::record::copy_record;
use super::target::{BEGINNING, ENDING, ENTRIES_LIMIT, Target, is_backup_name};
use crate::backup::{FORMAT, Manifest, Place, System, Writer, check};
use crate::failure::Failure;
use crate::local_time::Zone;
use crate::{options::Options, out};

#[derive(Clone, Debug, clap::Args)]
pub(super) struct Save {
    /// A folder, a new file, or a partition that is not mounted, such as /dev/sda1 [default: the one
    /// USB stick, which can be pulled out afterwards]
    #[arg(value_name = "TARGET")]
    pub target: Option<PathBuf>,
    /// The root of the system
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    pub root: PathBuf,
}

/// What was saved, as JSON.
#[derive(Serialize)]
struct SavedJson {
    /// The path of the backup; only its name if it is on a stick, which is unmounted.
    file: String,
    bytes: u64,
    /// The device of the stick, which was unmounted; null for a folder or a file.
    stick: Option<PathBuf>,
    host: String,
    board: Option<String>,
    /// How many games the record has; null without a record.
    games: Option<u64>,
}

pub fn run(options: &Options, args: &Save) -> Result<()> {
    let system = System::new(&args.root);
    system.check_rights()?;
    let target = Target::open(args.target.as_deref(), true)?;
    let (path, manifest) = save(&system, &target)?;
    let (file, bytes) = (target.shown_file(&path), fs::metadata(&path).map_or(0, |it| it.len()));
    let stick = match target.stick {
        None => None,
        Some((stick, device)) => {
            stick.unmount().map_err(|error| not_saved(&device.display().to_string(), &error))?;
            Some(device)
        }
    };
    if options.quiet {
        return Ok(());
    }
    let Manifest { host, board, games, .. } = manifest;
    if options.json {
        return out::print_json(&SavedJson { file, bytes, stick, host, board, games });
    }
    let games = match games {
        None => "no record".to_owned(),
        Some(1) => "1 game".to_owned(),
        Some(games) => format!("{games} games"),
    };
    let mut said = format!("{file}: {} KiB, {games}\n", bytes.div_ceil(1024));
    if let Some(stick) = stick {
        said += &format!("the stick {} can be pulled out\n", stick.display());
    }
    out::print(&said)
}

/// Writes the backup to a temporary file, reads that file again to check it, and then renames it. So
/// a file with the name of a backup is always complete.
fn save(system: &System, target: &Target) -> Result<(PathBuf, Manifest), Failure> {
    let shown = target.shown().display().to_string();
    let failed = |error: io::Error| not_saved(&shown, &error);
    let clockd = Place::Setting("clockd.toml".to_owned());
    let text = system.read(&clockd).map_err(unreadable)?;
    let (board, record) = system.configured(text.as_deref()).map_err(Failure::Usage)?;
    let host = system.host();
    let made_at_s = now();
    let path = match &target.name {
        Some(name) => target.folder.join(name),
        None => free_name(&target.folder, &base_name(&host, board.as_deref(), made_at_s)),
    };
    let part = Part::create(&path).map_err(failed)?;
    // As long as the temporary file is locked, no other process makes a backup of this name.
    if path.symlink_metadata().is_ok() {
        return Err(out::exists_already(&path));
    }
    let (places, left_out) = system.files().map_err(unreadable)?;
    for path in left_out {
        out::report(&format!("clockctl: left out: /etc/chess-clock/{path}\n"));
    }
    let mut writer = Writer::new(part.file().map_err(failed)?, made_at_s.unwrap_or_default());
    let games = copy_record(&record, |file, from, bytes| {
        writer.add(&Place::Record(file), from, bytes).map_err(failed)
    })?;
    for place in places {
        let Some(contents) = system.read(&place).map_err(unreadable)? else { continue };
        let bytes = u64::try_from(contents.len()).unwrap_or(u64::MAX);
        writer.add(&place, contents.as_slice(), bytes).map_err(failed)?;
    }
    let manifest = Manifest {
        chess_clock_backup: FORMAT,
        version: clock_dbus::version().to_owned(),
        host,
        board,
        made_at_s,
        games,
        sha256: writer.sum(),
    };
    let mut file = writer.finish(&manifest).map_err(failed)?;
    match check(&mut file) {
        Ok(read) if read.manifest == manifest => {}
        Ok(_) => return Err(failed(io::Error::other("another backup was read back"))),
        Err(why) => return Err(failed(io::Error::other(format!("what was read back: {why}")))),
    }
    drop(file);
    part.rename(&path).map_err(failed)?;
    Ok((path, manifest))
}

/// The seconds since 1970; `None` on a machine that does not know the time.
fn now() -> Option<u64> {
    let now = clock_wall_time::is_known().then(SystemTime::now)?;
    Some(now.duration_since(UNIX_EPOCH).ok()?.as_secs())
}

/// The name without its ending: `chess-clock-HOST-BOARD-DATE`. A part that is not known is left out.
/// The name has only letters, digits, dots and hyphens, which every file system accepts.
fn base_name(host: &str, board: Option<&str>, made_at_s: Option<u64>) -> String {
    let wall_ns = made_at_s.and_then(|it| i64::try_from(it).ok()?.checked_mul(1_000_000_000));
    let date = WallTime::new(wall_ns, Zone::system().offset(wall_ns)).map(|it| {
        let WallTime { year, month, day, hour, minute, .. } = it;
        format!("{year}-{month:02}-{day:02}-{hour:02}{minute:02}")
    });
    let word = |text: &str| {
        let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '.' || it == '-';
        let letters = text.chars().map(|it| if is_plain(it) { it } else { '-' });
        letters.take(64).collect::<String>()
    };
    let words = [Some(word(host)), board.map(word), date];
    let words: Vec<String> = words.into_iter().flatten().filter(|it| !it.is_empty()).collect();
    format!("{BEGINNING}{}", words.join("-"))
}

/// The first path that does not exist: `BASE.tar`, `BASE-2.tar`, `BASE-3.tar` and so on.
fn free_name(folder: &Path, base: &str) -> PathBuf {
    let names = (1_u32..).map(|number| match number {
        1 => format!("{base}{ENDING}"),
        number => format!("{base}-{number}{ENDING}"),
    });
    let mut paths = names.map(|name| folder.join(name));
    paths.find(|path| path.symlink_metadata().is_err()).unwrap_or_default()
}

fn unreadable(error: io::Error) -> Failure {
    Failure::Usage(error.to_string())
}

/// The failure if a backup cannot be written to this place.
fn not_saved(place: &str, error: &io::Error) -> Failure {
    let (code, why) = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ("full", "it has no room for the backup".to_owned())
        }
        io::ErrorKind::FileTooLarge => {
            ("full", "its file system has no files as large as the backup".to_owned())
        }
        io::ErrorKind::ReadOnlyFilesystem => ("read-only", "it cannot be written".to_owned()),
        _ => ("not-saved", error.to_string()),
    };
    Failure::Incomplete { code, message: format!("{place}: {why}; there is no backup") }
}

/// How the name of the temporary file ends.
const PART_ENDING: &str = ".part";

/// The temporary file `NAME.part`, which this process has locked. It is removed when the value is
/// dropped.
struct Part {
    path: PathBuf,
    file: File,
}

impl Part {
    /// Creates the temporary file of the backup `path`. The temporary files of processes that were killed
    /// are removed from the folder: they can be as large as the record, and can have passwords.
    ///
    /// # Errors
    ///
    /// Another process writes a backup of this name. Or the file cannot be created.
    fn create(path: &Path) -> io::Result<Part> {
        let mut name = path.as_os_str().to_owned();
        name.push(PART_ENDING);
        let path = PathBuf::from(name);
        remove_left(&path)?;
        let mut options = File::options();
        let file = options.read(true).write(true).create_new(true).mode(0o600).open(&path);
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => in_use(&path),
            _ => error,
        })?;
        match is_locked(&file, &path) {
            true => Ok(Part { path, file }),
            false => Err(in_use(&path)),
        }
    }

    /// The file, to be written and read.
    fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Renames the file to `path`, and waits until the new name is on the medium.
    ///
    /// # Errors
    ///
    /// Another process has removed the file, or it cannot be renamed.
    fn rename(&self, path: &Path) -> io::Result<()> {
        if !self.is_there() {
            return Err(in_use(&self.path));
        }
        fs::rename(&self.path, path)?;
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }

    /// Whether the file of this name is still the one that was created.
    fn is_there(&self) -> bool {
        is_at(&self.file, &self.path)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // After `rename`, no file has this name.
        if self.is_there() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the temporary file `path` and those of other backups in its folder, except those that a
/// process has locked.
fn remove_left(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut paths = vec![path.to_owned()];
    for entry in fs::read_dir(folder)?.take(ENTRIES_LIMIT) {
        let name = entry?.file_name();
        let is_part = |name: &str| name.strip_suffix(PART_ENDING).is_some_and(is_backup_name);
        if name.to_str().is_some_and(is_part) {
            paths.push(folder.join(name));
        }
    }
    for path in paths {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let mut options = File::options();
        options.read(true).custom_flags(flags);
        let Ok(file) = options.open(&path) else { continue };
        if is_locked(&file, &path) {
            // An error here needs no report. If the file has the name of the new temporary file, the
            // creation of that file fails and reports it. Other files do not disturb this backup.
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}

fn in_use(path: &Path) -> io::Error {
    io::Error::other(format!("another backup is being written to {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &Path) -> bool {
        let error = Part::create(path).err();
        error.is_some_and(|it| it.to_string().contains("another backup is being written to"))
    }

    #[test]
    fn a_file_that_is_being_written_is_not_taken_by_another_save() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (a, b) = (path("chess-clock-a.tar"), path("chess-clock-b.tar"));
        let first = Part::create(&a).unwrap();
        assert!(refused(&a));
        // Another name removes what killed processes have left, and not this file.
        drop(Part::create(&b).unwrap());
        assert!(first.is_there());
        first.rename(&a).unwrap();
        drop(first);
        assert!(a.exists() && !path("chess-clock-a.tar.part").exists());
    }

    #[test]
    fn a_file_that_another_process_has_replaced_is_neither_renamed_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chess-clock-a.tar");
        let of_other = folder.path().join("chess-clock-a.tar.part");
        let part = Part::create(&path).unwrap();
        fs::remove_file(&of_other).unwrap();
        fs::write(&of_other, "of another process").unwrap();
        assert!(part.rename(&path).is_err() && !path.exists());
        drop(part);
        assert!(of_other.exists());
        // A left file was found, and another process has replaced it before it is locked.
        let left = File::open(&of_other).unwrap();
        fs::remove_file(&of_other).unwrap();
        let _new = Part::create(&path).unwrap();
        assert!(!is_locked(&left, &of_other));
    }
}
