//! Names that were corrected during a game are those of the game, after a kill and after a power
//! cut.

use super::kept::Kept;
use super::*;

fn named(white: &str) -> GameText {
    GameText { control: "5+2".to_owned(), white: white.to_owned(), ..GameText::default() }
}

/// A running game in which White's name is corrected after the first move.
fn renamed(rig: &mut Rig) {
    rig.noted_command(8, named("Mencik"), Command::New { control: control(), force: true });
    rig.command(9, Command::Start);
    rig.press(Side::White);
    rig.noted_command(10, named("Menchik"), GameCommand::SetNames);
    rig.press(Side::Black);
}

#[test]
fn corrected_names_are_there_again_after_a_kill_before_they_are_on_record() {
    let (_folder, path) = folder();
    let (kept, mut rig) = Kept::new(&path);
    renamed(&mut rig);
    rig.close_record();
    let (started, _) = kept.next(Some(&path));
    assert_eq!(started.kept.unwrap().text.white, "Menchik");
}

#[test]
fn corrected_names_are_those_of_the_same_game_on_record_and_after_a_power_cut() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    renamed(&mut rig);
    rig.pass();
    let (stored, kinds) = rig.on_record();
    assert_eq!((stored.game.game, kinds.len()), (2, 5));
    let text: GameText = serde_json::from_str(&stored.game.info).unwrap();
    assert_eq!(text.white, "Menchik");
    let clock = rig.clock.clone();
    drop(rig);
    let (started, _) = set_up(Some(&path), "boot-2");
    let kept = started.kept.expect("a game is on record");
    assert_eq!((*kept.clock, kept.text.white.as_str()), (clock, "Menchik"));
}

#[test]
fn the_names_of_a_refused_command_are_not_those_of_the_game() {
    let (_folder, path) = folder();
    let mut rig = rig(Some(&path), "boot-1");
    renamed(&mut rig);
    let Input::Request(request) = rig.request(11, GameCommand::SetNames) else { unreachable!() };
    let game = Some(Box::new(NotedGame { id: rig.game, text: named("Nobody") }));
    let note = EntryNote::Command(CommandNote { game, ..note("set-names", Some(1000)) });
    // The caller saw an earlier state of the clock.
    rig.noted_input(Input::Request(Request { revision: 1, ..request }), &note.encode(0));
    rig.entries.keep(&rig.clock);
    rig.pass();
    let (stored, kinds) = rig.on_record();
    assert_eq!(kinds.len(), 6);
    let text: GameText = serde_json::from_str(&stored.game.info).unwrap();
    assert_eq!(text.white, "Menchik");
}
