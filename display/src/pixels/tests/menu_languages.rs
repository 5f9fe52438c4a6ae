//! The texts of the menu in every language, measured on usual screens with the font of the face.

use clock_dbus::{MenuButton, MenuHint, MenuPage, MenuState};
use clock_languages::{LINE_LENGTH, Language, NamedText};

use super::menu::{SCREENS, SEVEN_INCHES, elements, texts};
use super::*;
use crate::glyphs::Glyphs;

/// The longest values that stand after a part of a line.
const VALUES: [&str; 3] = ["999:59:59", "0:02:57→9:05:00", "+10:00"];

/// The texts of the menu in this language.
fn menu(language: Language) -> impl Iterator<Item = &'static NamedText> {
    language.texts().iter().filter(|text| text.key.starts_with("menu."))
}

/// Every line of the menu in this language. A part of a line is completed with each of the longest
/// values ([`VALUES`]) with which the line still fits.
fn lines(language: Language) -> Vec<String> {
    let mut lines = Vec::new();
    menu(language).for_each(|text| match text.kind {
        "Line" => lines.push(text.text.to_owned()),
        "Part" | "With" => {
            let of_value = |value: &str| match text.text.split_once('{') {
                Some((before, rest)) => {
                    format!("{before}{value}{}", &rest[rest.find('}').unwrap() + 1..])
                }
                None => format!("{} {value}", text.text),
            };
            let with_values = VALUES.map(of_value);
            lines
                .extend(with_values.into_iter().filter(|line| line.chars().count() <= LINE_LENGTH));
        }
        // A sentence is wrapped into lines of its words.
        "Sentence" => {
            let mut line = String::new();
            for word in text.text.split(' ') {
                if line.chars().count() + 1 + word.chars().count() > LINE_LENGTH {
                    lines.push(std::mem::take(&mut line));
                }
                line = format!("{line} {word}").trim().to_owned();
            }
            lines.push(line);
        }
        _ => {}
    });
    lines
}

fn actions(language: Language) -> Vec<&'static str> {
    menu(language).filter(|text| text.kind == "Action").map(|text| text.text).collect()
}

/// The widest of these texts.
fn widest<T: AsRef<str>>(texts: Vec<T>) -> String {
    let font = Font::new();
    let widest = texts.into_iter().max_by_key(|text| font.width(text.as_ref(), 100));
    widest.unwrap().as_ref().to_owned()
}

/// A page whose title, lines and hints are the widest ones of the language.
fn page(language: Language, has_rocker: bool) -> MenuPage {
    let (line, action) = (widest(lines(language)), widest(actions(language)));
    let hint = |button| MenuHint { button: Some(button), action: action.clone() };
    let buttons = match has_rocker {
        true => vec![MenuButton::Rocker, MenuButton::Call, MenuButton::CallHeld],
        false => {
            vec![MenuButton::White, MenuButton::Black, MenuButton::Call, MenuButton::CallHeld]
        }
    };
    MenuPage {
        state: MenuState::Open,
        title: line.clone(),
        lines: vec![line; 6],
        chosen: Some(3),
        more_above: true,
        more_below: true,
        hints: buttons.into_iter().map(hint).collect(),
        ..MenuPage::default()
    }
}

fn in_language(language: Language) -> Game {
    let mut game = game();
    game.white.mark = TurnMark::Stopped;
    game.words = language.face();
    game
}

/// A terminal that has only the letters of ASCII writes the others in their ASCII form.
#[test]
fn a_terminal_shows_every_letter_of_every_language() {
    for language in Language::ALL {
        for NamedText { text, .. } in language.texts() {
            let letters: String = text.chars().filter(|c| c.is_alphabetic()).collect();
            let written = Glyphs::ASCII.text(&letters);
            let is_letter = |c: char| c.is_ascii_alphabetic();
            assert!(written.chars().all(is_letter), "`{text}` in {}", language.code());
        }
    }
}

/// No text of a picture of this size is cut, empty, outside the screen or above another one.
fn assert_whole(texts: &[(&str, Area, u32)], size: (u32, u32), place: &str) {
    for (at, (text, area, _)) in texts.iter().enumerate() {
        assert!(!text.contains('…') && !text.is_empty(), "{text}: {place}");
        let screen = Area::of_size(size);
        assert_eq!(area.intersection(screen), Some(*area), "{text}: {place}");
        for (other, other_area, _) in &texts[at + 1..] {
            let common = area.intersection(*other_area);
            assert_eq!(common, None, "{text} and {other}: {place}");
        }
    }
}

#[test]
fn the_widest_texts_of_every_language_are_neither_cut_nor_overlap() {
    for language in Language::ALL {
        for page in [page(language, false), page(language, true)] {
            for (size, arrangement) in SCREENS
                .into_iter()
                .flat_map(|size| ARRANGEMENTS.map(|arrangement| (size, arrangement)))
            {
                let setup = Setup { arrangement, ..setup(size) };
                let elements = elements(in_language(language), &page, &setup);
                let texts = texts(&elements);
                let place = format!("{} {size:?} {arrangement:?}", language.code());
                assert_whole(&texts, size, &place);
            }
        }
    }
}

