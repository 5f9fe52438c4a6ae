//! Every page: it opens, every key does what it says, it is left, and it times out.

use super::golden::{all_lines, flag, ours, ours_over};
use super::pages::{self, Begin, PAGES, PageCase};
use super::table::{BLACK, CALL, Table, WHITE, config, library};
use super::tables::{agreeing, coded, over, standing};
use crate::page::with_seconds;
use crate::{Answer, Effect, Failure, Keys, Refusal, When};
use clock_dbus::MenuPage;
use clock_engine::{Command, Instant, Phase, Side, Span};
use clockd_core::{Button, MenuPress, PressLength};

/// A refusal without a clause.
fn no_such_thing() -> Failure {
    let text = "no such thing".to_owned();
    Failure::Refused(Refusal { sentence: |words| words.value_not_accepted, clause: None, text })
}

pub fn opened((begin, lines, title): &PageCase) -> Table {
    let mut table = match begin {
        Begin::Over => over(),
        Begin::Standing => standing(),
        Begin::Agreeing => agreeing(),
        Begin::Coded => coded(),
        Begin::OursReady => ours(),
        Begin::OursFlag => flag(),
        Begin::OursOver => ours_over(),
    };
    table.open().unwrap();
    for line in *lines {
        match *line {
            pages::WHITE => table.press(WHITE, PressLength::Short),
            pages::BLACK => table.press(BLACK, PressLength::Short),
            pages::HOLD => table.hold(),
            line => table.choose(line),
        };
    }
    assert_eq!(table.page().title, *title, "{lines:?}");
    table
}

#[test]
fn every_page_is_left_and_changes_nothing() {
    for case in PAGES {
        let mut table = opened(case);
        let before = (table.game, table.accepted.clone());
        let hold = table.page().hints.pop().unwrap().action;
        if hold != "leave" {
            // The hold leads from the first page to the rest of the menu, and from a correction in
            // steps to the agreement.
            assert_eq!(table.press(CALL, PressLength::Long), Effect::None, "{:?}", case.1);
            let expected = if hold == "OK" { "Both agree?" } else { hold.as_str() };
            assert_eq!(table.page().title, expected);
        }
        assert_eq!(table.press(CALL, PressLength::Long), Effect::Close, "{:?}", case.1);
        assert!(!table.menu.is_open() && table.menu.deadline().is_none());
        assert_eq!(before, (table.game, table.accepted.clone()));
    }
}

#[test]
fn every_page_closes_after_30_s_without_a_press() {
    for case in PAGES {
        let mut table = opened(case);
        let before = table.game;
        let deadline = table.menu.deadline().unwrap();
        assert_eq!(deadline.since(table.at()), Span::from_secs(30), "{:?}", case.1);
        let before_end = |seconds: u64| deadline.as_nanos() - seconds * 1_000_000_000;
        let at = |table: &mut Table, now: u64| {
            table.now = now;
            table.page()
        };
        let page = at(&mut table, before_end(12) - 1);
        assert_eq!(page.title, case.2);
        // The title stays: on a page that asks, it alone says what is done.
        assert_eq!(at(&mut table, before_end(12)).title, with_seconds(case.2, 10));
        assert_eq!(at(&mut table, before_end(2) - 1).title, with_seconds(case.2, 1));
        // For the last 2 s no press does anything.
        for now in [before_end(2), before_end(1)] {
            assert_eq!(at(&mut table, now).title, "Menu closed");
            for button in [WHITE, BLACK, CALL] {
                let press = MenuPress { button, ..released(table.at()) };
                assert_eq!(table.report(&press), Effect::None);
                assert_eq!(table.menu.deadline(), Some(deadline));
            }
        }
        table.now = deadline.as_nanos() - 1;
        let early = table.with_situation(|menu, at, _| menu.timeout(at));
        assert_eq!((early, table.menu.is_open()), (Effect::None, true));
        table.now += 1;
        let due = table.with_situation(|menu, at, _| menu.timeout(at));
        assert_eq!((due, table.menu.is_open()), (Effect::Close, false));
        assert_eq!(before, table.game);
    }
}

