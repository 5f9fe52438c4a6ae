//! Tests with an open record whose file is deleted or truncated, or whose folder is moved away.

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
            // The log is emptied when the record is opened.
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
        // The press is lost because the state takes its place.
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
