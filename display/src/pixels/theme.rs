//! The colours of the picture.

use super::surface::Rgb;
use crate::content::{FlagOrder, Side, SideDisplay, TimeLevel, TurnMark, Urgency};

/// The colours of one part of the display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    pub ground: Rgb,
    pub ink: Rgb,
}

impl Colours {
    /// These colours with a weaker ink, for what cannot be used yet.
    pub fn dimmed(self) -> Colours {
        Colours { ink: self.ink.mixed(self.ground, 90), ..self }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideColours {
    /// The colours of the half, of its time and of its texts.
    pub half: Colours,
    /// The colour of the hatching's lines; `None` without hatching. The hatching marks a time that
    /// is only the last known one, for people who cannot distinguish the colours. The boxes behind
    /// the time and the texts are not hatched.
    pub hatching: Option<Rgb>,
}

/// The colours of the whole display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    idle: Colours,
    idle_low: Colours,
    /// Both halves while the game is interrupted.
    interrupted: Colours,
    running: Colours,
    running_low: Colours,
    notice: Colours,
    call: Colours,
    fault: Colours,
    /// The half whose final flag fell first.
    flag: Colours,
    /// The colour of the hatching's lines on a half with a time that is only the last known one.
    stale: Rgb,
    /// The colour of the disc for the white pieces. The disc for the black pieces is black.
    white: Rgb,
}

// The Okabe-Ito palette, whose colours colour-blind people can distinguish (Okabe and Ito, "Color
// Universal Design", 2008).
const YELLOW: Rgb = Rgb(0xF0, 0xE4, 0x42);
const ORANGE: Rgb = Rgb(0xE6, 0x9F, 0x00);
const SKY_BLUE: Rgb = Rgb(0x56, 0xB4, 0xE9);
/// White text has a contrast of 7.2:1 on it, which no text has on the vermilion of the palette.
const RED: Rgb = Rgb(0xB0, 0x10, 0x10);
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
        interrupted: colours(BLACK, Rgb(0xA0, 0xA4, 0xA8)),
        running: colours(YELLOW, BLACK),
        running_low: colours(ORANGE, BLACK),
        notice: colours(PALE, DARK),
        call: colours(SKY_BLUE, BLACK),
        fault: colours(ORANGE, BLACK),
        flag: colours(RED, WHITE),
        stale: Rgb(0x60, 0x68, 0x70),
        white: WHITE,
    };
    /// For a bright room.
    pub const LIGHT: Theme = Theme {
        idle: colours(Rgb(0xF4, 0xF4, 0xF0), Rgb(0x18, 0x1C, 0x20)),
        interrupted: colours(Rgb(0xD8, 0xD8, 0xD4), Rgb(0x3C, 0x40, 0x44)),
        running: colours(Rgb(0x00, 0x60, 0x3C), WHITE),
        running_low: colours(Rgb(0x7A, 0x2E, 0x00), WHITE),
        idle_low: colours(Rgb(0xF4, 0xF4, 0xF0), Rgb(0x7A, 0x2E, 0x00)),
        notice: colours(Rgb(0x4A, 0x50, 0x56), WHITE),
        call: colours(Rgb(0x00, 0x50, 0x7A), WHITE),
        ..Theme::DARK
    };
    /// For a dark room at night: black and dim warm colours.
    pub const NIGHT: Theme = Theme {
        idle: colours(BLACK, Rgb(0xC8, 0x8E, 0x54)),
        idle_low: colours(BLACK, Rgb(0xE0, 0x88, 0x50)),
        interrupted: colours(BLACK, Rgb(0xA8, 0x94, 0x80)),
        running: colours(Rgb(0xBC, 0x93, 0x2C), BLACK),
        running_low: colours(Rgb(0xE0, 0x88, 0x50), BLACK),
        notice: colours(Rgb(0xC8, 0x8E, 0x54), BLACK),
        call: colours(Rgb(0x5F, 0xA0, 0xC0), BLACK),
        fault: colours(Rgb(0xE0, 0x88, 0x50), BLACK),
        flag: colours(Rgb(0x6A, 0x14, 0x00), Rgb(0xDC, 0xC8, 0xAC)),
        stale: Rgb(0x58, 0x48, 0x38),
        white: Rgb(0xB0, 0xA8, 0xA0),
    };
    /// Black, white and yellow, for people with low vision.
    pub const HIGH_CONTRAST: Theme = Theme {
        idle: colours(BLACK, WHITE),
        idle_low: colours(BLACK, YELLOW),
        interrupted: colours(BLACK, Rgb(0xB0, 0xB0, 0xB0)),
        running: colours(YELLOW, BLACK),
        running_low: colours(WHITE, BLACK),
        notice: colours(WHITE, BLACK),
        call: colours(SKY_BLUE, BLACK),
        fault: colours(YELLOW, BLACK),
        flag: colours(Rgb(0x90, 0x00, 0x00), WHITE),
        stale: Rgb(0x80, 0x80, 0x80),
        white: WHITE,
    };

    pub fn side(&self, display: &SideDisplay) -> SideColours {
        let runs = display.mark == TurnMark::Running;
        let half = match (&display.time_level, runs) {
            (TimeLevel::Flagged { order, .. }, _)
                if *order != FlagOrder::Second && display.score.is_none() =>
            {
                self.flag
            }
            _ if display.stale || display.score.is_some() => self.idle,
            (TimeLevel::Low(_), true) => self.running_low,
            (_, true) => self.running,
            (TimeLevel::Low(_), false) => self.idle_low,
            _ if display.interrupted => self.interrupted,
            _ => self.idle,
        };
        SideColours { half, hatching: display.stale.then_some(self.stale) }
    }

    pub fn piece(&self, side: Side) -> Rgb {
        match side {
            Side::White => self.white,
            Side::Black => BLACK,
        }
    }

    /// The colour of the line between two halves.
    pub fn line(&self) -> Rgb {
        self.stale
    }

    pub fn status(&self, urgency: Urgency) -> Colours {
        match urgency {
            Urgency::Normal => self.idle,
            Urgency::Notice => self.notice,
            Urgency::Call => self.call,
            Urgency::Fault => self.fault,
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    const THEMES: [Theme; 4] = [Theme::DARK, Theme::LIGHT, Theme::NIGHT, Theme::HIGH_CONTRAST];

    /// The relative luminance, as WCAG 2.2 defines it.
    fn luminance(Rgb(red, green, blue): Rgb) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    pub fn contrast(colours: Colours) -> f64 {
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
        for theme in THEMES {
            let Theme {
                idle,
                idle_low,
                interrupted,
                running,
                running_low,
                notice,
                call,
                fault,
                flag,
                stale: _,
                white,
            } = theme;
            let discs = colours(white, BLACK);
            let sides = [idle, idle_low, interrupted, running, running_low, flag];
            for each in sides.into_iter().chain([notice, call, fault, discs]) {
                assert!(contrast(each) >= 7.0, "{each:?}: {:.2}", contrast(each));
            }
        }
    }

    /// WCAG 2.2, success criterion 1.4.11 (graphical objects).
    #[test]
    fn the_running_side_has_a_contrast_of_at_least_three_to_one() {
        for theme in THEMES {
            for running in [theme.running, theme.running_low] {
                let halves = colours(running.ground, theme.idle.ground);
                assert!(contrast(halves) >= 3.0, "{running:?}: {:.2}", contrast(halves));
            }
        }
    }

    /// WCAG 2.2, success criterion 1.4.11: the chosen line of the menu among the others.
    #[test]
    fn the_chosen_line_has_a_contrast_of_at_least_three_to_one_with_the_others() {
        for theme in THEMES {
            let grounds = [Urgency::Notice, Urgency::Normal].map(|urgency| theme.status(urgency));
            let lines = colours(grounds[0].ground, grounds[1].ground);
            assert!(contrast(lines) >= 3.0, "{:.2}", contrast(lines));
        }
    }

    /// The bands of a call differ from the halves of two clocks that stand.
    #[test]
    fn a_call_has_a_contrast_of_at_least_three_to_one_with_the_halves() {
        for theme in THEMES {
            let bands = colours(theme.call.ground, theme.idle.ground);
            assert!(contrast(bands) >= 3.0, "{:.2}", contrast(bands));
        }
    }
}
