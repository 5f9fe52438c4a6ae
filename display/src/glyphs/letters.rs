//! The letters that a terminal can show, and the ASCII form of the others.

use crate::console_font::Font;

/// The letters that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    /// Every letter; the terminal chooses its fonts.
    All,
    /// The letters for which `clock_dbus::face_has_letters` is true: the font of the pictures has
    /// them.
    OfPicture,
    /// Those of ASCII.
    Ascii,
    /// The letters that a font of the kernel's console has.
    OfFont(Known),
}

/// For each character below [`Known::END`], one bit: whether a font has the character. A font of
/// the kernel's console has at most 512 glyphs, and no letters from this end on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known([u64; Known::END as usize / 64]);

impl Known {
    /// The end of the Latin, Greek, Cyrillic and Armenian letters, and the beginning of Hebrew.
    const END: u32 = 0x580;

    pub fn of(font: &Font) -> Known {
        let mut known = Known([0; Known::END as usize / 64]);
        for character in (0..Known::END).filter_map(char::from_u32) {
            if let (true, Some(bits)) = (
                font.shows(character.encode_utf8(&mut [0; 4])),
                known.0.get_mut(character as usize / 64),
            ) {
                *bits |= 1 << (character as usize % 64);
            }
        }
        known
    }

    fn has(&self, character: char) -> bool {
        let bits = self.0.get(character as usize / 64).copied().unwrap_or(0);
        bits >> (character as usize % 64) & 1 == 1
    }
}

impl Letters {
    /// The text in characters that can be shown. A letter that cannot be shown is replaced by its
    /// ASCII form. If it has no ASCII form, `Letters::Ascii` shows `?`, and the other values keep
    /// the letter.
    pub fn write(self, text: &str) -> String {
        if matches!(self, Letters::All | Letters::OfPicture) {
            // Nothing is replaced. The picture writes all of its texts again for each change.
            return text.to_owned();
        }
        let mut written = String::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let in_capitals = characters.peek().is_some_and(|next| next.is_uppercase());
            match (self.has(character), ascii_form(character)) {
                (false, Some(form)) if in_capitals && character.is_uppercase() => {
                    written.push_str(&form.to_ascii_uppercase());
                }
                (false, Some(form)) => written.push_str(form),
                (false, None) if self == Letters::Ascii => written.push('?'),
                _ => written.push(character),
            }
        }
        written
    }

    /// Whether every letter of a name is shown, in its ASCII form if need be. No output arranges
    /// letters from right to left or joins them, so a name with such letters is not shown.
    pub fn show(self, name: &str) -> bool {
        name.chars().filter(|character| character.is_alphabetic()).all(|character| match self {
            _ if is_right_to_left(character) => false,
            Letters::All => true,
            Letters::OfPicture => clock_dbus::face_has_letters(character.encode_utf8(&mut [0; 4])),
            _ => self.has(character) || ascii_form(character).is_some(),
        })
    }

    fn has(self, character: char) -> bool {
        match self {
            Letters::All | Letters::OfPicture => true,
            Letters::Ascii => character.is_ascii(),
            Letters::OfFont(known) => known.has(character) || is_sign(character),
        }
    }
}

/// A sign that the face writes only if the font has it (`Glyphs::of_font`).
fn is_sign(character: char) -> bool {
    !character.is_alphabetic() && ascii_form(character).is_none()
}

/// Whether a letter belongs to a script that is written from right to left: Hebrew, Arabic and the
/// blocks that Unicode reserves for such scripts (DerivedBidiClass, the defaults R and AL).
fn is_right_to_left(character: char) -> bool {
    matches!(
        character,
        '\u{590}'..='\u{8ff}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{feff}'
            | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
    )
}

