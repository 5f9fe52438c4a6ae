//! Tests with inputs on record whose checksums are wrong, or of another format than that of this
//! version, as after an update of clockd during a game.

use super::refused::assert_recorded;
use super::*;
use crate::game::EntryLine;
use serde_json::{Value, json};

/// Makes a record at `path` that differs from the record of `rig` in the checksums only: `before`
/// replaces the checksum of each input.
fn with_checksums(rig: &mut Rig, path: &Path, before: &Value) {
    let (stored, _) = rig.on_record();
    let rows: Vec<EntryLine> = stored.rows.into_iter().map(|row| row.row).collect();
    let with_checksum = |mut row: EntryLine| {
        let mut entry: Value = serde_json::from_str(&row.input).unwrap();
        if let Some(sum) = entry.pointer_mut("/input/before").filter(|sum| !sum.is_null()) {
            *sum = before.clone();
        }
        row.input = entry.to_string();
        row
    };
    let rows: Vec<EntryLine> = rows.into_iter().map(with_checksum).collect();
    assert!(rows.iter().any(|row| row.input.contains(&before.to_string())));
    let mut games = Games::open(path, &mut |_| ()).unwrap().games;
    games.begin(stored.game.game, stored.game.id, &stored.game.info, &rows).unwrap();
}

/// Makes at `path` the record of a running game, with `before` as the checksum of each input.
/// Returns the clock of the game, and its time.
fn running_game(path: &Path, before: &Value) -> (VersionedClock, u64) {
    let (_folder, original) = folder();
    let mut rig = rig(Some(&original), "boot-1");
    rig.start_and_press(4);
    rig.pass();
    with_checksums(&mut rig, path, before);
    (rig.clock, rig.now)
}

/// A number alone is a checksum of a version that did not record the format.
#[test]
fn a_game_whose_checksums_are_of_another_format_is_continued() {
    for before in [json!(1), json!([FORMAT - 1, 1]), json!([FORMAT + 1, 1])] {
        let (_folder, path) = folder();
        let (clock, now) = running_game(&path, &before);
        let (started, health) = set_up(Some(&path), "boot-1");
        assert!(!health.record_mismatch.load(Ordering::Relaxed), "{before}");
        let kept = started.kept.as_ref().expect("the game is on record");
        assert_eq!((&*kept.clock, kept.is_recorded), (&clock, true), "{before}");
        let id = kept.id;
        let Started { recorder, entries, .. } = started;
        let stored = stored(recorder.settings.path.as_ref().unwrap());
        let info: GameJson = serde_json::from_str(&stored.game.info).unwrap();
        let (base, last) = (*info.clock.unwrap(), clock.entry());
        let earlier = EarlierClock::from(clock.game());
        assert_eq!(
            clock_after(base.clone(), &mut stored.rows.iter().cloned(), last),
            Some(earlier),
            "{before}"
        );
        let game = game_after(base, &mut stored.rows.iter().cloned(), last).unwrap();
        assert_eq!(game.view(game.last()), clock.game().view(game.last()), "{before}");
        let mut rig = Rig { recorder, entries, health, clock, now, game: id };
        rig.press(Side::White);
        rig.pass();
        assert_eq!(rig.on_record().0.rows.len(), 7, "{before}");
        assert_recorded(rig, &path);
    }
}

#[test]
fn a_wrong_checksum_of_the_present_format_is_a_mismatch() {
    let (_folder, path) = folder();
    running_game(&path, &json!([FORMAT, 1]));
    let (started, health) = set_up(Some(&path), "boot-1");
    assert!(started.kept.is_none());
    assert!(health.record_mismatch.load(Ordering::Relaxed));
}
