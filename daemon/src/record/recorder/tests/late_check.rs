//! Tests of damage in earlier games that the quick check at a start does not see.

use super::kept::Kept;
use super::*;
use clockd_rt::channel::channel;
use rusqlite::Connection;

/// Makes a page with entries of an earlier game look empty: it has 0 cells.
fn empty_a_page(path: &Path) {
    const PAGE: usize = 4096;
    /// The first byte of a leaf page of a table.
    const LEAF: u8 = 0x0d;
    let connection = Connection::open(path).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(connection);
    let mut bytes = std::fs::read(path).unwrap();
    let has_press = |page: &[u8]| page.windows(7).any(|text| text == b"\"press\"");
    let page = bytes.chunks_mut(PAGE).find(|page| page[0] == LEAF && has_press(page)).unwrap();
    page[3..5].fill(0);
    std::fs::write(path, &bytes).unwrap();
}

/// A process whose record has two games, the earlier of which is damaged. The record is closed.
fn damaged_in_an_earlier_game(path: &Path) -> (Kept, Rig) {
    let (kept, mut rig) = Kept::new(path);
    rig.start_and_press(40);
    rig.noted_command(9, GameText::default(), Command::New { control: control(), force: true });
    rig.start_and_press(3);
    rig.pass();
    rig.close_record();
    empty_a_page(path);
    (kept, rig)
}

#[tokio::test]
async fn the_thread_of_the_recorder_finds_damage_in_an_earlier_game() {
    let (_folder, path) = folder();
    let (kept, rig) = damaged_in_an_earlier_game(&path);
    drop(rig);
    let (Started { recorder, wakeups, mut committed, .. }, health) = kept.next(Some(&path));
    spawn(recorder, wakeups, channel::<()>(1).unwrap().0.notifier()).unwrap();
    let is_moved = committed.wait_for(|_| health.record_moved_aside.load(Ordering::Relaxed));
    tokio::time::timeout(Duration::from_secs(30), is_moved).await.unwrap().unwrap();
}

#[test]
fn damage_in_an_earlier_game_is_found_after_a_restart_in_a_game_and_loses_no_entry() {
    let (_folder, path) = folder();
    let (kept, rig) = damaged_in_an_earlier_game(&path);
    let mut rig = kept.kill(rig, &path);
    rig.press(Side::Black);
    rig.pass();
    assert!(!rig.health.record_moved_aside.load(Ordering::Relaxed), "the start is not delayed");
    let error = Reader::open(&path).unwrap().entries(1, 1, 200).unwrap_err();
    assert!(error.is_damage(), "{error}");

    rig.recorder.check_later();
    rig.recorder.late_check.as_mut().unwrap().wait();
    let before = rig.clock.entry();
    rig.press(Side::White);
    rig.pass();
    assert!(rig.health.record_moved_aside.load(Ordering::Relaxed));
    let aside = path.with_file_name("record.sqlite3.corrupt-1");
    let moved = Reader::open(&aside).unwrap().entries(2, before + 1, 1).unwrap();
    assert_eq!(moved[0].row.kind, "press", "what was written before is in the file that was moved");
    rig.press(Side::Black);
    rig.pass();
    assert_eq!((rig.latest(), rig.lost()), (rig.clock.entry(), 0));
    assert_eq!(rig.on_record().1, ["state", "press"]);
    rig.close_record();
    let mut rig = kept.kill(rig, &path);
    rig.pass();
    assert_eq!((rig.latest(), rig.lost()), (rig.clock.entry(), 0));
}

#[test]
fn a_whole_record_is_compared_once_and_stays() {
    let (_folder, path) = folder();
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(3);
    rig.pass();
    rig.close_record();
    let mut rig = kept.kill(rig, &path);
    rig.recorder.check_later();
    rig.recorder.late_check.as_mut().unwrap().wait();
    rig.press(Side::Black);
    rig.pass();
    assert!(!rig.health.record_moved_aside.load(Ordering::Relaxed));
    assert_eq!((rig.latest(), rig.on_record().0.game.game), (rig.clock.entry(), 1));
}
