//! The face as a picture. `scene` converts the content to rectangles with texts, and `menu` a page
//! of the menu. `layout` computes the places of the rectangles, and `theme` chooses their colours.
//! `painter` paints the rectangles that have changed. `surface` sets the pixels, `font` provides
//! the glyphs, and `area` defines rectangles and turns. `picture` lists the elements of a
//! picture, paints it at once, and writes it as a PNG file.

mod area;
mod font;
mod layout;
mod menu;
mod painter;
mod scene;
mod surface;
mod theme;

pub use area::{Area, Rotation};
pub use font::{Typeface, capital_height};
pub use layout::Arrangement;
pub use painter::{Painter, copy, elements, pixels, write_png};
pub use scene::{Align, Element, Look, Setup};
pub use surface::Rgb;
#[cfg(test)]
pub use theme::tests::contrast_of;
pub use theme::{Colours, Theme};

#[cfg(test)]
mod tests;
