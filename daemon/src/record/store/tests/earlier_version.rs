//! Tests of the return to a release that knows only an earlier version of the tables.

use super::*;
use crate::record::store::schema::MIGRATIONS;
use crate::record::store::{Access, Check, StoreError};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

fn open_in_next_release(path: &Path) -> Store {
    let opened = Store::open_as(path, Access::of_next_release(), Check::Thorough).unwrap();
    assert!(opened.moved_aside.is_none(), "{:?}", opened.moved_aside);
    opened.store
}

fn copy(folder: &TempDir) -> PathBuf {
    folder.path().join(format!("record.sqlite3.version-{}", MIGRATIONS.len()))
}

#[test]
fn the_release_before_goes_on_with_its_record() {
    let folder = folder();
    let path = file(&folder);
    drop(with_entries(&path, 3));
    // The next release keeps the copy, and its own entries are not in it.
    let mut store = open_in_next_release(&path);
    assert_eq!(current_rows(&mut store), rows(1..4, 1));
    assert_eq!(copy(&folder).metadata().unwrap().permissions().mode() & 0o777, 0o600);
    store.append(&rows(4..6, 1), &[], None).unwrap();
    drop(store);
    let newer = fs::read(&path).unwrap();

    let Opened { mut store, moved_aside, .. } = Store::open(&path, None).unwrap();
    let moved = moved_aside.unwrap();
    assert!(moved.to.ends_with("record.sqlite3.newer-1"), "{moved:?}");
    let versions = (MIGRATIONS.len() + 1, MIGRATIONS.len());
    assert!(
        matches!(moved.why, StoreError::Newer { version, known } if (version, known) == versions),
        "{moved:?}"
    );
    assert_eq!(fs::read(moved.to).unwrap(), newer);
    assert_eq!(current_rows(&mut store), rows(1..4, 1));
    assert!(!copy(&folder).exists());
    store.append(&rows(4..5, 1), &[], None).unwrap();
    drop(store);

    // The next release is installed once more.
    let mut store = open_in_next_release(&path);
    assert_eq!(current_rows(&mut store), rows(1..5, 1));
    assert!(copy(&folder).exists());
}

#[test]
fn a_power_cut_on_the_way_back_loses_nothing() {
    let folder = folder();
    let path = file(&folder);
    drop(with_entries(&path, 3));
    let mut store = open_in_next_release(&path);
    store.append(&rows(4..6, 1), &[], None).unwrap();
    drop(store);
    // The power is cut after the record was renamed and before its log was.
    assert!(folder.path().join("record.sqlite3-wal").metadata().unwrap().len() > 0);
    fs::rename(&path, folder.path().join("record.sqlite3.newer-1")).unwrap();
    let mut opened = Store::open(&path, None).unwrap();
    assert_eq!(current_rows(&mut opened.store), rows(1..4, 1));
    drop(opened);

    // The power is cut after both were renamed.
    fs::rename(&path, copy(&folder)).unwrap();
    fs::remove_file(folder.path().join("record.sqlite3-wal")).unwrap();
    assert_eq!(current_rows(&mut open(&path)), rows(1..4, 1));
}

#[test]
fn a_copy_of_an_earlier_version_does_not_take_the_place_of_a_record_that_was_removed() {
    let folder = folder();
    let path = file(&folder);
    drop(with_entries(&path, 3));
    drop(open_in_next_release(&path));
    for end in ["", "-wal"] {
        fs::remove_file(folder.path().join(format!("record.sqlite3{end}"))).unwrap();
    }
    let mut store = open_in_next_release(&path);
    assert_eq!(store.current().unwrap(), None);
    assert!(copy(&folder).exists());
}

/// The next release made its copy, and the power was cut before it converted the record.
#[test]
fn a_copy_that_was_not_needed_never_becomes_the_record_later() {
    let folder = folder();
    let path = file(&folder);
    drop(with_entries(&path, 3));
    fs::copy(&path, copy(&folder)).unwrap();
    let mut store = open(&path);
    assert!(!copy(&folder).exists());
    store.append(&rows(4..5, 1), &[], None).unwrap();
    drop(store);
    fs::write(&path, "not a database, but longer than the header of one. ".repeat(40)).unwrap();
    let (_, why) = open::moved_aside(&path);
    assert!(matches!(why, StoreError::Corrupt { .. }), "{why}");
}

#[test]
fn a_damaged_copy_is_moved_aside_too() {
    let folder = folder();
    let path = file(&folder);
    drop(with_entries(&path, 3));
    drop(open_in_next_release(&path));
    fs::write(copy(&folder), "not a database, but longer than the header of one. ".repeat(40))
        .unwrap();
    let Opened { mut store, moved_aside, .. } = Store::open(&path, None).unwrap();
    assert!(moved_aside.unwrap().to.ends_with("record.sqlite3.newer-1"));
    assert_eq!(store.current().unwrap(), None);
    assert!(folder.path().join("record.sqlite3.corrupt-1").exists());
    store.append(&rows(1..4, 1), &[begin(1, 1)], None).unwrap();
}

/// The next release also starts if the copy cannot be made: a folder has its name here.
#[test]
fn the_record_is_converted_without_a_copy_if_none_can_be_made() {
    let folder = folder();
    let path = file(&folder);
    drop(with_entries(&path, 3));
    fs::create_dir_all(copy(&folder).join("x")).unwrap();
    let mut store = open_in_next_release(&path);
    assert_eq!(current_rows(&mut store), rows(1..4, 1));
    assert!(fs::read_dir(folder.path()).unwrap().all(|entry| {
        let name = entry.unwrap().file_name();
        !name.to_string_lossy().ends_with(".part")
    }));
}
