//! Fonts of the kernel's console, reduced to the characters that the face can use. Each text lists
//! the characters that are shown by one glyph.

use crate::console_font::Font;

/// The font that is built into the kernel (`drivers/tty/vt/cp437.uni`).
const CP437: &[&str] =
    &["▶►", "█", "▀", "▄", "─", "│", "┌", "┐", "└", "┘", "═", "║", "╔", "╗", "╚", "╝", "x×", "é"];
/// Debian's Lat15-Terminus16, for the languages of western Europe. Of the characters that the face
/// uses, these six other fonts of Debian have the same ones: Lat15-Fixed16, Lat15-VGA16,
/// Lat2-Terminus16, Uni1-VGA16, Uni2-Fixed16 and Uni2-Terminus16.
const LAT15: &[&str] =
    &["▶", "/╱", "█", "─━═", "│┃║", "┌┏╔", "┐┓╗", "└┗╚", "┘┛╝", "×", "…", "é", "ó"];
/// Debian's FullGreek-Terminus16.
const GREEK: &[&str] = &[
    "▶", "█", "▀", "▄", "─", "│", "┌", "┐", "└", "┘", "═", "║", "╔", "╗", "╚", "╝", "×", "…", "é",
];
/// A font with all characters that the face can use.
const FULL: &[&str] = &[
    "▶", "❚", "⚑", "╱", "█", "▀", "▄", "━", "┃", "┏", "┓", "┗", "┛", "─", "│", "┌", "┐", "└", "┘",
    "═", "║", "╔", "╗", "╚", "╝", "×", "…", "é",
];

/// The four fonts and their names. Each font also has the ASCII characters.
pub fn all() -> [(&'static str, Font); 4] {
    [("CP437", CP437), ("Lat15", LAT15), ("Greek", GREEK), ("full", FULL)]
        .map(|(name, glyphs)| (name, font(glyphs)))
}

pub fn cp437() -> Font {
    font(CP437)
}

pub fn lat15() -> Font {
    font(LAT15)
}

pub fn greek() -> Font {
    font(GREEK)
}

pub fn full() -> Font {
    font(FULL)
}

fn font(glyphs: &[&str]) -> Font {
    let ascii =
        (' '..='~').map(|character| (character, u16::try_from(u32::from(character)).unwrap()));
    let others = glyphs.iter().zip(200..).flat_map(|(shown, glyph)| {
        let ascii = shown.chars().next().filter(char::is_ascii);
        let glyph = ascii.map_or(glyph, |c| u16::try_from(u32::from(c)).unwrap());
        shown.chars().map(move |character| (character, glyph))
    });
    ascii.chain(others).collect()
}
