//! The face with the colours and the fonts of different terminals.

use super::*;
use crate::glyphs::test_fonts;
use crate::pixels::contrast_of;

/// WCAG 2.2, success criterion 1.4.6 (enhanced) requires a contrast of 7 to 1. The colours of the
/// picture (`pixels`) have the same requirement.
#[test]
fn every_digit_and_letter_has_a_contrast_of_at_least_seven_to_one() {
    let low = State {
        white: SideState { remaining_nsec: 9_000_000_000, ..running(Who::White).white },
        ..running(Who::White)
    };
    let overrun =
        State { white: SideState { overrun_nsec: 5, ..white_flagged().white }, ..white_flagged() };
    let called = State { arbiter_called_by: Who::White, ..paused() };
    let waits = State {
        black: SideState { remaining_nsec: 9_000_000_000, ..running(Who::White).black },
        ..running(Who::White)
    };
    for state in [paused(), running(Who::White), low, waits, white_flagged(), overrun, called] {
        let buffer = face(&state, 80, 24, COLOURED);
        for cell in buffer.content.iter().filter(|cell| !["╱", " "].contains(&cell.symbol())) {
            let (Color::Rgb(r, g, b), Color::Rgb(x, y, z)) = (cell.fg, cell.bg) else {
                panic!("a colour of the theme: {cell:?}")
            };
            let found = contrast_of([r, g, b], [x, y, z]);
            assert!(found >= 7.0, "{found:.2}: {cell:?}\n{}", text(&buffer));
        }
    }
}

#[test]
fn without_colours_marks_and_reverse_video_are_used() {
    let theme = Theme { glyphs: Glyphs::UNICODE, ..PLAIN };
    let buffer = face(&running(Who::Black), 80, 24, theme);
    for at in buffer.area.positions() {
        assert_eq!((buffer[at].fg, buffer[at].bg), (Color::Reset, Color::Reset));
    }
    let (white, black) = side_areas(&buffer);
    let reversed = |at| buffer[at].modifier.contains(Modifier::REVERSED);
    assert!(black.positions().all(reversed));
    assert!(!white.positions().any(reversed));
    assert_says(&face(&white_flagged(), 80, 24, theme), &["⚑ FLAG", "╱"]);
}

#[test]
fn an_ascii_terminal_gets_ascii_only() {
    for state in [running(Who::Black), paused(), white_flagged()] {
        for (width, height) in [(160, 50), (80, 24), (40, 10), (20, 5)] {
            let buffer = face(&state, width, height, PLAIN);
            assert!(text(&buffer).is_ascii(), "{}", text(&buffer));
        }
    }
    assert_says(&face(&running(Who::Black), 160, 24, PLAIN), &["> Black  Efim Bogoljubow"]);
    assert_says(&face(&paused(), 80, 24, PLAIN), &["|| White"]);
    assert_says(&face(&white_flagged(), 80, 24, PLAIN), &["FLAG", "/"]);
}

/// States that together show every character of the face that is not ASCII. The players' names are
/// ASCII.
fn states_with_every_sign() -> Vec<State> {
    let ascii = |state: State| State {
        white: SideState {
            player: "Aleksandra Konstantinopolska-Wojciechowska".into(),
            ..state.white
        },
        black: SideState { player: "Efim Bogoljubow".into(), ..state.black },
        ..state
    };
    let states =
        [running(Who::White), running(Who::Black), paused(), white_flagged(), in_overtime()];
    let mut states: Vec<State> = states.into_iter().map(ascii).collect();
    states.push(State {
        white: SideState { flag_nsec: Some(7), ..states[0].clone().white },
        ..states[0].clone()
    });
    states
}

#[test]
fn a_console_shows_no_character_that_its_font_lacks() {
    let mut painted = BTreeSet::new();
    for (name, font) in test_fonts::all() {
        let theme = Theme { colours: Colours::Sixteen, glyphs: Glyphs::of_font(&font) };
        for state in states_with_every_sign() {
            for (width, height) in [(160, 50), (80, 24), (40, 10), (40, 5), (20, 5), (20, 2)] {
                let shown = text(&face(&state, width, height, theme)).replace('\n', "");
                for character in shown.chars() {
                    assert!(
                        font.shows(&character.to_string()),
                        "{name} lacks {character}: {shown}"
                    );
                }
                painted.extend(shown.chars().filter(|character| !character.is_ascii()));
            }
        }
    }
    // Every character of the face outside ASCII has been painted at least once.
    let painted: String = painted.into_iter().collect();
    assert_eq!(painted, "×…─━│┃┌┏┐┓└┗┘┛═║╔╗╚╝▀▄█▶⚑❚");
}

#[test]
fn with_sixteen_colours_black_text_is_not_bold() {
    let bold_in = |colours, ink| {
        let buffer = face(&running(Who::Black), 80, 24, Theme { colours, ..COLOURED });
        let bold = buffer.content.iter().filter(|cell| cell.modifier.contains(Modifier::BOLD));
        bold.filter(|cell| cell.fg == ink).count()
    };
    assert_eq!(bold_in(Colours::Sixteen, Color::Black), 0);
    // Text that is not black stays bold.
    assert!(bold_in(Colours::Sixteen, Color::Gray) > 10);
    assert!(bold_in(Colours::True, Color::Rgb(0, 0, 0)) > 10);
}

#[test]
fn a_console_shows_names_in_their_own_letters() {
    let theme = Theme { glyphs: Glyphs::of_font(&test_fonts::lat15()), ..PLAIN };
    let buffer = face(&running(Who::Black), 160, 24, theme);
    assert_says(&buffer, &["▶ Black  Efim Bogoljubów", "█", "+===", "└───"]);
    assert_says(&face(&paused(), 80, 24, theme), &["|| White"]);
}
