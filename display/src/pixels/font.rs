//! The fonts of the pictures: the widths of texts, and the coverage of each glyph.

use std::collections::HashMap;
use std::rc::Rc;

use ab_glyph::{Font as _, FontRef, GlyphId, PxScale};

/// DejaVu Sans Bold 2.37, unchanged; its licence is beside it.
const TEXT: &[u8] = include_bytes!("../../fonts/DejaVuSans-Bold.ttf");
/// The digits of Fjalla One; its licence and the program that made the file are beside it.
const TIME: &[u8] = include_bytes!("../../fonts/FjallaOne-Digits.ttf");
/// The height of a digit and of a capital letter of both fonts, in thousandths of the size.
const CAPITAL_HEIGHT: u32 = 729;
/// The largest total size of the `coverage` of all cached glyphs, in bytes. This is enough for all
/// digits of a large display and the texts of several games.
const KEPT: usize = 4 << 20;

/// The font of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Typeface {
    Text,
    /// Narrow digits. A sign that this font lacks, such as `⚑`, is that of [`Typeface::Text`].
    Time,
}

/// A glyph at one size: how much of each pixel it covers.
#[derive(Debug)]
pub struct Glyph {
    /// The distance from the position of the glyph to the left edge of the coverage, in pixels.
    pub left: i32,
    /// The distance from the base line down to the upper edge of the coverage, in pixels. It is
    /// negative above the base line.
    pub top: i32,
    pub width: u32,
    pub height: u32,
    /// The coverage row by row. 255 is a pixel that is covered completely.
    pub coverage: Vec<u8>,
}

/// The fonts, with a cache of glyphs. The cache is emptied when it would become larger than `KEPT`.
pub struct Font {
    text: FontRef<'static>,
    time: FontRef<'static>,
    /// The glyph of each ASCII character of the texts, and its advance in the units of the font. The
    /// layout needs them some thousand times for each picture, and each look-up in the tables of the
    /// font is a search.
    ascii: Vec<(GlyphId, u32)>,
    glyphs: HashMap<(Typeface, GlyphId, u32), Option<Rc<Glyph>>>,
    kept: usize,
}

/// The height of digits and capital letters at a size of the font, in pixels.
pub fn capital_height(size: u32) -> u32 {
    (size * CAPITAL_HEIGHT + 500) / 1000
}

/// The size of the font at which digits and capital letters have this height in pixels.
pub fn size_for(capital_height: u32) -> u32 {
    capital_height * 1000 / CAPITAL_HEIGHT
}

/// The glyph of a character; `None` if the font lacks it.
fn known(face: &FontRef<'_>, character: char) -> Option<GlyphId> {
    Some(face.glyph_id(character)).filter(|id| *id != GlyphId(0))
}

/// The glyph of a character, and its advance in the units of the font. A character that the font
/// lacks is replaced by U+FFFD.
fn look_up(face: &FontRef<'_>, character: char) -> (GlyphId, u32) {
    let id = known(face, character).unwrap_or_else(|| face.glyph_id('\u{fffd}'));
    (id, advance(face, id))
}

fn advance(face: &FontRef<'_>, id: GlyphId) -> u32 {
    whole(face.h_advance_unscaled(id))
}

fn units_per_em(face: &FontRef<'_>) -> f32 {
    face.units_per_em().expect("the font is part of the program")
}

/// A length in the units of a font; the file has it as a whole number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it has 16 bits")]
fn whole(units: f32) -> u32 {
    units as u32
}

impl Font {
    pub fn new() -> Font {
        let [text, time] = [TEXT, TIME]
            .map(|file| FontRef::try_from_slice(file).expect("the font is part of the program"));
        let ascii = (0..=0x7F).map(|character: u8| look_up(&text, character.into())).collect();
        Font { text, time, ascii, glyphs: HashMap::new(), kept: 0 }
    }

    /// The width of a text in pixels: the sum of the advances of its characters. So no part of a
    /// text is wider than the whole text, as `name::Width` requires.
    pub fn width(&self, text: &str, size: u32) -> u32 {
        text.chars().map(|character| self.advance(Typeface::Text, character, size)).sum()
    }

    /// The distance from this character to the next one. It is a whole number of pixels, so that a
    /// digit looks the same at every place.
    pub fn advance(&self, typeface: Typeface, character: char, size: u32) -> u32 {
        let (typeface, _, units) = self.look_up(typeface, character);
        let per_em = whole(units_per_em(self.face(typeface)));
        (units * size + per_em / 2) / per_em
    }

    /// The glyph of a character; `None` if it covers no pixel, such as a blank.
    pub fn glyph(&mut self, typeface: Typeface, character: char, size: u32) -> Option<Rc<Glyph>> {
        let (typeface, id, _) = self.look_up(typeface, character);
        if let Some(known) = self.glyphs.get(&(typeface, id, size)) {
            return known.clone();
        }
        let glyph = rasterize(self.face(typeface), id, size).map(Rc::new);
        let bytes = glyph.as_ref().map_or(0, |glyph| glyph.coverage.len());
        if self.kept + bytes > KEPT {
            self.glyphs.clear();
            self.kept = 0;
        }
        self.kept += bytes;
        self.glyphs.insert((typeface, id, size), glyph.clone());
        glyph
    }

