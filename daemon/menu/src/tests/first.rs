//! The tiles of the first page: what each does, and which presses choose one.

use super::table::{BLACK, CALL, Table, WHITE, config};
use crate::{Effect, Failure, Keys, Refusal, When};
use clock_dbus::MenuButton;
use clock_engine::rules::GameCommand;
use clock_engine::{Command, Instant, Outcome, Phase, Side, Span};
use clockd_core::{MenuPress, PressLength};

fn over(rules: &str, code: Option<&str>) -> Table {
    let mut table = Table::with("3+2", rules, Keys::ButtonsAndCall, config(When::Always, code));
    table.play(Side::Black, 5);
    let (at, draw) = (table.at(), Command::Finish(Outcome::Drawn));
    table.game.handle_command(draw.into(), at).unwrap();
    table.wait(1);
    table
}

fn tiles(table: &mut Table) -> Vec<(MenuButton, String)> {
    table.open().unwrap();
    table.page().hints.into_iter().map(|hint| (hint.button.unwrap(), hint.action)).collect()
}

#[test]
fn each_tile_is_on_the_button_of_its_player() {
    let named = |tiles: &[(MenuButton, String)]| {
        tiles.iter().map(|(button, text)| format!("{button:?}: {text}")).collect::<Vec<_>>()
    };
    let mut table = over("players-agree", None);
    let before = named(&tiles(&mut table));
    let expected =
        ["White: Sides exchanged", "Black: Again", "Call: Time control", "CallHeld: More"];
    assert_eq!(before, expected);
    // The player who presses is Black in the next game, and stays at the own button.
    table.press(WHITE, PressLength::Short);
    assert_eq!((table.view().running(), table.menu.is_open()), (Some(Side::White), false));
    assert!(table.game.buttons_exchanged());
    assert_eq!(table.game.view(table.at()).sides.white.moves, 0);
    // With exchanged buttons, "again" is at the button that is wired as White's: Black uses it.
    table.call(1);
    let (at, draw) = (table.at(), Command::Finish(Outcome::Drawn));
    table.game.handle_command(draw.into(), at).unwrap();
    assert_eq!(named(&tiles(&mut table)), expected);
    table.press(WHITE, PressLength::Short);
    assert_eq!(table.view().running(), Some(Side::White));
    assert!(table.game.buttons_exchanged(), "the sides are the same again");
}

/// Before a game, "again" starts the game that is set up.
#[test]
fn a_game_that_is_set_up_is_only_started() {
    let mut table = Table::new("3+2", "players-agree");
    table.open().unwrap();
    table.choose("Again");
    assert_eq!(table.accepted, [Command::Start.into()]);
    assert_eq!(table.view().running(), Some(Side::White));
}

/// Where an arbiter decides, where a code is asked, or where the start is scheduled, no tile starts a
/// clock.
#[test]
fn a_tile_starts_only_a_game_of_the_players_own() {
    let starts = |table: &mut Table| {
        table.open().unwrap();
        table.page().title == "A press starts White's clock"
    };
    let mut changed: Vec<(Table, bool)> = vec![
        (over("players-agree", None), true),
        (over("players-agree", Some("wbwb")), true),
        (over("fide-2023", None), false),
        (over("fide-2023", Some("wbwb")), false),
        (over("", None), false),
    ];
    let mut on_bus = over("players-agree", None);
    on_bus.on_bus = true;
    let mut scheduled = over("players-agree", None);
    scheduled.until_start = Some(Span::from_secs(600));
    let rocker =
        Table::with("3+2", "players-agree", Keys::RockerAndCall, config(When::Always, None));
    changed.extend([(on_bus, false), (scheduled, false), (rocker, false)]);
    for (table, expected) in &mut changed {
        assert_eq!(starts(table), *expected, "{:?}", table.rules.0);
        let before = table.accepted.len();
        if !*expected && table.page().hints.iter().any(|hint| hint.action == "Again") {
            table.choose("Again");
            assert_ne!(table.phase(), Phase::Running);
            assert!(!table.accepted[before..].contains(&Command::Start.into()));
        }
    }
}

