//! Who may do what: locked games, the code, and what a profile hides.

use super::table::{Table, config};
use super::tables::{agreeing, coded, lines, standing};
use crate::{Effect, Keys, Menu, When};
use clock_engine::rules::{Action, Claimant, Ground};
use clock_engine::{Command, Instant, Outcome, Phase, Side};

#[test]
fn a_game_that_was_set_up_over_d_bus_is_locked_without_a_code() {
    let mut table = standing();
    table.on_bus = true;
    let about = ["Sound: On", "Brightness", "Language", "About this clock", "Leave the menu"];
    // fide-article-6 shows the counters, so the questions can be read.
    let mut allowed = vec!["What awaits an answer"];
    allowed.extend(about);
    assert_eq!(lines(&mut table), allowed);
    // The questions can be read, but nobody here can answer them.
    table.choose_all(&["What awaits", "Clocks"]);
    let page = table.page();
    assert_eq!((page.title.as_str(), page.lines.len()), ("Clocks stopped: reason?", 4));
    assert_eq!(table.chosen(), "Back");
    let mut table = coded();
    table.menu = Menu::new(config(When::Always, None), table.keys, 0, Instant::ZERO);
    table.on_bus = true;
    assert_eq!(lines(&mut table), about, "fide-2023 hides the counters");
    // The players may correct the clock of a game that was set up over D-Bus if its profile gives
    // them the authority.
    let mut table = agreeing();
    table.on_bus = true;
    assert!(lines(&mut table).contains(&"Correct the clock".to_owned()));
    let mut table = Table::new("3+2", "players-agree");
    table.on_bus = true;
    assert_eq!(lines(&mut table), about, "before the game");
}

#[test]
fn an_answer_of_a_locked_game_asks_for_the_code() {
    let mut table = standing();
    table.menu = Menu::new(config(When::Always, Some("wbwb")), table.keys, 0, Instant::ZERO);
    table.on_bus = true;
    table.open().unwrap();
    table.choose_all(&["What awaits", "Clocks", "The reason", "Yes"]);
    assert_eq!((table.page().title.as_str(), table.accepted.len()), ("Arbiter's code", 0));
    table.enter_code("wbwb");
    assert_eq!((table.page().title.as_str(), table.accepted.len()), ("The reason was valid", 0));
    table.choose("Yes");
    assert_eq!(table.accepted.len(), 1);
}

#[test]
fn a_profile_that_hides_the_counters_hides_them_from_two_players_too() {
    let code = config(When::Always, Some("wbwb"));
    let rules = "guidelines-iii-unsupervised";
    let mut table = Table::with("G/30", rules, Keys::ButtonsAndCall, code);
    table.play(Side::Black, 5);
    table.call(5);
    assert!(lines(&mut table).contains(&"Correct the clock".to_owned()));
    table.choose("Correct");
    table.exact();
    let shown = table.page().lines;
    assert_eq!(shown[2..4], ["On move: White", "Nothing is changed yet"], "{shown:?}");
    table.menu.close();
    let awaits = "What awaits an answer".to_owned();
    assert!(!lines(&mut table).contains(&awaits), "nobody answers without an arbiter");
    assert!(lines(&mut standing()).contains(&awaits));
}

#[test]
fn two_players_without_an_arbiter_have_no_penalties_and_go_on_with_their_buttons() {
    let expected = [
        "Go on",
        "Result",
        "Correct the clock",
        "Take back last press",
        "New game",
        "White's button",
        "Sound: On",
        "Brightness",
        "Language",
        "About this clock",
        "Leave the menu",
    ];
    assert_eq!(lines(&mut agreeing()), expected);
    let mut table = agreeing();
    table.open().unwrap();
    assert_eq!(table.choose("Go on"), Effect::Close, "the face asks both to press");
    let mut table = standing();
    assert!(lines(&mut table).contains(&"Penalties".to_owned()));
    table.menu.close();
    table.open().unwrap();
    table.choose("Go on");
    assert_eq!(table.page().title, "Go on");
}

