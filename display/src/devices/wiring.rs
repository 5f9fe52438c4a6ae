//! Reads from a wiring file which GPIO lines the lamps and the buzzer use, and checks that no line
//! of the file is used twice. clockd reads and checks the other keys.

use std::path::{Path, PathBuf};

use clock_wiring::{ChipLabels, Lamps, LineName, Wire, WiredLines};
use serde::Deserialize;
use toml::Spanned;

use super::buzzer::Sound;
use crate::config::{Config, ConfigError, parse, read};
use crate::content::Side;

/// The GPIO lines of the enabled devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLines {
    /// The labels of the GPIO chips that the wiring file allows. The first label whose chip the
    /// machine has is used.
    pub chips: Vec<String>,
    /// The lines of White's lamp and Black's lamp; `None` if the lamps are not enabled.
    pub lamps: Option<[LineName; 2]>,
    pub buzzer: Option<LineName>,
}

/// The keys of a wiring file that are read here. Other keys are ignored. `white`, `black` and
/// `call` are the lines of the buttons. They are read only to find a line that is used twice.
#[derive(Deserialize)]
struct RawWiring {
    chip: Spanned<ChipLabels>,
    white: Option<Wire>,
    black: Option<Wire>,
    call: Option<Wire>,
    lamp: Option<Lamps>,
    buzzer: Option<Wire>,
}

impl OutputLines {
    /// Reads the lines of the enabled devices from the wiring file that `config` names. Returns
    /// `None` if neither the lamps nor the buzzer are enabled. `path` and `text` are those of the
    /// configuration file.
    ///
    /// # Errors
    ///
    /// `config` names no wiring file, or the wiring file cannot be used. There is no default wiring
    /// file, because other hardware could be connected to the lines that a default file would name.
    pub fn of(
        config: &Config,
        path: &Path,
        text: &str,
    ) -> Result<Option<OutputLines>, ConfigError> {
        if !config.lamps.enabled && !config.buzzer.enabled {
            return Ok(None);
        }
        let Some(name) = &config.wiring else {
            let message = "missing key `wiring`, which names the lines of the lamps and of the buzzer; \
                           expected that of clockd.toml, such as wiring = \"raspberry-pi\"";
            return Err(ConfigError::wrong(path, text, 0, message.to_owned()));
        };
        let place = name.span().start;
        let folder = path.parent().unwrap_or(Path::new(""));
        let wiring = clock_wiring::find(folder, name.as_ref())
            .map_err(|missing| ConfigError::wrong(path, text, place, missing.to_string()))?;
        OutputLines::parse(config, &wiring, &read(&wiring)?).map(Some)
    }

    fn parse(config: &Config, path: &Path, text: &str) -> Result<OutputLines, ConfigError> {
        let raw: RawWiring = parse(path, text)?;
        let wrong = |place, message: String| Err(ConfigError::wrong(path, text, place, message));
        if let Some(twice) = raw.lines().used_twice() {
            let (first, second) = (twice.first, twice.second);
            let message = format!("this line is used twice, by `{first}` and `{second}`");
            return wrong(twice.span.start, message);
        }
        let place = raw.chip.span().start;
        let Some(chips) = raw.chip.into_inner().into_labels() else {
            let message = "`chip` names no chip; expected a label or a list of labels";
            return wrong(place, message.into());
        };
        let lamps = raw.lamp.filter(|_| config.lamps.enabled);
        let buzzer = raw.buzzer.filter(|_| config.buzzer.enabled);
        for (key, enabled, is_wired) in [
            ("lamp", config.lamps.enabled, lamps.is_some()),
            ("buzzer", config.buzzer.enabled, buzzer.is_some()),
        ] {
            if enabled && !is_wired {
                let message = format!("this wiring has no [{key}], which display.toml enables");
                return wrong(0, message);
            }
        }
        let name = |wire: Wire| wire.line.into_inner();
        Ok(OutputLines {
            chips,
            lamps: lamps.map(|lamps| [name(lamps.white), name(lamps.black)]),
            buzzer: buzzer.map(name),
        })
    }
}

