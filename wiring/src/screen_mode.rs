use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// The word of a configuration file for the modes that the screen tells.
const AUTO: &str = "auto";
/// Width and height, in pixels, that a mode can have.
const PIXELS: std::ops::RangeInclusive<u16> = 200..=4096;
/// How many pictures a mode can have in a second.
const RATES: std::ops::RangeInclusive<u16> = 20..=120;

/// The size and the rate of the picture that a screen gets, such as `1024x600@60`, for a screen that
/// does not tell its modes or that offers none which the board can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenMode {
    /// The pixels of a line. An even number, because a Raspberry Pi 4 cannot show another one.
    pub width: u16,
    /// The lines.
    pub height: u16,
    /// The pictures in a second.
    pub rate: u16,
}

impl FromStr for ScreenMode {
    type Err = String;

    fn from_str(text: &str) -> Result<ScreenMode, String> {
        let wrong = || {
            format!(
                "`{text}`; expected \"{AUTO}\", or width, height and pictures in a second, such as \
                 \"1024x600@60\": {} to {} pixels, the width an even number, and {} to {} pictures",
                PIXELS.start(),
                PIXELS.end(),
                RATES.start(),
                RATES.end()
            )
        };
        // `parse` alone would accept a sign.
        let number = |digits: &str| {
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
        };
        let (size, rate) = text.split_once('@').unwrap_or((text, "60"));
        let (width, height) = size.split_once('x').ok_or_else(wrong)?;
        let pixels = |side| number(side).filter(|side| PIXELS.contains(side));
        let width = pixels(width).filter(|width| width % 2 == 0);
        let rate = number(rate).filter(|rate| RATES.contains(rate));
        match (width, pixels(height), rate) {
            (Some(width), Some(height), Some(rate)) => Ok(ScreenMode { width, height, rate }),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for ScreenMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScreenMode { width, height, rate } = self;
        write!(f, "{width}x{height}@{rate}")
    }
}

/// The mode that a configuration file gives: `None` for `auto`, which takes a mode that the screen tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedMode(pub Option<ScreenMode>);

impl FromStr for WantedMode {
    type Err = String;

    fn from_str(text: &str) -> Result<WantedMode, String> {
        match text {
            AUTO => Ok(WantedMode(None)),
            text => text.parse().map(|mode| WantedMode(Some(mode))),
        }
    }
}

impl TryFrom<String> for WantedMode {
    type Error = String;

    fn try_from(text: String) -> Result<WantedMode, String> {
        text.parse()
    }
}

impl fmt::Display for WantedMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(mode) => mode.fmt(f),
            None => f.write_str(AUTO),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ScreenMode, WantedMode};

    #[test]
    fn a_mode_is_a_size_and_a_rate() {
        let mode = |text: &str| text.parse::<ScreenMode>().map(|mode| mode.to_string());
        for (text, read) in [
            ("1024x600@60", "1024x600@60"),
            ("1280x400", "1280x400@60"),
            ("854x480@50", "854x480@50"),
            ("200x4096@120", "200x4096@120"),
        ] {
            assert_eq!(mode(text).as_deref(), Ok(read));
        }
        for text in ["auto", "1280x400@60"] {
            assert_eq!(text.parse::<WantedMode>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "Auto",
            "1024",
            "1024x",
            "x600",
            "1024x600@",
            "1024x600@60@60",
            "1024X600",
            "1024 x 600",
            "+1024x600",
            "1025x600",
            "198x600",
            "4098x600",
            "1024x4097",
            "1024x600@19",
            "1024x600@121",
            "1024x600@60 quiet",
            "99999x600",
        ] {
            let why = mode(text).unwrap_err();
            assert!(
                why.starts_with(&format!("`{text}`; expected \"auto\", or width, height")),
                "{why}"
            );
        }
    }
}
