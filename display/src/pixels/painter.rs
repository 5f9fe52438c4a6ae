//! Paints the face once, and then only the areas that have changed; and a whole picture of the face,
//! its elements, its pixels and a PNG file of them.

use std::io::Write;

use super::area::Area;
use super::font::{Font, capital_height};
use super::scene::{Align, Element, Look, Scene, Setup};
use super::surface::{Blend, Placed, Surface};
use super::theme::Colours;
use crate::content::Content;

/// The largest number of pixels in a strip; an area is painted in strips of whole rows. A strip has
/// more pixels only if a single row has more. This number of pixels takes 256 KiB.
const STRIP: u32 = 64 << 10;

/// Paints the face for one screen.
///
/// The pixels are painted in a strip in the painter's own memory, and are handed out when they are
/// finished. So the memory of the screen never contains a digit that is half painted. The memory of
/// the screen is written only once for each painted area, and is never read.
pub struct Painter {
    setup: Setup,
    font: Font,
    /// The scene that was painted last; `None` if nothing was painted, or after
    /// [`Painter::forget`].
    shown: Option<Scene>,
    strip: Vec<u32>,
    /// The colours of the text that was painted last, and their mixtures. They are kept because the
    /// next text usually has the same colours.
    blend: Option<(Colours, Blend)>,
}

impl Painter {
    pub fn new(setup: Setup) -> Painter {
        Painter { setup, font: Font::new(), shown: None, strip: Vec::new(), blend: None }
    }

    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The height of the digits of a time such as `0:00:00`, in pixels.
    pub fn digit_height(&self) -> u32 {
        self.setup.layout().digit_height(&self.font)
    }

    /// Makes the next call of [`Painter::paint`] paint everything. The caller needs this if it has
    /// lost the pixels that were handed out.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// Paints the areas that differ from the last picture, and returns these areas. They can
    /// overlap. An area is painted in one or more parts. Calls `put` for each part when the part is
    /// finished, with the place of the part and its pixels, row by row as `0x00RRGGBB`.
    pub fn paint(&mut self, content: &Content, put: &mut dyn FnMut(Area, &[u32])) -> Vec<Area> {
        let scene = Scene::of(content, &self.setup, &self.font);
        let damaged = match &self.shown {
            Some(before) => damage(before, &scene),
            None => vec![Area::of_size(self.setup.size)],
        };
        for area in &damaged {
            self.paint_area(&scene, *area, put);
        }
        self.shown = Some(scene);
        damaged
    }

    fn paint_area(&mut self, scene: &Scene, area: Area, put: &mut dyn FnMut(Area, &[u32])) {
        let rows = (STRIP / area.width.max(1)).max(1);
        let mut rest = area;
        while !rest.is_empty() {
            let (part, below) = rest.split_top(rows);
            let pixels = part.width as usize * part.height as usize;
            if self.strip.len() < pixels {
                self.strip.resize(pixels, 0);
            }
            let mut surface = Surface::new(&mut self.strip[..pixels], part);
            for element in &scene.elements[first_visible(scene, part)..] {
                if let Some(clip) = element.area.intersection(part) {
                    paint_element(&mut surface, element, clip, &mut self.font, &mut self.blend);
                }
            }
            put(part, &self.strip[..pixels]);
            rest = below;
        }
    }
}

/// The index of the last element that covers the whole part; 0 if there is none. Elements before it
/// are not visible in the part, because every element paints all pixels of its area.
fn first_visible(scene: &Scene, part: Area) -> usize {
    let covers = |element: &Element| element.area.intersection(part) == Some(part);
    scene.elements.iter().rposition(covers).unwrap_or(0)
}

/// The areas of the elements that only one of the two scenes contains. Outside of these areas, each
/// pixel is covered by the same elements in both scenes. No returned area contains another one.
fn damage(before: &Scene, after: &Scene) -> Vec<Area> {
    let gone = before.elements.iter().filter(|element| !after.elements.contains(element));
    let new = after.elements.iter().filter(|element| !before.elements.contains(element));
    let areas: Vec<Area> = gone.chain(new).map(|element| element.area).collect();
    let mut kept: Vec<Area> = Vec::new();
    for area in areas {
        if kept.iter().any(|other| other.intersection(area) == Some(area)) {
            continue;
        }
        kept.retain(|other| other.intersection(area) != Some(*other));
        kept.push(area);
    }
    kept
}

fn paint_element(
    surface: &mut Surface,
    element: &Element,
    clip: Area,
    font: &mut Font,
    blend: &mut Option<(Colours, Blend)>,
) {
    match &element.look {
        Look::Plain(colour) => surface.fill(clip, *colour),
        Look::Hatched { ground, line, scale } => surface.hatch(clip, *ground, *line, *scale),
        Look::Disc { fill, around } => {
            surface.disc(element.area, clip, *fill, (around.ground, around.ink));
        }
        Look::Text { text, size, typeface, align, colours } => {
            surface.fill(clip, colours.ground);
            let (width, height) = element.rotation.inverse().size(element.area.size());
            let advance = |font: &Font, sign| font.advance(*typeface, sign, *size);
            let taken = text.chars().map(|sign| advance(font, sign)).sum();
            let room = width.saturating_sub(taken);
            let mut x = match align {
                Align::Left => 0,
                Align::Centre => room / 2,
                Align::Right => room,
            };
            let base = u32::midpoint(height, capital_height(*size));
            let blend = match blend {
                Some((known, blend)) if known == colours => blend,
                _ => &mut blend.insert((*colours, Blend::new(colours.ground, colours.ink))).1,
            };
            let at = Placed { place: element.area, rotation: element.rotation, clip };
            for character in text.chars() {
                if let Some(glyph) = font.glyph(*typeface, character, *size) {
                    surface.glyph(&glyph, (x.cast_signed(), base.cast_signed()), at, blend);
                }
                x += advance(font, character);
            }
        }
    }
}

/// The elements of the picture of the content, in the order in which they are painted. Later ones
/// cover earlier ones.
pub fn elements(content: &Content, setup: &Setup) -> Vec<Element> {
    Scene::of(content, setup, &Font::new()).elements
}

/// Paints the content, and returns the pixels row by row as `0x00RRGGBB`.
pub fn pixels(content: &Content, setup: &Setup) -> Vec<u32> {
    let (width, height) = setup.size;
    let mut pixels = vec![0; width as usize * height as usize];
    Painter::new(*setup).paint(content, &mut |area, painted| {
        copy(area, painted, &mut pixels, width as usize);
    });
    pixels
}

/// Copies the painted pixels of `area` to the pixels of a screen. `pitch` is the distance between
/// the beginnings of two rows of the screen, in pixels.
pub fn copy(area: Area, painted: &[u32], screen: &mut [u32], pitch: usize) {
    let (width, first) = (area.width as usize, area.y as usize * pitch + area.x as usize);
    for (row, painted) in painted.chunks(width).enumerate() {
        screen[first + row * pitch..][..width].copy_from_slice(painted);
    }
}

/// Writes pixels of this size as a PNG file.
pub fn write_png(
    out: impl Write,
    pixels: &[u32],
    (width, height): (u32, u32),
) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let bytes: Vec<u8> = pixels
        .iter()
        .flat_map(|pixel| {
            let [_, red, green, blue] = pixel.to_be_bytes();
            [red, green, blue]
        })
        .collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()
}
