//! Every text of the menu in every language is translated, and no page has the same line twice.

use clock_languages::{Language, NamedText};

/// Texts that are the same in English and in another language, because the word is the same in
/// both.
const SAME: &[(Language, &[&str])] = &[
    (Language::German, &["Blitz", "Bronstein", "OK", "Version {version}"]),
    (Language::French, &["Menu", "Blitz", "Bronstein", "OK", "Version {version}"]),
    (Language::Spanish, &["Blitz", "Bronstein", "OK"]),
    (Language::Dutch, &["Menu", "Rapid", "Bronstein", "OK", "Increment"]),
    (Language::Polish, &["Menu", "Bronstein", "OK"]),
    (Language::Irish, &["Bronstein", "OK"]),
];

fn texts(language: Language) -> Vec<&'static NamedText> {
    language.texts().iter().filter(|text| text.key.starts_with("menu.")).collect()
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
            assert_eq!((text.key, text.kind), (english.key, english.kind));
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
                answers.agree,
                answers.refuse,
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
