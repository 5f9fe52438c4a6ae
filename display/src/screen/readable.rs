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
    use crate::pixels::{Setup, Theme, Turn};

    fn described(size: (u32, u32), turn: Turn, panel: (u32, u32)) -> String {
        let painter = Painter::new(Setup { size, turn, arrangement: None, theme: Theme::DARK });
        describe(Some(panel), &painter)
    }

    /// The panel of 7 inches for the Raspberry Pi: 154 × 86 mm.
    #[test]
    fn the_height_of_the_digits_follows_from_the_panel() {
        let wanted = "the digits are 21.5 mm high, readable from 4.3 m";
        assert_eq!(described((800, 480), Turn::None, (154, 86)), wanted);
        // Turned by a quarter it is a narrow panel of 480 × 800 pixels.
        let quarter = described((800, 480), Turn::Quarter, (154, 86));
        assert_eq!(quarter, described((480, 800), Turn::None, (86, 154)));
        assert_ne!(quarter, wanted);
    }

    #[test]
    fn digits_that_are_too_small_are_told() {
        let said = described((800, 480), Turn::None, (77, 43));
        assert!(said.ends_with("; 15 mm are needed for 3 m"), "{said}");
    }
}
