//! Pixels, and the four ways to paint on them: plain, hatched, a disc, and a glyph.
//!
//! The functions here never read a pixel. So the result of painting a part does not depend on what
//! the part showed before.

use super::area::{Area, Rotation};
use super::font::Glyph;
use std::ops::Range;

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// The pixels of a part of the screen, row by row in the form XRGB8888 (`0x00RRGGBB`). Areas that
/// are passed to its methods are in the coordinates of the screen.
pub struct Surface<'a> {
    pixels: &'a mut [u32],
    part: Area,
}

/// The distance from one line of the hatching to the next, and the width of a line. Both are
/// measured horizontally, in pixels, for a half that is 480 pixels high.
const HATCH: (u32, u32) = (24, 6);

impl Rgb {
    fn word(self) -> u32 {
        u32::from_be_bytes([0, self.0, self.1, self.2])
    }

    /// A mixture of this colour with `other`. `part` is the share of `other`: 0 is none, 255 is
    /// all.
    pub fn mixed(self, other: Rgb, part: u8) -> Rgb {
        let mix = |from: u8, to: u8| {
            let sum = u32::from(from) * u32::from(255 - part) + u32::from(to) * u32::from(part);
            u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
        };
        Rgb(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

/// The number of pixels of a glyph that are compared at once: as many as a machine word has bytes.
const WORD: usize = 8;

/// The colour of a pixel for each coverage, from 0 (the ground) to 255 (the ink).
pub struct Blend([u32; 256]);

impl Blend {
    pub fn new(ground: Rgb, ink: Rgb) -> Blend {
        let mut words = [0; 256];
        for (word, part) in words.iter_mut().zip(0..=u8::MAX) {
            *word = ground.mixed(ink, part).word();
        }
        Blend(words)
    }
}

impl<'a> Surface<'a> {
    /// Panics if `pixels` has more or fewer elements than `part` has pixels.
    pub fn new(pixels: &'a mut [u32], part: Area) -> Surface<'a> {
        assert_eq!(pixels.len(), part.width as usize * part.height as usize);
        Surface { pixels, part }
    }

    /// The pixels of `area` in the row `y` of the screen. The area must be inside the part.
    fn row(&mut self, area: Area, y: u32) -> &mut [u32] {
        let (down, right) = ((y - self.part.y) as usize, (area.x - self.part.x) as usize);
        let start = down * self.part.width as usize + right;
        &mut self.pixels[start..start + area.width as usize]
    }

    pub fn fill(&mut self, area: Area, colour: Rgb) {
        for y in area.y..area.bottom() {
            self.row(area, y).fill(colour.word());
        }
    }

    /// Paints diagonal lines. Their places depend only on the coordinates of the screen, so the
    /// lines of parts that are painted one by one fit together. `scale` is the height of the half
    /// in pixels.
    pub fn hatch(&mut self, area: Area, ground: Rgb, line: Rgb, scale: u32) {
        let period = (HATCH.0 * scale / 480).max(4);
        let width = (HATCH.1 * scale / 480).max(1);
        for y in area.y..area.bottom() {
            for (x, pixel) in (area.x..).zip(self.row(area, y)) {
                *pixel = if (x + y) % period < width { line.word() } else { ground.word() };
            }
        }
    }

    /// Paints a disc that fills the square `area`, with a ring around it, on a plain ground. Only
    /// the pixels on the edges of the ring have mixed colours; the others are filled in runs.
    pub fn disc(&mut self, area: Area, clip: Area, fill: Rgb, (ground, ring): (Rgb, Rgb)) {
        let diameter = area.width.min(area.height);
        let circles = [diameter, diameter - diameter / 6].map(|diameter| Circle { area, diameter });
        let [outer, inner] = circles;
        for y in clip.y..clip.bottom() {
            let row = self.row(clip, y);
            row.fill(ground.word());
            row[outer.covered(y, clip)].fill(ring.word());
            row[inner.covered(y, clip)].fill(fill.word());
            for circle in circles {
                let (touched, covered) = (circle.touched(y, clip), circle.covered(y, clip));
                for x in touched.filter(|x| !covered.contains(x)) {
                    let at = clip.x + u32::try_from(x).unwrap_or(0);
                    let with_ring = ground.mixed(ring, outer.coverage(at, y));
                    row[x] = with_ring.mixed(fill, inner.coverage(at, y)).word();
                }
            }
        }
    }

    /// Paints a glyph of a drawing. `x` is the position of the glyph and `base` its base line, in
    /// the coordinates of the drawing before the rotation; `at` is the place of the drawing on the
    /// screen. Only pixels inside `at.clip` are painted. Pixels that the glyph does not cover stay
    /// as they are.
    pub fn glyph(&mut self, glyph: &Glyph, (x, base): (i32, i32), at: Placed, blend: &Blend) {
        // From here on, `clip` is in the coordinates of the drawing before its rotation.
        let Placed { place, rotation, clip } = at;
        let inside = Area { x: clip.x - place.x, y: clip.y - place.y, ..clip };
        let drawing = rotation.inverse().size(place.size());
        let clip = inside.turned(place.size(), rotation.inverse(), Area::of_size(drawing));
        let (left, top) = (x + glyph.left, base + glyph.top);
        let columns = visible(left, glyph.width, clip.x, clip.right());
        let rows = visible(top, glyph.height, clip.y, clip.bottom());
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        let (origin, across, down) = self.steps(place, rotation);
        for row in rows {
            let coverage = &glyph.coverage[(row * glyph.width) as usize..][..glyph.width as usize];
            let y = isize::try_from(top + row.cast_signed()).unwrap_or(0);
            let first = isize::try_from(left + columns.start.cast_signed()).unwrap_or(0);
            let coverage = &coverage[columns.start as usize..columns.end as usize];
            self.glyph_row(coverage, origin + y * down + first * across, across, blend);
        }
    }

    /// Paints a row of a glyph. `index` is the index of the first pixel of the row in `pixels`, and
    /// `across` the step to the next one. Most pixels of a large digit are covered completely or
    /// not at all. A run of pixels that are not covered is skipped at once. A run of pixels that
    /// are covered completely is filled at once, unless a quarter turn makes the row of the glyph a
    /// column of the screen.
    fn glyph_row(&mut self, mut coverage: &[u8], mut index: isize, across: isize, blend: &Blend) {
        while !coverage.is_empty() {
            let blank = run(coverage, 0);
            coverage = &coverage[blank..];
            index += across * blank.cast_signed();

            let full = if across.abs() == 1 { run(coverage, u8::MAX) } else { 0 };
            let end = index + across * full.cast_signed();
            if full > 0 {
                let (first, last) = (index.min(end - across), index.max(end - across));
                self.pixels[first.cast_unsigned()..=last.cast_unsigned()].fill(blend.0[255]);
            }
            coverage = &coverage[full..];
            index = end;

            let (edge, rest) = coverage.split_at(WORD.min(coverage.len()));
            for covered in edge {
                if *covered > 0 {
                    self.pixels[index.cast_unsigned()] = blend.0[usize::from(*covered)];
                }
                index += across;
            }
            coverage = rest;
        }
    }

    /// The index in `pixels` of the drawing's first pixel, and the steps of the index to the next
    /// pixel in a row and in a column of the drawing. The index can be negative.
    fn steps(&self, place: Area, rotation: Rotation) -> (isize, isize, isize) {
        let signed = |number: u32| isize::try_from(number).unwrap_or(isize::MAX);
        let pitch = signed(self.part.width);
        // The drawing can begin above the part or to the left of it.
        let index = |x: u32, y: u32| {
            (signed(y) - signed(self.part.y)) * pitch + signed(x) - signed(self.part.x)
        };
        let (last_x, last_y) = (place.right() - 1, place.bottom() - 1);
        match rotation {
            Rotation::None => (index(place.x, place.y), 1, pitch),
            Rotation::Quarter => (index(last_x, place.y), pitch, -1),
            Rotation::Half => (index(last_x, last_y), -1, -pitch),
            Rotation::ThreeQuarters => (index(place.x, last_y), -pitch, 1),
        }
    }
}

/// A circle around the centre of an area. Its lengths are in half pixels, so that the centre of a
/// pixel is a whole number.
#[derive(Clone, Copy)]
struct Circle {
    area: Area,
    /// The diameter in pixels, which is the radius in half pixels.
    diameter: u32,
}

impl Circle {
    /// The distance of a pixel's centre from the circle's centre, in one direction.
    fn from_centre(at: u32, start: u32, length: u32) -> f64 {
        f64::from(2 * (at - start) + 1) - f64::from(length)
    }

    /// How much of a pixel is inside the circle: 0 is nothing, 255 is all.
    fn coverage(self, x: u32, y: u32) -> u8 {
        let across = Circle::from_centre(x, self.area.x, self.area.width);
        let down = Circle::from_centre(y, self.area.y, self.area.height);
        let share = (f64::from(self.diameter) - across.hypot(down)) / 2.0 + 0.5;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of 0 to 1"
        )]
        let coverage = (share.clamp(0.0, 1.0) * 255.0).round() as u8;
        coverage
    }

    /// The pixels of the row `y` that are at least partly inside the circle, counted from the left
    /// side of `clip`.
    fn touched(self, y: u32, clip: Area) -> Range<usize> {
        self.columns(f64::from(self.diameter) + 1.0, y, clip)
    }

    /// The pixels of the row `y` that are completely inside the circle, counted from the left side
    /// of `clip`.
    fn covered(self, y: u32, clip: Area) -> Range<usize> {
        self.columns(f64::from(self.diameter) - 1.0, y, clip)
    }

    /// The pixels of the row `y` whose centres are at most `radius` half pixels away from the
    /// circle's centre.
    fn columns(self, radius: f64, y: u32, clip: Area) -> Range<usize> {
        let down = Circle::from_centre(y, self.area.y, self.area.height);
        let squared = radius * radius - down * down;
        if squared < 0.0 {
            return 0..0;
        }
        let middle = f64::from(self.area.width) - 1.0;
        let first = ((middle - squared.sqrt()) / 2.0).ceil();
        let last = (f64::midpoint(middle, squared.sqrt())).floor();
        // A float that is negative or too large becomes 0 or the largest number.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "as said above"
        )]
        let in_clip = |column: f64| {
            let column = column + f64::from(self.area.x) - f64::from(clip.x);
            (column as usize).min(clip.width as usize)
        };
        in_clip(first)..in_clip(last + 1.0)
    }
}

