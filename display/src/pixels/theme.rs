//! The colours of the picture.

use super::surface::Rgb;
use crate::content::{SideDisplay, TimeLevel, TurnMark, Urgency};

/// The colours of one part of the display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    pub ground: Rgb,
    pub ink: Rgb,
}

/// The colours of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideColours {
    /// The colours of the half of this side, except those of the boxes behind the time and the
    /// texts.
    pub half: Colours,
    /// The colour of the hatching's lines; `None` without hatching. The hatching marks a final
    /// flag, and a time that is only the last known one, for people who cannot distinguish the
    /// colours.
    pub hatching: Option<Rgb>,
    /// The colours of the time, of the texts, and of the boxes behind them. The boxes keep the
    /// hatching away from the time and the texts.
    pub text: Colours,
}

/// The colours of the whole display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    idle: Colours,
    idle_low: Colours,
    running: Colours,
    running_low: Colours,
    notice: Colours,
    fault: Colours,
    /// The colour of the ground between the lines of the hatching, on a half whose final flag has
    /// fallen.
    flag: Rgb,
    /// The colour of the hatching's lines on a half with a time that is only the last known one.
    stale: Rgb,
}

// The Okabe-Ito palette, whose colours colour-blind people can distinguish (Okabe and Ito, "Color
// Universal Design", 2008).
const YELLOW: Rgb = Rgb(0xF0, 0xE4, 0x42);
const ORANGE: Rgb = Rgb(0xE6, 0x9F, 0x00);
const VERMILION: Rgb = Rgb(0xD5, 0x5E, 0x00);
const BLACK: Rgb = Rgb(0, 0, 0);
const WHITE: Rgb = Rgb(0xFF, 0xFF, 0xFF);
const DARK: Rgb = Rgb(0x10, 0x14, 0x18);
const PALE: Rgb = Rgb(0xC8, 0xCC, 0xD0);

const fn colours(ground: Rgb, ink: Rgb) -> Colours {
    Colours { ground, ink }
}

impl Theme {
    /// For a hall or a dark room.
    pub const DARK: Theme = Theme {
        idle: colours(DARK, PALE),
        idle_low: colours(DARK, ORANGE),
        running: colours(YELLOW, BLACK),
        running_low: colours(ORANGE, BLACK),
        notice: colours(PALE, DARK),
        fault: colours(ORANGE, BLACK),
        flag: VERMILION,
        stale: Rgb(0x60, 0x68, 0x70),
    };
    /// For a bright room.
    pub const LIGHT: Theme = Theme {
        idle: colours(Rgb(0xF4, 0xF4, 0xF0), Rgb(0x18, 0x1C, 0x20)),
        idle_low: colours(Rgb(0xF4, 0xF4, 0xF0), Rgb(0x7A, 0x2E, 0x00)),
        notice: colours(Rgb(0x18, 0x1C, 0x20), Rgb(0xF4, 0xF4, 0xF0)),
        ..Theme::DARK
    };
    /// Black, white and yellow, for people with low vision.
    pub const HIGH_CONTRAST: Theme = Theme {
        idle: colours(BLACK, WHITE),
        idle_low: colours(BLACK, YELLOW),
        running: colours(YELLOW, BLACK),
        running_low: colours(WHITE, BLACK),
        notice: colours(WHITE, BLACK),
        fault: colours(YELLOW, BLACK),
        flag: WHITE,
        stale: Rgb(0x80, 0x80, 0x80),
    };

    pub fn side(&self, display: &SideDisplay) -> SideColours {
        let runs = display.mark == TurnMark::Running;
        let (half, hatching) = match (&display.time_level, runs) {
            (TimeLevel::Ample | TimeLevel::Low, _) if display.stale => {
                (self.idle, Some(self.stale))
            }
            (TimeLevel::Flagged { .. }, _) => (colours(self.flag, BLACK), Some(BLACK)),
            (TimeLevel::Low, true) => (self.running_low, None),
            (TimeLevel::Ample, true) => (self.running, None),
            (TimeLevel::Low, false) => (self.idle_low, None),
            (TimeLevel::Ample, false) => (self.idle, None),
        };
        let text = match (hatching, runs) {
            (None, _) => half,
            (Some(_), true) => self.running,
            (Some(_), false) => self.idle,
        };
        SideColours { half, hatching, text }
    }

    /// The colours of the status line.
    pub fn status(&self, urgency: Urgency) -> Colours {
        match urgency {
            Urgency::Normal => self.idle,
            Urgency::Notice => self.notice,
            Urgency::Fault => self.fault,
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The relative luminance, as WCAG 2.2 defines it.
    fn luminance(Rgb(red, green, blue): Rgb) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(colours: Colours) -> f64 {
        let (one, other) = (luminance(colours.ground), luminance(colours.ink));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The contrast of two colours, for the tests of the face in a terminal.
    pub fn contrast_of([r, g, b]: [u8; 3], [x, y, z]: [u8; 3]) -> f64 {
        contrast(colours(Rgb(r, g, b), Rgb(x, y, z)))
    }

    /// WCAG 2.2, success criterion 1.4.6 (enhanced).
    #[test]
    fn every_text_has_a_contrast_of_at_least_seven_to_one() {
        assert!((contrast(colours(BLACK, WHITE)) - 21.0).abs() < 1e-9);
        for theme in [Theme::DARK, Theme::LIGHT, Theme::HIGH_CONTRAST] {
            let Theme { idle, idle_low, running, running_low, notice, fault, flag: _, stale: _ } =
                theme;
            for each in [idle, idle_low, running, running_low, notice, fault] {
                assert!(contrast(each) >= 7.0, "{each:?}: {:.2}", contrast(each));
            }
        }
    }
}
