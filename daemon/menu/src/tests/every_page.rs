//! Every page: it opens, every key does what it says, it is left, and it times out.

use super::table::{BLACK, CALL, Table, WHITE, config, library};
use crate::{Contact, Effect, Keys, Length, NotOpened, When};
use clock_engine::{Phase, Side, Span};

/// A table whose first page is that of a game that stands.
fn standing() -> Table {
    let mut table = Table::new("40/90, G/30", "fide-article-6");
    table.play(Side::Black, 5);
    table.play(Side::White, 60);
    table.call(60);
    table
}

fn over() -> Table {
    let mut table = standing();
    table.open().unwrap();
    table.choose_all(&["Result", "1-0", "Yes"]);
    table.press(CALL, Length::Held);
    table
}

fn agreeing() -> Table {
    let mut table = Table::new("3+2", "players-agree");
    table.play(Side::Black, 5);
    table.call(5);
    table
}

fn coded() -> Table {
    let code = config(When::Always, Some("wbw"));
    let mut table = Table::with("3+2", "fide-2023", Keys::ButtonsAndCall, code);
    table.play(Side::Black, 5);
    table.call(5);
    table
}

type PageCase = (fn() -> Table, &'static [&'static str], &'static str);

/// Every page: the table, the lines that lead there, and its title.
const PAGES: &[PageCase] = &[
    (over, &[], "Menu"),
    (over, &["New game"], "New game"),
    (over, &["New game", "We two"], "Time control"),
    (over, &["New game", "With an"], "Time control"),
    (over, &["New game", "We two", "All"], "Time control"),
    (over, &["New game", "We two", "All", "Blitz"], "Blitz"),
    (over, &["New game", "We two", "Our own"], "Our own"),
    (over, &["New game", "We two", "Our own", "Own 1"], "Own 1"),
    (over, &["New game", "We two", "Our own", "Own 1", "Time"], "Time"),
    (over, &["New game", "We two", "25+10"], "Is this right?"),
    (over, &["Again, same"], "Is this right?"),
    (over, &["Again, sides"], "Is this right?"),
    (over, &["Result"], "Result"),
    (over, &["Result", "0-1"], "0-1 Black wins"),
    (over, &["White's"], "White's button"),
    (over, &["White's", "Exchanged"], "White's button"),
    (over, &["Sound"], "Sound"),
    (over, &["Brightness"], "Brightness"),
    (over, &["About"], "About this clock"),
    (standing, &[], "Game: clocks stand"),
    (standing, &["What awaits"], "What awaits an answer"),
    (standing, &["What awaits", "Call"], "Call button: stop"),
    (standing, &["What awaits", "Call", "The reason"], "The reason was valid"),
    (standing, &["Result", "½"], "½-½ drawn"),
    (standing, &["Correct"], "Correct the clock"),
    (standing, &["Correct", "Black's moves"], "Black's moves"),
    (standing, &["Correct", "On move", "Show"], "Before and after"),
    (standing, &["Take back"], "Take back last press"),
    (standing, &["Penalties"], "Penalties"),
    (standing, &["Penalties", "Black"], "Penalties: Black"),
    (standing, &["Penalties", "Black", "Warning"], "Warning"),
    (standing, &["Penalties", "Black", "Time for"], "Time for opponent"),
    (standing, &["Penalties", "Black", "Time for", "0:02"], "Time of the penalty"),
    (standing, &["Resume"], "Resume"),
    (standing, &["Resume", "White's"], "White's clock runs"),
    (standing, &["New game", "We two", "3+2"], "Is this right?"),
    (agreeing, &["What awaits", "Call"], "Call button: stop"),
    (agreeing, &["Result", "1-0", "Yes"], "Both agree?"),
    (agreeing, &["New game", "We two", "3+2", "Accept"], "Both agree?"),
    (coded, &["Correct"], "Arbiter's code"),
    (over, &["Again, same", "Accept"], "Done"),
    (standing, &["Take back", "Yes"], "Done"),
];

fn opened((table, lines, title): &PageCase) -> Table {
    let mut table = table();
    table.open().unwrap();
    lines.iter().for_each(|line| {
        table.choose(line);
    });
    assert_eq!(table.page().title, *title, "{lines:?}");
    table
}

#[test]
fn every_page_is_left_and_changes_nothing() {
    for case in PAGES {
        let mut table = opened(case);
        let before = (table.game, table.accepted.clone());
        assert_eq!(table.press(CALL, Length::Held), Effect::Close, "{:?}", case.1);
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
        table.now = deadline.as_nanos() - 1;
        let early = table.with_situation(|menu, at, _| menu.timeout(at));
        assert_eq!((early, table.menu.is_open()), (Effect::None, true));
        table.now += 1;
        let due = table.with_situation(|menu, at, _| menu.timeout(at));
        assert_eq!((due, table.menu.is_open()), (Effect::Close, false));
        assert_eq!(before, table.game);
    }
}

