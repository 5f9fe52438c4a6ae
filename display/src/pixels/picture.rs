//! A picture of the face: its elements, its pixels, and a PNG file of them.

use std::io::Write;

use super::area::Area;
use super::font::Font;
use super::painter::Painter;
use super::scene::{Element, Scene, Setup};
use crate::content::Content;

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
