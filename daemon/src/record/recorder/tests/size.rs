//! A game becomes only as large as a restart of the service can read, and as `clockctl export` can write.

use super::*;
use clock_engine::{MAX_PERIODS, PerSide, Period, Recompute, Terms};

/// Large commands reach the limit of bytes before that of the entries, also with restarts in between.
#[test]
fn a_game_with_large_commands_is_continued_as_another_one() {
    let period = |moves| Period {
        moves,
        time: PerSide {
            white: Span::from_nanos(1_234_567_890_123),
            black: Span::from_nanos(2_345_678_901_234),
        },
        method: PerSide::both(Method::Increment(Span::from_nanos(123_456_789_012))),
    };
    let mut periods = [period(Some(40)); MAX_PERIODS];
    periods[MAX_PERIODS - 1] = period(None);
    let control = Control::new(&periods, Terms::default()).unwrap();
    let change = || GameCommand::ChangeTimeControl {
        control,
        recompute: Recompute::No,
        schedule_suffers: false,
    };

    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    let mut id = 0;
    let mut fill = |rig: &mut Rig, commands: usize| {
        for _ in 0..commands {
            id += 1;
            rig.command(id, change());
            if id % 100 == 0 {
                rig.pass();
            }
        }
        rig.pass();
    };
    fill(&mut rig, 1);
    let mut reader = reader(&path);
    let rows = reader.entries(1, 0, 10).unwrap();
    let length = rows.last().unwrap().row.exported_bytes();
    drop(reader);
    // Three fifths of the limit before the restart, and as much after it.
    let commands = ledger::MAX_GAME_BYTES * 3 / 5 / length;
    fill(&mut rig, commands);
    let (now, clock) = (rig.now, rig.clock.clone());
    drop(rig);
    let (Started { recorder, entries, kept, .. }, health) = set_up(Some(&path), "boot-1");
    let kept = kept.unwrap();
    assert_eq!(*kept.clock, clock);
    let mut rig = Rig { recorder, entries, health, clock, now, game: kept.id };
    fill(&mut rig, commands);
    assert!(rig.clock.entry() < ledger::MAX_GAME_ENTRIES);
    let games = games_on_record(&path);
    let lengths: Vec<u64> = games.iter().map(|game| game.entries * length as u64).collect();
    assert_eq!(lengths.len(), 2, "{lengths:?}");
    let limit = (ledger::MAX_GAME_BYTES + 2 * length) as u64;
    assert!(lengths.iter().all(|length| *length <= limit), "{lengths:?}");
    // What was recorded can be opened again.
    let clock = rig.clock.clone();
    drop(rig);
    let (started, health) = set_up(Some(&path), "boot-1");
    assert_eq!(*started.kept.unwrap().clock, clock);
    assert!(!health.record_moved_aside.load(Ordering::Relaxed));
}

#[test]
fn a_game_without_end_is_continued_as_another_one_so_that_a_restart_takes_little_memory() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    let presses = u32::try_from(ledger::MAX_GAME_ENTRIES).unwrap() + 3;
    rig.command(1, Command::Start);
    for number in 0..presses {
        rig.press(if number % 2 == 0 { Side::White } else { Side::Black });
        if number % 500 == 0 {
            rig.pass();
        }
    }
    rig.pass();
    let mut reader = reader(&path);
    let lengths: Vec<u64> = reader.games(0, 10).unwrap().iter().map(|game| game.entries).collect();
    assert_eq!(lengths, [5, ledger::MAX_GAME_ENTRIES]);
    drop(reader);
    let clock = rig.clock.clone();
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-1");
    let kept = started.kept.unwrap();
    assert_eq!(*kept.clock, clock);
    assert_eq!(kept.text.control, "5+2");
}
