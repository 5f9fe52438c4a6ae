//! Reads `display.toml`: how the face looks, and which devices are connected to it.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use clock_dbus::one_line;
use clock_engine::text::{FileError, plain_system_errors};
use clock_wiring::WantedMode;
use rustix::fs::OFlags;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;

use crate::backlight::schedule::BacklightConfig;
use crate::backlight::schedule::Schedule;
use crate::devices::OutputLines;
use crate::devices::wiring::{BuzzerConfig, LampsConfig, SegmentsConfig};
use crate::language::LanguageChoice;
use crate::low_time::LowTime;
use crate::pixels::{Arrangement, Rotation, Setup, Theme};

/// The path of the configuration, unless `--config` names another one.
pub const DEFAULT_PATH: &str = "/etc/chess-clock/display.toml";
/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 10;

/// The largest number of characters that the message of [`ConfigError::Wrong`] can have. The rest
/// of a longer message is cut off. A message can be long because it can quote the file.
const LONGEST_MESSAGE: usize = 300;

/// The error for a configuration file or wiring file that cannot be used. Its text names the path
/// of the file and the reason. For wrong contents, it names the line, the column, what is wrong and
/// what is expected.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {}", path.display(), plain_system_errors(&reason.to_string()))]
    Unreadable { path: PathBuf, reason: io::Error },
    /// The file has more than 64 KiB.
    #[error("{}: the file has more than {LARGEST} bytes", path.display())]
    TooLarge { path: PathBuf },
    /// The contents of the file are wrong.
    #[error("{}:{error}", path.display())]
    Wrong { path: PathBuf, error: FileError },
}

/// The contents of `display.toml`. A key that is left out has its default value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub struct Config {
    /// The language of the face.
    pub language: LanguageChoice,
    /// How the face looks on a screen and in a window.
    pub screen: ScreenConfig,
    /// The backlight of the screen.
    pub backlight: BacklightConfig,
    /// When a time is low.
    pub low_time: LowTime,
    /// The name or path of the wiring file that has the lines of the lamps and of the buzzer.
    pub wiring: Option<Spanned<String>>,
    /// The seven-segment modules.
    pub segments: SegmentsConfig,
    /// The lamps of the players.
    pub lamps: LampsConfig,
    /// The buzzer.
    pub buzzer: BuzzerConfig,
    /// The lines of the lamps and of the buzzer, from the wiring file; `None` if neither is
    /// enabled.
    #[serde(skip)]
    pub wired_lines: Option<OutputLines>,
    /// The brightness of the backlight at each time of day; `None` if the face does not set the
    /// backlight.
    #[serde(skip)]
    pub backlight_schedule: Option<Schedule>,
}

/// How the face looks on a screen and in a window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table such as [screen]")]
pub struct ScreenConfig {
    /// The colours.
    pub theme: ThemeName,
    /// The arrangement of White's and Black's halves of the picture.
    pub arrangement: ArrangementName,
    /// How far the picture is turned on the screen, clockwise.
    pub rotation: Degrees,
    /// The width and height of the visible panel in millimetres. If given, they replace what the
    /// panel reports.
    pub panel_mm: Option<PanelSize>,
    /// The mode of the screen. If one is given, it comes before those that the screen offers.
    pub mode: WantedMode,
}

/// Width and height of the visible panel in millimetres, each from 1 to 65535.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "[i64; 2]")]
pub struct PanelSize(pub u16, pub u16);

impl TryFrom<[i64; 2]> for PanelSize {
    type Error = String;

    fn try_from([width, height]: [i64; 2]) -> Result<PanelSize, String> {
        let side = |length: i64| u16::try_from(length).ok().filter(|length| *length > 0);
        side(width).zip(side(height)).map(|(width, height)| PanelSize(width, height)).ok_or_else(
            || {
                format!(
                    "a panel of {width} × {height} mm; expected two numbers from 1 to 65535, such as [155, 86]"
                )
            },
        )
    }
}

/// The name of a theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ThemeName {
    /// For a hall or a dark room.
    #[default]
    Dark,
    /// For a bright room.
    Light,
    /// For a dark room at night.
    Night,
    /// For people with low vision.
    HighContrast,
}

