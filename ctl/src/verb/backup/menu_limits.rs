//! The limits for a backup that is loaded from the menu at the clock. Everybody can press the buttons and
//! connect a stick, so a person with bad intentions can have made the backup.

use std::fs::{self, File};
use std::path::Path;

use rustix::fs::{StatVfs, statvfs};

use crate::backup::{Checked, Place, System};

/// The largest file of a backup, in bytes.
const BYTES_LIMIT: u64 = 1 << 30;
/// A load is refused if less than one part in this number of the file system would stay free. With 10,
/// that is a tenth. Each load keeps copies of the replaced files, so without this limit many loads could
/// fill the disk of the clock.
const FREE_PART: u64 = 10;
/// On a large file system, it is enough if this many bytes stay free. That is room for the records of
/// more than fifty of the longest games, which have 16 MiB of inputs each.
const FREE_BYTES: u64 = 1 << 30;

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

/// Returns an error if too little of the file system of this folder would stay free after so many bytes
/// and files were written into the folder.
fn check_room(folder: &Path, shown: &str, bytes: u64, files: u64) -> Result<(), Refused> {
    let room = statvfs(folder).map_err(|error| ("no-room", format!("{shown}: {error}")))?;
    if has_room(&room, bytes, files) {
        return Ok(());
    }
    let why = format!("{shown} has no room for its {} KiB", bytes.div_ceil(1024));
    Err(("no-room", why))
}

/// Whether a tenth of the file system or [`FREE_BYTES`], and a tenth of its files, would stay free after
/// so many bytes and files were written.
fn has_room(room: &StatVfs, bytes: u64, files: u64) -> bool {
    let stays_free = |free: u64, wanted: u64, least: u64| {
        free.checked_sub(wanted).is_some_and(|left| left >= least)
    };
    let block = room.f_frsize.max(1);
    let blocks = bytes.div_ceil(block).saturating_add(files);
    let least_blocks = (room.f_blocks / FREE_PART).min(FREE_BYTES.div_ceil(block));
    // Some file systems have no limit for the number of files and report 0.
    let has_files = room.f_files == 0 || stays_free(room.f_favail, files, room.f_files / FREE_PART);
    stays_free(room.f_bavail, blocks, least_blocks) && has_files
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file system of so many MiB, of which as many are free, in blocks of 4 KiB.
    fn file_system(all: u64, free: u64) -> StatVfs {
        let mut room = statvfs("/").unwrap();
        (room.f_frsize, room.f_blocks, room.f_bavail) = (4096, all * 256, free * 256);
        (room.f_files, room.f_favail) = (1000, 1000);
        room
    }

    #[test]
    fn a_tenth_of_a_file_system_or_a_gibibyte_stays_free() {
        let mib = 1 << 20;
        let small = file_system(2000, 210);
        assert!(has_room(&small, 9 * mib, 256));
        assert!(!has_room(&small, 10 * mib, 1));
        let large = file_system(200_000, 1034);
        assert!(has_room(&large, 9 * mib, 256));
        assert!(!has_room(&large, 10 * mib, 1));
        assert!(!has_room(&large, u64::MAX, u64::MAX));
    }

    #[test]
    fn a_tenth_of_the_files_stays_free_where_they_have_a_limit() {
        let mut room = file_system(2000, 2000);
        room.f_favail = 110;
        assert!(has_room(&room, 1, 10));
        assert!(!has_room(&room, 1, 11));
        (room.f_files, room.f_favail) = (0, 0);
        assert!(has_room(&room, 1, 11));
    }

    #[test]
    fn a_folder_that_is_not_there_or_too_small_has_no_room() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |folder: &Path| check_room(folder, "/x", u64::MAX, 1).unwrap_err();
        let (code, why) = refused(folder.path());
        assert_eq!((code, &*why), ("no-room", "/x has no room for its 18014398509481984 KiB"));
        let (code, why) = refused(&folder.path().join("none"));
        assert_eq!(code, "no-room");
        assert!(why.starts_with("/x: "), "{why}");
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
