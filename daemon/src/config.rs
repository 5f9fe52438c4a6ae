//! `clockd.toml` and the board files.

use crate::gpio::Button;
use crate::gpio::cdev::LineName;
use crate::rt::Times;
use clock_engine::text::{FileError, parse_duration};
use serde::Deserialize;
use serde::de::{self, Deserializer};
use std::path::{Path, PathBuf};
use toml::Spanned;

/// Where the configuration is unless `--config` names another.
pub const DEFAULT_PATH: &str = "/etc/chess-clock/clockd.toml";
/// Where the package puts what the configuration's own folder does not have.
const SHARED: &str = "/usr/share/chess-clock";

/// A file that cannot be used: which, where in it, what is wrong and what is expected.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// It says something wrong.
    #[error("{}:{error}", path.display())]
    Wrong { path: PathBuf, error: FileError },
    /// No file of that name.
    #[error("no board `{name}`: looked for {looked}")]
    NoBoard { name: String, looked: String },
}

/// What `clockd.toml` says.
#[derive(Debug)]
pub struct Config {
    /// The name of the time control the clock comes up with.
    pub control: String,
    /// The board, by name or path; nothing is wired without one.
    pub board: Option<String>,
    /// The times of the debounce.
    pub times: Times,
    /// Folders of the user and of the package, in the order they are searched.
    folders: Vec<PathBuf>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawConfig {
    control: Option<String>,
    board: Option<String>,
    #[serde(default)]
    debounce: RawTimes,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTimes {
    settle: Option<Duration>,
    gap: Option<Duration>,
    release: Option<Duration>,
    stuck: Option<Duration>,
}

struct Duration(clock_engine::Span);

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_duration(&text).map(Duration).map_err(de::Error::custom)
    }
}

impl Config {
    /// Reads the configuration. The default file may be missing, one that was named may not.
    pub fn load(named: Option<&Path>) -> Result<Config, ConfigError> {
        let path = named.unwrap_or(Path::new(DEFAULT_PATH));
        let raw: RawConfig = match (read(path), named) {
            (Ok(text), _) => parse(path, &text)?,
            (Err(source), None) if source.kind() == std::io::ErrorKind::NotFound => {
                RawConfig::default()
            }
            (Err(source), _) => {
                return Err(ConfigError::Unreadable { path: path.to_owned(), source });
            }
        };
        let default = Times::default();
        let span = |given: Option<Duration>, default| given.map_or(default, |given| given.0);
        let own = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(Config {
            control: raw.control.unwrap_or_else(|| "fide-standard".to_owned()),
            board: raw.board,
            times: Times {
                settle: span(raw.debounce.settle, default.settle),
                gap: span(raw.debounce.gap, default.gap),
                release: span(raw.debounce.release, default.release),
                stuck: span(raw.debounce.stuck, default.stuck),
            },
            folders: vec![own, PathBuf::from(SHARED)],
        })
    }

    /// The folders of control files, the user's before the package's.
    pub fn control_folders(&self) -> Vec<PathBuf> {
        self.folders.iter().map(|folder| folder.join("controls")).collect()
    }

    /// Reads the board file of this name, or at this path.
    pub fn board(&self, name: &str) -> Result<Board, ConfigError> {
        let candidates: Vec<PathBuf> = if name.contains('/') || name.ends_with(".toml") {
            vec![self.folders[0].join(name)]
        } else {
            let file = format!("boards/{name}.toml");
            self.folders.iter().map(|folder| folder.join(&file)).collect()
        };
        let Some(path) = candidates.iter().find(|path| path.exists()) else {
            let looked: Vec<_> = candidates.iter().map(|path| path.display().to_string()).collect();
            return Err(ConfigError::NoBoard {
                name: name.to_owned(),
                looked: looked.join(" and "),
            });
        };
        let text =
            read(path).map_err(|source| ConfigError::Unreadable { path: path.clone(), source })?;
        Board::parse(path, &text)
    }
}

fn read(path: &Path) -> std::io::Result<String> {
    std::fs::read_to_string(path)
}

fn parse<T: de::DeserializeOwned>(path: &Path, text: &str) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error| ConfigError::Wrong {
        path: path.to_owned(),
        error: FileError::of_toml(text, &error),
    })
}

/// How a clock is wired: a board file.
#[derive(Clone, Debug)]
pub struct Board {
    /// The chip's label (numbers move between kernels); its name or path also do.
    pub chip: String,
    /// A pressed button pulls its line to ground.
    pub active_low: bool,
    /// The chip's own pull-ups hold the lines of open buttons.
    pub pull_up: bool,
    wires: [Option<Wire>; Button::ALL.len()],
    path: PathBuf,
    chip_line: usize,
}

