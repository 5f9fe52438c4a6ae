//! The colours, the marks and the text of the face on a terminal.

use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use crate::console_font::Font;
use crate::content::{FlagOrder, SideDisplay, TimeLevel, TurnMark, Urgency};
use crate::glyphs::Glyphs;

/// The appearance of the display on this terminal.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    pub colours: Colours,
    pub glyphs: Glyphs,
}

/// How many colours the terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// No colours, because `NO_COLOR` is set and not empty, or because the terminal has none. Marks
    /// and reverse video are used instead.
    None,
    Sixteen,
    Indexed,
    True,
}

/// A colour of the face. On a terminal that cannot show this colour, the nearest colour of the
/// terminal is used.
type Rgb = (u8, u8, u8);

// The Okabe-Ito palette, whose colours colour-blind people can distinguish.
const RUNS: Rgb = (0xF0, 0xE4, 0x42);
const LOW: Rgb = (0xE6, 0x9F, 0x00);
/// White text has a contrast of 7.2:1 on it, which no text has on the vermilion of the palette.
const FLAG: Rgb = (0xB0, 0x10, 0x10);
const CALL: Rgb = (0x56, 0xB4, 0xE9);
const TEXT: Rgb = (0xC8, 0xCC, 0xD0);
const DIM: Rgb = (0xA0, 0xA4, 0xA8);
const WHITE: Rgb = (0xFF, 0xFF, 0xFF);
const GROUND: Rgb = (0x10, 0x14, 0x18);
const INK: Rgb = (0x00, 0x00, 0x00);

/// The first sixteen colours of xterm; other terminals have similar ones.
const SIXTEEN: [(Rgb, Color); 16] = [
    ((0, 0, 0), Color::Black),
    ((205, 0, 0), Color::Red),
    ((0, 205, 0), Color::Green),
    ((205, 205, 0), Color::Yellow),
    ((0, 0, 238), Color::Blue),
    ((205, 0, 205), Color::Magenta),
    ((0, 205, 205), Color::Cyan),
    ((229, 229, 229), Color::Gray),
    ((127, 127, 127), Color::DarkGray),
    ((255, 0, 0), Color::LightRed),
    ((0, 255, 0), Color::LightGreen),
    ((255, 255, 0), Color::LightYellow),
    ((92, 92, 255), Color::LightBlue),
    ((255, 0, 255), Color::LightMagenta),
    ((0, 255, 255), Color::LightCyan),
    ((255, 255, 255), Color::White),
];

impl Theme {
    /// The theme for the environment variables that `variable` returns. `font` returns the font of
    /// the kernel's console, and is called only if `TERM` is `linux` and the locale is UTF-8. If
    /// `font` returns `None`, only ASCII is used.
    pub fn from_env(
        variable: impl Fn(&str) -> Option<String>,
        font: impl FnOnce() -> Option<Font>,
    ) -> Theme {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let terminal = set("TERM").unwrap_or_default();
        Theme {
            colours: colours_of(&terminal, set("COLORTERM").as_deref(), set("NO_COLOR").is_some()),
            glyphs: match terminal.as_str() {
                _ if !utf8(&set) => Glyphs::ASCII,
                // Few console fonts have a glyph for every mark, so each mark is looked up in the
                // font.
                "linux" => font().as_ref().map_or(Glyphs::ASCII, Glyphs::of_font),
                _ => Glyphs::UNICODE,
            },
        }
    }

    /// The style of a text on the normal background.
    pub fn normal(self) -> Style {
        self.on_ground(TEXT)
    }

    /// The style of a conspicuous line, for example about a pause, a call to the arbiter or a
    /// result.
    pub fn notice(self) -> Style {
        let style = match self.colours {
            Colours::None => Style::new().add_modifier(Modifier::REVERSED),
            _ => Style::new().fg(self.colour(GROUND)).bg(self.colour(TEXT)),
        };
        style.add_modifier(Modifier::BOLD)
    }

    pub fn status(self, urgency: Urgency) -> Style {
        match urgency {
            Urgency::Normal => self.normal(),
            Urgency::Notice => self.notice(),
            Urgency::Call => self.highlighted(CALL, true).add_modifier(Modifier::BOLD),
            Urgency::Fault => self.highlighted(LOW, true).add_modifier(Modifier::BOLD),
        }
    }

    /// The style of a refusal in the line of the keys.
    pub fn refusal(self) -> Style {
        self.on_ground(LOW).add_modifier(Modifier::BOLD)
    }

