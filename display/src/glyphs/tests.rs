use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::test_fonts::{all, cp437, full, greek, lat15};
use super::*;

const BLOCKS: &str = "█▀▄";
const DOUBLE: &str = "═║╔╗╚╝";
const THICK: &str = "━┃┏┓┗┛";

fn without(font: &Font, missing: &str) -> Font {
    font.characters().filter(|(character, _)| !missing.contains(*character)).collect()
}

#[test]
fn a_font_gives_what_it_has_and_ascii_for_the_rest() {
    // `letters` tests the letters.
    let signs = |glyphs| Glyphs { letters: Letters::All, ..glyphs };
    let of_font = |font: &Font| signs(Glyphs::of_font(font));
    assert_eq!(of_font(&full()), Glyphs::UNICODE);
    assert_eq!(of_font(&Font::default()), signs(Glyphs::ASCII));
    let console = Glyphs { stopped: "||", flag: "", ..Glyphs::UNICODE };
    // The kernel's own font has blocks and double lines, but no slanted line and no ellipsis.
    let double = Glyphs { frame_on_move: border::DOUBLE, ..console };
    assert_eq!(of_font(&cp437()), Glyphs { ellipsis: "...", hatch: "/", ..double });
    assert_eq!(of_font(&greek()), Glyphs { hatch: "/", ..double });
    // The font Lat15 has no half blocks, and one glyph for thin, double and thick lines.
    let lat15 = of_font(&lat15());
    let frame_on_move = Glyphs::ASCII.frame_on_move;
    assert_eq!(lat15, Glyphs { pixels: Pixels::Cells("█"), frame_on_move, ..console });
}

#[test]
fn the_frame_of_the_side_on_move_never_looks_like_the_other_one() {
    for (name, font) in all() {
        for missing in ["", BLOCKS, THICK, DOUBLE, "━", "┗", "─", "┘"] {
            let glyphs = Glyphs::of_font(&without(&font, missing));
            let [on_move, waiting] =
                [glyphs.frame_on_move, glyphs.frame_waiting].map(|frame| frame.horizontal_top);
            assert!(font.differ(on_move, waiting), "{name} without {missing}: {on_move} {waiting}");
        }
    }
}

/// Whether [`Glyphs::of_font`] has another result if this character is missing in the font.
fn is_asked_for(character: char) -> bool {
    // Some characters are used only if the font lacks a better form, so fonts without the better
    // forms are tried, too.
    [full(), without(&full(), THICK), without(&full(), "▀▄")].into_iter().any(|font| {
        let lacking = without(&font, &character.to_string());
        Glyphs::of_font(&lacking) != Glyphs::of_font(&font)
    })
}

#[test]
fn the_font_is_asked_for_every_character_that_the_face_may_paint() {
    let written = characters_in_sources();
    assert!(written.contains(&'⚑') && written.contains(&'▀'), "{written:?}");
    let frames = [border::PLAIN, border::DOUBLE, border::THICK];
    let framed = frames.iter().flat_map(texts_of).flat_map(str::chars);
    for character in written.into_iter().chain(framed) {
        assert!(is_asked_for(character), "no font is asked for {character}");
    }
}

/// The characters outside ASCII in the code that paints in a terminal, without comments and tests.
fn characters_in_sources() -> BTreeSet<char> {
    // These modules paint nothing in a terminal. They paint with the font of `pixels`, or their
    // texts are messages for the log. `letters.rs` lists letters, which are asked for all at once.
    const NOT_IN_A_TERMINAL: [&str; 5] = ["pixels", "screen", "devices", "window.rs", "letters.rs"];
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![sources];
    let mut found = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_str().unwrap();
            match () {
                () if NOT_IN_A_TERMINAL.contains(&name) || name.starts_with("test") => {}
                () if path.is_dir() => folders.push(path),
                () => found.extend(characters_in_code(&path)),
            }
        }
    }
    found
}

fn characters_in_code(path: &PathBuf) -> Vec<char> {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(str::chars).filter(|character| !character.is_ascii()).collect()
}
