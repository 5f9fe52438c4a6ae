//! From which distance the digits can be read.
//!
//! A digit can be read from 200 times its height: 15 mm from 3 m, 50 mm from 10 m. docs/face.md has the source.

use crate::pixels::Painter;

/// The distance at which a digit can be read, in heights of the digit.
const DISTANCE: u32 = 200;
/// The height that is needed for 3 m, from where the players and the arbiter read the clock, in tenths of a
/// millimetre.
const NEEDED: u32 = 150;

/// The height of the digits on a panel of this size (width and height in millimetres), for the log.
pub fn describe(panel_mm: Option<(u32, u32)>, painter: &Painter) -> String {
    let Some(panel) = panel_mm else {
        return "the panel does not tell its size; with panel_mm in display.toml, the height of the digits is \
                checked"
            .to_owned();
    };
    let height = digit_height(panel, painter);
    let (whole, tenth) = (height / 10, height % 10);
    let decimetres = height * DISTANCE / 1000;
    let said = format!(
        "the digits are {whole}.{tenth} mm high, readable from {}.{} m",
        decimetres / 10,
        decimetres % 10
    );
    if height < NEEDED { format!("{said}; 15 mm are needed for 3 m") } else { said }
}

/// The height of the digits in tenths of a millimetre. The digits of a picture that is turned by a quarter stand along
/// the panel's width.
fn digit_height((width, height): (u32, u32), painter: &Painter) -> u32 {
    let setup = painter.setup();
    let ((_, across), (_, pixels)) =
        (setup.turn.size((width, height)), setup.turn.size(setup.size));
    painter.digit_height() * across * 10 / pixels.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{Arrangement, Setup, Theme, Turn};

    fn setup(size: (u32, u32), turn: Turn) -> Setup {
        Setup { size, turn, arrangement: None, theme: Theme::DARK }
    }

    fn described(setup: Setup, panel: (u32, u32)) -> String {
        describe(Some(panel), &Painter::new(setup))
    }

    #[test]
    fn the_height_of_the_digits_follows_from_the_panel() {
        let upright = setup((800, 480), Turn::None);
        let wanted = "the digits are 21.5 mm high, readable from 4.3 m";
        assert_eq!(described(upright, (154, 86)), wanted);
        // Turned by a quarter it is a narrow panel of 480 × 800 pixels.
        let quarter = described(setup((800, 480), Turn::Quarter), (154, 86));
        assert_eq!(quarter, described(setup((480, 800), Turn::None), (86, 154)));
        assert_ne!(quarter, wanted);
    }

    #[test]
    fn the_document_names_the_heights_on_usual_panels() {
        let document = include_str!("../../../docs/face.md");
        for (panel, millimetres, size) in [
            ("7 inches", (154, 86), (800, 480)),
            ("7 inches", (154, 86), (1024, 600)),
            ("10.1 inches", (217, 136), (1280, 800)),
            ("7.9 inches, a bar", (190, 60), (1280, 400)),
            ("15.6 inches", (344, 194), (1920, 1080)),
            ("24 inches", (531, 299), (1920, 1080)),
        ] {
            for (name, arrangement) in
                [("side by side", Arrangement::SideBySide), ("stacked", Arrangement::Stacked)]
            {
                let painter = Painter::new(Setup {
                    arrangement: Some(arrangement),
                    ..setup(size, Turn::None)
                });
                let height = digit_height(millimetres, &painter);
                let distance = height * DISTANCE / 1000;
                let row = format!(
                    "| {panel}, {} × {} mm | {} × {} | {name} | {}.{} mm | {}.{} m |",
                    millimetres.0,
                    millimetres.1,
                    size.0,
                    size.1,
                    height / 10,
                    height % 10,
                    distance / 10,
                    distance % 10
                );
                assert!(document.contains(&row), "docs/face.md lacks: {row}");
            }
        }
    }

    #[test]
    fn digits_that_are_too_small_are_told() {
        let said = described(setup((800, 480), Turn::None), (77, 43));
        assert!(said.ends_with("; 15 mm are needed for 3 m"), "{said}");
    }
}
