//! Tests with an open record whose file is deleted, truncated or replaced, or whose folder is moved
//! away, and with a foreign file at the start.

use super::kept::Kept;
use super::refused::assert_recorded;
use super::*;

/// The entry that was written to the deleted file is not acknowledged. The entries in that file are lost,
/// and in their place the next game on record begins with the state of the clock.
#[test]
fn a_game_that_was_deleted_is_not_acknowledged_and_begins_again() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(2);
    rig.pass();
    std::fs::remove_file(path.join(FIRST)).unwrap();
    rig.press(Side::White);
    rig.pass();
    let last = rig.clock.entry();
    assert!(!rig.recorder.reports.committed.borrow().includes(last));
    rig.pass();
    let on_record = rig.recorder.reports.committed.borrow().clone();
    assert!(on_record.includes(last) && !on_record.has(last));
    assert_eq!((rig.on_record().1, rig.lost()), (vec!["state".to_owned()], 5));
    assert_recorded(rig, &path);
}

/// Entries that were acknowledged and are gone with the end of a file are counted as lost. A reader
/// that has read the record does not keep it from being opened again.
#[test]
fn a_record_that_was_truncated_is_not_acknowledged_and_is_opened_again() {
    // How many lines stay, with how many bytes of the next one; how many of the 5 acknowledged entries are
    // lost.
    for (lines, rest, lost) in [(0, 0, 5), (1, 9, 5), (3, 0, 3), (5, 100, 1)] {
        let (_folder, path) = folder();
        let mut rig = rig(Some(&path), "boot-1");
        rig.start_and_press(3);
        rig.pass();
        let mut reader = reader(&path);
        assert_eq!(reader.games(0, 1).unwrap()[0].entries, 5);
        let file = path.join(FIRST);
        let text = std::fs::read(&file).unwrap();
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let kept = ends.map(|(index, _)| index + 1).take(lines).last().unwrap_or(0) + rest;
        std::fs::write(&file, &text[..kept]).unwrap();
        rig.press(Side::Black);
        let last = rig.clock.entry();
        rig.pass();
        assert!(rig.health.storage_failed.load(Ordering::Relaxed));
        assert!(!rig.recorder.reports.committed.borrow().includes(last));
        rig.pass();
        let on_record = rig.recorder.reports.committed.borrow().clone();
        assert!(on_record.includes(last) && !on_record.has(last), "{lines}");
        assert!(!rig.health.storage_failed.load(Ordering::Relaxed));
        // The press is lost, too, because the state takes its place.
        assert_eq!(rig.lost(), lost + 1, "{lines}");
        // A file without an entry is damaged.
        assert_eq!(rig.health.record_moved_aside.load(Ordering::Relaxed), lines < 2);
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
    let mut rig = rig(Some(&there.join("games")), "boot-1");
    rig.start_and_press(2);
    let now = std::time::Instant::now();
    rig.recorder.pass(now);
    assert_eq!(rig.recorder.reports.status.error(), None);
    std::fs::rename(&there, folder.path().join("away")).unwrap();
    rig.recorder.pass(now + Duration::from_secs(6));
    assert!(rig.recorder.reports.status.error().is_some());
}

/// The file of the first game.
const FIRST: &str = "000001.jsonl";

/// Changes a byte in the middle of the file of the first game.
fn damage(path: &Path) {
    let file = path.join(FIRST);
    let mut text = std::fs::read(&file).unwrap();
    text[300] ^= 1;
    std::fs::write(&file, text).unwrap();
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
        damage(&path);
        rig.press(Side::Black);
        rig.pass_later();
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
        std::fs::remove_dir_all(&path).unwrap();
        rig.press(Side::White);
        rig.pass();
        rig.pass();
        // The entries 6 to 8 are lost with the file. The present press is lost, too, because the
        // state of the clock takes its place.
        assert_eq!(rig.lost() - before, 4, "{is_restarted}");
        rig.press(Side::Black);
        rig.pass();
        std::fs::remove_dir_all(&path).unwrap();
        rig.press(Side::White);
        rig.pass();
        rig.pass();
        assert_eq!(rig.lost() - before, 7, "{is_restarted}");
        assert_recorded(rig, &path);
    }
}

/// A file that has taken the place of the game is moved aside. It has no entry of the game, so the entries
/// count as lost.
#[test]
fn the_entries_of_a_game_that_another_file_has_replaced_are_lost() {
    let (folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(3);
    rig.pass();
    let foreign = folder.path().join("foreign");
    std::fs::write(&foreign, "another file\n").unwrap();
    std::fs::rename(foreign, path.join(FIRST)).unwrap();
    rig.press(Side::Black);
    rig.pass();
    rig.pass();
    assert!(rig.health.record_moved_aside.load(Ordering::Relaxed));
    assert_eq!(rig.lost(), 6);
    assert_recorded(rig, &path);
}

/// The record of another clock, which ends with the same number, takes the place of the folder.
#[test]
fn a_record_of_another_game_with_the_same_last_number_gets_no_entry_of_this_game() {
    let (folder, path) = folder();
    let other = folder.path().join("other");
    let mut foreign = rig(Some(&other), "boot-1");
    foreign.start_and_press(3);
    foreign.pass();
    drop(foreign);
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(3);
    rig.pass();
    rig.close_record();
    std::fs::rename(&path, folder.path().join("away")).unwrap();
    std::fs::rename(&other, &path).unwrap();
    rig.press(Side::Black);
    rig.pass_later();
    let entries: Vec<_> = games_on_record(&path).iter().map(|game| game.entries).collect();
    assert_eq!(entries, [1, 5]);
    assert!(rig.health.record_mismatch.load(Ordering::Relaxed));
    assert_eq!((rig.lost(), rig.latest()), (6, rig.clock.entry()));
    assert_recorded(rig, &path);
}
