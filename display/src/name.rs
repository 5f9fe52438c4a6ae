//! Shortens a player's name to the width that is available, in columns of a terminal or in pixels.
//!
//! An ellipsis marks the place at which a name or a part of it is cut, if there is room for the
//! ellipsis. If all given names are left out, no ellipsis marks their place. The surname is cut
//! last, because players are known by it.

use ratatui::style::Style;
use ratatui::text::Span;

/// Returns the width of a text, in columns of a terminal or in pixels. No part of a text may be
/// wider than the whole text.
pub type Width<'a> = &'a dyn Fn(&str) -> u32;

/// The first of these forms of a name that fits into `room`:
///
/// - the full name, and then without a federation in parentheses at its end;
/// - the surname with the initials of the given names (`R. Praggnanandhaa`), or with the first one;
/// - the surname alone;
/// - the beginning of the surname.
///
/// The surname is the part before the comma, as in `Praggnanandhaa, Rameshbabu`. In a name without
/// a comma it is the last word or, if the last word is an initial, as in `Vaishali R`, the first
/// word.
pub fn shorten(name: &str, room: u32, ellipsis: &str, width: Width) -> String {
    if width(name) <= room {
        return name.to_owned();
    }
    let name = without_federation(name);
    if width(name) <= room {
        return name.to_owned();
    }
    let Parts { surname, given, surname_first } = Parts::of(name);
    let initials: Vec<String> = given.split_whitespace().filter_map(initial).collect();
    let first = initials.first().cloned().unwrap_or_default();
    [initials.join(" "), first]
        .into_iter()
        .filter(|given| !given.is_empty())
        .map(|given| match surname_first {
            true => format!("{surname} {given}"),
            false => format!("{given} {surname}"),
        })
        .find(|short| width(short) <= room)
        .unwrap_or_else(|| cut_end(surname.trim_end_matches(','), room, ellipsis, width))
}

/// The name without a federation in parentheses at its end: `Menchik (ENG)`.
fn without_federation(name: &str) -> &str {
    match name.rsplit_once(" (") {
        Some((before, end)) if end.ends_with(')') && !before.trim().is_empty() => before.trim_end(),
        _ => name,
    }
}

/// The titles of FIDE, which are not shortened to a letter.
const TITLES: [&str; 10] = ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM", "AGM", "AIM"];

/// The first letter of a word with a point: `E.`. `None` if the word does not begin with a letter.
fn initial(word: &str) -> Option<String> {
    if TITLES.contains(&word) {
        return Some(word.to_owned());
    }
    let first = graphemes(word).into_iter().next()?;
    first.chars().next()?.is_alphabetic().then(|| format!("{first}."))
}

/// The name on two lines of this width, divided at a blank or after a hyphen. The given names are
/// left out if only the surname fits. `None` if not even that fits.
pub fn two_lines(name: &str, room: u32, width: Width) -> Option<[String; 2]> {
    let name = without_federation(name);
    let Parts { surname, .. } = Parts::of(name);
    let divided = |name: &str| {
        let ends = name.char_indices().filter(|(_, sign)| [' ', '-'].contains(sign));
        let places: Vec<usize> = ends.map(|(at, sign)| at + sign.len_utf8()).collect();
        places.into_iter().rev().find_map(|at| {
            let (first, second) = (name[..at].trim_end(), &name[at..]);
            let fit = width(first) <= room && width(second) <= room;
            fit.then(|| [first.to_owned(), second.to_owned()])
        })
    };
    divided(name).or_else(|| divided(surname.trim_end_matches(',')))
}

/// Whether the whole surname of this name fits into `room`.
pub fn surname_fits(name: &str, room: u32, width: Width) -> bool {
    width(Parts::of(without_federation(name)).surname) <= room
}

/// The parts of a name, without blanks at their ends.
struct Parts<'a> {
    /// The surname, with the comma that follows it if there is one.
    surname: &'a str,
    given: &'a str,
    surname_first: bool,
}

impl Parts<'_> {
    fn of(name: &str) -> Parts<'_> {
        if let Some(comma) = name.find(", ") {
            let (surname, given) = name.split_at(comma + 1);
            return Parts { surname, given: given.trim_start(), surname_first: true };
        }
        match name.rsplit_once(' ') {
            Some((_, last)) if is_initial(last) => {
                let (surname, given) = name.split_once(' ').unwrap_or((name, ""));
                Parts { surname, given, surname_first: true }
            }
            Some((given, surname)) => Parts { surname, given, surname_first: false },
            None => Parts { surname: name, given: "", surname_first: false },
        }
    }
}

fn is_initial(word: &str) -> bool {
    graphemes(word.trim_end_matches('.')).len() <= 1
}

/// Returns the whole text if it fits into `room`. Otherwise returns the beginning of the text, with
/// an ellipsis if there is room for a letter beside the ellipsis.
pub fn cut_end(text: &str, room: u32, ellipsis: &str, width: Width) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let head = beginning(text, room.saturating_sub(width(ellipsis)), width);
    match head.trim_end() {
        "" => beginning(text, room, width),
        head => format!("{head}{ellipsis}"),
    }
}

fn beginning(text: &str, room: u32, width: Width) -> String {
    taken(graphemes(text).iter().map(String::as_str), room, width).concat()
}

/// The first graphemes, as many as fit into `room`.
fn taken<'a>(graphemes: impl Iterator<Item = &'a str>, room: u32, width: Width) -> Vec<&'a str> {
    let mut left = room;
    graphemes
        .map_while(|grapheme| {
            left = left.checked_sub(width(grapheme))?;
            Some(grapheme)
        })
        .collect()
}

