//! Tests with an open record whose file is deleted, truncated or replaced, or whose folder is moved
//! away, and with a foreign file at the start.

use super::kept::Kept;
use super::losses::keep_identity;
use super::refused::assert_recorded;
use super::*;
use crate::game::ReadRecord as _;
use crate::record::{REPLAY, RecordFile};

/// The entry that was written to the deleted file is not acknowledged. In the place of that entry,
/// the next record begins with the state of the clock.
#[test]
fn a_record_that_was_deleted_is_not_acknowledged_and_begins_again() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(2);
    rig.pass();
    std::fs::remove_file(&path).unwrap();
    rig.press(Side::White);
    rig.pass();
    let last = rig.clock.entry();
    assert!(!rig.recorder.reports.committed.borrow().includes(last));
    rig.pass();
    let on_record = rig.recorder.reports.committed.borrow().clone();
    assert!(on_record.includes(last) && !on_record.has(last));
    assert_eq!((rig.on_record().1, rig.lost()), (vec!["state".to_owned()], 1));
    assert_recorded(rig, &path);
}

/// Entries that were acknowledged and are gone with the end of a file are counted as lost. A reader
/// that has read the record does not keep it from being opened again.
#[test]
fn a_record_that_was_truncated_is_not_acknowledged_and_is_opened_again() {
    // Whether the log was emptied before, so that everything is in the database; which file is
    // truncated to which length, and how many of the 5 acknowledged entries are lost.
    for (is_emptied, end, length, lost) in
        [(true, "", 0, 5), (false, "-wal", 0, 5), (false, "-wal", 4096, 5), (true, "", 4096, 0)]
    {
        let (_folder, path) = folder();
        let mut rig = rig(Some(&path), "boot-1");
        rig.start_and_press(3);
        rig.pass();
        if is_emptied {
            // Opening the record again empties the log.
            rig.close_record();
            rig.pass_later();
        }
        let mut reader = RecordFile::new(path.clone(), REPLAY);
        assert_eq!(reader.games(0, 1).unwrap()[0].entries, 5);
        let file = PathBuf::from(format!("{}{end}", path.display()));
        std::fs::OpenOptions::new().write(true).open(file).unwrap().set_len(length).unwrap();
        rig.press(Side::Black);
        let last = rig.clock.entry();
        rig.pass();
        assert!(rig.health.storage_failed.load(Ordering::Relaxed));
        assert!(!rig.recorder.reports.committed.borrow().includes(last));
        rig.pass();
        let on_record = rig.recorder.reports.committed.borrow().clone();
        assert!(on_record.includes(last) && !on_record.has(last), "{end} {length}");
        assert!(!rig.health.storage_failed.load(Ordering::Relaxed));
        // The press is lost, too, because the state takes its place.
        assert_eq!(rig.lost(), lost + 1, "{end} {length}");
        // A damaged file is kept with what is left of its entries.
        let is_moved = rig.health.record_moved_aside.load(Ordering::Relaxed);
        assert_eq!(is_moved, lost == 0, "{end} {length}");
        assert_eq!(reader.games(0, 1).unwrap()[0].entries, 1);
        assert_recorded(rig, &path);
    }
}

/// A checkpoint notices, too, that the folder of the record is gone. So the fault is set without
/// any press.
#[test]
fn a_checkpoint_notices_that_the_folder_is_gone() {
    let (folder, _) = folder();
    let there = folder.path().join("there");
    std::fs::create_dir(&there).unwrap();
    let mut rig = rig(Some(&there.join("record.sqlite3")), "boot-1");
    rig.start_and_press(2);
    let now = std::time::Instant::now();
    rig.recorder.pass(now);
    assert_eq!(rig.recorder.reports.status.error(), None);
    std::fs::rename(&there, folder.path().join("away")).unwrap();
    rig.recorder.pass(now + Duration::from_secs(6));
    assert!(rig.recorder.reports.status.error().is_some());
}

fn remove_record(path: &Path) {
    for end in ["", "-wal"] {
        std::fs::remove_file(format!("{}{end}", path.display())).unwrap();
    }
}

/// The entries of the record that was moved aside are in that file, so they are not lost with the
/// record that was begun after it.
#[test]
fn a_record_that_was_begun_after_another_one_loses_its_own_entries_only() {
    for is_restarted in [false, true] {
        let (_folder, path) = folder();
        let (kept, mut rig) = Kept::new(&path);
        rig.start_and_press(3);
        rig.pass();
        rig.close_record();
        rig.pass_later();
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(4096).unwrap();
        rig.press(Side::Black);
        rig.pass();
        rig.pass();
        assert!(rig.health.record_moved_aside.load(Ordering::Relaxed));
        // The record begins again with the state of the clock, in the place of the lost press.
        assert_eq!((rig.lost(), rig.latest(), rig.clock.entry()), (1, 6, 6));
        rig.press(Side::White);
        rig.pass();
        if is_restarted {
            rig.close_record();
            rig = kept.kill(rig, &path);
        } else {
            rig.press(Side::Black);
        }
        rig.pass();
        assert_eq!((rig.latest(), rig.clock.entry()), (8, 8));
        let before = rig.lost();
        remove_record(&path);
        rig.press(Side::White);
        rig.pass();
        rig.pass();
        // The entries 7 and 8 are lost with the file. The present press is lost, too, because the
        // state of the clock takes its place.
        assert_eq!(rig.lost() - before, 3, "{is_restarted}");
        rig.press(Side::Black);
        rig.pass();
        remove_record(&path);
        rig.press(Side::White);
        rig.pass();
        rig.pass();
        assert_eq!(rig.lost() - before, 5, "{is_restarted}");
        assert_recorded(rig, &path);
    }
}

/// A file that has taken the place of the record is moved aside. It has no entry of the record, so
/// the entries count as lost.
#[test]
fn the_entries_of_a_record_that_another_file_has_replaced_are_lost() {
    for is_text in [false, true] {
        let (folder, path) = folder();
        let mut rig = rig(Some(&path), "boot-1");
        rig.start_and_press(3);
        rig.pass();
        std::fs::rename(foreign(folder.path(), is_text), &path).unwrap();
        rig.press(Side::Black);
        rig.pass();
        rig.pass();
        assert!(rig.health.record_moved_aside.load(Ordering::Relaxed), "{is_text}");
        assert_eq!(rig.lost(), 6, "{is_text}");
        assert_recorded(rig, &path);
    }
}

#[test]
fn a_foreign_file_at_the_start_has_no_entry_of_the_record() {
    let (folder, path) = folder();
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(3);
    rig.pass();
    keep_identity(&kept, 0, GameText::default(), 1);
    rig.close_record();
    remove_record(&path);
    std::fs::rename(foreign(folder.path(), false), &path).unwrap();
    let mut rig = kept.kill(rig, &path);
    rig.pass();
    assert!(rig.health.record_moved_aside.load(Ordering::Relaxed));
    assert_eq!((rig.lost(), rig.latest()), (5, rig.clock.entry()));
}

/// Makes a text file or the database of another program.
fn foreign(folder: &Path, is_text: bool) -> PathBuf {
    let path = folder.join("foreign");
    if is_text {
        std::fs::write(&path, "another file").unwrap();
    } else {
        let database = rusqlite::Connection::open(&path).unwrap();
        database.execute_batch("PRAGMA application_id = 7; CREATE TABLE a (b);").unwrap();
    }
    path
}
