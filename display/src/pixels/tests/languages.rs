//! The texts of every language on usual screens, compared with those in English.

use std::collections::BTreeSet;

use clock_dbus::{State, face_has_letters};
use clock_languages::{Face, Language};

use super::menu::SCREENS;
use super::*;
use crate::battery::Battery;
use crate::glyphs::Glyphs;
use crate::pixels::area::Area;
use crate::pixels::font::capital_height;
use crate::pixels::scene::Element;
use crate::rules::Rules;

#[path = "../../../tests/states/mod.rs"]
#[allow(dead_code, clippy::duplicate_mod)]
mod states;

const NOW: u64 = 1_000_000_000_000;

/// Every screen in each arrangement. The arrangement `None` is left out, because it is the same as
/// one of the others.
fn setups() -> impl Iterator<Item = Setup> {
    let arranged =
        |size| ARRANGEMENTS.map(|arrangement| Setup { arrangement, ..setup(size) }).into_iter();
    SCREENS.into_iter().flat_map(arranged).filter(|setup| setup.arrangement.is_some())
}

/// The states that are also shown as the last known ones.
const LAST_KNOWN: [&str; 10] = [
    "white-runs",
    "delay",
    "overtime",
    "counting-up-with-a-limit",
    "paused",
    "after-power-cut",
    "ruling-awaited",
    "adjourned",
    "two-flags",
    "flag-and-result",
];

/// The states of the golden pictures, and further contents that are made from the same states.
fn contents(words: &'static Face) -> Vec<(&'static str, Content)> {
    let mut contents =
        vec![("starting", Content::Starting(words)), ("no-service", Content::NoService(words))];
    for states::Named { name, state, .. } in states::states(NOW) {
        let content = |rules| Content::of(&state, rules, words);
        contents.push((name, content(Rules::NONE)));
        if LAST_KNOWN.contains(&name) {
            contents.push(("stale", Content::last_known(&state, Rules::NONE, words)));
        }
        match name {
            "ready" => {
                let rules = Rules { black_starts: Some(false), ..Rules::NONE };
                contents.push(("ready-for-the-arbiter", content(rules)));
                // The scheduled start is in the past, so no text has a countdown.
                let state = State { start_at_realtime_nsec: Some(1_000_000_000), ..state };
                contents.push(("scheduled", Content::of(&state, Rules::NONE, words)));
            }
            "paused" => {
                for (percent, minutes) in [(64, None), (64, Some(440)), (9, None)] {
                    let battery = Some(Battery { percent, minutes });
                    contents.push(("battery", content(Rules::NONE).with_battery(battery)));
                }
                for page in states::menu::pages() {
                    contents.push((page.name, content(Rules::NONE).with_menu(Some(&page.page))));
                }
            }
            _ => {}
        }
    }
    contents
}

/// The texts of a picture with their places.
fn texts(content: &Content, setup: &Setup, font: &Font) -> Vec<(String, Area)> {
    let text = |element: Element| match element.look {
        Look::Text { text, .. } => Some((text, element.area)),
        _ => None,
    };
    Scene::of(content, setup, font).elements.into_iter().filter_map(text).collect()
}

/// Whether the text is a whole text of the status line, and not the beginning of one.
fn is_status(content: &Content, text: &str) -> bool {
    matches!(content, Content::Game(game) if game.status.texts.iter().any(|other| other == text))
}