/// Only the designated arbiter enters the result of a game that a claim has concluded.
#[test]
fn s2_iii_6_2_a_concluded_game_has_no_page_for_its_result() {
    for flagged in [false, true] {
        let mut table = Table::new("G/11", "guidelines-iii-unsupervised");
        table.play(Side::Black, 5);
        table.play(Side::White, 560);
        // White has 100 s left. Black's flag has fallen, or Black has 90 s left.
        table.play(Side::Black, if flagged { 670 } else { 570 });
        let mut open = table.clone();
        open.call(1);
        let by = Claimant::Player(Side::White);
        let claim = Action::ClaimDraw { by, ground: Ground::CannotWin, stop: true, offer: None };
        let at = table.at();
        table.game.handle_command(claim.into(), at).unwrap();
        table.wait(1);
        let offers = |table: &mut Table| {
            let lines = lines(table);
            lines.iter().any(|line| ["Result", "White wins", "Draw"].contains(&line.as_str()))
        };
        assert!(offers(&mut open), "flagged: {flagged}, {:?}", lines(&mut open));
        assert!(!offers(&mut table), "flagged: {flagged}, {:?}", lines(&mut table));
    }
}

#[test]
fn what_the_clock_does_not_have_is_not_offered() {
    for (has_buzzer, has_backlight) in [(true, true), (true, false), (false, true), (false, false)]
    {
        for mut table in [Table::new("3+2", "players-agree"), standing()] {
            (table.machine.has_buzzer, table.machine.has_backlight) = (has_buzzer, has_backlight);
            let lines = lines(&mut table);
            let has = |line: &str| lines.contains(&line.to_owned());
            assert_eq!((has("Sound: On"), has("Brightness")), (has_buzzer, has_backlight));
            assert!(has("Language"));
        }
    }
}

/// A game of an arbiter, in this phase.
fn of_arbiter(phase: Phase, code: Option<&str>, on_bus: bool) -> Table {
    let mut table =
        Table::with("3+2", "fide-2023", Keys::ButtonsAndCall, config(When::Always, code));
    table.on_bus = on_bus;
    if phase != Phase::Ready {
        table.play(Side::Black, 5);
        table.play(Side::White, 5);
        table.call(5);
    }
    if phase == Phase::Over {
        let (at, draw) = (table.at(), Command::Finish(Outcome::Drawn));
        table.game.handle_command(draw.into(), at).unwrap();
        table.wait(0);
    }
    assert_eq!(table.phase(), phase);
    table.open().unwrap();
    table
}

/// What stands before a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    Both,
    Code,
    /// There is no such line.
    Closed,
}

/// Chooses these lines. Returns what was asked before the command was given.
fn before(mut table: Table, choices: &[&str]) -> Before {
    let line = choices[0];
    if !lines(&mut table).iter().any(|other| other.starts_with(line)) {
        return Before::Closed;
    }
    let mut asked = Before::Nothing;
    for choice in choices {
        // Where both agree, or where nothing can be lost, no page asks before.
        if !table.menu.is_open() || table.page().title == "Both agree?" {
            break;
        }
        table.choose(choice);
        if table.menu.is_open() && table.page().title == "Arbiter's code" {
            table.enter_code("wbwb");
            asked = Before::Code;
        }
    }
    if table.menu.is_open() && table.page().title == "Both agree?" {
        assert_eq!((asked, table.accepted.len()), (Before::Nothing, 0));
        table.both_agree();
        asked = Before::Both;
    }
    assert!(!table.accepted.is_empty() && table.refused.is_empty(), "{:?}", table.refused);
    asked
}

const NEW: &[&str] = &["New game", "We two", "3+2", "Accept"];
const RESULT: &[&str] = &["Result", "1-0", "Yes"];
const WHITE_SIDE: &[&str] = &["White's button", "Yes"];

