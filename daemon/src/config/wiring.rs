//! Board files: how the buttons of a clock are wired.
//!
//! The lamps and the buzzer are outputs that the display drives. They are only checked here.

use super::{ConfigError, parse};
use clock_engine::text::{FileError, Place};
use clockd_core::{Button, InputKind};
use serde::Deserialize;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// How the buttons are wired: what a board file says.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// The labels of the chips that the board can have, because a chip's number can change between
    /// kernels. A name or a path is accepted as well.
    pub chips: Vec<String>,
    /// Whether a pressed button pulls its line to ground.
    pub active_low: bool,
    /// Whether the chip's own pull-ups are switched on.
    pub pull_up: bool,
    /// Whether `white` and `black` are buttons or a rocker's two throws.
    pub input: InputKind,
    lines: [Option<ButtonLine>; Button::ALL.len()],
    path: PathBuf,
    chip_place: Place,
}

/// A button's line.
#[derive(Clone, Debug)]
pub struct ButtonLine {
    /// Offset or name on the chip.
    pub line: LineName,
    /// Where the board file names it.
    place: Place,
}

/// A line by its offset on the chip, or by the name the firmware gives it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "a line offset such as 17, or a line name such as \"GPIO17\"")]
pub enum LineName {
    /// The offset.
    Offset(u32),
    /// The name.
    Name(String),
}

impl fmt::Display for LineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineName::Offset(offset) => write!(f, "{offset}"),
            LineName::Name(name) => write!(f, "`{name}`"),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWiring {
    #[serde(rename = "name")]
    _name: Option<String>,
    chip: Spanned<Labels>,
    #[serde(default = "yes")]
    active_low: bool,
    #[serde(default = "yes")]
    pull_up: bool,
    #[serde(default)]
    input: InputKind,
    white: RawLine,
    black: RawLine,
    call: Option<RawLine>,
    lamp: Option<RawLamps>,
    buzzer: Option<RawLine>,
}

/// One label or several.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "the label of a chip such as \"pinctrl-bcm2711\", or a list of labels"
)]
enum Labels {
    One(String),
    Several(Vec<String>),
}

