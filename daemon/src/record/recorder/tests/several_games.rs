//! Tests of several games that wait in the retained memory until the record can be opened.

use super::kept::Kept;
use super::losses::of_white;
use super::*;
use crate::game::{GameInfo, IdentityKeeper};
use clock_dbus::ImportedFrom;
use clock_engine::PerSide;
use clock_record::Change;

fn named(control: &str, white: &str) -> GameText {
    GameText { control: control.to_owned(), white: white.to_owned(), ..GameText::default() }
}

/// The time control and the white player of each game on record, the earliest first, and whether it
/// is of the configuration.
fn games(path: &Path) -> Vec<(String, String, bool)> {
    let mut games = games_on_record(path);
    games.reverse();
    let info = games.iter().map(|game| serde_json::from_str::<GameJson>(&game.info).unwrap());
    info.map(|info| (info.text.control, info.text.white, info.is_configured)).collect()
}

fn expected(games: &[(&str, &str, bool)]) -> Vec<(String, String, bool)> {
    games.iter().map(|(control, white, is)| ((*control).into(), (*white).into(), *is)).collect()
}

fn new() -> Command {
    Command::New { control: control(), force: true }
}

/// Makes the folder of the record, and lets the recorder write everything that waits.
fn open_record(rig: &mut Rig, path: &Path) {
    std::fs::create_dir(path.parent().unwrap()).unwrap();
    rig.pass_later();
    rig.pass_later();
    assert_eq!((rig.latest(), rig.lost()), (rig.clock.entry(), 0));
}

#[test]
fn each_game_of_several_processes_is_recorded_with_its_own_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("there").join("games");
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(3);
    rig.pass();
    rig.noted_command(11, named("3+2", "Vera"), new());
    rig.start_and_press(2);
    rig.pass();
    let mut rig = kept.kill(rig, &path);
    rig.noted_command(12, named("90", "Sonja"), new());
    rig.start_and_press(1);
    rig.pass();
    let mut rig = kept.kill(rig, &path);
    rig.press(Side::Black);
    open_record(&mut rig, &path);
    let all = [("5+2", "", true), ("3+2", "Vera", false), ("90", "Sonja", false)];
    assert_eq!(games(&path), expected(&all));
}

/// The retained memory has the identity of the game on the clock only. Games before it wait there, too.
#[test]
fn the_kept_identity_of_the_latest_game_is_not_that_of_the_games_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("there").join("games");
    let (kept, mut rig) = Kept::new(&path);
    rig.start_and_press(3);
    rig.noted_command(11, named("3+2", "Vera"), new());
    rig.start_and_press(2);
    let keeper = IdentityKeeper::new(kept.memory().split().unwrap().identity.0, false);
    let players = PerSide { white: "Vera".to_owned(), ..PerSide::default() };
    let control = "3+2".to_owned();
    keeper.change(&GameInfo { id: 11, control, players, ..GameInfo::default() }, None);
    let mut rig = kept.kill(rig, &path);
    open_record(&mut rig, &path);
    assert_eq!(games(&path), expected(&[("5+2", "", true), ("3+2", "Vera", false)]));
}

#[test]
fn games_of_several_configurations_are_recorded_with_their_own_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("there").join("games");
    let memory = RetainedMemory::create([0; 16], FORMAT).unwrap();
    let kept = Kept::of(&memory);
    let (mut started, health) = set_up_with(Some(&path), "boot-1", memory, Origin::New);
    // The wall clock, by which the entries are numbered without a record, is set back later.
    started.last_entry += 1_000_000;
    let mut rig = begin((started, health));
    rig.pass();
    for control in ["3+2", "90"] {
        let last = rig.clock.entry();
        drop(rig);
        let (started, health) = kept.next(Some(&path));
        let found = started.kept.as_ref().unwrap();
        assert!(found.is_outdated(&named(control, "")), "{control}");
        assert!(started.last_entry >= last);
        rig = begin_named((started, health), named(control, ""));
        rig.pass();
    }
    rig.start_and_press(2);
    open_record(&mut rig, &path);
    let all = [("5+2", "", true), ("3+2", "", true), ("90", "", true)];
    assert_eq!(games(&path), expected(&all));
    assert_eq!(rig.on_record().1, ["state", "command", "press", "press"]);
}

#[test]
fn a_game_that_has_not_begun_stays_one_game_over_restarts_without_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("there").join("games");
    let (kept, rig) = Kept::new(&path);
    let rig = kept.kill(rig, &path);
    let mut rig = kept.kill(rig, &path);
    rig.start_and_press(1);
    open_record(&mut rig, &path);
    assert_eq!(games(&path), expected(&[("5+2", "", true)]));
}

#[test]
fn a_game_without_a_note_does_not_get_the_names_of_the_game_before_it() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.noted_command(11, named("90", "Vera"), new());
    rig.command(12, new());
    rig.pass();
    let all = [("5+2", "", true), ("90", "Vera", false), ("5+2", "", false)];
    assert_eq!(games(&path), expected(&all));
}

/// The process is killed before its main thread has stored the identity of the game.
#[test]
fn a_game_of_a_configuration_is_known_by_its_note() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("there").join("games");
    let (kept, rig) = Kept::new(&path);
    drop(rig);
    let rig = begin_named(kept.next(Some(&path)), named("90", ""));
    drop(rig);
    let (started, _) = kept.next(Some(&path));
    let found = started.kept.unwrap();
    assert_eq!((found.text.control.as_str(), found.is_configured), ("90", true));
}

/// A power cut can come after the first entry of the game that continues an adjourned one, and before the
/// adjourned game is marked. The next start marks it.
#[test]
fn an_adjourned_game_that_another_one_continues_is_marked_at_the_next_start() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(1);
    rig.pass();
    let adjourn = |is_adjourned| {
        let change = Change { adjourned: Some(is_adjourned), ..Change::default() };
        Games::open(&path, &mut |_| ()).unwrap().games.change(1, &change).unwrap();
    };
    let is_adjourned = || games_on_record(&path).last().unwrap().adjourned;
    rig.close_record();
    adjourn(true);
    assert!(is_adjourned());
    let (_, chain) = Games::open(&path, &mut |_| ()).unwrap().games.end().unwrap();
    let chain = clock_record::hexadecimal(&chain);
    let imported_from = Some(ImportedFrom { machine: "machine".to_owned(), game: 1, chain });
    let text = GameText { imported_from, ..of_white("Anna") };
    rig.noted_command(2, text, Command::New { control: control(), force: true });
    rig.pass_later();
    assert_eq!((games_on_record(&path).len(), is_adjourned()), (2, false));
    rig.close_record();
    adjourn(true);
    drop(rig);
    drop(set_up(Some(&path), "boot-2"));
    assert!(!is_adjourned());
}
