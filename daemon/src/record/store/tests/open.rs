//! Tests of how the store reacts to what it finds at the path of the record, and of who may read
//! and change the files.

use super::readable::Readable;
use super::*;
use crate::record::store::schema::{self, APPLICATION_ID, MIGRATIONS};
use crate::record::store::{Access, Check, StoreError};
use rusqlite::Connection;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

pub(super) fn moved_aside(path: &Path) -> (PathBuf, StoreError) {
    let Opened { mut store, moved_aside, .. } = Store::open(path, None).unwrap();
    assert_eq!(store.current().unwrap(), None);
    store.append(&rows(1..4, 1), &[begin(1, 1)], None).unwrap();
    let moved = moved_aside.expect("it is moved aside");
    (moved.to, moved.why)
}

#[test]
fn the_files_are_readable_by_the_service_alone() {
    let folder = folder();
    let store = with_entries(&file(&folder), 3);
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", entry.path().display());
    }
    drop(store);
}

#[test]
fn a_file_that_is_no_database_is_moved_aside_unchanged() {
    for contents in [&b"not a database, but longer than the header of one. ".repeat(40)[..], b"x"] {
        let folder = folder();
        fs::write(file(&folder), contents).unwrap();
        let (to, why) = moved_aside(&file(&folder));
        assert_eq!(to, folder.path().join("record.sqlite3.corrupt-1"));
        assert!(matches!(why, StoreError::Corrupt { .. }), "{why}");
        assert_eq!(fs::read(to).unwrap(), contents);
    }
}

/// The service never records so much, but somebody else can have written the file. With it, systemd would end
/// the service for its memory at each start.
#[test]
fn a_record_that_does_not_fit_into_the_memory_of_the_service_is_moved_aside() {
    for change in [
        "UPDATE entries SET state = printf('%.*c', 5242880, 'x') WHERE number = 2",
        "UPDATE entries SET chain = zeroblob(5242880) WHERE number = 3",
        "UPDATE games SET digest = zeroblob(5242880)",
    ] {
        let folder = folder();
        drop(with_entries(&file(&folder), 3));
        Connection::open(file(&folder)).unwrap().execute_batch(change).unwrap();
        let (to, why) = moved_aside(&file(&folder));
        assert_eq!(to, folder.path().join("record.sqlite3.corrupt-1"));
        assert!(why.to_string().contains("too big"), "{change}: {why}");
    }
    let folder = folder();
    let mut store = with_entries(&file(&folder), 1);
    for number in 2..27 {
        let input = "x".repeat(1024 * 1024);
        store.append(&[NewRow { input, ..row(number, 1) }], &[], None).unwrap();
    }
    drop(store);
    // This is checked by each opening, also by that after a kill.
    let quick = Store::open_as(&file(&folder), Access::default(), Check::Quick).unwrap();
    let Opened { mut store, moved_aside: None, .. } = quick else { panic!("it is opened") };
    let damage = store.visit_current(|_| ()).unwrap_err();
    assert!(damage.is_damage() && damage.to_string().contains("24 MiB of input"), "{damage}");
    drop(store);
    assert!(moved_aside(&file(&folder)).1.to_string().contains("24 MiB of input"));
}

#[test]
fn a_database_of_another_program_is_moved_aside_unchanged() {
    let folder = folder();
    let connection = Connection::open(file(&folder)).unwrap();
    connection
        .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE bookmarks (url TEXT);")
        .unwrap();
    drop(connection);
    let before = fs::read(file(&folder)).unwrap();
    let (to, why) = moved_aside(&file(&folder));
    assert_eq!(to, folder.path().join("record.sqlite3.foreign-1"));
    assert!(matches!(why, StoreError::Foreign { .. }), "{why}");
    assert_eq!(fs::read(to).unwrap(), before);
}

#[test]
fn a_newer_version_is_moved_aside_with_its_log_unchanged() {
    let folder = folder();
    drop(with_entries(&file(&folder), 3));
    let connection = Connection::open(file(&folder)).unwrap();
    connection.execute_batch(&format!("PRAGMA user_version = {}", MIGRATIONS.len() + 1)).unwrap();
    drop(connection);
    let before = fs::read(file(&folder)).unwrap();
    let (to, why) = moved_aside(&file(&folder));
    assert!(to.ends_with("record.sqlite3.newer-1"));
    let versions = format!("has the version {}", MIGRATIONS.len() + 1);
    assert!(why.to_string().contains(&versions), "{why}");
    assert_eq!(fs::read(to).unwrap(), before);
}

