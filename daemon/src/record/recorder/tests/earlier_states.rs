//! Tests of the clock and of the game as they were right after an earlier entry.

use super::*;

#[test]
fn the_clock_after_any_entry_is_found_again_also_before_a_power_cut() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.command(1, Command::Start);
    let now = |clock: &VersionedClock| EarlierClock::from(clock.game());
    let mut after = vec![(rig.clock.entry(), now(&rig.clock))];
    for number in 0..4 {
        rig.press(if number % 2 == 0 { Side::White } else { Side::Black });
        after.push((rig.clock.entry(), now(&rig.clock)));
    }
    rig.pass();
    let stored = rig.stored();
    let info: serde_json::Value = serde_json::from_str(&stored.game.info).unwrap();
    let base: VersionedClock = serde_json::from_value(info["clock"].clone()).unwrap();
    for (entry, clock) in &after {
        assert_eq!(
            clock_after(base.clone(), &mut stored.rows.iter().cloned(), *entry),
            Some(*clock)
        );
    }
    assert_eq!(
        clock_after(base.clone(), &mut stored.rows.iter().cloned(), rig.clock.entry() + 1),
        None
    );
    // The clock runs for 20 s after the last press, until the power is cut.
    let stopped = Instant::from_nanos(rig.now + 20 * SECOND);
    let at = Instant::from_nanos(SECOND);
    rig.input(Input::PowerCut { stopped, at, closed: None });
    rig.pass();
    let rows = rig.stored().rows;
    for (entry, mut clock) in after {
        // The power cut moves the instants of the state to the new boot, and changes nothing else.
        clock.handle_power_cut(stopped, at);
        assert_eq!(clock_after(base.clone(), &mut rows.iter().cloned(), entry), Some(clock));
    }
}

#[test]
fn the_game_after_any_entry_is_charged_up_to_it() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.command(1, Command::Start);
    let mut after = Vec::new();
    for number in 0..4 {
        rig.press(if number % 2 == 0 { Side::White } else { Side::Black });
        after.push((rig.clock.entry(), *rig.clock.game()));
    }
    rig.pass();
    let stored = rig.stored();
    let info: serde_json::Value = serde_json::from_str(&stored.game.info).unwrap();
    let base: VersionedClock = serde_json::from_value(info["clock"].clone()).unwrap();
    let found = |rows: &[Row], entry| game_after(base.clone(), &mut rows.iter().cloned(), entry);
    for (entry, mut game) in after {
        while game.poll_event().is_some() {}
        let found = found(&stored.rows, entry).unwrap();
        assert_eq!(found.view(found.last()), game.view(game.last()));
    }
    let last = rig.clock.entry();
    assert!(found(&stored.rows, last + 1).is_none());
    // If an entry cannot be replayed, `game_after` finds no game after this entry or a later one,
    // until the next whole state.
    let mut damaged = stored.rows.clone();
    damaged[2].row.input = "{}".to_owned();
    assert!(found(&damaged, last).is_none());
    let clock = Box::new(rig.clock.clone());
    damaged[5].row.input = serde_json::to_string(&Entry::State { clock, lost: 3 }).unwrap();
    assert_eq!(found(&damaged, last).unwrap().view(rig.clock.last()).phase, Phase::Running);
}