#[test]
fn a_game_of_an_arbiter_changes_with_the_code_or_by_both_players() {
    use Before::{Both, Closed, Code, Nothing};
    let code = Some("wbwb");
    for (phase, choices, at_the_clock, on_bus) in [
        (Phase::Ready, NEW, [Nothing, Nothing], [Closed, Code]),
        (Phase::Ready, WHITE_SIDE, [Nothing, Nothing], [Closed, Code]),
        (Phase::Paused, NEW, [Both, Code], [Closed, Code]),
        (Phase::Paused, RESULT, [Both, Code], [Closed, Code]),
        (Phase::Paused, &["Take back", "Yes"], [Both, Code], [Closed, Code]),
        (Phase::Paused, &["Penalties", "White", "Warning", "Yes"], [Both, Code], [Closed, Code]),
        (Phase::Paused, &["Go on", "White's", "Yes"], [Both, Code], [Closed, Code]),
        (Phase::Paused, &["What awaits", "Clocks", "The", "Yes"], [Closed, Code], [Closed, Code]),
        (Phase::Paused, WHITE_SIDE, [Both, Code], [Closed, Code]),
        (Phase::Over, RESULT, [Both, Code], [Closed, Code]),
        (Phase::Over, NEW, [Nothing, Nothing], [Both, Code]),
        (Phase::Over, &["Again", "Accept"], [Nothing, Nothing], [Both, Code]),
        (Phase::Over, WHITE_SIDE, [Nothing, Nothing], [Both, Code]),
    ] {
        for (bus, expected) in [(false, at_the_clock), (true, on_bus)] {
            let asked = [None, code].map(|code| before(of_arbiter(phase, code, bus), choices));
            assert_eq!(asked, expected, "{phase:?} {choices:?}, over D-Bus: {bus}");
        }
    }
}

#[test]
fn a_game_without_a_profile_changes_by_both_players() {
    let mut table = Table::new("3+2", "");
    table.play(Side::Black, 5);
    table.call(5);
    assert_eq!(before(table, RESULT), Before::Both);
}

#[test]
fn a_game_of_the_players_is_theirs_also_if_it_was_set_up_over_d_bus() {
    for code in [None, Some("wbwb")] {
        for (phase, choices, expected) in [
            (Phase::Ready, NEW, code.map_or(Before::Closed, |_| Before::Code)),
            (Phase::Ready, WHITE_SIDE, code.map_or(Before::Closed, |_| Before::Code)),
            (Phase::Paused, RESULT, Before::Both),
            (Phase::Paused, NEW, Before::Both),
            (Phase::Over, RESULT, Before::Both),
            (Phase::Over, NEW, Before::Nothing),
        ] {
            let keys = Keys::ButtonsAndCall;
            let config = config(When::Always, code);
            let mut table = Table::with("3+2", "players-agree", keys, config);
            table.on_bus = true;
            if phase != Phase::Ready {
                table.play(Side::Black, 5);
                table.call(5);
            }
            if phase == Phase::Over {
                table.open().unwrap();
                table.choose_all(&["Result", "0-1"]);
                table.both_agree();
                table.accepted.clear();
            }
            assert_eq!(before(table, choices), expected, "{code:?} {phase:?} {choices:?}");
        }
    }
}

#[test]
fn hidden_counters_are_shown_with_the_code_only() {
    let counters = |code: Option<&str>, rules: &str| {
        let config = config(When::Always, code);
        let mut table = Table::with("3+2", rules, Keys::ButtonsAndCall, config);
        table.play(Side::Black, 5);
        table.call(5);
        table.open().unwrap();
        table.choose("Correct");
        if code.is_some() {
            table.enter_code("wbwb");
        }
        table.exact();
        let counters = table.page().lines.iter().any(|line| line.starts_with("White's moves"));
        table.choose("White's time");
        table.enter("00500");
        table.choose("Show");
        match code {
            None => table.both_agree(),
            Some(_) => table.choose("Yes"),
        };
        assert_eq!(table.accepted.len(), 1);
        counters
    };
    assert!(!counters(None, "fide-2023"));
    assert!(counters(Some("wbwb"), "fide-2023"));
    assert!(counters(None, "fide-article-6"));
}