/// The arrangement of White's and Black's halves of the picture, as a value in `display.toml`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArrangementName {
    /// Side by side on a screen that is wider than high, and stacked on another one. `largest` is
    /// the word of earlier versions.
    #[default]
    #[serde(alias = "largest")]
    Auto,
    /// White on the left, Black on the right.
    SideBySide,
    /// White above Black.
    Stacked,
    /// Black above White. Black's half is turned by 180 degrees.
    Facing,
}

/// The rotation of the picture in degrees, as it is written in `display.toml` and on the command
/// line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(try_from = "u16")]
pub enum Degrees {
    #[default]
    #[value(name = "0")]
    None,
    #[value(name = "90")]
    Quarter,
    #[value(name = "180")]
    Half,
    #[value(name = "270")]
    ThreeQuarters,
}

impl TryFrom<u16> for Degrees {
    type Error = String;

    fn try_from(degrees: u16) -> Result<Degrees, String> {
        match degrees {
            0 => Ok(Degrees::None),
            90 => Ok(Degrees::Quarter),
            180 => Ok(Degrees::Half),
            270 => Ok(Degrees::ThreeQuarters),
            other => Err(format!("a rotation of {other} degrees; expected 0, 90, 180 or 270")),
        }
    }
}

impl From<Degrees> for Rotation {
    fn from(degrees: Degrees) -> Rotation {
        match degrees {
            Degrees::None => Rotation::None,
            Degrees::Quarter => Rotation::Quarter,
            Degrees::Half => Rotation::Half,
            Degrees::ThreeQuarters => Rotation::ThreeQuarters,
        }
    }
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Theme {
        match name {
            ThemeName::Dark => Theme::DARK,
            ThemeName::Light => Theme::LIGHT,
            ThemeName::Night => Theme::NIGHT,
            ThemeName::HighContrast => Theme::HIGH_CONTRAST,
        }
    }
}

impl From<ArrangementName> for Option<Arrangement> {
    fn from(name: ArrangementName) -> Option<Arrangement> {
        match name {
            ArrangementName::Auto => None,
            ArrangementName::SideBySide => Some(Arrangement::SideBySide),
            ArrangementName::Stacked => Some(Arrangement::Stacked),
            ArrangementName::Facing => Some(Arrangement::Facing),
        }
    }
}

impl ScreenConfig {
    /// Combines `size`, the size of a screen or window in pixels, with the arrangement, the
    /// rotation and the colours of this configuration.
    pub fn setup(&self, size: (u32, u32)) -> Setup {
        Setup {
            size,
            rotation: self.rotation.into(),
            arrangement: self.arrangement.into(),
            theme: self.theme.into(),
        }
    }
}

impl Config {
    /// Reads the configuration from the file `named`, or else from [`DEFAULT_PATH`]. A named file
    /// must exist. If the default file is missing, every key has its default value. If the lamps or
    /// the buzzer are enabled, the wiring file is read too.
    pub fn load(named: Option<&Path>) -> Result<Config, ConfigError> {
        let path = named.unwrap_or(Path::new(DEFAULT_PATH));
        let text = match read(path) {
            Ok(text) => text,
            Err(ConfigError::Unreadable { reason, .. })
                if named.is_none() && reason.kind() == io::ErrorKind::NotFound =>
            {
                String::new()
            }
            Err(error) => return Err(error),
        };
        let config: Config = parse(path, &text)?;
        let wired_lines = OutputLines::of(&config, path, &text)?;
        let backlight_schedule = config.backlight.schedule(path, &text)?;
        Ok(Config { wired_lines, backlight_schedule, ..config })
    }
}

impl ConfigError {
    /// An error in `text`, the contents of the file `path`, at the byte `offset`.
    pub(crate) fn wrong(path: &Path, text: &str, offset: usize, message: String) -> ConfigError {
        ConfigError::at(path, FileError::of_value(text, offset..offset, &message))
    }

    fn at(path: &Path, FileError { place, message }: FileError) -> ConfigError {
        let message = one_line(&message).chars().take(LONGEST_MESSAGE).collect();
        ConfigError::Wrong { path: path.to_owned(), error: FileError { place, message } }
    }
}

