//! The limits for a backup that is loaded from the menu at the clock. Everybody can press the buttons and
//! connect a stick, so a person with bad intentions can have made the backup.

use std::fs::{self, File};
use std::path::Path;

use rustix::fs::statvfs;

use crate::backup::{Checked, Place, System};

/// The largest file of a backup, in bytes.
const BYTES_LIMIT: u64 = 1 << 30;
/// A load is refused if less than one part in this number of the file system would stay free. With 10,
/// that is a tenth. Each load keeps copies of the replaced files, so without this limit many loads could
/// fill the disk of the clock.
const FREE_PART: u64 = 10;

/// The largest number of files in one folder of settings after a load. A load removes no files, so without
/// this limit many loads could add more time controls than fit into memory when the menu reads them.
const FILES_LIMIT: usize = 300;

/// Why a backup is refused: the code for the JSON output, and the reason as a text.
type Refused = (&'static str, String);

/// Returns an error if the file is larger than [`BYTES_LIMIT`], because reading it would take too long.
pub(super) fn check_size(file: &File) -> Result<(), Refused> {
    match file.metadata().map(|about| about.len()) {
        Ok(bytes) if bytes <= BYTES_LIMIT => Ok(()),
        Ok(bytes) => {
            let limit = BYTES_LIMIT >> 20;
            let why = format!(
                "it has {} MiB, more than {limit}: load it with clockctl backup load",
                bytes.div_ceil(1 << 20)
            );
            Err(("too-large", why))
        }
        Err(error) => Err(("damaged-backup", error.to_string())),
    }
}

/// Returns an error if the backup's `clockd.toml` names a record that is not in the folder of the record,
/// if a folder of settings would have too many files, or if a file system would have too little free space.
///
/// `clockctl` lets a process of the owner of the record's folder write the record. If the backup could
/// choose any folder, it could let `clockctl` write a file with the rights of any user.
pub(super) fn check(system: &System, record: &Path, backup: &Checked) -> Result<(), Refused> {
    let (folder, settings) = (system.state_folder(), system.configuration_folder());
    let has_ending = record.extension().is_some_and(|ending| ending == "sqlite3");
    if record.parent() != Some(&folder) || !has_ending {
        let why = "clockd.toml wants the record in another place than /var/lib/chess-clock/*.sqlite3: \
                   load it with clockctl backup load";
        return Err(("record-elsewhere", why.to_owned()));
    }
    let bytes_of = |is_of_it: fn(&Place) -> bool| -> u64 {
        let files = backup.files.iter().filter(|(place, _)| is_of_it(place));
        files.map(|(_, contents)| u64::try_from(contents.len()).unwrap_or(u64::MAX)).sum()
    };
    for shown in Place::folders() {
        check_files(&settings.join(shown), shown, backup)?;
    }
    let state = bytes_of(|place| matches!(place, Place::Menu));
    check_room(&folder, "/var/lib/chess-clock", state + backup.record_bytes().unwrap_or(0), 2)?;
    let files = u64::try_from(backup.files.len()).unwrap_or(u64::MAX);
    // Twice the bytes: the new files, and the copies of the files that they replace.
    let bytes = bytes_of(|place| matches!(place, Place::Setting(_))).saturating_mul(2);
    check_room(&settings, "/etc/chess-clock", bytes, files.saturating_mul(2))
}

/// Returns an error if this folder of settings would have more than [`FILES_LIMIT`] files after the load.
fn check_files(folder: &Path, shown: &str, backup: &Checked) -> Result<(), Refused> {
    let there = fs::read_dir(folder).map_or(0, |entries| entries.take(2 * FILES_LIMIT).count());
    let beginning = format!("settings/{shown}/");
    let names = backup.files.iter().map(|(place, _)| place.name());
    let names = names.filter_map(|name| name.strip_prefix(&beginning).map(str::to_owned));
    let new = names.filter(|name| fs::symlink_metadata(folder.join(name)).is_err()).count();
    match there + new {
        files if new == 0 || files <= FILES_LIMIT => Ok(()),
        files => {
            let why = format!(
                "/etc/chess-clock/{shown} would have {files} files, more than {FILES_LIMIT}"
            );
            Err(("no-room", why))
        }
    }
}

/// Returns an error if less than a tenth of the file system of this folder would stay free after so many
/// bytes and files were written into the folder.
fn check_room(folder: &Path, shown: &str, bytes: u64, files: u64) -> Result<(), Refused> {
    let room = statvfs(folder).map_err(|error| ("no-room", format!("{shown}: {error}")))?;
    let has_room = |free: u64, all: u64, wanted: u64| {
        free.checked_sub(wanted).is_some_and(|left| left >= all / FREE_PART)
    };
    let blocks = bytes.div_ceil(room.f_frsize.max(1)).saturating_add(files);
    let has_blocks = has_room(room.f_bavail, room.f_blocks, blocks);
    // Some file systems have no limit for the number of files and report 0.
    let has_files = room.f_files == 0 || has_room(room.f_favail, room.f_files, files);
    if has_blocks && has_files {
        return Ok(());
    }
    let why = format!("{shown} has no room for its {} KiB", bytes.div_ceil(1024));
    Err(("no-room", why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_a_file_system_stays_free() {
        let folder = tempfile::tempdir().unwrap();
        let room = statvfs(folder.path()).unwrap();
        let all = room.f_bavail.saturating_mul(room.f_frsize);
        let refused =
            |bytes, files| check_room(folder.path(), "/x", bytes, files).map_err(|it| it.0);
        assert_eq!(refused(1, 1), Ok(()));
        assert_eq!(refused(all - all / 20, 1), Err("no-room"));
        assert_eq!(refused(u64::MAX, u64::MAX), Err("no-room"));
    }

    #[test]
    fn a_file_of_more_than_a_gibibyte_is_refused_before_it_is_read() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(BYTES_LIMIT).unwrap();
        assert_eq!(check_size(&file), Ok(()));
        file.set_len(BYTES_LIMIT + 1).unwrap();
        let (code, why) = check_size(&file).unwrap_err();
        assert_eq!(code, "too-large");
        assert!(why.starts_with("it has 1025 MiB, more than 1024: "), "{why}");
    }
}