/// The graphemes of a text. A letter and its accents are one grapheme.
fn graphemes(text: &str) -> Vec<String> {
    let span = Span::raw(text);
    span.styled_graphemes(Style::new()).map(|grapheme| grapheme.symbol.to_owned()).collect()
}

/// The words of a text in rows of this width. A word that is wider has a row of its own.
pub fn wrap(text: &str, room: u32, width: Width) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let longer = rows.last().map(|row| format!("{row} {word}"));
        match (longer.filter(|row| width(row) <= room), rows.last_mut()) {
            (Some(longer), Some(last)) => *last = longer,
            _ => rows.push(word.to_owned()),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(text: &str) -> u32 {
        u32::try_from(Span::raw(text).width()).unwrap()
    }

    fn shorten(name: &str, room: u32, ellipsis: &str) -> String {
        super::shorten(name, room, ellipsis, &columns)
    }

    #[test]
    fn the_given_names_are_cut_first_and_the_surname_last() {
        let name = "Rameshbabu Praggnanandhaa";
        for (room, short) in [
            (25, "Rameshbabu Praggnanandhaa"),
            (24, "R. Praggnanandhaa"),
            (17, "R. Praggnanandhaa"),
            (16, "Praggnanandhaa"),
            (14, "Praggnanandhaa"),
            (13, "Praggnanandh…"),
            (5, "Prag…"),
            (2, "P…"),
            (1, "P"),
            (0, ""),
        ] {
            assert_eq!(shorten(name, room, "…"), short, "{room}");
        }
        assert_eq!(shorten("GM Vera Menchik (ENG)", 20, "…"), "GM Vera Menchik");
        assert_eq!(shorten("GM Vera Menchik (ENG)", 14, "…"), "GM V. Menchik");
        assert_eq!(shorten("Efim Bogoljubow", 14, "…"), "E. Bogoljubow");
        assert_eq!(shorten("Ana Maria Albuquerque", 20, "…"), "A. M. Albuquerque");
        assert_eq!(shorten("Ana Maria Albuquerque", 16, "…"), "A. Albuquerque");
        let comma = "Praggnanandhaa, Rameshbabu";
        assert_eq!(shorten(comma, 22, "…"), "Praggnanandhaa, R.");
        assert_eq!(shorten(comma, 16, "…"), "Praggnanandhaa");
        assert_eq!(shorten(comma, 10, "…"), "Praggnana…");
        assert_eq!(shorten("Ana Maria Bo", 11, "…"), "A. M. Bo");
        // Each of these characters is two columns wide.
        assert_eq!(shorten("盤上の名人", 5, "…"), "盤上…");
        // The order of the words does not change. An initial is not used as the surname.
        assert_eq!(shorten("Raja Rithvik R", 11, "…"), "Raja R. R.");
        assert_eq!(shorten("Vaishali R.", 9, "…"), "Vaishali");
        assert_eq!(shorten("Ana Anand", 8, "…"), "A. Anand");
        assert_eq!(shorten("é\u{301}é\u{301}é\u{301}", 2, "…"), "é\u{301}…");
    }

    /// The letters are 10 to 15 pixels wide. No given name is shortened to an ellipsis without a
    /// letter.
    #[test]
    fn in_pixels_too_a_given_name_keeps_a_letter_or_is_left_out() {
        let pixels = |text: &str| -> u32 {
            let letter = |grapheme: &String| 10 + u32::try_from(grapheme.len() % 6).unwrap();
            graphemes(text).iter().map(letter).sum()
        };
        for name in ["Rameshbabu Praggnanandhaa", "Ευάγγελος Σουλεϊμανίδης", "Menchik, Vera"]
        {
            for room in 10..pixels(name) {
                let short = super::shorten(name, room, "…", &pixels);
                assert!(pixels(&short) <= room, "{short}");
                assert!(!short.starts_with('…') && !short.contains(" …"), "{short}");
            }
        }
    }

    #[test]
    fn a_name_is_never_dropped_and_never_wider_than_its_room() {
        let alphabets = ["a", "B", "é", "e\u{301}", "盤", "ن", "👩‍🔬", "-"];
        let mut names = vec![String::new()];
        for length in (1..30).chain([63, 64, 128, 199, 200]) {
            let letter = |at: usize| match at * 7 % 11 {
                0 if at > 0 => " ",
                _ => alphabets[(at * 5 + length) % alphabets.len()],
            };
            let name: String = (0..length).map(letter).collect();
            names.push(clock_dbus::one_line(&name));
            names.push(alphabets[length % alphabets.len()].repeat(length));
        }
        for name in &names {
            for room in (0..45).chain([63, 64, 65, 130]) {
                for ellipsis in ["…", "..."] {
                    let short = shorten(name, room, ellipsis);
                    assert!(columns(&short) <= room, "{short:?} in {room}");
                    assert_eq!(short == *name, columns(name) <= room, "{short:?} in {room}");
                    assert_eq!(short.is_empty(), name.is_empty() || room < columns(&first(name)));
                    let surname = Parts::of(without_federation(name)).surname;
                    assert!(columns(surname) > room || short.contains(surname), "{short:?}");
                    assert!(short.trim() == short && !short.contains("  "), "{short:?}");
                }
            }
        }
    }

    fn first(name: &str) -> String {
        // If the name is only one word, `Parts::of` returns this word as the surname.
        let surname = Parts::of(name).surname;
        graphemes(surname).into_iter().next().unwrap_or_default()
    }
}