/// Reads the text of a file. A pipe and a file of more than 64 KiB are errors.
pub(crate) fn read(path: &Path) -> Result<String, ConfigError> {
    let unreadable = |reason| ConfigError::Unreadable { path: path.to_owned(), reason };
    let mut bytes = Vec::new();
    // Opening a pipe without a writer must not block the face.
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = File::options().read(true).custom_flags(flags).open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.file_type().is_fifo() {
        return Err(unreadable(io::Error::other("this is a pipe; expected a file")));
    }
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST {
        return Err(ConfigError::TooLarge { path: path.to_owned() });
    }
    FileError::text(bytes).map_err(|error| ConfigError::at(path, error))
}

/// Parses the text of a file.
pub(crate) fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error| ConfigError::at(path, FileError::of_toml(text, &error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        super::parse(Path::new("d.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn the_installed_file_has_the_default_values() {
        let text = include_str!("../../configs/display.toml");
        assert_eq!(parse(text), Ok(Config::default()));
        // Keys that the shipped file has as comments must be accepted too.
        let is_key = |line: &str| line.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '));
        let examples: String = text
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(key) if is_key(key) => format!("{key}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let shown = parse(&examples).unwrap();
        assert_ne!(shown, Config::default());
        assert!(shown.backlight.schedule(Path::new("d.toml"), &examples).unwrap().is_some());
    }

    /// The shipped file is the documentation of the keys, also that of the manual page.
    #[test]
    fn the_shipped_file_has_every_key() {
        let shipped = include_str!("../../configs/display.toml");
        let tables = ["", "[screen]", "[backlight]", "[segments]", "[lamps]", "[buzzer]"];
        for table in tables {
            let error = parse(&format!("{table}\nunknown_key = 1\n")).unwrap_err();
            let expected = error.split_once(", expected ").expect("the keys are listed").1;
            let lines: Vec<&str> =
                shipped.lines().map(|line| line.trim_start_matches("# ")).collect();
            let begin = lines.iter().position(|line| *line == table && !table.is_empty());
            let begin = begin.unwrap_or_default();
            for key in expected.split('`').skip(1).step_by(2) {
                let is_it = |line: &&str| {
                    let is_key = line.strip_prefix(key).is_some_and(|rest| rest.starts_with(" = "));
                    is_key || (table.is_empty() && *line == format!("[{key}]"))
                };
                assert!(lines[begin..].iter().any(is_it), "{table} {key}");
            }
        }
    }

    #[test]
    fn keys_that_are_left_out_have_their_default_values() {
        assert_eq!(parse(""), Ok(Config::default()));
        let turned = parse("[screen]\nrotation = 90\n").unwrap();
        assert_eq!(turned.screen.rotation, Degrees::Quarter);
        assert_eq!(turned.screen.theme, ThemeName::Dark);
    }

    #[test]
    fn an_error_names_the_place_and_what_is_accepted() {
        for (text, wanted) in [
            (
                "[screen]\nrotation = 45\n",
                "d.toml:2:12: `rotation`: a rotation of 45 degrees; expected 0, 90, 180 or 270",
            ),
            (
                "[screen]\ntheme = 'pink'\n",
                "d.toml:2:9: `theme` is `pink`; expected one of `dark`, `light`, `night`, `high-contrast`",
            ),
            (
                "[screen]\nsize = 1\n",
                "d.toml:2:1: unknown key `size`, expected one of `theme`, `arrangement`, `rotation`, `panel_mm`, `mode`",
            ),
            (
                "[screen]\npanel_mm = [0, 86]\n",
                "d.toml:2:12: `panel_mm`: a panel of 0 × 86 mm; expected two numbers from 1 to 65535, such as [155, 86]",
            ),
            (
                "[screen]\nmode = '1025x600'\n",
                "d.toml:2:8: `mode`: `1025x600`; expected \"auto\", or width, height and pictures in a second, such as \"1024x600@60\": 200 to 4096 pixels, the width an even number, and 20 to 120 pictures",
            ),
            (
                "language = 'dk'\n",
                "d.toml:1:12: `language` is `dk`; expected one of `auto`, `en`, `de`, `fr`, `es`, `nl`, `pl`, `ga`",
            ),
            (
                "low_time = '1:00'\n",
                "d.toml:1:12: `1:00` is no time for `low_time`; expected \"auto\", or up to 60m such as \"30s\", \"5m\" or \"1m30s\"",
            ),
            (
                "[segments]\nbrightness = 16\n",
                "d.toml:2:14: `brightness`: a brightness of 16; expected 0 to 15",
            ),
            (
                "[segments]\nbrightness = -1\n",
                "d.toml:2:14: `brightness`: a brightness of -1; expected 0 to 15",
            ),
            (
                "[segments]\ndevice = 'spidev0.0'\n",
                "d.toml:2:10: `device`: `spidev0.0` is no path of a device; expected one such as /dev/spidev0.0",
            ),
            (
                "[segments]\nfirst_module = 'White'\n",
                "d.toml:2:16: `first_module` is `White`; expected `white` or `black`",
            ),
            (
                "[segments]\nspeed = 1\n",
                "d.toml:2:1: unknown key `speed`, expected one of `device`, `brightness`, `first_module`",
            ),
            ("[lamps]\nwhite = 23\n", "d.toml:2:1: unknown key `white`, expected `enabled`"),
            ("[buzzer]\nflag = 1\n", "d.toml:2:8: `flag` is `1`; expected true or false"),
            (
                "[buzzer]\nflags = true\n",
                "d.toml:2:1: unknown key `flags`, expected one of `enabled`, `gong`, `arbiter_call`, `flag`, `low_time`, `menu`",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err(), wanted);
        }
    }

    #[test]
    fn the_lines_of_the_shipped_wiring_are_read_for_the_devices_that_are_enabled() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
        let shipped = Config::load(Some(&folder.join("display.toml"))).unwrap();
        assert_eq!(shipped.wired_lines, None);
        let own = tempfile::tempdir().unwrap();
        let path = own.path().join("display.toml");
        let wiring = folder.join("wiring/raspberry-pi.toml");
        for (enabled, lamps, buzzer) in [("lamps", true, false), ("buzzer", false, true)] {
            let text = format!("wiring = '{}'\n[{enabled}]\nenabled = true\n", wiring.display());
            std::fs::write(&path, text).unwrap();
            let lines = Config::load(Some(&path)).unwrap().wired_lines.unwrap();
            assert_eq!((lines.lamps.is_some(), lines.buzzer.is_some()), (lamps, buzzer));
        }
        std::fs::write(&path, "wiring = 'nowhere'\n[lamps]\nenabled = true\n").unwrap();
        let error = Config::load(Some(&path)).unwrap_err().to_string();
        assert!(error.contains("display.toml:1:10: `wiring`: no wiring `nowhere`"), "{error}");
    }

    #[test]
    fn the_brightness_of_the_backlight_is_checked_as_a_whole() {
        let own = tempfile::tempdir().unwrap();
        let path = own.path().join("display.toml");
        std::fs::write(&path, "[backlight]\nbrightness = 60\n").unwrap();
        assert!(Config::load(Some(&path)).unwrap().backlight_schedule.is_some());
        std::fs::write(&path, "[screen]\n").unwrap();
        assert_eq!(Config::load(Some(&path)).unwrap().backlight_schedule, None);
        std::fs::write(&path, "[backlight]\ndim_to = '07:00'\n").unwrap();
        let error = Config::load(Some(&path)).unwrap_err().to_string();
        assert!(error.contains("display.toml:2:10: `dim_to` without"), "{error}");
    }

    #[test]
    fn a_file_that_was_named_must_exist_and_be_small() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("display.toml");
        let missing = Config::load(Some(&path)).unwrap_err();
        assert!(matches!(missing, ConfigError::Unreadable { .. }), "{missing}");
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        let refused = Config::load(Some(&pipe)).unwrap_err().to_string();
        assert!(refused.ends_with("pipe: this is a pipe; expected a file"), "{refused}");
        std::fs::write(&path, "#".repeat(usize::try_from(LARGEST).unwrap() + 1)).unwrap();
        let large = Config::load(Some(&path)).unwrap_err();
        assert!(matches!(large, ConfigError::TooLarge { .. }), "{large}");
    }
}
