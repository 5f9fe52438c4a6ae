//! Reads `clockd.toml` and the wiring files.

use crate::game::{BOARD_LIMIT, Captains};
use clock_controls::{Library, LoadError, ReadError, RuleLibrary, read_text};
use clock_engine::Span;
use clock_engine::text::{FileError, Place, key_at, parse_duration, plain_system_errors};
use clock_wiring::SHARED;
use clockd_rt::Times;
use clockd_rt::gpio::Uapi;
use serde::Deserialize;
use serde::de::{self, Deserializer};
use std::ops::Range;
use std::path::{Path, PathBuf};
use tables::{RawCaptains, RawMenu, RawRecord};
use toml::Spanned;

mod chosen;
mod configuration;
mod last_configuration;
mod tables;
mod wiring_file;

pub use chosen::{Chosen, failed_load, refused_set_up};
pub use configuration::Configuration;
pub use last_configuration::LastConfiguration;
pub use tables::RecordConfig;
pub use wiring_file::WiringFile;

/// The path of the configuration, unless `--config` names another one.
pub const DEFAULT_PATH: &str = "/etc/chess-clock/clockd.toml";

/// The message for a configuration that does not say how the buttons are wired.
const NO_WIRING: &str = "missing key `wiring`; expected the name of a file in wiring/, such as \
                         wiring = \"raspberry-pi\"";

/// A file that cannot be used: its path, the line and column, what is wrong and what is expected.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {}", path.display(), plain_system_errors(&source.to_string()))]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// The contents of the file are wrong.
    #[error("{}:{error}", path.display())]
    Wrong { path: PathBuf, error: FileError },
    /// A control file or a rule file that the configuration names cannot be used. The error has the
    /// path of that file and the line.
    #[error(transparent)]
    Named(#[from] LoadError),
}

/// A name in the configuration, with its position. The position is part of the error message if the
/// thing with this name, such as a wiring file, cannot be used.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name.
    pub name: String,
    key: Option<String>,
    path: PathBuf,
    place: Place,
}

impl Named {
    /// The error for a thing with this name that cannot be used. The error has the position of the
    /// name, and its key.
    pub fn wrong(&self, message: String) -> ConfigError {
        let key = self.key.as_ref().map(|key| format!("`{key}`"));
        let message = match key.filter(|key| !message.contains(key)) {
            Some(key) => format!("{key}: {message}"),
            None => message,
        };
        let error = FileError { place: self.place, message };
        ConfigError::Wrong { path: self.path.clone(), error }
    }
}

/// The contents of `clockd.toml`.
#[derive(Clone, Debug)]
pub struct Config {
    /// The time control to start with, by name, path or notation, if one is configured.
    pub control: Option<Named>,
    /// The number of the board (the table), if one is configured.
    board: Option<Named>,
    /// The wiring file, by name or path, if one is configured.
    pub wiring: Option<Named>,
    /// The rule profile to start with, by name or path, if one is configured.
    pub rules: Option<Named>,
    /// The users who are the captains, and the user whom the captains have designated to rule.
    pub captains: Captains,
    /// Which version of the kernel's GPIO interface is used to read the lines.
    pub uapi: Uapi,
    /// The debounce times.
    pub times: Times,
    /// How the record is kept.
    pub record: RecordConfig,
    /// The menu at the clock.
    pub menu: tables::Menu,
    /// The folder of the configuration. Relative paths in the configuration start here.
    pub folder: PathBuf,
    path: PathBuf,
    text: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct RawConfig {
    control: Option<Spanned<String>>,
    board: Option<Spanned<String>>,
    wiring: Option<Spanned<String>>,
    rules: Option<Spanned<String>>,
    #[serde(default)]
    captains: RawCaptains,
    #[serde(default)]
    uapi: Uapi,
    #[serde(default)]
    debounce: RawTimes,
    #[serde(default)]
    record: RawRecord,
    #[serde(default)]
    menu: RawMenu,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as [debounce]")]
struct RawTimes {
    settle: Option<Spanned<Duration>>,
    longest_bounce: Option<Spanned<Duration>>,
    release: Option<Spanned<Duration>>,
    stuck: Option<Spanned<Duration>>,
}

struct Duration(Span);

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_duration(&text).map(Duration).map_err(de::Error::custom)
    }
}