#[test]
fn a_log_whose_header_is_gone_is_damage_if_frames_follow() {
    for gone in [0..32, 0..4, 16..24] {
        let folder = folder();
        let store = with_entries(&file(&folder), 3);
        let log = folder.path().join("record.sqlite3-wal");
        let mut bytes = fs::read(&log).unwrap();
        drop(store);
        bytes[gone].fill(0);
        fs::write(&log, &bytes).unwrap();
        let (to, why) = moved_aside(&file(&folder));
        assert!(to.ends_with("record.sqlite3.corrupt-1"), "{why}");
        // A header whose first write was cut off is no damage, because no frame follows.
        fs::remove_file(&log).unwrap();
        fs::write(&log, [&[0; 32][..], &[7; 9_000]].concat()).unwrap();
        let opened = Store::open(&file(&folder), None).unwrap();
        assert!(opened.moved_aside.is_none() && opened.last_write_unfinished);
    }
}

/// The only frame is that of a transaction that stores a `Checkpoint`, which changes one page.
#[test]
fn a_log_with_one_frame_whose_header_is_gone_is_damage() {
    for gone in [0..32, 0..4, 4..12, 8..32] {
        let folder = folder();
        drop(with_entries(&file(&folder), 3));
        let mut store = open(&file(&folder));
        store.checkpoint(&checkpoint(3)).unwrap();
        let log = folder.path().join("record.sqlite3-wal");
        let mut bytes = fs::read(&log).unwrap();
        assert_eq!(bytes.len(), 32 + 24 + 4096);
        drop(store);
        bytes[gone.clone()].fill(0x5a);
        fs::write(&log, &bytes).unwrap();
        let (to, why) = moved_aside(&file(&folder));
        assert!(why.to_string().contains("frames follow"), "{why}");
        let kept = folder.path().join("record.sqlite3.corrupt-1-wal");
        assert_eq!(fs::read(kept).unwrap(), bytes, "{}", to.display());
        // A frame that was never written completely is no damage.
        bytes[4_000] ^= 1;
        fs::remove_file(&log).unwrap();
        fs::write(&log, &bytes).unwrap();
        let opened = Store::open(&file(&folder), None).unwrap();
        assert!(opened.moved_aside.is_none() && opened.last_write_unfinished, "{gone:?}");
    }
}

#[test]
fn changed_tables_are_damage() {
    for sql in ["ALTER TABLE entries ADD COLUMN more TEXT", "DROP TABLE checkpoint"] {
        let folder = folder();
        drop(with_entries(&file(&folder), 3));
        Connection::open(file(&folder)).unwrap().execute_batch(sql).unwrap();
        let (_, why) = moved_aside(&file(&folder));
        assert!(why.to_string().contains("its tables"), "{why}");
    }
}

#[test]
fn a_log_without_its_database_is_moved_aside() {
    let folder = folder();
    let store = with_entries(&file(&folder), 3);
    let log = folder.path().join("record.sqlite3-wal");
    let contents = fs::read(&log).unwrap();
    assert!(!contents.is_empty());
    fs::remove_file(file(&folder)).unwrap();
    drop(store);
    assert_eq!(fs::read(&log).unwrap(), contents);
    let (to, _) = moved_aside(&file(&folder));
    assert!(!to.exists());
    assert_eq!(fs::read(folder.path().join("record.sqlite3.corrupt-1-wal")).unwrap(), contents);
}

#[test]
fn each_file_that_is_moved_aside_has_a_name_of_its_own() {
    let folder = folder();
    for number in 1..=3 {
        fs::write(file(&folder), format!("{number}").repeat(200)).unwrap();
        let _ = fs::remove_file(folder.path().join("record.sqlite3-wal"));
        let (to, _) = moved_aside(&file(&folder));
        assert_eq!(to, folder.path().join(format!("record.sqlite3.corrupt-{number}")));
    }
    for number in 1..=3 {
        let kept = folder.path().join(format!("record.sqlite3.corrupt-{number}"));
        assert_eq!(fs::read_to_string(kept).unwrap(), format!("{number}").repeat(200));
    }
}

#[test]
fn damage_that_is_found_later_is_moved_aside_by_the_caller() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 30);
    store.connected = None;
    let connection = Connection::open(file(&folder)).unwrap();
    connection.execute_batch("UPDATE entries SET state = '' WHERE number = 20").unwrap();
    drop(connection);
    let why = store.current().unwrap_err();
    let Opened { mut store, moved_aside, .. } = store.move_aside(why).unwrap();
    let moved = moved_aside.unwrap();
    assert_eq!(Readable::of_file(&moved.to, None).rows.len(), 19);
    store.append(&rows(31..33, 2), &[begin(2, 31)], None).unwrap();
    assert_eq!(current_rows(&mut store), rows(31..33, 2));
}

