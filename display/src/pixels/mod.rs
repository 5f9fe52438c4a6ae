//! The face as a picture. `scene` turns the content into rectangles with texts. `painter` paints
//! those that have changed. `layout` has their places, and `theme` their colours. `surface` has the
//! pixels, `font` the glyphs, and `area` the rectangles and turns. `picture` writes a PNG file.

mod area;
mod font;
mod layout;
mod painter;
mod picture;
mod scene;
mod surface;
mod theme;

pub use area::{Area, Turn};
pub use layout::Arrangement;
pub use painter::Painter;
pub use picture::{copy, pixels, write_png};
pub use scene::Setup;
pub use theme::Theme;
#[cfg(test)]
pub use theme::tests::contrast_of;

#[cfg(test)]
mod tests;