impl Config {
    /// Reads the configuration. The default file may be missing; a file that was named must exist.
    pub fn load(named: Option<&Path>) -> Result<Config, ConfigError> {
        let path = named.unwrap_or(Path::new(DEFAULT_PATH));
        let missing = std::fs::metadata(path)
            .is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
        let text = if named.is_none() && missing { String::new() } else { read(path)? };
        Config::parse(path, text, None)
    }

    /// Parses the text of the configuration at `path`. If `captains` is `Some`, it is used, and the
    /// users in the table `[captains]` are not looked up.
    fn parse(path: &Path, text: String, captains: Option<Captains>) -> Result<Config, ConfigError> {
        let raw: RawConfig = parse(path, &text)?;
        let place = |name: Spanned<String>| Named {
            key: key_at(&text, name.span().start),
            place: Place::new(&text, name.span().start),
            path: path.to_owned(),
            name: name.into_inner(),
        };
        let wrong = |(span, message): (Range<usize>, String)| ConfigError::Wrong {
            path: path.to_owned(),
            error: FileError::of_value(&text, span, &message),
        };
        let captains = match captains {
            Some(captains) => captains,
            None => raw.captains.captains().map_err(wrong)?,
        };
        Ok(Config {
            record: raw.record.record().map_err(wrong)?,
            menu: raw.menu.menu(place).map_err(wrong)?,
            control: raw.control.map(place),
            board: raw.board.map(place),
            wiring: raw.wiring.map(place),
            rules: raw.rules.map(place),
            captains,
            uapi: raw.uapi,
            times: raw.debounce.times().map_err(wrong)?,
            folder: folder_of(path),
            path: path.to_owned(),
            text,
        })
    }

    /// The rule profiles: those in the user's folder, those in the package's folder, and those that
    /// are compiled in.
    pub fn rule_library(&self) -> RuleLibrary {
        RuleLibrary::new(folders(&self.folder, "rules"))
    }

    /// The number of the board (the table) that new games have; `None` if none is configured.
    pub fn board(&self) -> Option<&str> {
        self.board.as_ref().map(|board| board.name.as_str()).filter(|board| !board.is_empty())
    }

    /// Refuses a board that is too long, or that is the name or the path of a wiring file. Earlier
    /// versions of clockd used the key `board` for the wiring, so such a value is an old one.
    fn check_board(&self) -> Result<(), ConfigError> {
        let Some(board) = &self.board else { return Ok(()) };
        let name = &board.name;
        if clock_wiring::find(&self.folder, name).is_ok() {
            return Err(board.wrong(format!(
                "`board` is the number of the table, such as \"12\"; the wiring of the buttons is the \
                 key `wiring`: wiring = \"{name}\""
            )));
        }
        match name.len() {
            ..=BOARD_LIMIT => Ok(()),
            bytes => Err(board.wrong(format!(
                "`board` has {bytes} bytes; expected the number of the table, such as \"12\", in at most \
                 {BOARD_LIMIT} bytes; the wiring of the buttons is the key `wiring`"
            ))),
        }
    }

    /// Reads the wiring file that is configured.
    ///
    /// # Errors
    ///
    /// No wiring is configured, or its file cannot be used. There is no default: with the wrong
    /// wiring, the loop would read the wrong lines as buttons.
    pub fn wiring_file(&self) -> Result<WiringFile, ConfigError> {
        match &self.wiring {
            Some(named) => self.wiring_file_named(named),
            None => Err(ConfigError::Wrong {
                path: self.path.clone(),
                error: FileError { place: Place::START, message: NO_WIRING.to_owned() },
            }),
        }
    }

    /// Reads the wiring file of this name or path.
    fn wiring_file_named(&self, named: &Named) -> Result<WiringFile, ConfigError> {
        let path = clock_wiring::find(&self.folder, &named.name)
            .map_err(|missing| named.wrong(missing.to_string()))?;
        let text = read(&path).map_err(|error| match error {
            // The error has no position in the wiring file, for example because the path is that of
            // a device. So it gets the position of the name in the configuration.
            unreadable @ ConfigError::Unreadable { .. } => named.wrong(unreadable.to_string()),
            other => other,
        })?;
        WiringFile::parse(&path, &text)
    }
}