/// A command that is accepted over D-Bus closes the menu. A kill or a power cut has the same effect
/// on the game: a command that the menu has not given is not carried out later.
#[test]
fn every_page_closes_at_a_command_of_the_bus_and_begins_anew() {
    for case in PAGES {
        let mut table = opened(case);
        let before = (table.game, table.accepted.clone());
        table.menu.close();
        assert!(!table.menu.is_open() && table.menu.deadline().is_none(), "{:?}", case.1);
        for button in [WHITE, BLACK, CALL] {
            assert_eq!(table.press(button, PressLength::Short), Effect::None, "{:?}", case.1);
        }
        assert_eq!(before, (table.game, table.accepted.clone()));
        table.open().unwrap();
        assert!(matches!(table.page().number, 1 | 20 | 45), "{:?}", case.1);
    }
}

#[test]
fn every_page_closes_10_s_before_a_scheduled_start() {
    for case in PAGES {
        let mut table = opened(case);
        let before = (table.game, table.accepted.clone());
        let at = table.at();
        table.menu.follow_start(at, Some(Span::from_secs(25)));
        let deadline = table.menu.deadline().unwrap();
        assert_eq!(deadline.since(at), Span::from_secs(15), "{:?}", case.1);
        table.now = deadline.as_nanos();
        let due = table.with_situation(|menu, at, _| menu.timeout(at));
        assert_eq!((due, table.menu.is_open()), (Effect::Close, false));
        assert_eq!(before, (table.game, table.accepted.clone()));
    }
}

#[test]
fn every_key_on_every_page_gives_a_page_within_the_limits() {
    for case in PAGES {
        for contact in [WHITE, BLACK, CALL] {
            let mut table = opened(case);
            // `press` checks the page after each press.
            for _ in 0..8 {
                table.press(contact, PressLength::Short);
            }
        }
    }
}

#[test]
fn the_cursor_stops_only_at_lines_that_do_something() {
    for case in PAGES {
        let mut table = opened(case);
        for _ in 0..40 {
            if !table.menu.is_open() {
                // A tile has started a clock, or both players have agreed.
                break;
            }
            let before = table.page();
            let mut menu = table.menu.clone();
            let press = MenuPress { button: CALL, ..released(table.at()) };
            let (effect, after) = table.with_situation(|_, at, situation| {
                let effect = menu.key(&press, at, situation);
                (effect, menu.page(at, situation))
            });
            let does = effect != Effect::None || after.as_ref() != Some(&before);
            assert!(does || before.chosen.is_none(), "{before:?}");
            table.press(BLACK, PressLength::Short);
        }
    }
}

fn released(at: Instant) -> MenuPress {
    MenuPress { button: BLACK, at, end: at, length: PressLength::Short }
}

#[test]
fn on_and_back_undo_each_other_on_every_page() {
    for case in PAGES {
        let mut table = opened(case);
        let before = table.page();
        if before.is_tiles() || matches!(&*before.title, "Both agree?" | "Arbiter's code") {
            continue;
        }
        table.press(BLACK, PressLength::Short);
        // The cursor begins at "Back" only if there is no other choice.
        let has_choice = before.chosen.is_none_or(|at| before.lines[at as usize] != "Back");
        assert_eq!(table.page() != before, has_choice, "{:?}", case.1);
        table.press(WHITE, PressLength::Short);
        assert_eq!(table.page(), before, "{:?}", case.1);
    }
}

#[test]
fn every_shown_page_has_a_number_of_its_own() {
    let mut titles = std::collections::BTreeMap::new();
    for case in PAGES {
        let page = opened(case).page();
        assert_eq!(page.segments.0, format!("{:02}", page.number));
        titles.entry(page.number).or_insert_with(Vec::new).push(page.title);
    }
    assert_eq!(titles.len(), 26, "{:?}", titles.keys());
}

