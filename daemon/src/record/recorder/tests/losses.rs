//! Tests with entries that an earlier process could not record, and with a record that is not that
//! of the running game.

use super::kept::Kept;
use super::*;
use crate::game::Identity;

/// How many entries before the latest state on record were lost, as the row of that state says.
fn lost_on_record(rig: &mut Rig) -> u64 {
    let rows = rig.on_record().0.rows;
    let input = &rows.iter().rfind(|row| row.row.is_state()).unwrap().row.input;
    let entry: Entry = serde_json::from_str(input).unwrap();
    let Entry::State { lost, .. } = entry else { panic!("{input}") };
    lost
}

/// Puts a copy of the record `from` in the place of the record `to`.
fn copy_record(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir(to).unwrap();
    for file in std::fs::read_dir(from).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

/// Plays 3 moves, and `presses` further ones after the record was copied to `copy`. Then the process
/// is killed, and the next one finds the copy in the place of the record.
fn killed_with_older_copy(path: &Path, copy: &Path, presses: usize) -> (Kept, Rig) {
    let (kept, mut rig) = Kept::new(path);
    rig.start_and_press(3);
    rig.pass();
    rig.close_record();
    copy_record(path, copy);
    rig.pass_later();
    for side in [Side::Black, Side::White].into_iter().cycle().take(presses) {
        rig.press(side);
    }
    rig.pass();
    assert_eq!(rig.latest(), rig.clock.entry());
    rig.close_record();
    copy_record(copy, path);
    let rig = kept.kill(rig, path);
    (kept, rig)
}

/// A process whose ring of entries in the retained memory is full, because the folder of the record
/// does not exist. Also returns how many entries the process has lost.
fn full_ring(path: &Path) -> (Kept, Rig, u64) {
    let (kept, mut rig) = Kept::new(path);
    rig.start_and_press(20_000);
    rig.pass();
    let lost = rig.lost();
    assert!(lost > 0, "the memory was not full");
    (kept, rig, lost)
}

#[test]
fn entries_that_a_killed_process_has_lost_are_counted_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there");
    let path = there.join("games");
    let (kept, rig, lost) = full_ring(&path);
    // The storage still fails at the restart. The ring has no room for the two entries of the
    // restart: the state and the input `Restarted`.
    let rig = kept.kill(rig, &path);
    let lost = lost + 2;
    assert_eq!(rig.lost(), lost);
    std::fs::create_dir(&there).unwrap();
    let mut rig = kept.kill(rig, &path);
    assert_eq!(rig.lost(), lost);
    rig.pass();
    assert_eq!((rig.latest(), lost_on_record(&mut rig)), (rig.clock.entry(), lost));
}

/// The command that gave the names is among the lost entries.
#[test]
fn names_whose_entry_was_lost_are_on_record_with_the_state_after_it() {
    let (_folder, path) = folder();
    let (kept, mut rig) = Kept::new(&path);
    rig.noted_command(1, of_white("Mencik"), Command::New { control: control(), force: true });
    rig.pass();
    rig.close_record();
    std::fs::rename(&path, path.with_extension("away")).unwrap();
    std::fs::write(&path, "no folder").unwrap();
    rig.start_and_press(20_000);
    rig.noted_command(2, of_white("Menchik"), GameCommand::SetNames);
    keep_identity(&kept, 1, of_white("Menchik"), 2);
    std::fs::remove_file(&path).unwrap();
    std::fs::rename(path.with_extension("away"), &path).unwrap();
    let mut now = std::time::Instant::now();
    while rig.latest() < rig.clock.entry() {
        now += Duration::from_secs(2);
        rig.recorder.pass(now);
        rig.entries.keep(&rig.clock);
    }
    assert!(rig.lost() > 0);
    // So many presses are continued as another game.
    assert_eq!(games(&path)[0], (3, "Menchik".to_owned()));
}