/// The time controls that a configuration at the path `named` can name: those in the user's folder,
/// those in the package's folder, and those that are compiled in. If `named` is `None`, the default
/// path is meant.
pub fn control_library(named: Option<&Path>) -> Library {
    Library::new(folders(&folder_of(named.unwrap_or(Path::new(DEFAULT_PATH))), "controls"))
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

fn folders(user: &Path, name: &str) -> Vec<PathBuf> {
    vec![user.join(name), Path::new(SHARED).join(name)]
}

impl RawTimes {
    /// The debounce times, each within its range. Both the settle time and the longest bounce must
    /// stay below 50 ms, because the debounce rejects a candidate for a press as noise when the
    /// candidate is 50 ms old. With a longer settle time, no candidate would become a press. With a
    /// longer `longest_bounce`, each glitch would count as noise.
    fn times(self) -> Result<Times, (Range<usize>, String)> {
        let default = Times::default();
        let stuck = default.stuck.expect("a button can be stuck");
        Ok(Times {
            settle: within("settle", self.settle, default.settle, "1us", "20ms")?,
            longest_bounce: within(
                "longest_bounce",
                self.longest_bounce,
                default.longest_bounce,
                "1us",
                "40ms",
            )?,
            release: within("release", self.release, default.release, "1us", "1s")?,
            stuck: Some(within("stuck", self.stuck, stuck, "1s", "1h")?),
        })
    }
}

fn within(
    key: &str,
    given: Option<Spanned<Duration>>,
    default: Span,
    least: &str,
    most: &str,
) -> Result<Span, (Range<usize>, String)> {
    let Some(given) = given else { return Ok(default) };
    let limit = |text| parse_duration(text).expect("the limits are durations");
    let (span, Duration(value)) = (given.span(), given.into_inner());
    if (limit(least)..=limit(most)).contains(&value) {
        return Ok(value);
    }
    Err((span, format!("`{key}` is out of its range; expected {least} to {most}")))
}

fn read(path: &Path) -> Result<String, ConfigError> {
    read_text(path).map_err(|error| match error {
        ReadError::NotText(error) => ConfigError::Wrong { path: path.to_owned(), error },
        ReadError::Io(source) => ConfigError::Unreadable { path: path.to_owned(), source },
    })
}

fn parse<T: de::DeserializeOwned>(path: &Path, text: &str) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error| ConfigError::Wrong {
        path: path.to_owned(),
        error: FileError::of_toml(text, &error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config_error(text: &str) -> String {
        parse::<RawConfig>(Path::new("clockd.toml"), text).err().expect(text).to_string()
    }

    #[test]
    fn mistakes_are_named_with_file_and_line_and_what_is_expected() {
        for (text, parts) in [
            ("contro = 'x'\n", ["clockd.toml:1:", "contro", "expected one of"]),
            ("board = 12\n", ["clockd.toml:1:9", "`board` is `12`", "expected text"]),
            ("\n[debounce]\nsettle = '-1ms'\n", ["clockd.toml:3:", "-1ms", "negative"]),
            ("[debounce]\nlongest_bounce = 5\n", ["clockd.toml:2:", "5", "expected text"]),
            ("control = 'a'\ncontrol = 'b'\n", ["clockd.toml:2:", "`control` is given twice", ""]),
            ("wiring = \n", ["clockd.toml:1:", "", ""]),
        ] {
            let error = config_error(text);
            for part in parts {
                assert!(error.contains(part), "{text:?}: {error}");
            }
        }
    }

    /// The shipped files are the documentation of the keys, also that of the manual pages.
    #[test]
    fn the_shipped_files_have_every_key() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
        let shipped = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let (config, wiring) = (shipped("clockd.toml"), shipped("wiring/raspberry-pi.toml"));
        let of_wiring = |text: &str| {
            WiringFile::parse(Path::new("w.toml"), text).expect_err("an unknown key").to_string()
        };
        for (text, table, error) in [
            (&config, "", config_error("unknown_key = 1")),
            (&config, "[captains]", config_error("[captains]\nunknown_key = 1")),
            (&config, "[debounce]", config_error("[debounce]\nunknown_key = 1")),
            (&config, "[menu]", config_error("[menu]\nunknown_key = 1")),
            (&config, "[record]", config_error("[record]\nunknown_key = 1")),
            (&wiring, "", of_wiring("unknown_key = 1")),
        ] {
            let expected = error.split_once("expected one of ").expect("the keys are listed").1;
            let keys: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
            assert!(keys.len() > 1, "{error}");
            let lines: Vec<&str> = text.lines().map(|line| line.trim_start_matches("# ")).collect();
            let begin = lines.iter().position(|line| *line == table && !table.is_empty());
            let begin = begin.unwrap_or_default();
            for key in keys {
                let is_it = |line: &&&str| {
                    let is_key = line.strip_prefix(key).is_some_and(|rest| rest.starts_with(" = "));
                    is_key || (table.is_empty() && **line == format!("[{key}]"))
                };
                assert!(lines[begin..].iter().any(|line| is_it(&line)), "{table} {key}");
            }
        }
    }

    #[test]
    fn debounce_times_stay_below_the_age_of_noise() {
        let times = |text: &str| {
            let raw: RawConfig = parse(Path::new("clockd.toml"), text).expect(text);
            raw.debounce.times().map_err(|(_, message)| message)
        };
        let most = "[debounce]\nsettle = '20ms'\nlongest_bounce = '40ms'\nrelease = '1s'\n";
        assert_eq!(times(most).map(|times| times.longest_bounce), Ok(Span::from_nanos(40_000_000)));
        for (text, range) in [
            ("[debounce]\nsettle = '21ms'\n", "1us to 20ms"),
            ("[debounce]\nlongest_bounce = '41ms'\n", "1us to 40ms"),
            ("[debounce]\nlongest_bounce = '0s'\n", "1us to 40ms"),
        ] {
            let message = times(text).expect_err(text);
            assert!(message.contains(range), "{message}");
        }
    }

    #[test]
    fn a_wiring_file_that_cannot_be_read_is_named_with_the_place_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clockd.toml");
        std::fs::create_dir(folder.path().join("folder.toml")).unwrap();
        for (wiring, named) in [("/dev/null", "/dev/null: "), ("folder.toml", "/folder.toml: ")] {
            std::fs::write(&path, format!("\nwiring = '{wiring}'\n")).unwrap();
            let error = Config::load(Some(&path)).unwrap().wiring_file().unwrap_err().to_string();
            let place = format!("{}:2:10: ", path.display());
            assert!(error.starts_with(&place) && error.contains(named), "{error}");
        }
        // An error in the contents of a wiring file has its position in that file.
        std::fs::write(folder.path().join("b.toml"), "\nchip = 5\n").unwrap();
        std::fs::write(&path, "wiring = 'b.toml'\n").unwrap();
        let error = Config::load(Some(&path)).unwrap().wiring_file().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}/b.toml:2:8: ", folder.path().display())), "{error}");
    }

    /// A club's clock has players-agree, which would make no difference to "we two" in the menu.
    #[test]
    fn a_game_with_an_arbiter_has_the_configured_rules_or_fide_2023() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clockd.toml");
        for (text, expected) in [
            ("", None),
            ("rules = 'players-agree'\n", Some("fide-2023")),
            ("rules = 'us-chess'\n", Some("us-chess")),
        ] {
            std::fs::write(&path, text).unwrap();
            let configuration = Configuration::load(Some(&path), None, true).unwrap();
            let rules = configuration.rules_with_arbiter();
            assert_eq!(rules.map(|rules| rules.name).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_shipped_configuration_and_wiring_files_are_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
        let config = Config::load(Some(&folder.join("clockd.toml"))).expect("shipped");
        assert_eq!(config.times, Times::default());
        assert_eq!(config.rules.as_ref().map(|rules| rules.name.as_str()), Some("players-agree"));
        for entry in std::fs::read_dir(folder.join("wiring")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let named = Named { name, key: None, path, place: Place::START };
            config.wiring_file_named(&named).expect("shipped");
        }
    }
}