impl RawWiring {
    fn lines(&self) -> WiredLines<'_> {
        WiredLines {
            white: self.white.as_ref(),
            black: self.black.as_ref(),
            call: self.call.as_ref(),
            lamp: self.lamp.as_ref(),
            buzzer: self.buzzer.as_ref(),
        }
    }
}

/// The table `[segments]` about the seven-segment modules.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table such as [segments]")]
pub struct SegmentsConfig {
    /// The SPI device; `None` if there are no modules.
    pub device: Option<DevicePath>,
    pub brightness: Brightness,
    /// Which module is connected to the SPI device: the one at the button that is wired as White's,
    /// or the one at the button that is wired as Black's. The other module is connected to this
    /// one.
    pub first_module: Side,
}

impl Default for SegmentsConfig {
    fn default() -> SegmentsConfig {
        SegmentsConfig {
            device: None,
            brightness: Brightness::default(),
            first_module: Side::White,
        }
    }
}

/// The table `[lamps]`. The GPIO lines of the lamps are in the wiring file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table such as [lamps]")]
pub struct LampsConfig {
    pub enabled: bool,
}

/// The table `[buzzer]`: whether the buzzer is enabled, and on which occasions it sounds. The
/// buzzer's GPIO line is in the wiring file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table such as [buzzer]")]
pub struct BuzzerConfig {
    pub enabled: bool,
    pub gong: bool,
    pub arbiter_call: bool,
    pub flag: bool,
    pub low_time: bool,
    pub menu: bool,
}

impl Default for BuzzerConfig {
    fn default() -> BuzzerConfig {
        BuzzerConfig {
            enabled: false,
            gong: true,
            arbiter_call: true,
            flag: false,
            low_time: false,
            menu: true,
        }
    }
}

impl BuzzerConfig {
    /// Whether the buzzer, if it is enabled, sounds on this occasion.
    pub fn has(&self, sound: Sound) -> bool {
        match sound {
            Sound::Gong => self.gong,
            Sound::Call => self.arbiter_call,
            Sound::Flag => self.flag,
            Sound::Low => self.low_time,
            Sound::Menu => self.menu,
        }
    }
}

/// The absolute path of a device file, such as `/dev/spidev0.0`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "PathBuf")]
pub struct DevicePath(PathBuf);

impl AsRef<Path> for DevicePath {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl TryFrom<PathBuf> for DevicePath {
    type Error = String;

    fn try_from(path: PathBuf) -> Result<DevicePath, String> {
        if path.is_absolute() {
            return Ok(DevicePath(path));
        }
        Err(format!(
            "`{}` is no path of a device; expected one such as /dev/spidev0.0",
            path.display()
        ))
    }
}

/// A brightness of the modules from 0 to 15, as in the register of the MAX7219.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "i64")]
pub struct Brightness(pub u8);

impl Default for Brightness {
    fn default() -> Brightness {
        Brightness(7)
    }
}

impl TryFrom<i64> for Brightness {
    type Error = String;

