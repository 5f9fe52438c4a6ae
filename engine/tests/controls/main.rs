//! Plays a game with every shipped control and compares it with the row of this control in
//! `table::TABLE`.

mod game;
mod own;
mod table;

use clock_engine::text::presets;
use clock_engine::{EventKind, Phase, Side};
use game::{Game, SECOND};
use std::collections::{BTreeMap, BTreeSet};

/// The columns of each row, by the name of its control. A line that begins with a space continues
/// the row before it.
fn rows() -> BTreeMap<&'static str, Vec<String>> {
    let mut rows = BTreeMap::new();
    let mut whole: Vec<(&str, String)> = Vec::new();
    for line in table::TABLE.lines().filter(|line| !line.trim().is_empty()) {
        match whole.last_mut().filter(|_| line.starts_with(' ')) {
            Some((_, row)) => *row += &format!(" {}", line.trim()),
            None => {
                let (name, row) = line.split_once('|').expect("a row begins with a name");
                whole.push((name.trim(), row.trim().to_owned()));
            }
        }
    }
    for (name, row) in whole {
        let columns: Vec<String> = row.split('|').map(|column| column.trim().to_owned()).collect();
        assert_eq!(columns.len(), 4, "{name}");
        assert_eq!(rows.insert(name, columns), None, "{name} has two rows");
    }
    rows
}

/// Compares one column of every row with the result of `play` for the control of that row.
fn check(column: usize, play: impl Fn(&str) -> String) {
    let mut wrong = String::new();
    for (name, columns) in rows() {
        let (wanted, seen) = (&columns[column], play(name));
        if *wanted != seen {
            wrong += &format!("{name}\n  wanted {wanted}\n  seen   {seen}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_shipped_control_has_its_row() {
    let shipped: BTreeSet<&str> = presets().iter().map(|preset| preset.name).collect();
    let listed: BTreeSet<&str> = rows().into_keys().collect();
    let alone: Vec<_> = shipped.symmetric_difference(&listed).collect();
    assert!(alone.is_empty(), "a control without a row, or a row without a control: {alone:?}");
}

#[test]
fn what_it_shows_at_the_start() {
    check(0, |name| {
        let game = Game::of(name);
        assert_eq!(game.phase(), Phase::Ready);
        game.readings()
    });
}

#[test]
fn what_it_shows_when_white_has_moved_in_10_seconds() {
    check(1, |name| {
        let mut game = Game::started(name);
        game.press_after(10 * SECOND, Side::White);
        assert_eq!(game.running(), Some(Side::Black), "{name}");
        game.readings()
    });
}

#[test]
fn what_a_game_of_110_moves_brings() {
    check(2, |name| {
        let mut game = Game::started(name);
        let mut changes = Vec::new();
        for number in 1..=110 {
            for (side, letter, takes) in [(Side::White, 'W', 1), (Side::Black, 'B', 2)] {
                let accepted = game.press_after(takes * SECOND, side);
                let mut brought = game.take_events();
                match game.phase() {
                    Phase::Running => {}
                    phase => brought.push(phase.as_str().into()),
                }
                // A press that comes too late because of a flag is not listed as ignored, because
                // the flag is listed already.
                if !accepted && brought.is_empty() {
                    brought.push("ignored".into());
                }
                if !brought.is_empty() {
                    let (brought, shown) = (brought.join(" "), game.readings());
                    changes.push(format!("{letter}{number}: {brought} {shown}"));
                }
                match game.phase() {
                    Phase::Paused => game.resume(),
                    Phase::Running if accepted => {}
                    _ => return changes.join("; "),
                }
                assert_eq!(game.running(), Some(side.other()), "{name}");
            }
        }
        if changes.is_empty() { "-".into() } else { changes.join("; ") }
    });
}

#[test]
fn when_whites_flag_falls() {
    check(3, |name| {
        let mut game = Game::started(name);
        // A hundred hours, which is longer than any of these controls lasts.
        while let Some(due) =
            game.clock.poll_timeout().filter(|due| due.as_nanos() < 360_000 * SECOND)
        {
            game.wait_until(due);
            while let Some(event) = game.clock.poll_event() {
                let EventKind::Flag { side, .. } = event.kind else { continue };
                assert_eq!((side, event.at), (Side::White, due), "{name}");
                assert_eq!(game.clock.view(due).first_flag, Some(Side::White));
                return format!("{} {}", game::format_time(due.as_nanos()), game.phase().as_str());
            }
        }
        "never".into()
    });
}