#[test]
fn every_key_on_every_page_gives_a_page_within_the_limits() {
    for case in PAGES {
        for contact in [WHITE, BLACK, CALL] {
            let mut table = opened(case);
            // `press` checks the page after each press.
            for _ in 0..8 {
                table.press(contact, Length::Short);
            }
        }
    }
}

#[test]
fn on_and_back_undo_each_other_on_every_page() {
    for case in PAGES {
        let mut table = opened(case);
        let before = table.page();
        if matches!(before.title.as_str(), "Both agree?" | "Arbiter's code") {
            continue;
        }
        table.press(BLACK, Length::Short);
        assert_ne!(table.page(), before, "{:?}", case.1);
        table.press(WHITE, Length::Short);
        assert_eq!(table.page(), before, "{:?}", case.1);
    }
}

#[test]
fn every_shown_page_has_a_number_of_its_own() {
    let mut titles = std::collections::BTreeMap::new();
    for case in PAGES {
        let page = opened(case).page();
        assert_eq!(page.segments()[0], format!("{:02}", page.number));
        titles.entry(page.number).or_insert_with(Vec::new).push(page.title);
    }
    assert!(titles.len() >= 27, "{titles:?}");
}

#[test]
fn the_menu_opens_when_the_configuration_allows_it() {
    let open = |when, phase: fn(&mut Table)| {
        let mut table =
            Table::with("3+2", "players-agree", Keys::ButtonsAndCall, config(when, None));
        phase(&mut table);
        table.open()
    };
    let ready: fn(&mut Table) = |_| {};
    let running: fn(&mut Table) = |table| table.play(Side::Black, 1);
    let paused: fn(&mut Table) = |table| {
        table.play(Side::Black, 1);
        table.call(1);
    };
    assert_eq!(open(When::Off, ready), Err(NotOpened::Configured(When::Off)));
    assert_eq!(open(When::BetweenGames, ready), Ok(()));
    assert_eq!(open(When::BetweenGames, paused), Err(NotOpened::Configured(When::BetweenGames)));
    assert_eq!(open(When::Always, paused), Ok(()));
    assert_eq!(open(When::Always, running), Err(NotOpened::Running));
}

#[test]
fn a_scheduled_start_closes_the_menu_10_s_before_it() {
    let mut table = Table::new("3+2", "fide-2023");
    table.until_start = Some(Span::from_secs(10));
    assert_eq!(table.open(), Err(NotOpened::StartIsNear));
    table.until_start = Some(Span::from_secs(25));
    table.open().unwrap();
    assert_eq!(table.menu.deadline().unwrap().since(table.at()), Span::from_secs(15));
    table.press(BLACK, Length::Short);
    table.wait(15);
    assert_eq!(table.press(CALL, Length::Short), Effect::Close);
}

#[test]
fn a_clock_that_runs_closes_the_menu() {
    let mut table = standing();
    table.open().unwrap();
    let at = table.at();
    table.game.handle_command(clock_engine::Command::Resume { side: None }.into(), at).unwrap();
    assert_eq!(table.phase(), Phase::Running);
    assert_eq!(table.press(BLACK, Length::Short), Effect::Close);
}

/// The lines of the first page.
fn lines(table: &mut Table) -> Vec<String> {
    table.open().unwrap();
    let first = table.chosen();
    let mut lines = vec![first.clone()];
    loop {
        table.press(BLACK, Length::Short);
        let line = table.chosen();
        if line == first {
            return lines;
        }
        lines.push(line);
    }
}

#[test]
fn a_game_that_was_set_up_over_d_bus_is_locked_without_a_code() {
    let mut table = standing();
    table.on_bus = true;
    let about = ["Sound", "Brightness", "About this clock", "Leave the menu"];
    // fide-article-6 shows the counters, so the questions can be read.
    let mut allowed = vec!["What awaits an answer"];
    allowed.extend(about);
    assert_eq!(lines(&mut table), allowed);
    let mut table = coded();
    table.menu = crate::Menu::new(config(When::Always, None), table.keys);
    table.on_bus = true;
    assert_eq!(lines(&mut table), about, "fide-2023 hides the counters");
    // Its profile gives the game to the players.
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
    table.menu = crate::Menu::new(config(When::Always, Some("wbw")), table.keys);
    table.on_bus = true;
    table.open().unwrap();
    table.choose_all(&["What awaits", "Call", "The reason", "Yes"]);
    assert_eq!((table.page().title.as_str(), table.accepted.len()), ("Arbiter's code", 0));
    for contact in [WHITE, BLACK, WHITE] {
        table.press(contact, Length::Short);
    }
    assert_eq!((table.page().title.as_str(), table.accepted.len()), ("The reason was valid", 0));
    table.choose("Yes");
    assert_eq!(table.accepted.len(), 1);
}