/// Whether this English text is only the beginning of a text. Such a text of the status line occurs
/// if the sign for the battery leaves too little room.
fn is_cut_in_english(content: &Content, text: &str) -> bool {
    let begins = |other: &String| other.starts_with(text) && other != text;
    let of_status = |content: &Content| match content {
        Content::Game(game) => !text.is_empty() && game.status.texts.iter().any(begins),
        Content::Starting(_) | Content::NoService(_) => false,
    };
    text.contains('…') || of_status(content)
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// A text without the method in play, such as `+30`. The method gives way to a note that would not
/// fit beside it, and the notes are not equally long in all languages.
fn without_method(content: &Content, text: &str) -> String {
    let Content::Game(game) = content else { return text.to_owned() };
    let methods = [&game.white, &game.black].map(crate::texts::method).concat();
    let method = methods.iter().find(|method| !method.is_empty() && text.contains(*method));
    method.map_or_else(|| text.to_owned(), |method| text.replace(method, ""))
}

/// What is worse in a picture in another language (`shown`) than in the English picture. Both
/// pictures have the same texts in the same order.
fn worse(
    is_stale: bool,
    (en_content, in_english): (&Content, &[(String, Area)]),
    (content, shown): (&Content, &[(String, Area)]),
) -> Vec<String> {
    let mut found = Vec::new();
    if in_english.len() != shown.len() {
        found.push(format!("{} texts became {}", in_english.len(), shown.len()));
    }
    for (at, ((en, place), (text, area))) in in_english.iter().zip(shown).enumerate() {
        let is_status_in_english = is_status(en_content, en);
        let is_cut = match is_status_in_english {
            true => !is_status(content, text),
            false => text.contains('…') && !is_cut_in_english(en_content, en),
        };
        let is_cut =
            is_cut || text.is_empty() != en.is_empty() && !is_cut_in_english(en_content, en);
        // The note that a time is the last known one is longer than the other notes. In English,
        // too, the other notes are left out beside it if there is less room. So `is_stale` allows
        // missing digits.
        let has_same_digits =
            digits(&without_method(en_content, en)) == digits(&without_method(content, text));
        let lacks = !is_status_in_english
            && !is_stale
            && (!has_same_digits || en.contains('⚑') != text.contains('⚑'));
        let behind = at + 1..;
        let overlaps = in_english[behind.clone()].iter().zip(&shown[behind]).any(|(en, other)| {
            // The words that ask to release the buttons lie over the digits in every language.
            area.intersection(other.1).is_some() && place.intersection(en.1).is_none()
        });
        for (what, is_so) in [("cut", is_cut), ("incomplete", lacks), ("overlapping", overlaps)] {
            if is_so {
                found.push(format!("{en:?} became {text:?}, which is {what}"));
            }
        }
    }
    found
}

#[test]
fn in_every_language_no_text_is_cut_or_left_out_or_overlaps_another_one() {
    let font = Font::new();
    let english = contents(EN);
    let others: Vec<_> =
        Language::ALL.into_iter().map(|language| (language, contents(language.face()))).collect();
    let mut found = Vec::new();
    for setup in setups() {
        let Setup { size, arrangement, .. } = setup;
        for (index, (name, content)) in english.iter().enumerate() {
            let in_english = texts(content, &setup, &font);
            for (language, contents) in &others {
                let other = &contents[index].1;
                let shown = texts(other, &setup, &font);
                let worse = worse(*name == "stale", (content, &in_english), (other, &shown));
                found.extend(worse.into_iter().map(|what| {
                    format!("{name} in {language:?} on {size:?} {arrangement:?}: {what}")
                }));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// In a game without an arbiter, no text names one.
/// Names, and the announcement, which is shown as it was given.
const GIVEN: [&str; 7] = [
    "40/90, G/30, +30",
    "hourglass-60",
    "count-up-1h",
    "count-up",
    "Dublin Open 2026",
    "lunch until 14:00",
    "FIDE Laws of Chess 2023",
];

/// Words that are the same in English and in another language.
const SAME: [(&str, &str); 2] = [("nl", "ARBITER"), ("nl", "CLAIM")];

/// The texts of the line at the bottom and of the notes beside the times, without names.
fn said(content: &Content) -> Vec<String> {
    let Content::Game(game) = content else { return Vec::new() };
    let notes = |display| crate::texts::notes(display, Glyphs::PICTURE, " · ");
    let notes = [&game.white, &game.black].into_iter().flat_map(notes);
    let texts = game.status.texts.iter().chain(&game.status.call).cloned().chain(notes);
    texts.map(|text| GIVEN.iter().fold(text, |text, given| text.replace(given, ""))).collect()
}

#[test]
fn no_text_of_the_face_is_left_in_english() {
    let has_word =
        |text: &str| text.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() > 3);
    let english = contents(EN);
    let mut found = BTreeSet::new();
    for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
        for ((_, english), (_, content)) in english.iter().zip(contents(language.face())) {
            let (english, said) = (said(english), said(&content));
            let same = said.into_iter().filter(|text| has_word(text) && english.contains(text));
            found.extend(same.map(|text| (language.code(), text)));
        }
    }
    let found: Vec<(&str, &str)> =
        found.iter().map(|(language, text)| (*language, text.as_str())).collect();
    assert_eq!(found, SAME);
}

#[test]
fn no_language_names_an_arbiter_who_is_not_there() {
    let rules = Rules { has_arbiter: false, ..Rules::NONE };
    for (language, word) in Language::ALL.into_iter().zip([
        "arbiter",
        "schiedsrichter",
        "arbitre",
        "árbitro",
        "arbiter",
        "sędzi",
        "réiteo",
    ]) {
        let words = language.face();
        assert!(words.for_arbiter.to_lowercase().contains(word), "{language:?}");
        for states::Named { name, state, .. } in states::states(NOW) {
            for content in
                [Content::of(&state, rules, words), Content::last_known(&state, rules, words)]
            {
                let Content::Game(game) = content else { panic!("a state is a game") };
                let named =
                    game.status.texts.iter().find(|text| text.to_lowercase().contains(word));
                assert_eq!(named, None, "{name} in {language:?}");
            }
        }
    }
}

/// The accents of capital letters reach higher than the letters of English.
#[test]
fn no_accent_is_clipped() {
    let font = Font::new();
    for language in Language::ALL {
        for (name, content) in contents(language.face()) {
            for setup in setups() {
                for element in Scene::of(&content, &setup, &font).elements {
                    let Look::Text { text, size, .. } = &element.look else { continue };
                    let (_, height) = element.rotation.inverse().size(element.area.size());
                    let above = u32::midpoint(height, capital_height(*size));
                    let highest = text.chars().filter(|character| !character.is_ascii());
                    let highest = highest.map(|character| font.ascent(character, *size)).max();
                    assert!(highest <= Some(above), "{text:?}, {name}, {language:?}, {setup:?}");
                }
            }
        }
    }
}

/// The picture would show a box in place of a letter that the font lacks.
#[test]
fn the_font_has_every_letter_of_the_words_and_of_the_names_that_are_shown() {
    let font = Font::new();
    let alphabetic = ('\0'..=char::MAX).filter(|character| character.is_alphabetic());
    let shown = alphabetic.filter(|character| face_has_letters(&character.to_string()));
    let lacking: Vec<char> = shown.filter(|character| !font.has(*character)).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
    for language in Language::ALL {
        let words = language.texts().iter().flat_map(|text| text.text.chars());
        let lacking: Vec<char> = words.filter(|c| !font.has(*c)).collect();
        assert!(lacking.is_empty(), "{language:?}: {lacking:?}");
    }
}

/// A name in Arabic, Hebrew or Chinese letters is replaced by the side; nothing of it is shown.
#[test]
fn a_name_that_the_font_cannot_show_is_replaced_by_the_side() {
    let font = Font::new();
    for (name, shown) in [
        ("Людмила Руденко", "Л. Руденко"),
        ("الله Efim", "Białe"),
        ("יהודה גרינפלד", "Białe"),
        ("丁立人", "Białe"),
    ] {
        let words = Language::Polish.face();
        let white = SideDisplay { player: name.into(), words, ..side(Side::White, "1:30:00") };
        let content = Content::Game(Box::new(Game { white, words, ..game() }));
        let texts = texts(&content, &setup((1920, 1080)), &font);
        assert!(texts.iter().any(|(text, _)| text == shown), "{name}: {texts:?}");
    }
}
