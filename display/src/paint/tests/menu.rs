//! The page of the menu.

use clock_dbus::{MenuButton, MenuHint, MenuPage, MenuState};
use clock_languages::Language;

use super::*;

fn page(lines: &[&str], chosen: Option<u32>) -> MenuPage {
    let hint = |button, action: &str| MenuHint { button: Some(button), action: action.to_owned() };
    MenuPage {
        state: MenuState::Open,
        title: "Time control".into(),
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        chosen,
        more_below: true,
        hints: vec![
            hint(MenuButton::White, "back"),
            hint(MenuButton::Black, "on"),
            hint(MenuButton::Call, "choose"),
            hint(MenuButton::CallHeld, "leave"),
        ],
        ..MenuPage::default()
    }
}

fn menu(state: &State, page: &MenuPage, width: u16, height: u16) -> Buffer {
    let content = Content::of(state, Rules::NONE, EN).with_menu(Some(page));
    shown(&Screen { content, demo: None }, width, height, COLOURED)
}

const LINES: [&str; 6] = ["5+3", "10+0", "10+5", "15+10", "25+10", "40/120, 20/60, G/30"];

#[test]
fn a_page_is_shown_in_place_of_the_clock() {
    let buffer = menu(&paused(), &page(&LINES, Some(4)), 40, 10);
    let rows = rows(&buffer);
    for (row, want) in [
        (0, "Time control"),
        (1, "  5+3"),
        (5, "> 25+10"),
        (6, "  40/120, 20/60, G/30                  v"),
        (8, "White: back                    Black: on"),
        (9, "    Call: choose   Call held: leave"),
    ] {
        assert_eq!(rows[row].trim_end(), want.trim_end(), "row {row}");
    }
    assert_silent(&buffer, &["Paused", "Menchik", "█"]);
    // The chosen line differs by its mark and by its ground.
    assert_eq!(rows.iter().filter(|row| row.contains('>')).count(), 1);
    assert_ne!(buffer[(0, 5)].bg, buffer[(0, 4)].bg);
}

#[test]
fn a_call_is_seen_while_the_menu_is_open() {
    let called = State { arbiter_called_by: Who::White, ..paused() };
    let bands = |width, height| {
        let buffer = menu(&called, &page(&LINES, Some(4)), width, height);
        let ground = COLOURED.status(Urgency::Call).bg;
        let is_call = |y: &u16| buffer[(0, *y)].style().bg == ground;
        (rows(&buffer)[0].clone(), (0..height).filter(is_call).collect::<Vec<u16>>())
    };
    let (title, rows) = bands(60, 10);
    assert!(title.starts_with("Time control ") && title.contains("ARBITER CALLED"), "{title}");
    assert_eq!(rows, [0, 8, 9]);
    let (title, rows) = bands(20, 4);
    assert_eq!(title.trim(), "ARBITER CALLED");
    assert_eq!(rows, [0]);
    let ruling = State { phase: Phase::Ruling, ..paused() };
    assert_says(&menu(&ruling, &page(&LINES, Some(4)), 40, 10), &["The arbiter decides"]);
}

/// A call has its complete words in every language, beside the title or in its place.
#[test]
fn a_call_is_complete_in_the_row_of_the_title() {
    for language in Language::ALL {
        let sign = &language.face().signs.called;
        for (caller, of_side) in [(Who::White, sign.white), (Who::Black, sign.black)] {
            let called = State { arbiter_called_by: caller, ..paused() };
            let content = Content::of(&called, Rules::NONE, language.face());
            let content = content.with_menu(Some(&page(&LINES, Some(4))));
            let screen = Screen { content, demo: None };
            let columns = |text: &str| u16::try_from(text.chars().count()).unwrap();
            for height in [10, 3] {
                let row = |width| rows(&shown(&screen, width, height, COLOURED))[0].clone();
                let whole = row(columns(of_side) + 1 + columns("Time control"));
                assert_eq!(whole, format!("Time control {of_side}"));
                let complete = row(columns(of_side).min(columns(sign.nobody)));
                assert!([of_side, sign.nobody].contains(&complete.as_str()), "{complete}");
                assert_eq!(row(columns(sign.short)), sign.short);
            }
        }
    }
}

#[test]
fn a_terminal_of_one_row_shows_the_chosen_line_in_the_colour_of_the_call() {
    let called = State { arbiter_called_by: Who::White, ..paused() };
    for (width, want) in [(40, "> 25+10"), (12, "> 25+10    ^"), (7, "> 25… ^")] {
        let buffer = menu(&called, &page(&LINES, Some(4)), width, 1);
        assert!(rows(&buffer)[0].starts_with(want), "{width}");
        let call = COLOURED.status(Urgency::Call).bg;
        assert!((0..width).all(|x| buffer[(x, 0)].style().bg == call), "{width}");
    }
}

#[test]
fn the_hints_are_at_the_buttons_that_the_players_use() {
    let exchanged = State { buttons_exchanged: true, ..paused() };
    let buffer = menu(&exchanged, &page(&LINES, Some(0)), 40, 10);
    assert_eq!(rows(&buffer)[8], "Black: on                    White: back");
}

#[test]
fn the_chosen_line_is_shown_in_any_terminal() {
    for (width, height) in [(40, 9), (40, 7), (30, 4), (20, 2), (20, 1), (7, 1)] {
        let buffer = menu(&paused(), &page(&LINES, Some(4)), width, height);
        assert_says(&buffer, &["> 25"]);
    }
    for width in 0..50 {
        for height in 0..12 {
            menu(&paused(), &page(&LINES, Some(5)), width, height);
            menu(&paused(), &page(&[], None), width, height);
        }
    }
}

#[test]
fn the_bar_of_a_hold_fills() {
    let held = |number| MenuPage { state: MenuState::Hold, number, ..MenuPage::default() };
    for (number, bar) in
        [(20, "███............"), (60, "█████████......"), (100, "███████████████")]
    {
        let said = format!("Hold for the menu {bar}");
        assert_says(&menu(&paused(), &held(number), 80, 24), &[&said, "Menchik"]);
        assert_says(&menu(&paused(), &held(number), 40, 10), &[&said]);
        assert_says(&menu(&paused(), &held(number), 20, 4), &[bar]);
    }
}

#[test]
fn the_word_about_the_buttons_is_on_the_face_of_the_clock() {
    let release = MenuPage { state: MenuState::Release, ..MenuPage::default() };
    assert_says(&menu(&paused(), &release, 80, 24), &["RELEASE the buttons", "Paused", "Menchik"]);
    assert_says(&menu(&paused(), &release, 40, 10), &["RELEASE the buttons"]);
    assert_says(&menu(&paused(), &release, 20, 3), &["RELEASE"]);
}
