//! Reads wiring files, which describe how the buttons of a clock are wired.
//!
//! The lamps and the buzzer are outputs that the display drives. This module only checks their
//! entries in the file.

use super::{ConfigError, parse};
use clock_engine::text::{FileError, Place};
use clock_wiring::{Switch, WiringTable};
use clockd_core::{Button, InputKind, LINES};
use clockd_rt::gpio::Wiring;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The contents of a wiring file.
#[derive(Clone, Debug)]
pub struct WiringFile {
    /// How the buttons are wired.
    pub wiring: Wiring,
    /// Whether `white` and `black` are buttons or a rocker's two throws.
    pub input: InputKind,
    /// The text of the file.
    pub text: String,
    /// The path of the file.
    pub path: PathBuf,
    chip_place: Place,
    /// The position in the file at which the line of each button is named; `None` for a button that
    /// the file does not name.
    line_places: [Option<Place>; LINES],
}

impl WiringFile {
    pub(super) fn parse(path: &Path, text: &str) -> Result<WiringFile, ConfigError> {
        let raw: WiringTable = parse(path, text)?;
        let wrong = |(span, message)| ConfigError::Wrong {
            path: path.to_owned(),
            error: FileError::new(text, span, message),
        };
        raw.check().map_err(wrong)?;
        let place = |span: Range<usize>| Place::new(text, span.start);
        let chip_place = place(raw.chip.span());
        let chips = raw.chip.into_inner().into_labels().expect("the labels were checked");
        let input = match raw.input {
            Switch::Buttons => InputKind::Buttons,
            Switch::Rocker => InputKind::Rocker,
        };
        let lines = [Some(raw.white), Some(raw.black), raw.call];
        let lines = lines.map(|line| line.map(|line| line.line));
        let line_places = lines.each_ref().map(|line| Some(place(line.as_ref()?.span())));
        let lines = lines.map(|line| line.map(Spanned::into_inner));
        let (active_low, pull_up) = (raw.active_low, raw.pull_up);
        Ok(WiringFile {
            wiring: Wiring { chips, active_low, pull_up, lines },
            input,
            text: text.to_owned(),
            path: path.to_owned(),
            chip_place,
            line_places,
        })
    }