/// The rows keep their 10 mm on seven inches; letters are smaller where a language needs it.
#[test]
fn the_letters_of_every_language_are_at_least_5_mm_high_on_seven_inches() {
    for language in Language::ALL {
        let page = page(language, false);
        for size in SEVEN_INCHES {
            let elements = elements(in_language(language), &page, &setup(size));
            let capitals = texts(&elements)
                .into_iter()
                .filter(|(text, ..)| *text == page.lines[0])
                .map(|(_, _, capital)| f64::from(capital) * 86.0 / f64::from(size.1));
            let lowest = capitals.fold(f64::INFINITY, f64::min);
            assert!(lowest >= 5.0, "{} {size:?}: {lowest:.1} mm", language.code());
        }
    }
}

/// A call of the arbiter has its complete words beside the widest title of every language.
#[test]
fn a_call_is_complete_while_the_menu_is_open() {
    for language in Language::ALL {
        let page = page(language, false);
        let sign = &language.face().signs.called;
        for of_side in [sign.white, sign.black] {
            let mut called = in_language(language);
            called.status.call = [of_side, sign.nobody, sign.short].map(Into::into).into();
            for size in SCREENS {
                for arrangement in ARRANGEMENTS {
                    let elements =
                        elements(called.clone(), &page, &Setup { arrangement, ..setup(size) });
                    let halves = if arrangement == Some(Arrangement::Facing) { 2 } else { 1 };
                    let texts = texts(&elements);
                    let complete =
                        texts.iter().filter(|(text, ..)| [of_side, sign.nobody].contains(text));
                    let place = format!("{} {size:?} {arrangement:?} {texts:?}", language.code());
                    assert_eq!(complete.count(), halves, "{place}");
                }
            }
        }
    }
}

/// The tiles of every first page in this language.
fn tile_pages(language: Language) -> Vec<MenuPage> {
    let menu = &language.words().menu;
    let (standing, new_game, outcomes) = (&menu.standing, &menu.new_game, &menu.outcomes);
    let page = |title: &str, tiles: &[&str]| {
        let buttons = match tiles.len() {
            2 => vec![MenuButton::White, MenuButton::Black],
            _ => vec![MenuButton::White, MenuButton::Black, MenuButton::Call],
        };
        let tiles = buttons.into_iter().zip(tiles).chain([(MenuButton::BothHeld, &menu.more)]);
        let hints = tiles
            .map(|(button, text)| MenuHint { button: Some(button), action: (*text).to_owned() });
        MenuPage {
            state: MenuState::Open,
            title: title.to_owned(),
            hints: hints.collect(),
            ..MenuPage::default()
        }
    };
    let starts = [new_game.sides_exchanged, new_game.again, new_game.control];
    let go_on = [menu.reports.go_on, standing.result, standing.correct];
    let white = [outcomes.white_wins, standing.correct, outcomes.drawn];
    let black = [standing.correct, outcomes.black_wins, outcomes.drawn];
    let mut pages: Vec<MenuPage> =
        [starts, go_on, white, black].iter().map(|it| page(new_game.press_starts, it)).collect();
    pages.extend([page(menu.game, &white[..2]), page(menu.title, &[starts[2], starts[1]])]);
    pages
}

/// The letters of the tiles are at least 4 mm high on seven inches.
#[test]
fn the_tiles_of_every_language_are_neither_cut_nor_too_small() {
    let mut lowest = (f64::INFINITY, String::new());
    for language in Language::ALL {
        for page in tile_pages(language) {
            for (size, arrangement) in SCREENS
                .into_iter()
                .flat_map(|size| ARRANGEMENTS.map(|arrangement| (size, arrangement)))
            {
                let setup = Setup { arrangement, ..setup(size) };
                let elements = elements(in_language(language), &page, &setup);
                let texts = texts(&elements);
                let place = format!("{} {size:?} {arrangement:?}", language.code());
                assert_whole(&texts, size, &place);
                if SEVEN_INCHES.contains(&size) && arrangement != Some(Arrangement::Facing) {
                    let words: Vec<&str> =
                        page.hints.iter().flat_map(|hint| hint.action.split(' ')).collect();
                    for (text, _, capital) in &texts {
                        let is_tile = text.split(' ').all(|word| words.contains(&word));
                        let high = f64::from(*capital) * 86.0 / f64::from(size.1);
                        if is_tile && high < lowest.0 {
                            lowest = (high, format!("{text}: {place}"));
                        }
                    }
                }
            }
        }
    }
    println!("the lowest letters of a tile are {:.1} mm high ({})", lowest.0, lowest.1);
    assert!(lowest.0 >= 4.0, "{lowest:?}");
}