    pub fn side(self, display: &SideDisplay) -> Style {
        let is_dim =
            display.interrupted && matches!(self.colours, Colours::Indexed | Colours::True);
        match (&display.time_level, display.mark) {
            (TimeLevel::Flagged { order, .. }, mark) if *order != FlagOrder::Second => {
                let style = self.highlighted(FLAG, mark == TurnMark::Running);
                if self.colours == Colours::None { style } else { style.fg(self.colour(WHITE)) }
            }
            (TimeLevel::Low(_), TurnMark::Running) => self.highlighted(LOW, true),
            (_, TurnMark::Running) => self.highlighted(RUNS, true),
            (TimeLevel::Low(_), _) => self.on_ground(LOW),
            _ if is_dim => self.on_ground(DIM),
            _ => self.normal(),
        }
    }

    /// Makes black text plain instead of bold if the terminal has sixteen colours. Many of these
    /// terminals, such as the kernel's console, show bold text in a brighter colour. Bold black is
    /// dark grey there, which is hard to read on the bright colour of a highlighted side.
    pub fn keep_black(self, buffer: &mut Buffer) {
        if self.colours == Colours::Sixteen {
            let black = buffer.content.iter_mut().filter(|cell| cell.fg == Color::Black);
            black.for_each(|cell| cell.modifier.remove(Modifier::BOLD));
        }
    }

    fn on_ground(self, text: Rgb) -> Style {
        match self.colours {
            Colours::None => Style::new(),
            _ => Style::new().fg(self.colour(text)).bg(self.colour(GROUND)),
        }
    }

    /// The style of black text on the colour `ground`. On a terminal without colours, the style is
    /// reverse video if `runs` is `true`, and empty if `runs` is `false`. The word `FLAG` and the
    /// hatching then show a final flag.
    fn highlighted(self, ground: Rgb, runs: bool) -> Style {
        match self.colours {
            Colours::None if runs => Style::new().add_modifier(Modifier::REVERSED),
            Colours::None => Style::new(),
            _ => Style::new().fg(self.colour(INK)).bg(self.colour(ground)),
        }
    }

    fn colour(self, rgb: Rgb) -> Color {
        match self.colours {
            Colours::None => Color::Reset,
            Colours::Sixteen => SIXTEEN
                .into_iter()
                .min_by_key(|(candidate, _)| distance(*candidate, rgb))
                .map_or(Color::Reset, |(_, colour)| colour),
            Colours::Indexed => Color::Indexed(nearest_index(rgb)),
            Colours::True => Color::Rgb(rgb.0, rgb.1, rgb.2),
        }
    }
}

fn colours_of(terminal: &str, colorterm: Option<&str>, unwanted: bool) -> Colours {
    if unwanted || terminal == "dumb" || terminal.starts_with("vt") {
        Colours::None
    } else if matches!(colorterm, Some("truecolor" | "24bit")) || terminal.ends_with("-direct") {
        Colours::True
    } else if terminal.contains("256color") {
        Colours::Indexed
    } else {
        Colours::Sixteen
    }
}

/// Whether the locale is UTF-8. The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not
/// empty decides, as in setlocale(3).
fn utf8(set: &impl Fn(&str) -> Option<String>) -> bool {
    ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

fn distance(a: Rgb, b: Rgb) -> u32 {
    [a.0.abs_diff(b.0), a.1.abs_diff(b.1), a.2.abs_diff(b.2)]
        .into_iter()
        .map(|d| u32::from(d) * u32::from(d))
        .sum()
}

/// The nearest of xterm's colours 16 to 255. The first sixteen are not used, because users
/// configure them.
fn nearest_index(rgb: Rgb) -> u8 {
    (16..=255).min_by_key(|index| distance(indexed(*index), rgb)).unwrap_or(16)
}

/// The colour that xterm shows for an index from 16 on: 216 colours of six levels each for red,
/// green and blue, and then 24 greys.
fn indexed(index: u8) -> Rgb {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match index.checked_sub(232) {
        Some(grey) => {
            let level = 8 + 10 * grey;
            (level, level, level)
        }
        None => {
            let cube = usize::from(index.saturating_sub(16));
            (LEVELS[cube / 36], LEVELS[cube / 6 % 6], LEVELS[cube % 6])
        }
    }
}

/// The width of a text in columns.
pub fn width(text: &str) -> u16 {
    u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX)
}

/// The width of a text in columns, as a `name::Width`.
pub fn columns(text: &str) -> u32 {
    width(text).into()
}

/// The first text that fits into `room` columns; `None` if no text fits. The texts are ordered from
/// the longest to the shortest. No text is cut, because a part of a number would be read as another
/// number.
pub fn first_fitting<S: AsRef<str>>(texts: &[S], room: u16) -> Option<&str> {
    texts.iter().map(AsRef::as_ref).find(|text| width(text) <= room)
}