#[test]
fn links_folders_and_a_second_writer_are_refused() {
    let folder = folder();
    let path = file(&folder);
    let elsewhere = folder.path().join("elsewhere");
    for name in ["record.sqlite3", "record.sqlite3-wal", "record.sqlite3-journal"] {
        let link = folder.path().join(name);
        symlink(&elsewhere, &link).unwrap();
        let refused = Store::open(&path, None).err().unwrap();
        assert!(matches!(&refused, StoreError::NotRegular { path } if *path == link), "{refused}");
        fs::remove_file(link).unwrap();
    }
    assert!(!elsewhere.exists());
    fs::create_dir(&path).unwrap();
    let refused = Store::open(&path, None).err().unwrap();
    assert!(matches!(refused, StoreError::NotRegular { .. }) && !refused.is_damage());
    fs::remove_dir(&path).unwrap();

    let store = with_entries(&path, 3);
    let refused = Store::open(&path, None).err().unwrap();
    assert!(matches!(refused, StoreError::InUse { .. }) && refused.may_pass(), "{refused}");
    drop(store);
    open(&path);
}

#[test]
fn no_other_program_can_change_the_record_meanwhile() {
    let folder = folder();
    let mut store = with_entries(&file(&folder), 3);
    // Python's `sqlite3` opens the file as any other program would.
    let script = "PRAGMA busy_timeout = 50; DELETE FROM entries;";
    let output = std::process::Command::new("python3")
        .arg("-c")
        .arg(format!("import sqlite3, sys\nsqlite3.connect(sys.argv[1]).executescript({script:?})"))
        .arg(store.path())
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("database is locked"), "{error}");
    assert_eq!(current_rows(&mut store), rows(1..4, 1));
}

#[test]
fn a_folder_that_is_missing_may_come_later() {
    let folder = folder();
    let error = Store::open(&folder.path().join("none/record.sqlite3"), None).err().unwrap();
    assert!(error.may_pass() && !error.is_damage(), "{error}");
}

/// Migrates a file of this version to an invented newer version. Its tables are then those of a new
/// file of that version, and its rows are kept.
#[test]
fn an_older_version_is_brought_to_this_one_with_its_rows() {
    let newer: Vec<&str> = MIGRATIONS
        .iter()
        .copied()
        .chain([
            "ALTER TABLE games ADD COLUMN place TEXT",
            "CREATE TABLE notes (text TEXT) STRICT;",
        ])
        .collect();
    let folder = folder();
    drop(with_entries(&file(&folder), 3));
    let mut old = Connection::open(file(&folder)).unwrap();
    let found = schema::version(&old, &newer).unwrap();
    assert_eq!(found, schema::Version::Known(MIGRATIONS.len()));
    schema::migrate(&mut old, MIGRATIONS.len(), &newer).unwrap();
    assert_eq!(schema::version(&old, &newer).unwrap(), schema::Version::Known(newer.len()));
    let entries: i64 = old.query_row("SELECT count(*) FROM entries", [], |row| row.get(0)).unwrap();
    assert_eq!(entries, 3);
    let places =
        old.query_row("SELECT place FROM games", [], |row| row.get::<_, Option<String>>(0));
    assert_eq!(places.unwrap(), None);

    // `version_1.sql` is a copy of the SQL text of version 1. The comparison fails if that version
    // was changed by mistake.
    let text = Connection::open_in_memory().unwrap();
    text.execute_batch(include_str!("version_1.sql")).unwrap();
    text.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    text.pragma_update(None, "user_version", 1).unwrap();
    assert_eq!(schema::version(&text, &MIGRATIONS[..1]).unwrap(), schema::Version::Known(1));
}

#[test]
fn a_step_that_fails_leaves_the_older_version() {
    let folder = folder();
    drop(with_entries(&file(&folder), 3));
    let newer = [MIGRATIONS, &["CREATE TABLE notes (text TEXT) STRICT; SELECT nothing"]].concat();
    let mut old = Connection::open(file(&folder)).unwrap();
    schema::migrate(&mut old, MIGRATIONS.len(), &newer).unwrap_err();
    drop(old);
    assert_eq!(current_rows(&mut open(&file(&folder))), rows(1..4, 1));
}