#[test]
fn the_menu_opens_when_the_configuration_allows_it() {
    let open = |when, phase: fn(&mut Table)| {
        let mut table =
            Table::with("3+2", "players-agree", Keys::ButtonsAndCall, config(when, None));
        phase(&mut table);
        let may_open = table.menu.may_open(table.phase(), None);
        let opened = table.open().is_some();
        assert_eq!(opened, may_open);
        opened
    };
    let ready: fn(&mut Table) = |_| {};
    let running: fn(&mut Table) = |table| table.play(Side::Black, 1);
    let paused: fn(&mut Table) = |table| {
        table.play(Side::Black, 1);
        table.call(1);
    };
    assert!(!open(When::Off, ready));
    assert!(open(When::BetweenGames, ready));
    assert!(!open(When::BetweenGames, paused));
    assert!(open(When::Always, paused));
    assert!(!open(When::Always, running));
}

#[test]
fn a_scheduled_start_closes_the_menu_10_s_before_it() {
    let mut table = Table::new("3+2", "fide-2023");
    table.until_start = Some(Span::from_secs(10));
    assert_eq!(table.open(), None);
    for (nanos, may_open) in [(0, false), (10_000_000_000, false), (10_000_000_001, true)] {
        table.until_start = Some(Span::from_nanos(nanos));
        let asked = table.menu.may_open(table.phase(), table.until_start);
        assert_eq!((asked, table.open().is_some()), (may_open, may_open));
    }
    table.until_start = Some(Span::from_secs(25));
    table.open().unwrap();
    assert_eq!(table.menu.deadline().unwrap().since(table.at()), Span::from_secs(15));
    table.press(BLACK, PressLength::Short);
    table.wait(15);
    assert_eq!(table.press(CALL, PressLength::Short), Effect::Close);
    // The wall clock is set forward while the menu is open, so the scheduled start comes nearer.
    table.until_start = Some(Span::from_secs(3600));
    table.open().unwrap();
    let now = table.at();
    table.menu.follow_start(now, Some(Span::from_secs(12)));
    assert_eq!(table.menu.deadline().unwrap().since(now), Span::from_secs(2));
    table.menu.follow_start(now, None);
    assert_eq!(table.menu.deadline().unwrap().since(now), Span::from_secs(30));
}

#[test]
fn a_clock_that_runs_closes_the_menu() {
    let mut table = standing();
    table.open().unwrap();
    let at = table.at();
    table.game.handle_command(Command::Resume { side: None }.into(), at).unwrap();
    assert_eq!(table.phase(), Phase::Running);
    assert_eq!(table.press(BLACK, PressLength::Short), Effect::Close);
}

#[test]
fn the_summary_says_what_is_accepted() {
    let mut table = Table::new("3+2", "players-agree");
    table.configured = ("guidelines-iii".to_owned(), super::table::profile("guidelines-iii"));
    table.open().unwrap();
    table.choose_all(&["Time control", "All", "Several", "40/90, G/30, +30"]);
    let said = [
        "40 moves in 1:30:00",
        "then 0:30:00",
        "30 s a move from move 1",
        "Flag: both clocks stop",
        "Moves end a period",
        "Rules: we two",
    ];
    assert_eq!(all_lines(&mut table)[..6], said);
    // A control that the rules refuse cannot be accepted.
    table.open().unwrap();
    table.choose_all(&["New game", "With an", "40/90, G/30, +30"]);
    for _ in 0..40 {
        assert_ne!(table.chosen(), "Accept");
        table.press(BLACK, PressLength::Short);
    }
}

#[test]
fn every_control_of_the_library_has_a_line_and_a_summary() {
    let mut table = Table::new("3+2", "players-agree");
    table.open().unwrap();
    table.choose_all(&["New game", "We two", "All"]);
    let families = ["Blitz", "Rapid", "Long", "Several", "Different", "Overtime"];
    let listed = families.map(|family| {
        table.choose(family);
        let mut names = Vec::new();
        while table.chosen() != "Back" {
            names.push(table.chosen());
            // Opens the summary, goes back from it, and on to the next line.
            table.press(CALL, PressLength::Short);
            assert_eq!(table.page().title, "Is this right?", "{names:?}");
            assert_eq!(table.chosen(), "Accept", "{names:?}");
            table.press(BLACK, PressLength::Short);
            assert_eq!(table.chosen(), "Back");
            table.press(CALL, PressLength::Short);
            table.press(BLACK, PressLength::Short);
        }
        table.press(CALL, PressLength::Short);
        names.len()
    });
    let different = |(index, named): &(usize, &clock_controls::NamedControl)| {
        library()[..*index].iter().all(|other| other.control != named.control)
    };
    assert_eq!(
        listed.iter().sum::<usize>(),
        library().iter().enumerate().filter(different).count()
    );
}

