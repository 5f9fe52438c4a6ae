//! Tests with rows that the record refuses.

use super::*;
use clock_controls::FILE_LIMIT;
use clock_engine::text::ControlFile;
use clock_record::TEXT_LIMIT;

fn new_game() -> Command {
    Command::New { control: control(), force: true }
}

/// Names of a game, and the texts of its control file and its rule file with these lengths. JSON
/// writes each of their characters as six bytes.
fn text(control_file: usize, rule_file: usize) -> GameText {
    GameText {
        control: "long".to_owned(),
        control_text: "\u{1}".repeat(control_file),
        rules: "longer".to_owned(),
        rules_text: "\u{1}".repeat(rule_file),
        ..GameText::default()
    }
}

fn text_on_record(rig: &mut Rig) -> GameText {
    let info: GameJson = serde_json::from_str(&rig.on_record().0.game.info).unwrap();
    info.text
}

/// Asserts that another press is recorded without an error, and that a new process then finds the
/// same clock in the record.
pub fn assert_recorded(mut rig: Rig, path: &Path) {
    rig.press(Side::Black);
    let wait = rig.recorder.pass(std::time::Instant::now());
    assert!(wait.is_none_or(|wait| wait > Duration::from_secs(2)), "it is tried again: {wait:?}");
    assert_eq!(rig.recorder.reports.status.error(), None);
    assert_eq!(rig.latest(), rig.clock.entry());
    let clock = rig.clock.clone();
    drop(rig);
    let (started, _) = set_up(Some(path), "boot-1");
    assert_eq!(*started.kept.unwrap().clock, clock);
}

#[test]
fn a_game_with_the_longest_control_file_and_rule_file_is_recorded_with_them() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    let longest = text(ControlFile::LIMIT, FILE_LIMIT);
    rig.noted_command(7, longest.clone(), new_game());
    rig.pass();
    assert_eq!(text_on_record(&mut rig), longest);
    let command = rig.on_record().0.rows[0].row.command.clone().unwrap();
    assert!(command.contains("round 3"), "{command}");
    assert_eq!(rig.lost(), 0);
    assert_recorded(rig, &path);
}

/// No text that the bus accepts is so long. What is refused must not keep later entries from being recorded.
#[test]
fn what_the_record_refuses_is_lost_and_counted_and_another_game_begins_with_the_state() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(1);
    rig.pass();
    rig.press(Side::Black);
    rig.command(2, Command::Finish(clock_engine::Outcome::Drawn));
    rig.recorder.read_entries();
    rig.recorder.unwritten[1].row.command = Some("x".repeat(TEXT_LIMIT + 1));
    rig.pass();
    assert_eq!(rig.lost(), 2);
    let (stored, kinds) = rig.on_record();
    assert_eq!((stored.game.game, kinds), (2, vec!["state".to_owned()]));
    assert!(stored.rows[0].row.events.contains(r#""lost":2"#), "{}", stored.rows[0].row.events);
    assert_eq!(stored.game.ended, Some(crate::game::Ended::Result));
    let on_record = rig.recorder.reports.committed.borrow().clone();
    let last = rig.clock.entry();
    assert!(on_record.includes(last) && !on_record.has(last) && on_record.has(last - 2));
    assert_recorded(rig, &path);
}

#[test]
fn a_game_that_refuses_the_state_too_is_left_as_it_is() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    rig.start_and_press(2);
    rig.pass();
    // Another program has appended a state with the number 1000. So the record refuses the next
    // entries of this clock, which have lower numbers.
    let mut row = rig.on_record().0.rows.pop().unwrap().row;
    (row.number, row.kind) = (1_000, "state".to_owned());
    rig.recorder.games.as_mut().unwrap().append(&[row]).unwrap();
    rig.press(Side::White);
    rig.pass();
    assert!(rig.health.record_mismatch.load(Ordering::Relaxed));
    assert_eq!(games_on_record(&path).len(), 2);
    assert_eq!((rig.lost(), rig.on_record().1), (1, vec!["state".to_owned()]));
    assert_recorded(rig, &path);
}