#[test]
fn a_press_that_began_before_the_tiles_were_shown_chooses_none() {
    let mut table = over("players-agree", None);
    table.now += 1_000_000_000;
    table.open().unwrap();
    let press = |began: u64, ended: u64| MenuPress {
        button: BLACK,
        at: Instant::from_nanos(began),
        end: Instant::from_nanos(ended),
        length: PressLength::Short,
    };
    let shown = table.now;
    table.now += 1_000_000;
    assert_eq!(table.report(&press(shown - 1, shown + 1)), Effect::None);
    assert!(table.accepted.is_empty() && table.menu.is_open());
    // A button that is held chooses none either, and it is not repeated.
    assert_eq!(table.press(BLACK, PressLength::Long), Effect::None);
    let repeated =
        table.with_situation(|menu, at, situation| menu.repeat(BLACK, at, at, situation));
    assert_eq!(repeated, Effect::None);
    // A press that began before a report was left does not choose a tile of the page below it either.
    table.press(BLACK, PressLength::Short);
    let mut table = over("players-agree", None);
    table.open().unwrap();
    refuse(&mut table, CALL_IT);
    let before = table.now;
    table.choose("Back");
    let press = press(before, table.now + 1_000_000);
    table.now += 2_000_000;
    assert_eq!(table.report(&press), Effect::None);
    assert!(table.page().is_tiles() && table.accepted.is_empty());
}

const CALL_IT: &str = "no such thing";

/// Presses "again", and lets the first of its two commands be refused.
fn refuse(table: &mut Table, text: &str) {
    let at = Instant::from_nanos(table.now + 1_000_000);
    table.now += 2_000_000;
    let press = MenuPress { button: BLACK, at, end: at, length: PressLength::Short };
    let effect = table.with_situation(|menu, at, situation| menu.key(&press, at, situation));
    let Effect::Give(set) = effect else { panic!("{effect:?}") };
    assert!(matches!(set.command, GameCommand::New(_)), "{set:?}");
    let (clause, text) = (None, text.to_owned());
    let sentence = |words: &clock_languages::menu::Refusal| words.clock_has_changed;
    let refusal = Failure::Refused(Refusal { sentence, clause, text });
    let effect =
        table.with_situation(|menu, at, situation| menu.answered(Err(refusal), at, situation));
    assert_eq!((effect, table.page().title.as_str()), (Effect::None, "Refused"));
}

#[test]
fn the_clock_starts_only_after_the_new_game_is_set_up() {
    let mut table = over("players-agree", None);
    table.open().unwrap();
    refuse(&mut table, "no such thing");
    assert_eq!(table.page().lines[0], "no such thing");
    // A menu that was left between the two commands starts nothing.
    let mut table = over("players-agree", None);
    table.open().unwrap();
    let at = Instant::from_nanos(table.now + 1);
    table.now += 2;
    let press = MenuPress { button: BLACK, at, end: at, length: PressLength::Short };
    table.with_situation(|menu, at, situation| menu.key(&press, at, situation));
    assert_eq!(table.press(CALL, PressLength::Long), Effect::Close);
    let effect = table.with_situation(|menu, at, situation| menu.answered(Ok(()), at, situation));
    assert_eq!(effect, Effect::None);
}

/// While a button is held, the cursor stops at the ends of a list. A single press goes around.
#[test]
fn a_held_button_stops_at_the_ends_of_a_list() {
    let mut table = Table::new("3+2", "players-agree");
    table.open().unwrap();
    table.choose("Time control");
    let held = |table: &mut Table, button| {
        for _ in 0..40 {
            table.now += 150_000_000;
            let at = table.at();
            table.with_situation(|menu, now, situation| menu.repeat(button, at, now, situation));
        }
        table.chosen()
    };
    assert_eq!(held(&mut table, BLACK), "Back");
    assert_eq!(held(&mut table, WHITE), "3+2");
    table.press(WHITE, PressLength::Short);
    assert_eq!(table.chosen(), "Back");
}

#[test]
fn the_list_begins_at_the_control_of_the_game_and_shows_its_times() {
    for (control, times) in [("15+10", "15:10"), ("3+2", "3:02"), ("90+30", "1:30:30")] {
        let mut table = Table::new(control, "players-agree");
        table.open().unwrap();
        table.choose("Time control");
        assert_eq!(
            (table.chosen().as_str(), table.page().times),
            (control, (times.to_owned(), times.to_owned()))
        );
    }
}
