//! Tests with an open record whose file is deleted, or whose folder is moved away.

use super::refused::assert_recorded;
use super::*;

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
