//! The return to the release before an update, whose record has an adjourned game.

use super::*;
use crate::record::store::{Access, Check};
use clock_engine::rules::{Action, Profile, Setup};

/// A game that is adjourned after Black's first move, by White's sealed move.
fn adjourned(path: &Path) -> VersionedClock {
    let mut rig = rig(Some(path), "boot-1");
    let profile = Some(Profile { adjournment: true, ..Profile::default() });
    let (control, session) = (control(), Session::Unknown);
    rig.command(1, GameCommand::New(Setup { control, profile, session, force: true }));
    rig.command(2, Command::Start);
    rig.press(Side::White);
    rig.press(Side::Black);
    rig.command(3, GameCommand::Action(Action::Adjourn { side: Side::White }));
    rig.pass();
    assert_eq!(rig.latest(), rig.clock.entry());
    assert!(rig.on_record().0.game.adjourned);
    rig.clock.clone()
}

#[test]
fn an_adjourned_game_survives_an_update_and_the_return_to_the_release_before() {
    let (folder, path) = folder();
    let clock = adjourned(&path);
    // The next release converts the record; then the system before the update starts again.
    drop(Store::open_as(&path, Access::of_next_release(), Check::Thorough).unwrap());
    let (started, health) = set_up(Some(&path), "boot-3");
    assert!(health.record_moved_aside.load(Ordering::Relaxed));
    assert!(folder.path().join("record.sqlite3.newer-1").exists());
    let kept = started.kept.as_ref().expect("the game is on record");
    assert_eq!((&*kept.clock, health.lost_entries.load(Ordering::Relaxed)), (&clock, 0));
    drop(started);

    // The record of the release before is an ordinary record from then on.
    let (started, health) = set_up(Some(&path), "boot-4");
    assert!(!health.record_moved_aside.load(Ordering::Relaxed));
    assert_eq!(*started.kept.expect("the game is on record").clock, clock);
}