#[test]
fn an_older_copy_of_the_record_is_noticed() {
    let (folder, path) = folder();
    let copy = folder.path().join("copy");
    let (_kept, mut rig) = killed_with_older_copy(&path, &copy, 6);
    rig.pass();
    assert_eq!((rig.lost(), lost_on_record(&mut rig)), (6, 6));
    assert_eq!(rig.latest(), rig.clock.entry());
    // An older copy that takes the place of the record while the process runs is noticed, too.
    rig.press(Side::Black);
    rig.press(Side::White);
    rig.pass();
    rig.close_record();
    copy_record(&copy, &path);
    rig.press(Side::Black);
    rig.pass_later();
    assert_eq!(rig.latest(), rig.clock.entry());
    let entries = rig.clock.entry();
    assert_eq!(rig.lost() - 6, entries - 5, "of 5 entries on the copy, none is lost");
}

/// The state that follows the lost entries is on record, so nothing is missing between the record and
/// the memory any more. The fault stays until the machine starts anew.
#[test]
fn the_loss_of_an_older_copy_is_reported_also_after_further_kills() {
    for is_late in [false, true] {
        let (folder, path) = folder();
        let copy = folder.path().join("copy");
        let (kept, mut rig) = killed_with_older_copy(&path, &copy, 4);
        rig.pass();
        assert_eq!((rig.lost(), lost_on_record(&mut rig)), (4, 4));
        for number in 0..3 {
            rig.press(if number % 2 == 0 { Side::Black } else { Side::White });
            // At the last kill, the press is only in the memory.
            if number < 2 {
                rig.pass();
            }
            rig.close_record();
            let locked = is_late.then(|| Games::open(&path, &mut |_| ()).unwrap());
            rig = kept.kill(rig, &path);
            drop(locked);
            rig.pass_later();
            assert_eq!((rig.lost(), rig.latest()), (4, rig.clock.entry()), "{is_late} {number}");
        }
        // Another older copy in the place of the record adds what it lacks.
        rig.press(Side::White);
        rig.pass();
        let on_copy = rig.clock.entry();
        rig.close_record();
        copy_record(&path, &copy);
        rig.pass_later();
        rig.press(Side::Black);
        rig.pass();
        assert_eq!(rig.clock.entry(), on_copy + 1);
        rig.close_record();
        copy_record(&copy, &path);
        for _ in 0..2 {
            rig = kept.kill(rig, &path);
            rig.pass();
            assert_eq!(rig.lost(), 5);
            rig.close_record();
        }
        let (started, health) = set_up(Some(&path), "boot-2");
        assert!(started.kept.is_some());
        assert_eq!(health.lost_entries.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn an_older_copy_is_noticed_also_if_it_can_be_opened_only_later() {
    let folder = tempfile::tempdir().unwrap();
    let (there, away) = (folder.path().join("there"), folder.path().join("away"));
    std::fs::create_dir(&there).unwrap();
    let (path, copy) = (there.join("games"), folder.path().join("copy"));
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(3);
    rig.pass();
    rig.close_record();
    copy_record(&path, &copy);
    rig.pass_later();
    rig.press(Side::Black);
    rig.press(Side::White);
    rig.pass();
    rig.close_record();
    std::fs::rename(&there, &away).unwrap();
    let mut rig = kept.kill(rig, &path);
    rig.pass();
    assert_eq!(rig.lost(), 0);
    std::fs::create_dir(&there).unwrap();
    copy_record(&copy, &path);
    rig.pass_later();
    rig.press(Side::Black);
    rig.pass_later();
    assert_eq!(rig.lost(), 2, "the state of the restart is on record");
    assert_eq!(rig.latest(), rig.clock.entry());
}

#[test]
fn a_record_with_higher_numbers_does_not_replace_the_running_game() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("games"), folder.path().join("other"));
    let mut foreign = rig(Some(&other), "boot-1");
    foreign.start_and_press(9);
    foreign.pass();
    foreign.close_record();
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(3);
    rig.pass();
    rig.close_record();
    copy_record(&other, &path);
    let mut rig = kept.kill(rig, &path);
    rig.pass();
    assert!(rig.health.record_mismatch.load(Ordering::Relaxed));
    assert_eq!(games_on_record(&path)[1].entries, 11, "the other game stays on record");
    assert_eq!(
        (rig.on_record().1, rig.latest()),
        (vec!["state".to_owned(), "restarted".to_owned()], rig.clock.entry())
    );
}

/// Keeps what identifies the game on the clock, as the main thread does.
pub fn keep_identity(kept: &Kept, id: u64, text: GameText, number: u64) {
    keep(kept, id, &Identity { text, number: Some(number), ..Identity::default() });
}

fn keep(kept: &Kept, id: u64, identity: &Identity) {
    let mut writer = kept.memory().split().unwrap().identity.0;
    writer.set_game(id);
    let length = postcard::to_slice(identity, writer.buffer()).unwrap().len();
    writer.commit(length, 0);
}

pub fn of_white(white: &str) -> GameText {
    GameText { control: "5+2".to_owned(), white: white.to_owned(), ..GameText::default() }
}

/// The number of each game on record, and the name of its player of White.
fn games(path: &Path) -> Vec<(u64, String)> {
    let games = games_on_record(path);
    let white = |info: &str| serde_json::from_str::<GameText>(info).unwrap().white;
    games.iter().map(|game| (game.game, white(&game.info))).collect()
}

/// The copy of the record is of the day before, and the game of today is on the clock.
#[test]
fn a_game_that_an_older_copy_does_not_have_begins_there_as_another_game() {
    for is_late in [false, true] {
        let (folder, path) = folder();
        let copy = folder.path().join("copy");
        let (kept, mut rig) = Kept::new(&path);
        let new = || Command::New { control: control(), force: true };
        rig.noted_command(1, of_white("Yesterday"), new());
        rig.press(Side::White);
        rig.pass();
        rig.close_record();
        copy_record(&path, &copy);
        rig.pass_later();
        rig.noted_command(2, of_white("Today"), new());
        rig.command(3, Command::Start);
        rig.press(Side::White);
        rig.pass();
        rig.close_record();
        keep_identity(&kept, 2, of_white("Today"), 3);
        copy_record(&copy, &path);
        let mut rig = if is_late {
            let locked = Games::open(&path, &mut |_| ()).unwrap();
            let rig = kept.kill(rig, &path);
            drop(locked);
            rig
        } else {
            kept.kill(rig, &path)
        };
        rig.press(Side::Black);
        rig.pass_later();
        assert_eq!(rig.latest(), rig.clock.entry());
        assert!(rig.health.record_mismatch.load(Ordering::Relaxed));
        assert_eq!((rig.lost(), lost_on_record(&mut rig)), (1, 1));
        let found: Vec<_> = games(&path).into_iter().take(2).collect();
        assert_eq!(found, [(3, "Today".to_owned()), (2, "Yesterday".to_owned())]);
        // After a power cut, the retained memory is gone. The latest game on record comes back,
        // which is today's game.
        let clock = rig.clock.clone();
        drop(rig);
        let (started, _) = set_up(Some(&path), "boot-2");
        let found = started.kept.unwrap();
        assert_eq!((*found.clock, found.text), (clock, of_white("Today")));
    }
}

#[test]
fn an_older_copy_with_the_beginning_of_the_game_continues_it() {
    let (folder, path) = folder();
    let copy = folder.path().join("copy");
    let (kept, mut rig) = Kept::new(&path);
    rig.noted_command(1, of_white("Today"), Command::New { control: control(), force: true });
    rig.pass();
    rig.close_record();
    copy_record(&path, &copy);
    rig.pass_later();
    rig.command(2, Command::Start);
    rig.pass();
    rig.close_record();
    copy_record(&copy, &path);
    keep_identity(&kept, 1, of_white("Today"), 2);
    let mut rig = kept.kill(rig, &path);
    rig.pass();
    assert!(!rig.health.record_mismatch.load(Ordering::Relaxed));
    assert_eq!((rig.lost(), games_on_record(&path).len()), (1, 2));
}

#[test]
fn a_record_with_the_same_number_and_another_state_is_that_of_another_game() {
    let (folder, path) = folder();
    let other = folder.path().join("other");
    let mut foreign = rig(Some(&other), "boot-1");
    foreign.start_and_press(2);
    foreign.command(2, Command::Pause { by: clock_engine::Caller::Arbiter });
    foreign.pass();
    foreign.close_record();
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(3);
    rig.pass();
    rig.close_record();
    copy_record(&other, &path);
    let text = GameText { control: "5+2".to_owned(), ..GameText::default() };
    keep_identity(&kept, rig.game, text, 1);
    let mut rig = kept.kill(rig, &path);
    rig.pass();
    assert!(rig.health.record_mismatch.load(Ordering::Relaxed));
    assert_eq!((rig.lost(), lost_on_record(&mut rig)), (1, 1));
    assert_eq!(games_on_record(&path).len(), 2);
    assert_eq!(rig.on_record().1, ["state", "restarted"]);
}

#[test]
fn the_entries_of_a_record_that_was_removed_are_lost() {
    for is_emptied in [false, true] {
        let (_folder, path) = folder();
        let (kept, mut rig) = Kept::new(&path);
        rig.start_and_press(3);
        rig.pass();
        rig.close_record();
        let text = GameText { control: "5+2".to_owned(), ..GameText::default() };
        keep_identity(&kept, rig.game, text, 1);
        std::fs::remove_dir_all(&path).unwrap();
        if is_emptied {
            std::fs::create_dir(&path).unwrap();
            std::fs::write(path.join("000001.jsonl"), "").unwrap();
        }
        let mut rig = kept.kill(rig, &path);
        rig.pass();
        assert_eq!((rig.lost(), lost_on_record(&mut rig)), (1, 1));
        assert_eq!(rig.latest(), rig.clock.entry());
    }
}

/// A state in the memory that was not on record yet is the first entry of the new record. The
/// entries before it are lost with the old record.
#[test]
fn the_entries_before_a_state_in_the_memory_are_lost_with_the_record() {
    let (_folder, path) = folder();
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(3);
    rig.pass();
    rig.close_record();
    let text = GameText { control: "5+2".to_owned(), ..GameText::default() };
    keep_identity(&kept, rig.game, text, 1);
    rig.clock.set_entry(rig.clock.entry() + 1);
    rig.entries.state(&rig.clock, &[]);
    rig.press(Side::Black);
    std::fs::remove_dir_all(&path).unwrap();
    let mut rig = kept.kill(rig, &path);
    rig.pass();
    assert_eq!(rig.lost(), 1);
    assert_eq!(rig.latest(), rig.clock.entry());
}

#[test]
fn a_state_that_is_wanted_while_the_ring_is_full_is_added_later() {
    let folder = tempfile::tempdir().unwrap();
    let mut rig = rig(Some(&folder.path().join("there/games")), "boot-1");
    rig.start_and_press(2);
    let wanted = Arc::clone(&rig.health);
    let is_wanted = || wanted.state_wanted.load(Ordering::Relaxed);
    // States fill the ring, until one finds no room.
    let states = (0..2_000).find(|_| {
        wanted.state_wanted.store(true, Ordering::Relaxed);
        rig.entries.keep(&rig.clock);
        is_wanted()
    });
    assert!(states.is_some_and(|states| states > 10), "{states:?}");
    assert_eq!(rig.lost(), 0);
}

#[test]
fn the_surplus_of_games_goes_after_fewer_are_to_be_kept() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    let next = |rig: &mut Rig, id| {
        rig.noted_command(
            id,
            GameText::default(),
            Command::New { control: control(), force: true },
        );
        rig.pass();
    };
    for id in 1..=8 {
        next(&mut rig, id);
    }
    rig.recorder.settings.keep_games = 2;
    let games = || games_on_record(&path).len();
    assert_eq!(games(), 9);
    next(&mut rig, 9);
    assert_eq!(games(), 6);
    next(&mut rig, 10);
    next(&mut rig, 11);
    assert_eq!(games(), 2);
}

