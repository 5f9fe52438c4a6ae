//! Every text of the menu in every language is there, fits, and is translated.

use clock_languages::Language;
use clock_languages::menu::{ACTION_LENGTH, LINE_LENGTH, Text};

/// Texts that are the same in English and in another language, because the word is the same in
/// both.
const SAME: &[(Language, &[&str])] = &[
    (Language::German, &["Blitz", "Bronstein", "OK", "Version"]),
    (Language::French, &["Menu", "Blitz", "Bronstein", "OK", "Version"]),
    (Language::Spanish, &["Blitz", "Bronstein", "OK"]),
    (Language::Dutch, &["Menu", "Rapid", "Bronstein", "OK", "Increment"]),
    (Language::Polish, &["Menu", "Bronstein", "OK"]),
    (Language::Irish, &["Bronstein", "OK"]),
];

fn texts(language: Language) -> Vec<Text> {
    let mut texts = Vec::new();
    language.words().menu.for_each_text(|text| texts.push(text));
    texts
}

#[test]
fn every_text_fits_in_every_language() {
    for language in Language::ALL {
        for Text { field, kind, text } in texts(language) {
            let at = format!("`{text}`, {field} in {}", language.code());
            assert!(!text.trim().is_empty() && text.trim() == text, "{at}");
            let length = text.chars().count();
            let longest = text.split(' ').map(|word| word.chars().count()).max().unwrap();
            match kind {
                "Line" => assert!(length <= LINE_LENGTH, "{at}: {length} characters"),
                "Action" => assert!(length <= ACTION_LENGTH, "{at}: {length} characters"),
                "Part" | "Sentence" => assert!(longest <= LINE_LENGTH, "{at}: a word of {longest}"),
                kind => panic!("{at}: {kind}"),
            }
            let has_control = text.chars().any(|c| c.is_control() || c == '\u{a0}');
            assert!(!has_control && !text.contains("  "), "{at}");
        }
    }
}

/// All languages have their texts in the order of the fields, so each text is compared with the
/// English text of the same field.
#[test]
fn no_text_is_left_in_english() {
    let english = texts(Language::English);
    assert!(english.len() > 150, "{}", english.len());
    for (language, same) in SAME {
        let translated = texts(*language);
        assert!(translated.len() > english.len() + 40, "{}", translated.len());
        for (text, english) in translated.iter().zip(&english) {
            assert_eq!((text.field, text.kind), (english.field, english.kind));
            let is_same = text.text == english.text;
            assert!(!is_same || same.contains(&text.text), "{text:?} in {}", language.code());
        }
        let is_used = |word: &&str| translated.iter().any(|text| text.text == *word);
        assert!(same.iter().all(is_used), "{}", language.code());
    }
}

/// A page has no two lines that say the same. `Text` does not say which texts share a page, so the
/// groups are named by their fields.
#[test]
fn choices_of_one_page_differ_in_every_language() {
    for language in Language::ALL {
        let menu = &language.words().menu;
        let (answers, penalties, phases) = (&menu.answers, &menu.penalties, &menu.phases);
        let groups: [&[&str]; 6] = [
            &[
                answers.made,
                answers.not_made,
                answers.not_established,
                answers.order_unknown,
                answers.lost,
                answers.drawn,
                answers.postpone,
                answers.reject,
                answers.accept,
                answers.agree,
                answers.refuse,
                answers.won,
                answers.call_flag,
            ],
            &[
                penalties.warning,
                penalties.opponent_plus,
                penalties.offender_minus,
                penalties.loss,
                penalties.points_off,
                penalties.opponent_points,
                penalties.expulsion,
                penalties.fine,
            ],
            &[phases.ready, phases.running, phases.paused, phases.ruling, phases.over],
            &[menu.new_game.flag_halts, menu.new_game.flag_runs],
            &[menu.settings.on, menu.settings.off],
            &[menu.side.white, menu.side.black],
        ];
        for group in groups {
            for (index, text) in group.iter().enumerate() {
                assert!(!group[..index].contains(text), "`{text}` twice in {}", language.code());
            }
        }
    }
}