#[test]
fn a_refusal_and_a_note_are_shown() {
    let mut table = standing();
    table.open().unwrap();
    table.choose_all(&["Take back"]);
    table.both_agree();
    table.open_and_choose(&["Take back"]);
    table.both_agree();
    let page = table.page();
    assert_eq!(
        (page.title.as_str(), page.lines[0].as_str()),
        ("Refused", "no press can be taken back:")
    );
    table.menu.kept_until_start();
    let page = table.page();
    assert_eq!((page.title.as_str(), page.lines[1].as_str()), ("Note", "start."));
    table.choose("Back");
    assert_eq!(table.page().title, "Refused");
}

/// Gives the command of the chosen line, and returns the page after this answer, if there is one.
fn answered(mut table: Table, answer: Answer) -> Option<MenuPage> {
    let mut menu = table.menu.clone();
    let press = |button: Button, ms: u64, now: u64| {
        let at = Instant::from_nanos(now + ms * 1_000_000);
        MenuPress { button, at, end: at, length: PressLength::Short }
    };
    let now = table.now;
    table.with_situation(|_, at, situation| {
        let presses =
            [(CALL, 1), (WHITE, 2), (BLACK, 3)].map(|(button, ms)| press(button, ms, now));
        let given = presses.iter().any(|press| {
            let effect = menu.key(press, press.end, situation);
            matches!(effect, Effect::Give(_))
        });
        assert!(given);
        let effect = menu.answered(answer, at, situation);
        assert_eq!(effect == Effect::Close, !menu.is_open());
        menu.page(at, situation)
    })
}

#[test]
fn a_late_answer_does_not_touch_a_menu_that_was_opened_again() {
    let mut table = standing();
    table.open().unwrap();
    table.choose("Correct");
    let title = table.page().title;
    let mut menu = table.menu.clone();
    table.with_situation(|_, at, situation| {
        let answer = Err(Failure::NoAnswer);
        assert_eq!(menu.answered(answer, at, situation), Effect::None);
        assert_eq!(menu.page(at, situation).unwrap().title, title);
    });
}

#[test]
fn after_a_command_there_is_a_page_only_if_something_must_be_read() {
    for (answer, shown) in [
        (Ok(()), None),
        (Err(Failure::NoAnswer), Some((38, "No answer", "It is not known whether it"))),
        (Err(no_such_thing()), Some((36, "Refused", "no such thing"))),
    ] {
        let mut table = agreeing();
        table.open().unwrap();
        table.choose("Result");
        let page = answered(table, answer);
        let said = page.as_ref().map(|page| (page.number, &*page.title, &*page.lines[0]));
        assert_eq!(said, shown);
    }
}