/// The state after exactly one lost entry has the number that the entry would have.
#[test]
fn a_state_after_one_lost_entry_continues_its_game() {
    let (_folder, path) = folder();
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(3);
    rig.pass();
    rig.close_record();
    let at = rig.at();
    rig.clock.handle(&Input::Press(Button::Player(Side::Black), at), &mut |_: Update| {});
    rig.entries = rig.entries.after_lost(1);
    rig.entries.state(&rig.clock, &[]);
    let mut rig = kept.kill(rig, &path);
    rig.pass();
    assert_eq!((rig.lost(), lost_on_record(&mut rig)), (1, 1));
    assert!(!rig.health.record_mismatch.load(Ordering::Relaxed));
    assert_eq!((games_on_record(&path).len(), rig.latest()), (1, rig.clock.entry()));
}

/// The record of an earlier day was read, but no entry of the clock was written to it.
#[test]
fn nothing_is_lost_with_a_record_to_which_nothing_of_the_clock_was_written() {
    for is_late in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there");
        let path = there.join("games");
        if !is_late {
            std::fs::create_dir(&there).unwrap();
            let mut earlier = rig(Some(&path), "boot-1");
            earlier.start_and_press(5);
            earlier.pass();
        }
        let (kept, mut rig) = Kept::new(&path);
        rig.start_and_press(3);
        rig.close_record();
        keep_identity(&kept, rig.game, of_white(""), 2);
        if is_late {
            // The clock is numbered by time, because the record could not be opened.
            std::fs::create_dir(&there).unwrap();
        }
        let _ = std::fs::remove_dir_all(&path);
        let mut rig = kept.kill(rig, &path);
        rig.pass();
        assert_eq!((rig.lost(), rig.latest()), (0, rig.clock.entry()));
        assert_eq!(rig.on_record().1[..3], ["state", "command", "press"]);
    }
}