/// The ASCII form of letters with accents, of ligatures and of punctuation. German umlauts have
/// two letters, as in passports (ICAO 9303).
const FORMS: &[(&str, &str)] = &[
    ("ÀÁÂÃÅĀĂĄẠẢẤẦẨẪẬẮẰẲẴẶ", "A"),
    ("àáâãåāăąạảấầẩẫậắằẳẵặª", "a"),
    ("Ä", "Ae"),
    ("ä", "ae"),
    ("Æ", "Ae"),
    ("æ", "ae"),
    ("ÇĆĈĊČ", "C"),
    ("çćĉċč", "c"),
    ("ĎĐÐ", "D"),
    ("ďđð", "d"),
    ("ÈÉÊËĒĔĖĘĚẸẺẼẾỀỂỄỆƏ", "E"),
    ("èéêëēĕėęěẹẻẽếềểễệə", "e"),
    ("ĜĞĠĢ", "G"),
    ("ĝğġģ", "g"),
    ("ĤĦ", "H"),
    ("ĥħ", "h"),
    ("ÌÍÎÏĨĪĬĮİỈỊ", "I"),
    ("ìíîïĩīĭįıỉị", "i"),
    ("Ĵ", "J"),
    ("ĵ", "j"),
    ("Ķ", "K"),
    ("ķĸ", "k"),
    ("ĹĻĽĿŁ", "L"),
    ("ĺļľŀł", "l"),
    ("ÑŃŅŇŊ", "N"),
    ("ñńņňŉŋ", "n"),
    ("ÒÓÔÕØŌŎŐƠỌỎỐỒỔỖỘỚỜỞỠỢ", "O"),
    ("òóôõøōŏőơọỏốồổỗộớờởỡợº", "o"),
    ("Ö", "Oe"),
    ("ö", "oe"),
    ("Œ", "Oe"),
    ("œ", "oe"),
    ("ŔŖŘ", "R"),
    ("ŕŗř", "r"),
    ("ŚŜŞŠȘ", "S"),
    ("śŝşšș", "s"),
    ("ẞ", "SS"),
    ("ß", "ss"),
    ("ŢŤŦȚ", "T"),
    ("ţťŧț", "t"),
    ("Þ", "Th"),
    ("þ", "th"),
    ("ÙÚÛŨŪŬŮŰŲƯỤỦỨỪỬỮỰ", "U"),
    ("ùúûũūŭůűųưụủứừửữự", "u"),
    ("Ü", "Ue"),
    ("ü", "ue"),
    ("Ŵ", "W"),
    ("ŵ", "w"),
    ("ÝŶŸỲỴỶỸ", "Y"),
    ("ýÿŷỳỵỷỹ", "y"),
    ("ŹŻŽ", "Z"),
    ("źżž", "z"),
    ("‘’‚ʻʼ", "'"),
    ("“”„«»", "\""),
    ("‐‑‒–—−", "-"),
    ("…", "..."),
    ("½", "1/2"),
    // The opening marks of Spanish are left out. The closing marks are ASCII.
    ("¿¡", ""),
    ("×", "x"),
    ("✓", "OK"),
    ("▲", "^"),
    ("▼", "v"),
    ("\u{a0}\u{202f}", " "),
    // Accents that are characters of their own after the letter are left out.
    (
        "\u{300}\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}\u{30a}\u{30b}\u{30c}\u{323}\u{327}\u{328}",
        "",
    ),
];

pub(super) fn ascii_form(character: char) -> Option<&'static str> {
    let (_, form) = FORMS.iter().find(|(letters, _)| letters.contains(character))?;
    Some(form)
}

#[cfg(test)]
mod tests {
    use clock_languages::{Language, NamedText};

    use super::super::{Glyphs, test_fonts};
    use super::*;

    fn shown(letters: Letters, name: &str) -> Option<String> {
        letters.show(name).then(|| letters.write(name))
    }

    #[test]
    fn a_letter_that_cannot_be_shown_has_its_ascii_form() {
        for (text, ascii) in [
            ("Białe zużyto RĘCZNIE", "Biale zuzyto RECZNIE"),
            ("Weiß für Ärger, HÄNGEPARTIE", "Weiss fuer Aerger, HAENGEPARTIE"),
            ("RÉTABLI Élodie Œuvre", "RETABLI Elodie Oeuvre"),
            ("Nguyễn e\u{301} O’Kelly…", "Nguyen e O'Kelly..."),
            ("Ян 1¾ ½-½", "?? 1? 1/2-1/2"),
        ] {
            assert_eq!(Letters::Ascii.write(text), ascii);
            assert_eq!(Letters::All.write(text), text);
        }
    }

    #[test]
    fn a_font_keeps_the_letters_that_it_has() {
        // This font has é, and no other letter outside ASCII.
        let cp437 = Letters::OfFont(Known::of(&test_fonts::cp437()));
        assert_eq!(cp437.write("déjà × ⚑ Białe"), "déja × ⚑ Biale");
        assert_eq!(shown(cp437, "André Łukasz").as_deref(), Some("André Lukasz"));
        assert_eq!(shown(cp437, "Ян Непомнящий"), None);
    }

    #[test]
    fn a_name_whose_letters_cannot_be_shown_is_left_out() {
        let font = Letters::OfFont(Known::of(&test_fonts::full()));
        for (name, all, picture, terminal) in [
            ("Efim Bogoljubów", true, true, true),
            ("الله Efim", false, false, false),
            ("יהודה", false, false, false),
            ("丁立人", true, false, false),
            ("विश्वनाथन आनंद", true, false, false),
            ("Людмила Руденко", true, true, false),
            ("Нона გაფრინდაშვილი", true, true, false),
            ("A ♞ 🙂", true, true, true),
        ] {
            let expected = [all, picture, terminal, terminal];
            let shown = [Letters::All, Letters::OfPicture, Letters::Ascii, font]
                .map(|letters| letters.show(name));
            assert_eq!(shown, expected, "{name}");
        }
    }

    /// Every word of every language can be read in a terminal that has only ASCII.
    #[test]
    fn every_word_has_an_ascii_form() {
        for NamedText { text, .. } in Language::ALL.into_iter().flat_map(Language::texts) {
            let written = Glyphs::ASCII.text(text);
            let question_marks = |text: &str| text.matches('?').count();
            assert!(written.is_ascii(), "{written}");
            assert_eq!(question_marks(&written), question_marks(text), "{written}");
        }
        assert_eq!(Glyphs::ASCII.text(Language::Polish.face().sides.white), "Biale");
    }

    #[test]
    fn each_letter_has_one_form() {
        let mut seen = std::collections::BTreeSet::new();
        for character in FORMS.iter().flat_map(|(letters, _)| letters.chars()) {
            assert!(!character.is_ascii() && seen.insert(character), "{character}");
        }
        assert!(FORMS.iter().all(|(_, form)| form.is_ascii()));
    }
}
