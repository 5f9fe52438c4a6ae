//! The card has all lines in every language. They fit the strip and name the choices as the menu
//! does.

use clock_languages::{Card, Language, ROW_LENGTH, ROWS};

fn card(language: Language) -> &'static Card {
    &language.words().card
}

/// How many rows of the strip a text takes: a row is broken at spaces only.
fn rows(text: &str) -> usize {
    let (mut rows, mut used) = (1, 0);
    for word in text.split(' ').map(|word| word.chars().count()) {
        let wanted = if used == 0 { word } else { used + 1 + word };
        (rows, used) = if wanted > ROW_LENGTH { (rows + 1, word) } else { (rows, wanted) };
    }
    rows
}

#[test]
fn every_line_fits_the_strip_in_every_language() {
    for language in Language::ALL {
        for (number, line) in card(language).lines.iter().enumerate() {
            let text = format!("{}. {}: {}", number + 1, line.about, line.text.replace("**", ""));
            let at = format!("{}: {text}", language.code());
            assert!(!line.about.is_empty() && !line.text.is_empty(), "{at}");
            assert!(rows(&text) <= ROWS, "{} rows: {at}", rows(&text));
        }
    }
}

#[test]
fn no_line_is_left_in_english() {
    let english = card(Language::English);
    for language in Language::ALL.into_iter().skip(1) {
        let card = card(language);
        assert_ne!(card.title, english.title);
        for (line, english) in card.lines.iter().zip(&english.lines) {
            assert_ne!(line.text, english.text, "{}", language.code());
        }
    }
}

/// Each choice that is named is a text of the menu in the same language, and every language names as
/// many.
#[test]
fn the_choices_are_called_as_in_the_menu() {
    for language in Language::ALL {
        let menu = language.texts().iter().filter(|text| text.key.starts_with("menu."));
        let texts: Vec<String> = menu.map(|text| text.text.to_lowercase()).collect();
        let count = |line: usize| {
            let parts = card(language).lines[line].text.split("**").skip(1).step_by(2);
            parts
                .inspect(|name| {
                    let is_named = texts.iter().any(|text| text.contains(&name.to_lowercase()));
                    assert!(is_named, "the menu has no {name} in {}", language.code());
                })
                .count()
        };
        assert_eq!([0, 1, 2, 3, 4].map(count), [0, 0, 6, 0, 3], "{}", language.code());
    }
}