/// A process without a record continues the game, or begins another one with the same names. Then
/// the record is kept again.
#[test]
fn entries_of_a_process_without_a_record_are_a_gap() {
    for begins_game in [false, true] {
        let (_folder, path) = folder();
        let (kept, mut rig) = Kept::new(&path);
        rig.noted_command(1, of_white(""), Command::New { control: control(), force: true });
        rig.command(2, Command::Start);
        rig.press(Side::White);
        rig.pass();
        rig.close_record();
        keep_identity(&kept, 1, of_white(""), 2);
        let on_record = rig.clock.entry();
        let mut rig = kept.kill_with(rig, None);
        if begins_game {
            rig.noted_command(3, of_white(""), Command::New { control: control(), force: true });
            rig.command(4, Command::Start);
        }
        rig.press(Side::Black);
        rig.pass();
        let identity = Identity { text: of_white(""), ..Identity::default() };
        keep(&kept, rig.game, &identity);
        let lost = if begins_game { 1 } else { rig.clock.entry() - on_record };
        let mut rig = kept.kill(rig, &path);
        rig.pass();
        assert_eq!((rig.lost(), lost_on_record(&mut rig)), (lost, lost));
        assert_eq!(games_on_record(&path).len(), if begins_game { 3 } else { 2 });
        assert_eq!(rig.health.record_mismatch.load(Ordering::Relaxed), begins_game);
    }
}

/// The file of the latest game is removed while no clock runs, and the retained memory is lost with
/// the power. Nothing on record names the removed game, so the game before it comes back.
#[test]
fn after_a_power_cut_the_game_before_a_removed_one_comes_back() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(3);
    rig.pass();
    let before = rig.clock.clone();
    rig.noted_command(7, of_white("Menchik"), Command::New { control: control(), force: true });
    rig.pass();
    drop(rig);
    std::fs::remove_file(path.join("000002.jsonl")).unwrap();
    let (started, health) = set_up(Some(&path), "boot-2");
    let kept = started.kept.expect("a game is on record");
    assert_eq!(*kept.clock, before);
    assert!(matches!(kept.since, Since::PowerCut(at) if at == before.last()), "{:?}", kept.since);
    assert_eq!(health.lost_entries.load(Ordering::Relaxed), 0);
}
