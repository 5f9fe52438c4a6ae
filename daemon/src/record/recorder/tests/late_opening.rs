//! Tests with a record that cannot be opened at the start.

use super::kept::Kept;
use super::*;

/// Makes a record with one game, and moves its folder away. Returns the temporary folder, the path
/// at which the recorder expects the record's folder, and the path to which it was moved.
fn hidden_record() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let (there, away) = (folder.path().join("there"), folder.path().join("away"));
    std::fs::create_dir(&there).unwrap();
    let mut rig = rig(Some(&there.join("games")), "boot-1");
    rig.start_and_press(3);
    rig.pass();
    drop(rig);
    std::fs::rename(&there, &away).unwrap();
    (folder, there, away)
}

#[test]
fn what_was_decided_before_the_record_could_be_opened_follows_what_is_in_it() {
    let (_folder, there, away) = hidden_record();
    let mut rig = rig(Some(&there.join("games")), "boot-2");
    rig.start_and_press(2);
    rig.pass();
    std::fs::rename(&away, &there).unwrap();
    rig.recorder.pass(std::time::Instant::now() + Duration::from_secs(2));
    assert_eq!(rig.latest(), rig.clock.entry());
    let stored = rig.stored();
    assert_eq!((stored.game.game, stored.rows.len()), (2, 4));
    rig.command(2, Command::Pause { by: clock_engine::Caller::Arbiter });
    rig.command(3, Command::Finish(clock_engine::Outcome::Drawn));
    rig.pass();
    assert_eq!(rig.latest(), rig.clock.entry());
    let stored = rig.stored();
    assert_eq!(stored.game.ended, Some(crate::game::Ended::Result));
}

#[test]
fn a_game_whose_numbers_are_higher_than_the_present_ones_stays_on_record() {
    let (_folder, there, away) = hidden_record();
    let record = there.join("games");
    let (mut started, health) = set_up(Some(&record), "boot-2");
    // The numbers of the new entries are lower than those on record, as if the wall clock had not
    // been set.
    started.last_entry = 1;
    let mut rig = begin((started, health));
    rig.start_and_press(1);
    std::fs::rename(&away, &there).unwrap();
    rig.pass_later();
    assert_eq!(rig.recorder.reports.status.error(), None);
    assert_eq!((rig.latest(), rig.clock.entry(), rig.lost()), (4, 4, 0));
    assert_eq!(rig.on_record().1, ["state", "command", "press"]);
    assert_eq!(games_on_record(&record).len(), 2);
}

/// A game whose process is killed twice while the record cannot be opened. Before the first kill
/// three presses are on record and two are not. Each later process adds its restart, a command and
/// one press. Returns the memory, the last process, and the kinds of all entries that must be on
/// record in the end.
fn killed_without_a_record(there: &Path, away: &Path) -> (Kept, Rig, Vec<&'static str>) {
    std::fs::create_dir(there).unwrap();
    let path = there.join("games");
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(3);
    rig.pass();
    rig.press(Side::Black);
    rig.press(Side::White);
    // The process is killed, so the kernel closes its files.
    drop(rig.recorder.games.take());
    std::fs::rename(there, away).unwrap();
    for side in [Side::Black, Side::White] {
        rig = kept.kill(rig, &path);
        rig.pass();
        assert!(rig.health.storage_failed.load(Ordering::Relaxed));
        rig.noted_command(rig.clock.entry(), GameText::default(), Command::Start);
        rig.press(side);
        rig.pass();
    }
    let presses = ["press"; 5];
    let restarted = ["state", "restarted", "command", "press"];
    let kinds = [&["state", "command"][..], &presses, &restarted, &restarted].concat();
    (kept, rig, kinds)
}

#[test]
fn what_a_killed_process_could_not_record_is_recorded_when_the_record_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let (there, away) = (folder.path().join("there"), folder.path().join("away"));
    let (_kept, mut rig, kinds) = killed_without_a_record(&there, &away);
    assert_eq!(rig.recorder.reports.status.uncommitted(rig.clock.entry()), 10);
    std::fs::rename(&away, &there).unwrap();
    rig.pass_later();
    assert_eq!(rig.on_record().1, kinds);
    assert_eq!((rig.latest(), rig.lost()), (rig.clock.entry(), 0));
    assert_eq!(rig.recorder.reports.status.uncommitted(rig.clock.entry()), 0);
    assert!(!rig.health.storage_failed.load(Ordering::Relaxed));
    let rows = rig.on_record().0.rows;
    let noted =
        rows.iter().filter(|row| row.row.command.as_ref().is_some_and(|c| c.contains("round 3")));
    assert_eq!(noted.count(), 2, "who gave the commands is on record, too");
    rig.press(Side::Black);
    rig.pass();
    assert_eq!(rig.latest(), rig.clock.entry());
}

#[test]
fn what_a_killed_process_could_not_record_is_recorded_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let (there, away) = (folder.path().join("there"), folder.path().join("away"));
    let (kept, rig, mut kinds) = killed_without_a_record(&there, &away);
    std::fs::rename(&away, &there).unwrap();
    let mut rig = kept.kill(rig, &there.join("games"));
    rig.pass();
    kinds.push("restarted");
    assert_eq!(rig.on_record().1, kinds);
    assert_eq!((rig.latest(), rig.lost()), (rig.clock.entry(), 0));
}

#[test]
fn a_game_that_was_begun_and_killed_without_a_record_is_a_game_of_its_own() {
    let (_folder, there, away) = hidden_record();
    let path = there.join("games");
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(2);
    rig.pass();
    let mut rig = kept.kill(rig, &path);
    rig.pass();
    std::fs::rename(&away, &there).unwrap();
    rig.pass_later();
    let (stored, kinds) = rig.on_record();
    assert_eq!(kinds, ["state", "command", "press", "press", "state", "restarted"]);
    assert_eq!((stored.game.game, rig.lost()), (2, 0));
    let games = games_on_record(&path);
    assert_eq!(games[1].ended, Some(crate::game::Ended::Replaced));
}

#[test]
fn inputs_that_follow_nothing_on_record_are_counted_as_lost_and_the_state_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let (there, away) = (folder.path().join("there"), folder.path().join("away"));
    let (_kept, mut rig, _) = killed_without_a_record(&there, &away);
    // A new memory card without a record takes the place of the old one.
    std::fs::create_dir(&there).unwrap();
    rig.pass_later();
    assert!(rig.lost() >= 2, "{}", rig.lost());
    rig.press(Side::Black);
    rig.pass_later();
    assert_eq!(rig.latest(), rig.clock.entry());
    let (stored, kinds) = rig.on_record();
    assert_eq!(kinds[0], "state");
    let recorded = u64::try_from(kinds.iter().filter(|kind| *kind != "state").count()).unwrap();
    // The first five entries are on the old card. All of them together count as one lost entry. Two of the
    // later entries are states; these are neither in `lost` nor in `recorded`.
    assert_eq!(rig.lost() - 1 + recorded, rig.clock.entry() - 5 - 2);
    assert_eq!(stored.game.game, 1);
}
