//! The height of the digits in millimetres, which decides from which distance they can be read.

use clock_dbus::DigitHeight;

use crate::pixels::Painter;

/// A message for the log about the height of the digits. It is a warning if they are too small. If
/// the size of the panel is not known, `height` is `None`, and the message says so.
pub fn describe(height: Option<DigitHeight>) -> String {
    match height {
        Some(height) => height.warning().unwrap_or_else(|| format!("the digits on the screen are {height}")),
        None => "the panel does not tell its size; with panel_mm in display.toml, the height of the digits is checked"
            .to_owned(),
    }
}

/// The height of the digits on a panel of this width and height in millimetres. If the picture is
/// turned by a quarter or three quarters, the height of the digits lies along the width of the
/// panel. The result is at most [`DigitHeight::LARGEST`].
pub fn digit_height((width, height): (u32, u32), painter: &Painter) -> DigitHeight {
    let setup = painter.setup();
    let ((_, across), (_, pixels)) =
        (setup.rotation.size((width, height)), setup.rotation.size(setup.size));
    let micrometres =
        u64::from(painter.digit_height()) * u64::from(across) * 1000 / u64::from(pixels.max(1));
    let micrometres = u32::try_from(micrometres).unwrap_or(u32::MAX);
    DigitHeight { micrometres }.min(DigitHeight::LARGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{Arrangement, Rotation, Setup, Theme};

    fn setup(size: (u32, u32), rotation: Rotation) -> Setup {
        Setup { size, rotation, arrangement: None, theme: Theme::DARK }
    }

    fn described(setup: Setup, panel: (u32, u32)) -> String {
        describe(Some(digit_height(panel, &Painter::new(setup))))
    }

    #[test]
    fn the_height_of_the_digits_follows_from_the_panel() {
        let upright = setup((800, 480), Rotation::None);
        let wanted = "the digits on the screen are 19.1 mm high, readable from 3.8 m";
        assert_eq!(described(upright, (154, 86)), wanted);
        // With a quarter turn, the digits are as high as on an upright panel of 480 × 800 pixels.
        let quarter = described(setup((800, 480), Rotation::Quarter), (154, 86));
        assert_eq!(quarter, described(setup((480, 800), Rotation::None), (86, 154)));
        assert_ne!(quarter, wanted);
    }

    #[test]
    fn the_document_names_the_heights_on_usual_panels() {
        let mut missing = String::new();
        let document = include_str!("../../../docs/face.md");
        for (panel, millimetres, size) in [
            ("7 inches", (154, 86), (800, 480)),
            ("7 inches", (154, 86), (1024, 600)),
            ("10.1 inches", (217, 136), (1280, 800)),
            ("7.9 inches, a bar", (190, 60), (1280, 400)),
            ("15.6 inches", (344, 194), (1920, 1080)),
            ("24 inches", (531, 299), (1920, 1080)),
        ] {
            let cell = |arrangement| {
                let painter = Painter::new(Setup {
                    arrangement: Some(arrangement),
                    ..setup(size, Rotation::None)
                });
                digit_height(millimetres, &painter)
                    .to_string()
                    .replace(" high, readable from ", ", ")
            };
            let row = format!(
                "| {panel}, {} × {} mm | {} × {} | {} | {} |",
                millimetres.0,
                millimetres.1,
                size.0,
                size.1,
                cell(Arrangement::SideBySide),
                cell(Arrangement::Stacked)
            );
            if !document.contains(&row) {
                missing += &format!("{row}\n");
            }
        }
        assert!(missing.is_empty(), "docs/face.md lacks:\n{missing}");
    }

    #[test]
    fn digits_that_are_too_small_are_told() {
        let said = described(setup((800, 480), Rotation::None), (77, 43));
        assert!(said.ends_with("; 15 mm are needed for 3 m"), "{said}");
    }
}
