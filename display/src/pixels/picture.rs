//! A picture of the face as a PNG file.

use std::io::Write;

use super::font::Font;
use super::painter::paint;
use super::scene::{Scene, Setup};
use super::surface::Surface;
use crate::content::Content;

/// Paints the content, and returns the pixels row by row as `0x00RRGGBB`.
pub fn pixels(content: &Content, setup: &Setup) -> Vec<u32> {
    let mut font = Font::new();
    let scene = Scene::of(content, setup, &font);
    let (width, height) = setup.size;
    let mut pixels = vec![0; width as usize * height as usize];
    let mut surface = Surface::new(&mut pixels, width as usize, setup.size);
    paint(&mut surface, &scene, None, &mut font);
    pixels
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
