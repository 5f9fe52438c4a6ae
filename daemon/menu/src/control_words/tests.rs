use super::*;
use clock_engine::text::{parse_notation, presets};
use clock_languages::Language;
use std::collections::BTreeMap;

fn lines(language: Language, notation: &str) -> Vec<String> {
    Words(language).control(&parse_notation(notation).unwrap())
}

#[test]
fn a_control_in_german() {
    for (notation, said) in [
        ("3+2", vec!["3:00, und 2 Sekunden je Zug", "ab dem ersten"]),
        (
            "40/90, G/30, +30",
            vec![
                "Züge: 40 in 1:30:00",
                "Inkrement 30 s",
                "ab Zug 1",
                "dann 0:30:00",
                "Inkrement 30 s",
            ],
        ),
        (
            "40/120, 20/60, G/30",
            vec!["Züge: 40 in 2:00:00", "dann Züge: 20 in 1:00:00", "dann 0:30:00"],
        ),
        (
            "G/120, +10 from 41",
            vec!["Züge: 40 in 2:00:00", "dann ohne weitere Zeit", "Inkrement 10 s"],
        ),
        (
            "30/90, G/60, d5",
            vec![
                "Züge: 30 in 1:30:00",
                "Verzögerung 5 s",
                "ab Zug 1",
                "dann 1:00:00",
                "Verzögerung 5 s",
            ],
        ),
        ("36/90 repeat", vec!["Züge: 36 in 1:30:00", "immer wieder"]),
        ("0+5", vec!["0:00, und 5 Sekunden je Zug", "ab dem ersten"]),
        (
            "4 v 5, draw Black",
            vec![
                "Weiß:",
                "alle Züge in 0:04:00",
                "Schwarz:",
                "alle Züge in 0:05:00",
                "Remis: Schwarz gewinnt",
            ],
        ),
    ] {
        assert_eq!(lines(Language::German, notation), said, "{notation}");
    }
    assert_eq!(lines(Language::English, "3+2"), ["3:00, and 2 seconds a move", "from the first"]);
}

/// Two controls that the engine describes in different words have different lines.
#[test]
fn every_shipped_control_is_told_from_every_other_one_in_every_language() {
    for language in Language::ALL {
        let mut said = BTreeMap::new();
        for preset in presets() {
            let control = preset.read().control;
            let lines = Words(language).control(&control);
            for line in &lines {
                assert!(line.chars().count() <= crate::LINE_LENGTH, "{line}");
                assert!(!line.ends_with('…'), "{line}");
            }
            let english = describe(&control);
            let before = said.insert(lines.clone(), english.clone());
            assert!(before.is_none_or(|before| before == english), "{}: {lines:?}", preset.name);
        }
        assert!(said.len() > 50, "{}", said.len());
    }
}