/// Paints a text into the first line of `room`. A text that does not fit is cut at its end. Returns
/// the painted width in columns.
pub fn put(buffer: &mut Buffer, room: Rect, text: &str, align: Alignment, style: Style) -> u16 {
    let room = room.intersection(buffer.area);
    if room.is_empty() {
        return 0;
    }
    let width = width(text).min(room.width);
    let indent = match align {
        Alignment::Left => 0,
        Alignment::Center => (room.width - width) / 2,
        Alignment::Right => room.width - width,
    };
    buffer.set_stringn(room.x + indent, room.y, text, usize::from(width), style);
    width
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glyphs::Pixels;

    fn theme(variables: &[(&str, &str)]) -> Theme {
        with_font(variables, || None)
    }

    fn with_font(variables: &[(&str, &str)], font: impl FnOnce() -> Option<Font>) -> Theme {
        let variable = |name: &str| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Theme::from_env(variable, font)
    }

    #[test]
    fn colours_follow_the_environment() {
        for (variables, want) in [
            (vec![("TERM", "xterm"), ("COLORTERM", "truecolor")], Colours::True),
            (vec![("TERM", "xterm"), ("COLORTERM", "24bit")], Colours::True),
            (vec![("TERM", "screen-256color")], Colours::Indexed),
            (vec![("TERM", "xterm-256color"), ("COLORTERM", "yes")], Colours::Indexed),
            (vec![("TERM", "linux")], Colours::Sixteen),
            (vec![("TERM", "vt220")], Colours::None),
            (vec![("TERM", "dumb")], Colours::None),
            (vec![("COLORTERM", "truecolor"), ("NO_COLOR", "1")], Colours::None),
            // no-color.org: an empty value does not count.
            (vec![("COLORTERM", "truecolor"), ("NO_COLOR", "")], Colours::True),
        ] {
            assert_eq!(theme(&variables).colours, want, "{variables:?}");
        }
    }

    #[test]
    fn marks_follow_the_locale() {
        for (variables, want) in [
            (vec![("LANG", "de_DE.UTF-8")], Glyphs::UNICODE),
            (vec![("LANG", "C.utf8")], Glyphs::UNICODE),
            (vec![("LANG", "C.UTF-8"), ("LC_ALL", "C")], Glyphs::ASCII),
            (vec![("LANG", "C"), ("LC_CTYPE", "C.UTF-8")], Glyphs::UNICODE),
            (vec![("LANG", "C.UTF-8"), ("LC_ALL", "")], Glyphs::UNICODE),
            (vec![("LANG", "de_DE@euro")], Glyphs::ASCII),
            (vec![("LANG", "C.UTF-8"), ("TERM", "linux")], Glyphs::ASCII),
            (vec![], Glyphs::ASCII),
        ] {
            assert_eq!(theme(&variables).glyphs, want, "{variables:?}");
        }
    }

    #[test]
    fn the_font_of_a_console_counts_only_where_it_decodes_utf_8() {
        let font: Font = [('█', 219)].into_iter().collect();
        let console = [("TERM", "linux"), ("LANG", "C.UTF-8")];
        assert_eq!(with_font(&console, || Some(font.clone())).glyphs.pixels, Pixels::Cells("█"));
        assert_eq!(with_font(&console, || Some(Font::default())).glyphs.pixels, Pixels::Cells("#"));
        let unasked = || panic!("the font is asked for");
        assert_eq!(with_font(&[("TERM", "linux"), ("LANG", "C")], unasked).glyphs, Glyphs::ASCII);
        assert_eq!(
            with_font(&[("TERM", "xterm"), ("LANG", "C.UTF-8")], unasked).glyphs,
            Glyphs::UNICODE
        );
    }

    #[test]
    fn the_nearest_colour_is_taken() {
        let of = |colours| Theme { colours, glyphs: Glyphs::UNICODE };
        assert_eq!(of(Colours::True).colour(RUNS), Color::Rgb(0xF0, 0xE4, 0x42));
        // The nearest colour to `RUNS` (#f0e442) is 221 (#ffd75f). The colours 227 (#ffff5f) and
        // 185 (#d7d75f) are further away.
        assert_eq!(of(Colours::Indexed).colour(RUNS), Color::Indexed(221));
        assert_eq!(of(Colours::Indexed).colour(LOW), Color::Indexed(178));
        assert_eq!(of(Colours::Indexed).colour(FLAG), Color::Indexed(124));
        assert_eq!(of(Colours::Indexed).colour(INK), Color::Indexed(16));
        assert_eq!(of(Colours::Indexed).colour(GROUND), Color::Indexed(233));
        assert_eq!(of(Colours::Sixteen).colour(RUNS), Color::LightYellow);
        assert_eq!(of(Colours::Sixteen).colour(FLAG), Color::Red);
        assert_eq!(of(Colours::Sixteen).colour(GROUND), Color::Black);
    }
}