/// How many pixels at the beginning of `coverage` have the value `covered`, rounded down to whole
/// words of [`WORD`] pixels.
fn run(coverage: &[u8], covered: u8) -> usize {
    let (words, _) = coverage.as_chunks::<WORD>();
    words.iter().take_while(|word| **word == [covered; WORD]).count() * WORD
}

/// The place of a drawing on the screen: the area of the turned drawing, the rotation, and the area
/// to which painting is limited.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub place: Area,
    pub rotation: Rotation,
    pub clip: Area,
}

/// The indices of the visible pixels in a row of `length` pixels. The row begins at the coordinate
/// `start`. The coordinates from `first` up to, but without, `end` are visible.
fn visible(start: i32, length: u32, first: u32, end: u32) -> Range<u32> {
    let skipped = (i64::from(first) - i64::from(start)).clamp(0, i64::from(length));
    let kept = (i64::from(end) - i64::from(start)).clamp(0, i64::from(length));
    u32::try_from(skipped).unwrap_or(0)..u32::try_from(kept).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Rgb = Rgb(255, 255, 255);
    const INK: Rgb = Rgb(0, 0, 0);

    /// A glyph with the shape of the letter L, 2 × 3 pixels.
    fn letter() -> Glyph {
        Glyph { left: 0, top: -3, width: 2, height: 3, coverage: vec![255, 0, 255, 0, 255, 255] }
    }

    /// Paints a drawing of 4 × 4 pixels, turned by `rotation`. Before the rotation, the letter is
    /// in the upper left corner of the drawing. Returns the rows of the surface.
    fn painted(rotation: Rotation, clip: Area) -> String {
        let mut pixels = [PAPER.word(); 16];
        let mut surface = Surface::new(&mut pixels, Area::of_size((4, 4)));
        let at = Placed { place: Area::of_size((4, 4)), rotation, clip };
        surface.glyph(&letter(), (0, 3), at, &Blend::new(PAPER, INK));
        let rows = pixels.chunks(4).map(|row| {
            row.iter().map(|pixel| if *pixel == 0 { '#' } else { '.' }).collect::<String>()
        });
        rows.collect::<Vec<_>>().join("/")
    }

    #[test]
    fn a_glyph_can_be_turned() {
        let all = Area::of_size((4, 4));
        assert_eq!(painted(Rotation::None, all), "#.../#.../##../....");
        assert_eq!(painted(Rotation::Quarter, all), ".###/.#../..../....");
        assert_eq!(painted(Rotation::Half, all), "..../..##/...#/...#");
        assert_eq!(painted(Rotation::ThreeQuarters, all), "..../..../..#./###.");
    }

    #[test]
    fn a_glyph_is_painted_only_inside_the_clip() {
        assert_eq!(painted(Rotation::None, Area::new(1, 0, 3, 4)), "..../..../.#../....");
        assert_eq!(painted(Rotation::Half, Area::new(3, 0, 1, 3)), "..../...#/...#/....");
    }

    #[test]
    fn a_part_of_the_screen_has_the_pixels_of_the_whole() {
        let drawing = Area::of_size((4, 4));
        for rotation in [Rotation::None, Rotation::Quarter, Rotation::Half, Rotation::ThreeQuarters]
        {
            let whole = painted(rotation, drawing);
            for y in 0..4 {
                let part = Area::new(1, y, 3, 1);
                let mut pixels = [PAPER.word(); 3];
                let mut surface = Surface::new(&mut pixels, part);
                let at = Placed { place: drawing, rotation, clip: part };
                surface.glyph(&letter(), (0, 3), at, &Blend::new(PAPER, INK));
                let row = whole.split('/').nth(y as usize).unwrap();
                for (pixel, wanted) in pixels.iter().zip(row[1..].chars()) {
                    assert_eq!(*pixel == 0, wanted == '#', "{rotation:?} {y}: {whole}");
                }
            }
        }
    }

    #[test]
    fn half_a_coverage_is_half_the_colour() {
        let blend = Blend::new(Rgb(0, 100, 255), Rgb(255, 200, 0));
        assert_eq!((blend.0[0], blend.0[255]), (0x0000_64FF, 0x00FF_C800));
        assert_eq!(blend.0[128], 0x0080_967F);
    }
}