impl Labels {
    fn into_vec(self) -> Vec<String> {
        match self {
            Labels::One(label) => vec![label],
            Labels::Several(labels) => labels,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [lamp]")]
struct RawLamps {
    white: RawLine,
    black: RawLine,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { line = 17 }")]
struct RawLine {
    line: Spanned<LineName>,
}

fn yes() -> bool {
    true
}

impl RawWiring {
    /// Every GPIO line with its key, in the order of the file.
    fn lines(&self) -> Vec<(&'static str, &Spanned<LineName>)> {
        let lamp = self.lamp.as_ref();
        let all = [
            ("white", Some(&self.white)),
            ("black", Some(&self.black)),
            ("call", self.call.as_ref()),
            ("lamp.white", lamp.map(|lamp| &lamp.white)),
            ("lamp.black", lamp.map(|lamp| &lamp.black)),
            ("buzzer", self.buzzer.as_ref()),
        ];
        let given = all.into_iter().filter_map(|(name, wire)| Some((name, &wire?.line)));
        let mut lines: Vec<_> = given.collect();
        lines.sort_by_key(|(_, line)| line.span().start);
        lines
    }

    /// Refuses a GPIO line that is assigned to two keys. Returns the position of the second key and
    /// the message.
    fn check_lines(&self) -> Result<(), (Range<usize>, String)> {
        let lines = self.lines();
        for (index, (name, line)) in lines.iter().enumerate() {
            let same = |(_, other): &&(_, &Spanned<LineName>)| other.as_ref() == line.as_ref();
            if let Some((first, _)) = lines[..index].iter().find(same) {
                let line_name = line.as_ref();
                let message = format!("line {line_name} is used twice, by `{first}` and `{name}`");
                return Err((line.span(), message));
            }
        }
        Ok(())
    }
}

impl Wiring {
    pub(super) fn parse(path: &Path, text: &str) -> Result<Wiring, ConfigError> {
        let raw: RawWiring = parse(path, text)?;
        let place = |span: Range<usize>| Place::new(text, span.start);
        raw.check_lines().map_err(|(span, message)| ConfigError::Wrong {
            path: path.to_owned(),
            error: FileError { place: place(span), message },
        })?;
        let chip_place = place(raw.chip.span());
        let chips = raw.chip.into_inner().into_vec();
        if chips.is_empty() || chips.iter().any(String::is_empty) {
            let message = "`chip` names no chip; expected the label of a chip such as \
                           \"pinctrl-bcm2711\", or a list of labels";
            let error = FileError { place: chip_place, message: message.to_owned() };
            return Err(ConfigError::Wrong { path: path.to_owned(), error });
        }
        let wire = |raw: RawLine| ButtonLine {
            place: place(raw.line.span()),
            line: raw.line.into_inner(),
        };
        Ok(Wiring {
            chip_place,
            chips,
            active_low: raw.active_low,
            pull_up: raw.pull_up,
            input: raw.input,
            lines: [Some(wire(raw.white)), Some(wire(raw.black)), raw.call.map(wire)],
            path: path.to_owned(),
        })
    }

    /// The buttons that are wired, with their lines.
    pub fn buttons(&self) -> impl Iterator<Item = (Button, &ButtonLine)> {
        let wired = |button: Button| Some((button, self.lines[button.index()].as_ref()?));
        Button::ALL.into_iter().filter_map(wired)
    }

    /// An error that concerns this file, at the place that names the chip or the button.
    pub fn wrong(&self, button: Option<Button>, message: String) -> ConfigError {
        let wire = button.and_then(|button| self.lines[button.index()].as_ref());
        let place = wire.map_or(self.chip_place, |wire| wire.place);
        ConfigError::Wrong { path: self.path.clone(), error: FileError { place, message } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::Side;

    #[test]
    fn a_board_file_and_its_mistakes() {
        let good = "chip = 'pinctrl-bcm2711'\nwhite = { line = 17 }\nblack = { line = 'GPIO27' }\n";
        let board = Wiring::parse(Path::new("b.toml"), good).expect("a good board");
        assert_eq!(board.input, InputKind::Buttons);
        assert_eq!(board.chips, ["pinctrl-bcm2711"]);
        let several = good.replace("'pinctrl-bcm2711'", "['pinctrl-bcm2711', 'pinctrl-rp1']");
        let several = Wiring::parse(Path::new("b.toml"), &several).expect("a good board");
        assert_eq!(several.chips, ["pinctrl-bcm2711", "pinctrl-rp1"]);
        let rocker = Wiring::parse(Path::new("b.toml"), &format!("input = 'rocker'\n{good}"));
        assert_eq!(rocker.expect("a good board").input, InputKind::Rocker);
        let lines: Vec<String> =
            board.buttons().map(|(button, wire)| format!("{button} {}", wire.line)).collect();
        assert_eq!(lines, ["white 17", "black `GPIO27`"]);
        let black = Some(Button::Player(Side::Black));
        assert_eq!(board.wrong(black, "no".into()).to_string(), "b.toml:3:18: no");
        assert_eq!(board.wrong(None, "no".into()).to_string(), "b.toml:1:8: no");
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
                "b.toml:2:18: a line offset",
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
            let error = Wiring::parse(Path::new("b.toml"), text).expect_err(text).to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_shipped_boards_leave_the_lines_of_buses_free() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/boards");
        // I2C1, SPI0 (a display may hang on either) and the serial console.
        let taken = [2, 3, 7, 8, 9, 10, 11, 14, 15];
        for entry in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let raw: RawWiring = toml::from_str(&text).unwrap();
            assert_eq!(raw.lines().len(), 6, "all of them can be wired: {text}");
            for (name, line) in raw.lines() {
                let LineName::Offset(offset) = line.as_ref() else { panic!("{name}") };
                assert!(!taken.contains(offset) && *offset < 28, "{name} at {offset}");
            }
        }
    }
}
