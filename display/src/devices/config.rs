//! The tables of `display.toml` about the devices beside the picture.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::buzzer::Sound;
use crate::content::Side;

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