#[test]
fn each_choice_is_one_command() {
    use clock_engine::rules::{AgreedChange, GameCommand};
    use clock_engine::{Command, Outcome};
    let with_result = |rules: &str| {
        let mut table = Table::new("3+2", rules);
        table.play(Side::Black, 5);
        table.call(5);
        table.open().unwrap();
        table.choose_all(&["Result", "1-0"]);
        table.both_agree();
        table.open().unwrap();
        table
    };
    let all_given = |rules: &str, lines: &[&str]| {
        let mut table = with_result(rules);
        table.choose_all(lines);
        if table.menu.is_open() {
            match table.page().title.as_str() {
                "Is this right?" => table.choose("Accept"),
                _ => table.both_agree(),
            };
        }
        assert!(table.refused.is_empty() && !table.menu.is_open(), "{lines:?}");
        table.accepted
    };
    let given = |rules: &str, lines: &[&str]| *all_given(rules, lines).last().unwrap();
    let draw = ["Result", "½"];
    assert_eq!(given("fide-2023", &draw), GameCommand::ReplaceResult(Outcome::Drawn));
    let agreed = AgreedChange::ReplaceResult(Outcome::Drawn);
    assert_eq!(given("players-agree", &draw), GameCommand::Agreed(agreed));
    let none = ["Result", "No result"];
    assert_eq!(given("fide-2023", &none), Command::Reopen.into());
    assert_eq!(given("players-agree", &none), GameCommand::Agreed(AgreedChange::Reopen));
    for rules in ["fide-2023", "players-agree"] {
        let commands = all_given(rules, &["Sides"]);
        let is_new = |command: &GameCommand| matches!(command, GameCommand::NewExchanged(_));
        match rules {
            "fide-2023" => assert!(is_new(&commands[1]) && commands.len() == 2, "{commands:?}"),
            // The tile also starts White's clock.
            _ => {
                assert!(is_new(&commands[1]), "{commands:?}");
                assert_eq!(commands[2..], [Command::Start.into()]);
            }
        }
    }
    let refusal = |rules: &str| {
        let mut table = with_result(rules);
        table.choose("Result");
        answered(table, Err(no_such_thing())).unwrap()
    };
    for rules in ["fide-2023", "players-agree"] {
        let page = refusal(rules);
        assert_eq!(
            (page.title.as_str(), &page.lines[..2]),
            ("Refused", &["no such thing", "Back"].map(str::to_owned)[..])
        );
    }
}

#[test]
fn a_refused_correction_leaves_no_confirmation() {
    let mut table = agreeing();
    table.open().unwrap();
    let before = table.game;
    // 3+2 has only one period.
    table.choose_all(&["Correct", "White's period"]);
    table.enter("09");
    table.choose_all(&["Show"]);
    table.both_agree();
    assert_eq!(table.page().title, "Refused");
    let mut unchanged = before;
    unchanged.handle_timeout(table.at()).unwrap();
    while unchanged.poll_event().is_some() {}
    assert_eq!((table.game, table.accepted.len()), (unchanged, 0));
}

#[test]
fn a_new_game_replaces_one_that_stands_and_is_given_once() {
    let mut table = standing();
    table.open().unwrap();
    table.choose_all(&["New game", "We two", "3+2"]);
    assert_eq!(table.page().lines[0], "The game here ends");
    table.choose("Accept");
    table.both_agree();
    assert_eq!((table.phase(), table.control.name.as_str()), (Phase::Ready, "3+2"));
    assert!(table.refused.is_empty(), "{:?}", table.refused);
    // Before the answer no press counts.
    let mut table = coded();
    table.open().unwrap();
    table.choose("Take back");
    table.enter_code("wbwb");
    while table.chosen() != "Yes, do it" {
        table.press(BLACK, PressLength::Short);
    }
    let (at, end) = (table.at(), table.at());
    let choose = MenuPress { button: CALL, at, end, length: PressLength::Short };
    let mut press = || table.with_situation(|menu, at, situation| menu.key(&choose, at, situation));
    assert!(matches!(press(), Effect::Give(_)));
    assert_eq!((press(), press()), (Effect::None, Effect::None));
    assert_eq!(table.page().title, "One moment");
}

#[test]
fn seven_segments_show_the_page_and_the_value_of_the_line() {
    let mut table = standing();
    table.open().unwrap();
    let mut shown = |line: &str| {
        table.choose(line);
        table.page().segments
    };
    assert_eq!(shown("Correct"), ("48".to_owned(), "1.29.00".to_owned()));
    assert_eq!(shown("White's moves"), ("33".to_owned(), "001".to_owned()));
    table.press(CALL, PressLength::Long);
    table.open().unwrap();
    table.choose("Result");
    let mut values = Vec::new();
    for _ in 0..4 {
        values.push(table.page().segments.1);
        table.press(BLACK, PressLength::Short);
    }
    assert_eq!(values, ["1-0", "5-5", "0-1", "0"]);
}

#[test]
fn between_games_a_result_that_is_taken_back_closes_the_menu() {
    let mut table = over();
    table.menu = crate::Menu::new(config(When::BetweenGames, None), table.keys, 0, Instant::ZERO);
    table.open().unwrap();
    table.choose_all(&["Result", "No result"]);
    table.both_agree();
    assert_eq!((table.phase(), table.menu.is_open()), (Phase::Paused, false));
}
