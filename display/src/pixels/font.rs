//! The fonts of the pictures: the widths of texts, and the coverage of each glyph.

use std::collections::HashMap;
use std::rc::Rc;

use ab_glyph_rasterizer::{Point, Rasterizer, point};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

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
    text: Face<'static>,
    time: Face<'static>,
    /// The glyph of each ASCII character of the texts, and its advance in the units of the font. The
    /// layout needs them some thousand times for each picture, and each look-up in the tables of the
    /// font is a search.
    ascii: Vec<(GlyphId, u16)>,
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

/// The glyph of a character, and its advance in the units of the font. A character that the font
/// lacks is replaced by U+FFFD.
fn look_up(face: &Face<'_>, character: char) -> (GlyphId, u16) {
    let glyph = face.glyph_index(character);
    let id = glyph.or_else(|| face.glyph_index('\u{fffd}')).unwrap_or_default();
    (id, face.glyph_hor_advance(id).unwrap_or(0))
}

impl Font {
    pub fn new() -> Font {
        let [text, time] =
            [TEXT, TIME].map(|file| Face::parse(file, 0).expect("the font is part of the program"));
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
        let per_em = u32::from(self.face(typeface).units_per_em());
        (u32::from(units) * size + per_em / 2) / per_em
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

    fn face(&self, typeface: Typeface) -> &Face<'static> {
        match typeface {
            Typeface::Text => &self.text,
            Typeface::Time => &self.time,
        }
    }

    /// The glyph of a character, its advance, and the font that has it.
    fn look_up(&self, typeface: Typeface, character: char) -> (Typeface, GlyphId, u16) {
        if typeface == Typeface::Time
            && let Some(id) = self.time.glyph_index(character)
        {
            return (typeface, id, self.time.glyph_hor_advance(id).unwrap_or(0));
        }
        let known = self.ascii.get(character as usize).copied();
        let (id, units) = known.unwrap_or_else(|| look_up(&self.text, character));
        (Typeface::Text, id, units)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the sizes of glyphs are small")]
#[expect(clippy::cast_sign_loss, reason = "the width, the height and the coverage are positive")]
fn rasterize(face: &Face<'_>, id: GlyphId, size: u32) -> Option<Glyph> {
    let scale = size as f32 / f32::from(face.units_per_em());
    let bounds = face.glyph_bounding_box(id)?;
    // The y axis of the outline points up, and the y axis of the pixels points down. So the
    // sign of y changes.
    let (left, top) =
        ((f32::from(bounds.x_min) * scale).floor(), (-f32::from(bounds.y_max) * scale).floor());
    let width = ((f32::from(bounds.x_max) * scale).ceil() - left) as usize;
    let height = ((-f32::from(bounds.y_min) * scale).ceil() - top) as usize;
    if width == 0 || height == 0 {
        return None;
    }
    let mut outline = Outline {
        rasterizer: Rasterizer::new(width, height),
        origin: point(left, top),
        scale,
        first: point(0.0, 0.0),
        last: point(0.0, 0.0),
    };
    face.outline_glyph(id, &mut outline)?;
    let mut coverage = vec![0; width * height];
    outline.rasterizer.for_each_pixel(|at, covered| {
        coverage[at] = (covered * 255.0).round().min(255.0) as u8;
    });
    let (width, height) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    Some(Glyph { left: left as i32, top: top as i32, width, height, coverage })
}

/// Receives the outline of a glyph, in the units of the font, and draws it.
struct Outline {
    rasterizer: Rasterizer,
    /// The upper left corner of the drawing.
    origin: Point,
    /// The number of pixels for each unit of the font.
    scale: f32,
    /// The first point of the current contour.
    first: Point,
    /// The last point that was drawn.
    last: Point,
}

impl Outline {
    fn point(&self, x: f32, y: f32) -> Point {
        point(x * self.scale - self.origin.x, -y * self.scale - self.origin.y)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.first = self.point(x, y);
        self.last = self.first;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.point(x, y);
        self.rasterizer.draw_line(self.last, to);
        self.last = to;
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (control, to) = (self.point(x1, y1), self.point(x, y));
        self.rasterizer.draw_quad(self.last, control, to);
        self.last = to;
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (first, second, to) = (self.point(x1, y1), self.point(x2, y2), self.point(x, y));
        self.rasterizer.draw_cubic(self.last, first, second, to);
        self.last = to;
    }

    fn close(&mut self) {
        self.rasterizer.draw_line(self.last, self.first);
        self.last = self.first;
    }
}

#[cfg(test)]
impl Font {
    /// Whether the font has a glyph for this character.
    pub fn has(&self, character: char) -> bool {
        self.text.glyph_index(character).is_some()
    }

    /// How far this character reaches above the base line, in pixels.
    pub fn ascent(&self, character: char, size: u32) -> u32 {
        let (id, _) = look_up(&self.text, character);
        let top = self.text.glyph_bounding_box(id).map_or(0, |bounds| bounds.y_max.max(0));
        u32::from(top.cast_unsigned()) * size / u32::from(self.text.units_per_em())
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