/// A button's line.
#[derive(Clone, Debug)]
pub struct Wire {
    /// Offset or name on the chip.
    pub line: LineName,
    /// Where in the board file it stands.
    place: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBoard {
    #[serde(rename = "name")]
    _name: Option<String>,
    chip: Spanned<String>,
    #[serde(default = "yes")]
    active_low: bool,
    #[serde(default = "yes")]
    pull_up: bool,
    white: RawWire,
    black: RawWire,
    call: Option<RawWire>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWire {
    line: Spanned<LineName>,
}

fn yes() -> bool {
    true
}

impl Board {
    fn parse(path: &Path, text: &str) -> Result<Board, ConfigError> {
        let raw: RawBoard = parse(path, text)?;
        let place = |span| FileError::new(text, span, String::new()).line;
        let wire =
            |raw: RawWire| Wire { place: place(raw.line.span()), line: raw.line.into_inner() };
        Ok(Board {
            chip_line: place(raw.chip.span()),
            chip: raw.chip.into_inner(),
            active_low: raw.active_low,
            pull_up: raw.pull_up,
            wires: [Some(wire(raw.white)), Some(wire(raw.black)), raw.call.map(wire)],
            path: path.to_owned(),
        })
    }

    /// The buttons this board has, with their lines.
    pub fn buttons(&self) -> impl Iterator<Item = (Button, &Wire)> {
        let wired = |button: Button| Some((button, self.wires[button.index()].as_ref()?));
        Button::ALL.into_iter().filter_map(wired)
    }

    /// An error that concerns this file, at the line that names the chip or the button.
    pub fn wrong(&self, button: Option<Button>, message: String) -> ConfigError {
        let wire = button.and_then(|button| self.wires[button.index()].as_ref());
        let line = wire.map_or(self.chip_line, |wire| wire.place);
        ConfigError::Wrong { path: self.path.clone(), error: FileError { line, message } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::Side;

    fn config_error(text: &str) -> String {
        parse::<RawConfig>(Path::new("clockd.toml"), text).err().expect(text).to_string()
    }

    #[test]
    fn mistakes_are_named_with_file_and_line_and_what_is_expected() {
        for (text, parts) in [
            ("contro = 'x'\n", ["clockd.toml:1:", "contro", "expected one of"]),
            ("\n[debounce]\nsettle = '-1ms'\n", ["clockd.toml:3:", "-1ms", "negative"]),
            ("[debounce]\ngap = 5\n", ["clockd.toml:2:", "5", "expected a string"]),
            ("control = 'a'\ncontrol = 'b'\n", ["clockd.toml:2:", "duplicate key", ""]),
            ("board = \n", ["clockd.toml:1:", "", ""]),
        ] {
            let error = config_error(text);
            for part in parts {
                assert!(error.contains(part), "{text:?}: {error}");
            }
        }
    }

    #[test]
    fn a_board_file_and_its_mistakes() {
        let good = "chip = 'pinctrl-bcm2711'\nwhite = { line = 17 }\nblack = { line = 'GPIO27' }\n";
        let board = Board::parse(Path::new("b.toml"), good).expect("a good board");
        let lines: Vec<String> =
            board.buttons().map(|(button, wire)| format!("{button} {}", wire.line)).collect();
        assert_eq!(lines, ["white 17", "black `GPIO27`"]);
        let black = Some(Button::Player(Side::Black));
        assert_eq!(board.wrong(black, "no".into()).to_string(), "b.toml:3: no");
        assert_eq!(board.wrong(None, "no".into()).to_string(), "b.toml:1: no");
        for (text, part) in [
            ("chip = 'x'\nwhite = { line = 1 }\n", "missing field `black`"),
            (
                "chip = 'x'\nwhite = { line = -1 }\nblack = { line = 2 }\n",
                "b.toml:2: a line offset",
            ),
            ("chip = 'x'\nwhite = { lin = 1 }\nblack = { line = 2 }\n", "unknown field `lin`"),
        ] {
            let error = Board::parse(Path::new("b.toml"), text).expect_err(text).to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_shipped_configuration_and_boards_are_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
        let config = Config::load(Some(&folder.join("clockd.toml"))).expect("shipped");
        for entry in std::fs::read_dir(folder.join("boards")).unwrap() {
            let path = entry.unwrap().path();
            config.board(path.file_stem().unwrap().to_str().unwrap()).expect("shipped");
        }
    }
}