    fn face(&self, typeface: Typeface) -> &FontRef<'static> {
        match typeface {
            Typeface::Text => &self.text,
            Typeface::Time => &self.time,
        }
    }

    /// The glyph of a character, its advance, and the font that has it.
    fn look_up(&self, typeface: Typeface, character: char) -> (Typeface, GlyphId, u32) {
        if typeface == Typeface::Time
            && let Some(id) = known(&self.time, character)
        {
            return (typeface, id, advance(&self.time, id));
        }
        let known = self.ascii.get(character as usize).copied();
        let (id, units) = known.unwrap_or_else(|| look_up(&self.text, character));
        (Typeface::Text, id, units)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the sizes of glyphs are small")]
#[expect(clippy::cast_sign_loss, reason = "the width, the height and the coverage are positive")]
fn rasterize(face: &FontRef<'_>, id: GlyphId, size: u32) -> Option<Glyph> {
    // The scale of this library is the height of a line, and `size` is that of an em.
    let scale = PxScale::from(size as f32 * face.height_unscaled() / units_per_em(face));
    let outlined = face.outline_glyph(id.with_scale(scale))?;
    let bounds = outlined.px_bounds();
    let (width, height) = (bounds.width() as u32, bounds.height() as u32);
    if width == 0 || height == 0 {
        return None;
    }
    let mut coverage = vec![0; (width * height) as usize];
    outlined.draw(|x, y, covered| {
        coverage[(y * width + x) as usize] = (covered * 255.0).round().min(255.0) as u8;
    });
    Some(Glyph { left: bounds.min.x as i32, top: bounds.min.y as i32, width, height, coverage })
}

#[cfg(test)]
impl Font {
    /// Whether the font has a glyph for this character.
    pub fn has(&self, character: char) -> bool {
        known(&self.text, character).is_some()
    }

    /// How far this character reaches above the base line, in pixels.
    pub fn ascent(&self, character: char, size: u32) -> u32 {
        let (id, _) = look_up(&self.text, character);
        let top = self.text.outline(id).map_or(0.0, |outline| outline.bounds.min.y.max(0.0));
        whole(top) * size / whole(units_per_em(&self.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_digits_have_the_same_width_and_the_stated_height() {
        let mut font = Font::new();
        for typeface in [Typeface::Text, Typeface::Time] {
            let digits = || '0'..='9';
            let widths: Vec<u32> = digits().map(|it| font.advance(typeface, it, 400)).collect();
            assert!(widths.iter().all(|width| *width == widths[0]), "{widths:?}");
            for digit in digits() {
                let glyph = font.glyph(typeface, digit, 400).unwrap();
                // Round digits are a little higher.
                assert!(glyph.height.abs_diff(capital_height(400)) <= 12, "{}", glyph.height);
                assert!(glyph.width < widths[0]);
            }
        }
        assert!(size_for(capital_height(400)).abs_diff(400) <= 2);
    }

    /// All signs of a time but that of the flag are in the narrow font.
    #[test]
    fn the_signs_of_the_times_are_narrow() {
        let font = Font::new();
        for sign in "0123456789:.".chars() {
            assert_eq!(font.look_up(Typeface::Time, sign).0, Typeface::Time, "{sign}");
            let [narrow, wide] =
                [Typeface::Time, Typeface::Text].map(|typeface| font.advance(typeface, sign, 400));
            assert!(narrow < wide, "{sign}");
        }
        assert_eq!(font.look_up(Typeface::Time, '⚑').0, Typeface::Text);
    }

    #[test]
    fn the_font_has_every_sign_of_the_face_and_the_letters_of_names() {
        let mut font = Font::new();
        for character in "▶❚⚑□■…×0129:.+½ŁŞßñŽčΆΩаЖєїў".chars() {
            assert!(font.has(character), "{character}");
            assert!(font.glyph(Typeface::Text, character, 40).is_some(), "{character}");
        }
        assert!(font.glyph(Typeface::Text, ' ', 40).is_none());
        assert!(
            font.glyph(Typeface::Text, '\u{1f600}', 40).is_some(),
            "it is shown as the replacement character"
        );
    }

    #[test]
    fn the_glyphs_that_are_kept_have_a_limit() {
        let mut font = Font::new();
        for size in (100..400).chain((400..1600).step_by(50)) {
            font.glyph(Typeface::Time, '0', size);
            assert!(font.kept <= KEPT);
        }
        // The cache holds the digits of a screen of 3840 × 2160 pixels.
        let mut font = Font::new();
        let digits = || (b'0'..=b'9').map(char::from);
        digits().for_each(|digit| drop(font.glyph(Typeface::Time, digit, 1100)));
        assert!(digits().all(|digit| {
            let (typeface, id, _) = font.look_up(Typeface::Time, digit);
            font.glyphs.contains_key(&(typeface, id, 1100))
        }));
    }
}
