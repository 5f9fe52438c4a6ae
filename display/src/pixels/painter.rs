//! Paints a scene, or only what has changed since another one.

use super::area::Area;
use super::font::{Font, capital_height};
use super::scene::{Align, Element, Look, Scene};
use super::surface::{Blend, Placed, Surface};

/// Paints what differs from the scene `before`, which is on the surface; without one, everything. Returns the
/// areas that were painted.
pub fn paint(
    surface: &mut Surface,
    scene: &Scene,
    before: Option<&Scene>,
    font: &mut Font,
) -> Vec<Area> {
    let damaged = match before {
        Some(before) => damage(before, scene),
        None => vec![Area::of_size(surface.size())],
    };
    for area in &damaged {
        for element in &scene.elements {
            if let Some(clip) = element.area.intersection(*area) {
                paint_element(surface, element, clip, font);
            }
        }
    }
    damaged
}

/// The areas in which two scenes differ. A pixel outside of them has the same elements over it in both.
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

fn paint_element(surface: &mut Surface, element: &Element, clip: Area, font: &mut Font) {
    match &element.look {
        Look::Plain(colour) => surface.fill(clip, *colour),
        Look::Hatched { ground, line, scale } => surface.hatch(clip, *ground, *line, *scale),
        Look::Text { text, size, align, colours } => {
            surface.fill(clip, colours.ground);
            let (width, height) = element.turn.inverse().size(element.area.size());
            let room = width.saturating_sub(font.width(text, *size));
            let mut x = match align {
                Align::Left => 0,
                Align::Centre => room / 2,
                Align::Right => room,
            };
            let base = u32::midpoint(height, capital_height(*size));
            let blend = Blend::new(colours.ground, colours.ink);
            let at = Placed { place: element.area, turn: element.turn, clip };
            for character in text.chars() {
                if let Some(glyph) = font.glyph(character, *size) {
                    surface.glyph(&glyph, (x.cast_signed(), base.cast_signed()), at, &blend);
                }
                x += font.advance(character, *size);
            }
        }
    }
}