    fn try_from(value: i64) -> Result<Brightness, String> {
        match u8::try_from(value) {
            Ok(level @ 0..=15) => Ok(Brightness(level)),
            _ => Err(format!("a brightness of {value}; expected 0 to 15")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::wiring::{BuzzerConfig, LampsConfig};

    const WIRING: &str = "chip = ['a', 'b']\nwhite.line = 17\nblack.line = 27\n[lamp]\nwhite.line = 23\n\
                         black.line = 'GPIO24'\n[buzzer]\nline = 25\n";

    fn config(lamps: bool, buzzer: bool) -> Config {
        Config {
            lamps: LampsConfig { enabled: lamps },
            buzzer: BuzzerConfig { enabled: buzzer, ..BuzzerConfig::default() },
            ..Config::default()
        }
    }

    fn parsed(config: &Config, text: &str) -> Result<OutputLines, String> {
        OutputLines::parse(config, Path::new("b.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn only_the_lines_of_what_is_enabled_are_taken() {
        let lamps = Some([LineName::Offset(23), LineName::Name("GPIO24".into())]);
        let buzzer = Some(LineName::Offset(25));
        for (lamps_enabled, buzzer_enabled) in [(true, true), (true, false), (false, true)] {
            let lines = parsed(&config(lamps_enabled, buzzer_enabled), WIRING).unwrap();
            assert_eq!(lines.chips, ["a", "b"]);
            assert_eq!(lines.lamps, lamps.clone().filter(|_| lamps_enabled));
            assert_eq!(lines.buzzer, buzzer.clone().filter(|_| buzzer_enabled));
        }
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let both = config(true, true);
        for (text, wanted) in [
            (
                WIRING.replace("line = 25", "line = 17"),
                "b.toml:8:8: `line`: this line is used twice, by `white` and `buzzer`",
            ),
            (
                WIRING.replace("line = 23", "line = 'GPIO24'"),
                "b.toml:6:14: `line`: this line is used twice, by `lamp.white` and `lamp.black`",
            ),
            (
                format!(
                    "chip = 'a'\n[buzzer]\nline = 25\n{}",
                    "[lamp]\nwhite.line = 25\nblack.line = 24\n"
                ),
                "b.toml:5:14: `line`: this line is used twice, by `buzzer` and `lamp.white`",
            ),
            (
                WIRING.replace("line = 25", "line = -1"),
                "b.toml:8:8: `line`: expected a line offset such as 17, or a line name such as \"GPIO17\"",
            ),
            (
                WIRING.replace("['a', 'b']", "[]"),
                "b.toml:1:8: `chip` names no chip; expected a label or a list of labels",
            ),
            (WIRING.replace("chip = ['a', 'b']", ""), "b.toml:1:1: missing key `chip`"),
            (
                WIRING.replace("[buzzer]\nline = 25\n", ""),
                "b.toml:1:1: this wiring has no [buzzer], which display.toml enables",
            ),
            (
                WIRING.replace("[lamp]", "[other]"),
                "b.toml:1:1: this wiring has no [lamp], which display.toml enables",
            ),
            (
                WIRING.replace("line = 25", "pin = 25"),
                "b.toml:8:1: unknown key `pin`, expected `line`",
            ),
        ] {
            assert_eq!(parsed(&both, &text).unwrap_err(), wanted, "{text}");
        }
    }

    #[test]
    fn the_wiring_is_looked_for_like_clockds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("display.toml");
        let of = |wiring: &str| {
            let text = format!("{wiring}\n[lamps]\nenabled = true\n");
            let config = parse::<Config>(&path, &text).unwrap();
            OutputLines::of(&config, &path, &text)
        };
        let missing = of("\nwiring = 'nowhere'").unwrap_err().to_string();
        let looked = folder.path().join("wiring/nowhere.toml").display().to_string();
        let shared = "/usr/share/chess-clock/wiring/nowhere.toml";
        let message = format!(
            "{}:2:10: `wiring`: no wiring `nowhere`; looked for {looked} and {shared}",
            path.display()
        );
        assert_eq!(missing, message);
        std::fs::create_dir(folder.path().join("wiring")).unwrap();
        std::fs::write(&looked, WIRING).unwrap();
        assert_eq!(of("wiring = 'nowhere'").unwrap().unwrap().chips, ["a", "b"]);
        assert_eq!(of("wiring = 'wiring/nowhere.toml'").unwrap().unwrap().chips, ["a", "b"]);
        // Without the key `wiring` in `display.toml`, not even the shipped wiring file is used.
        std::fs::write(folder.path().join("wiring/raspberry-pi.toml"), WIRING).unwrap();
        let missing = of("").unwrap_err().to_string();
        assert!(missing.contains("display.toml:1:1: missing key `wiring`"), "{missing}");
        // No wiring file is read if no device is enabled.
        let off = parse::<Config>(&path, "wiring = 'elsewhere'").unwrap();
        assert!(OutputLines::of(&off, &path, "").unwrap().is_none());
    }

    #[test]
    fn the_shipped_wiring_has_lamps_and_a_buzzer() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/wiring");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let lines =
                OutputLines::parse(&config(true, true), &path, &read(&path).unwrap()).unwrap();
            assert!(lines.lamps.is_some() && lines.buzzer.is_some() && lines.chips.len() == 3);
        }
    }
}
