//! The check of a language file names each mistake with the file, the line and the key.

#[path = "../build/check.rs"]
mod check;

const GERMAN: &str = include_str!("../texts/de.toml");

/// The mistakes in the German file if this line of it is replaced.
fn mistakes(line: &str, other: &str) -> Vec<String> {
    assert_eq!(GERMAN.matches(line).count(), 1, "{line}");
    check::checked("de", &GERMAN.replace(line, other)).expect_err(other)
}

/// The number of the line in the German file.
fn number(line: &str) -> usize {
    GERMAN[..GERMAN.find(line).expect("a line of the file")].matches('\n').count() + 1
}

#[test]
fn each_mistake_is_named_with_its_line_and_its_key() {
    assert!(check::checked("de", GERMAN).is_ok());
    let (moves, next, of) =
        ("moves = \"Zug {number}\"", "next = \"weiter\"", "{number} von {periods}");
    for (line, other, key, what) in [
        (moves, "move = \"Zug {number}\"", "face.notes.move", "there is no such key"),
        (moves, "moves = \"Zug\"", "face.notes.moves", "the place {number} is missing"),
        (
            moves,
            "moves = \"Zug {nummer}\"",
            "face.notes.moves",
            "the place {nummer} is unknown or there twice",
        ),
        (
            of,
            "{number} von {number}",
            "face.notes.period_of",
            "the place {number} is unknown or there twice",
        ),
        (moves, "moves = 3", "face.notes.moves", "a text is needed"),
        (next, "next = \"\"", "menu.keys.next", "the text is empty"),
        (next, "next = \"weiter \"", "menu.keys.next", "the text begins or ends with a blank"),
        (
            next,
            "next = \"ab  hier\"",
            "menu.keys.next",
            "the text has two blanks, or a character that is not shown",
        ),
        (
            next,
            "next = \"noch weiter so\"",
            "menu.keys.next",
            "14 characters, and at most 12 are possible",
        ),
        (
            "awaits = \"Offene Fragen\"",
            "awaits = \"Offene Fragen in dieser Partie\"",
            "menu.standing.awaits",
            "30 characters, and at most 28 are possible",
        ),
        (
            "full = \"Der Stick ist voll.\"",
            "full = \"Massenspeicherüberfüllungsfehler.\"",
            "menu.backup.full",
            "33 characters in a word, and at most 28 are possible",
        ),
        (
            "[\"kein Uhrendienst\", \"keine Uhr\"]",
            "[\"keine Uhr\"]",
            "face.no_service",
            "a list of 2 is needed",
        ),
        (
            "called.short = \"GERUFEN\"",
            "called.short.x = 1",
            "face.signs.called.short",
            "a text is needed",
        ),
    ] {
        let found = mistakes(line, other);
        let expected = format!("de.toml:{}: {key}: {what}", number(line));
        assert!(found.contains(&expected), "{found:?}\n{expected}");
    }
    // A key that is missing has the line of its table.
    assert_eq!(
        mistakes(next, ""),
        [format!("de.toml:{}: menu.keys.next: this key is missing", number("[menu.keys]"))]
    );
    let unquoted = &mistakes(next, "next = ")[0];
    assert!(unquoted.starts_with(&format!("de.toml:{}: ", number(next))), "{unquoted}");
}

/// The places of values may stand in any order, and only English has no texts in place of the engine's.
#[test]
fn a_translation_may_turn_the_places_round() {
    let turned = GERMAN.replace("{number} von {periods}", "{periods}, davon {number}");
    let rust = check::checked("de", &turned).unwrap();
    assert!(rust.contains(r#"text: "Periode , davon ", places: [(8, 1), (16, 0)]"#));
    let without = GERMAN.split("[menu.own").next().unwrap();
    assert!(check::checked("en", without).is_ok());
    assert!(
        check::checked("de", without).unwrap_err()[0].ends_with("menu.own: this key is missing")
    );
}

#[test]
fn values_stand_in_the_places_of_their_names() {
    let notes = clock_languages::Language::German.face().notes;
    assert_eq!(notes.period_of.with([&1, &2]), "Periode 1 von 2");
    assert_eq!(notes.from_first.with([&"3:00"]), "3:00 ab dem ersten");
}