#[test]
fn wrong_codes_are_limited_also_after_the_menu_was_closed() {
    let mut table = coded();
    for tries in 1..=3 {
        table.open().unwrap();
        table.choose("Correct");
        for _ in 0..3 {
            table.press(WHITE, Length::Short);
        }
        assert_eq!(table.wrong_codes, tries);
        table.press(CALL, Length::Held);
    }
    table.open().unwrap();
    table.choose("Correct");
    assert!(table.page().lines[0].starts_with("Wait "), "{:?}", table.page());
    // The right code is not read now.
    for contact in [WHITE, BLACK, WHITE] {
        table.press(contact, Length::Short);
    }
    assert_eq!(table.page().title, "Arbiter's code");
    table.press(CALL, Length::Held);
    table.wait(30);
    table.open().unwrap();
    table.choose("Correct");
    for contact in [WHITE, BLACK, WHITE] {
        table.press(contact, Length::Short);
    }
    assert_eq!(table.page().title, "Correct the clock");
}

#[test]
fn a_rocker_enters_the_code_from_either_side() {
    let code = crate::ArbiterCode::parse("wbw", true).unwrap();
    let hold = Span::from_secs(3);
    let config = crate::MenuConfig::new(When::Always, Some(code), &["3+2"], hold).unwrap();
    let throws: [&[Contact]; 2] = [&[WHITE, BLACK, WHITE], &[BLACK, WHITE, BLACK, WHITE]];
    for throws in throws {
        let mut table = Table::with("3+2", "fide-2023", Keys::RockerAndCall, config.clone());
        table.play(Side::Black, 5);
        table.call(5);
        table.open().unwrap();
        table.choose("Correct");
        for contact in throws {
            table.press(*contact, Length::Short);
        }
        assert_eq!(table.page().title, "Correct the clock");
    }
}

#[test]
fn the_summary_says_what_is_accepted() {
    let mut table = Table::new("3+2", "players-agree");
    table.configured = ("guidelines-iii".to_owned(), super::table::profile("guidelines-iii"));
    table.open().unwrap();
    table.choose_all(&["New game", "We two", "40/90, G/30, +30"]);
    let page = table.page();
    let said = [
        "40 moves in 1:30:00",
        "then 0:30:00",
        "30 s a move from move 1",
        "Flag: both clocks stop",
        "Moves decide periods",
        "players-agree",
    ];
    assert_eq!(page.lines, said);
    // A control that the rules refuse cannot be accepted.
    table.choose_all(&["Back", "Back", "With an", "40/90, G/30, +30"]);
    for _ in 0..40 {
        assert_ne!(table.chosen(), "Accept");
        table.press(BLACK, Length::Short);
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
            table.press(CALL, Length::Short);
            assert_eq!(table.page().title, "Is this right?", "{names:?}");
            table.press(WHITE, Length::Short);
            assert_eq!(table.chosen(), "Back");
            table.press(WHITE, Length::Short);
            assert_eq!(table.chosen(), "Accept", "{names:?}");
            table.press(BLACK, Length::Short);
            table.press(CALL, Length::Short);
            table.press(BLACK, Length::Short);
        }
        table.press(CALL, Length::Short);
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
fn a_profile_that_hides_the_counters_hides_them_from_two_players_too() {
    let code = config(When::Always, Some("wbw"));
    let rules = "guidelines-iii-unsupervised";
    let mut table = Table::with("G/30", rules, Keys::ButtonsAndCall, code);
    table.play(Side::Black, 5);
    table.call(5);
    assert!(lines(&mut table).contains(&"Correct the clock".to_owned()));
    table.choose("Correct");
    let shown = table.page().lines;
    assert_eq!(shown[2..4], ["On move: White", "Nothing was changed"], "{shown:?}");
    table.choose_all(&["Back", "What awaits"]);
    assert_eq!(table.page().title, "Arbiter's code");
}

#[test]
fn a_refusal_and_a_note_are_shown() {
    let mut table = standing();
    table.open().unwrap();
    table.choose_all(&["Take back", "Yes", "Back", "Take back", "Yes"]);
    let page = table.page();
    assert_eq!((page.title.as_str(), page.lines[0].as_str()), ("Refused", "no press can be taken"));
    table.menu.note("the control lasts until the next start");
    assert_eq!(table.page().title, "Note");
    table.choose("Back");
    assert_eq!(table.page().title, "Refused");
}
