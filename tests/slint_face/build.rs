//! Writes the face as a component for Slint, and compiles it.
//!
//! The component is made from the elements that the clock's own painter paints, so it always shows
//! the same picture. Each element becomes a rectangle or a text of Slint with the same place,
//! colours and font. The text that changes becomes a property. The glyphs are rendered during the
//! build, in the sizes that are used, so that the program only copies them.

use std::fs::File;
use std::path::Path;
use std::time::SystemTime;

use clock_display::content::Urgency;
use clock_display::pixels::{Align, Area, Element, Look, Rgb, Typeface, capital_height, elements};
use slint_build::{CompilerConfiguration, EmbedResourcesKind};

#[path = "src/shown.rs"]
mod shown;

const FONTS: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../display/fonts/DejaVuSans-Bold.ttf"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../display/fonts/FjallaOne-Digits.ttf"),
];

/// The name of a font, its weight, how far a line reaches above and below its base line, in units
/// of the font (its table `hhea`), and the number of these units in the size of the font.
fn font(typeface: Typeface) -> (&'static str, u32, u32, u32, u32) {
    match typeface {
        Typeface::Text => ("DejaVu Sans", 700, 1901, 483, 2048),
        Typeface::Time => ("Fjalla One", 400, 2066, 508, 2342),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let setup = shown::setup();
    let [one, other] = [7, 8].map(|seconds| elements(&shown::content(seconds), &setup));
    // The largest part of the picture has this colour.
    let window = setup.theme.status(Urgency::Normal).ground;
    let markup: Vec<String> = (0..one.len().min(other.len()))
        .map(|at| {
            let ground = ground_at(one[at].area, &one[..at], window);
            element(&one[at], one[at] != other[at], ground)
        })
        .collect();
    let (width, height) = setup.size;
    let component = format!(
        "import \"{}\";\nimport \"{}\";\n\
         export component Face inherits Window {{\n\
         in property <string> seconds: \"7\";\n\
         width: {width}px; height: {height}px; background: {};\n\
         {}}}\n",
        FONTS[0],
        FONTS[1],
        hex(window),
        markup.concat()
    );
    let path = Path::new(&std::env::var("OUT_DIR")?).join("face.slint");
    std::fs::write(&path, component)?;
    // Cargo runs this program again when the file is newer than the program's last run.
    File::options().write(true).open(&path)?.set_modified(SystemTime::UNIX_EPOCH)?;
    let configuration =
        CompilerConfiguration::new().embed_resources(EmbedResourcesKind::EmbedForSoftwareRenderer);
    Ok(slint_build::compile_with_config(path, configuration)?)
}

/// The colour that the area has where the elements `below` are painted on the colour of the
/// window; `None` if it has more than one.
fn ground_at(area: Area, below: &[Element], window: Rgb) -> Option<Rgb> {
    let overlaps = |element: &&Element| element.area.intersection(area).is_some();
    let Some(top) = below.iter().rfind(overlaps) else { return Some(window) };
    match top.look {
        Look::Plain(colour) if top.area.intersection(area) == Some(area) => Some(colour),
        _ => None,
    }
}

/// An element as markup. What is not visible is left out, so that Slint does not have to paint it:
/// a rectangle with the colour of the `ground` below it, and an empty text.
fn element(element: &Element, changes: bool, ground: Option<Rgb>) -> String {
    let area = element.area;
    let plain = |colour: Rgb| match ground == Some(colour) {
        true => String::new(),
        false => format!("Rectangle {{ {} background: {}; }}\n", place(area), hex(colour)),
    };
    match &element.look {
        Look::Plain(colour) => plain(*colour),
        Look::Disc { fill, around } => {
            let (diameter, ring) = (area.width, area.width / 6);
            let disc = format!(
                "Rectangle {{ {} border-radius: {diameter}px / 2; border-width: {ring}px / 2; \
                 border-color: {}; background: {}; }}\n",
                place(area),
                hex(around.ink),
                hex(*fill)
            );
            plain(around.ground) + &disc
        }
        Look::Text { text, colours, .. } if text.is_empty() => plain(colours.ground),
        Look::Text { text, size, typeface, align, colours } => {
            let text = if changes { "root.seconds".to_owned() } else { format!("{text:?}") };
            let align = match align {
                Align::Left => "left",
                Align::Centre => "center",
                Align::Right => "right",
            };
            // Slint has the middle of the line in the middle of the text's area, and the painter
            // has the middle of the capital letters there. With this height, the base line of Slint
            // is where that of the painter is.
            let (family, weight, above, below, per_em) = font(*typeface);
            let base = u32::midpoint(area.height, capital_height(*size));
            let [ascent, line] = [above, above + below].map(|units| size * units / per_em);
            let area_of_text = Area { height: 2 * base + line - 2 * ascent, ..area };
            let text = format!(
                "Text {{ {} text: {text}; color: {}; font-size: {size}px; \
                 font-family: \"{family}\"; font-weight: {weight}; \
                 horizontal-alignment: {align}; vertical-alignment: center; }}\n",
                place(area_of_text),
                hex(colours.ink)
            );
            plain(colours.ground) + &text
        }
        Look::Hatched { .. } => panic!("the picture of this comparison has no hatching"),
    }
}

fn place(Area { x, y, width, height }: Area) -> String {
    format!("x: {x}px; y: {y}px; width: {width}px; height: {height}px;")
}

fn hex(Rgb(red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