    /// Makes an error for this file. Its position is that of the line of `button`, or that of the
    /// chip if `button` is `None` or the file names no line for it.
    pub fn wrong(&self, button: Option<Button>, message: String) -> ConfigError {
        let line = button.and_then(|button| self.line_places[button.index()]);
        let place = line.unwrap_or(self.chip_place);
        ConfigError::Wrong { path: self.path.clone(), error: FileError { place, message } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::Side;
    use clock_wiring::LineName;

    #[test]
    fn a_wiring_file_and_its_mistakes() {
        let good = "chip = 'pinctrl-bcm2711'\nwhite = { line = 17 }\nblack = { line = 'GPIO27' }\n";
        let file = WiringFile::parse(Path::new("b.toml"), good).expect("a good wiring file");
        assert_eq!(file.input, InputKind::Buttons);
        assert_eq!(file.wiring.chips, ["pinctrl-bcm2711"]);
        let several = good.replace("'pinctrl-bcm2711'", "['pinctrl-bcm2711', 'pinctrl-rp1']");
        let several = WiringFile::parse(Path::new("b.toml"), &several).expect("a good wiring file");
        assert_eq!(several.wiring.chips, ["pinctrl-bcm2711", "pinctrl-rp1"]);
        let rocker = WiringFile::parse(Path::new("b.toml"), &format!("input = 'rocker'\n{good}"));
        assert_eq!(rocker.expect("a good wiring file").input, InputKind::Rocker);
        let lines: Vec<String> =
            file.wiring.buttons().map(|(button, line)| format!("{button} {line}")).collect();
        assert_eq!(lines, ["white 17", "black `GPIO27`"]);
        let black = Some(Button::Player(Side::Black));
        assert_eq!(file.wrong(black, "no".into()).to_string(), "b.toml:3:18: no");
        assert_eq!(file.wrong(None, "no".into()).to_string(), "b.toml:1:8: no");
        for (text, part) in [
            ("chip = 'x'\nwhite = { line = 1 }\n", "missing key `black`"),
            ("\nchip = 5\nwhite.line = 1\nblack.line = 2\n", "b.toml:2:"),
            ("\nchip = 5\nwhite.line = 1\nblack.line = 2\n", "or a list of labels"),
            ("\nchip = []\nwhite.line = 1\nblack.line = 2\n", "b.toml:2:8: `chip` names no chip"),
            (
                "chip = ['a', '']\nwhite.line = 1\nblack.line = 2\n",
                "b.toml:1:8: `chip` names no chip",
            ),
            (
                "chip = 'x'\nwhite = { line = -1 }\nblack = { line = 2 }\n",
                "b.toml:2:18: `line`: expected a line offset",
            ),
            ("chip = 'x'\nwhite = { lin = 1 }\nblack = { line = 2 }\n", "unknown key `lin`"),
            ("chip = 'x'\ninput = 'lever'\nwhite.line = 1\nblack.line = 2\n", "b.toml:2:"),
            (
                "chip = 'x'\ninput = 'lever'\nwhite.line = 1\nblack.line = 2\n",
                "expected `buttons` or `rocker`",
            ),
            (
                "chip = 'x'\nwhite.line = 1\nblack.line = 2\ncall.line = 1\n",
                "b.toml:4:13: line 1 is used twice, by `white` and `call`",
            ),
            (
                "chip = 'x'\nwhite.line = 1\nblack.line = 2\nbuzzer.line = 'A'\n[lamp]\n\
                 black = { line = 3 }\nwhite = { line = 'A' }\n",
                "b.toml:7:18: line `A` is used twice, by `buzzer` and `lamp.white`",
            ),
            (
                "chip = 'x'\nwhite.line = 1\nblack.line = 2\n[lamp]\nblack.line = 2\n\
                 white.line = 4\n",
                "b.toml:5:14: line 2 is used twice, by `black` and `lamp.black`",
            ),
            (
                "chip = 'x'\nwhite.line = 1\nblack.line = 2\n[lamp]\nwhite.line = 3\n",
                "b.toml:4:1: missing key `black`",
            ),
            (
                "chip = 'x'\nwhite.line = 1\nblack.line = 2\n[lamp]\nred.line = 3\n",
                "b.toml:5:1: unknown key `red`",
            ),
            (
                "chip = 'x'\nwhite.line = 1\nblack.line = 2\n[buzzer]\npin = 3\n",
                "b.toml:5:1: unknown key `pin`",
            ),
        ] {
            let error = WiringFile::parse(Path::new("b.toml"), text).expect_err(text).to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    /// The wiring for two buttons is the other one without the call button: nothing else moves when one
    /// is left out.
    #[test]
    fn the_shipped_wirings_differ_in_the_call_button_alone() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/wiring");
        let read = |name: &str| -> toml::Table {
            let mut table: toml::Table =
                std::fs::read_to_string(folder.join(name)).unwrap().parse().unwrap();
            table.remove("name").expect("a name");
            table
        };
        let (mut three, two) = (read("raspberry-pi.toml"), read("raspberry-pi-two-buttons.toml"));
        assert!(three.remove("call").is_some());
        // Its value is the default one.
        assert_eq!(three.remove("input"), Some("buttons".into()));
        assert_eq!(three, two);
        assert_eq!(three.len(), 5, "all that can be wired: {three}");
    }

    #[test]
    fn the_shipped_wiring_leaves_the_lines_of_buses_free() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/wiring");
        // A shipped wiring must not use these lines. They belong to I2C1 and SPI0, to which a
        // display can be connected, and to the serial console.
        let taken = [2, 3, 7, 8, 9, 10, 11, 14, 15];
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let raw: WiringTable = toml::from_str(&text).unwrap();
            let lines = raw.lines();
            for (name, line) in lines.in_order() {
                let LineName::Offset(offset) = line.as_ref() else { panic!("{name}") };
                assert!(!taken.contains(offset) && *offset < 28, "{name} at {offset}");
            }
        }
    }
}
