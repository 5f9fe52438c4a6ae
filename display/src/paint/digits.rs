//! Seven-segment digits, scaled to any room.
//!
//! Drawn in pixels: with Unicode each cell is two pixels high (half blocks), so that a pixel is
//! about square; in ASCII a cell is one. Sizes follow from the shape of a text alone, so nothing
//! jumps while it counts.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::look::Glyphs;

/// The measures of one digit, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    height: u16,
    width: u16,
    /// How thick an upright segment is, and a separator.
    upright: u16,
    /// How thick a lying segment is.
    lying: u16,
    /// Between two characters.
    gap: u16,
}

/// The widest text a game usually shows: layouts are chosen by it, whatever is shown now.
pub const WIDEST: &str = "0:00:00";
/// Every time below one hour has the size of this, so that only the position moves at 9:59 or 9.9.
const WITHIN_HOUR: &str = "00:00";
/// The smallest digit that reads as one.
const LEAST: (u16, u16) = (3, 5);

/// Which segments are lit, from the least bit: top, upper right, lower right, bottom, lower left,
/// upper left, middle.
const SEGMENTS: [u8; 10] = [
    0b011_1111, 0b000_0110, 0b101_1011, 0b100_1111, 0b110_0110, 0b110_1101, 0b111_1101, 0b000_0111,
    0b111_1111, 0b110_1111,
];

impl Size {
    /// The largest digits with which `text`, and all texts of its shape, fit `room`.
    pub fn fitting(text: &str, room: Rect, glyphs: Glyphs) -> Option<Size> {
        let shape = if text.matches(':').count() > 1 { text } else { WITHIN_HOUR };
        let tall = room.height * rows(glyphs);
        (LEAST.0..=room.width)
            .rev()
            .map(|width| Size::of_width(width, tall, glyphs))
            .find(|size| size.height <= tall && size.extent(shape) <= room.width)
    }

    /// Digits of a width: as tall as there is room, but never so tall or flat as to look odd.
    fn of_width(width: u16, tall: u16, glyphs: Glyphs) -> Size {
        // Half the pixels upright make the same shape where a pixel is twice as tall.
        let (flattest, tallest) = match glyphs {
            Glyphs::Unicode => (width * 5 / 4, width * 2),
            Glyphs::Ascii => (width * 5 / 8, width),
        };
        let flattest = flattest.max(LEAST.1);
        let upright = (width / 5).max(1);
        let lying = match glyphs {
            Glyphs::Unicode => upright,
            Glyphs::Ascii => (upright / 2).max(1),
        };
        let height = tall.min(tallest).max(flattest);
        Size {
            // The middle bar exactly in the middle, if need be at the cost of one pixel.
            height: height - (height - lying) % 2,
            width,
            upright,
            lying,
            gap: (width / 5).max(1),
        }
    }

    /// How large a digit is. Not its height alone: one row more must not win over digits half as
    /// wide again.
    pub fn surface(self) -> u32 {
        u32::from(self.height) * u32::from(self.width)
    }

    /// How wide a text is, in cells.
    fn extent(self, text: &str) -> u16 {
        let widths: u16 = text.chars().map(|c| self.advance(c)).sum();
        widths.saturating_sub(self.gap)
    }

    fn advance(self, character: char) -> u16 {
        let width = if character.is_ascii_digit() { self.width } else { self.upright };
        width + self.gap
    }

    /// The cells a text takes in the middle of `room`: a matter of its shape, not of its digits.
    pub fn bounds(self, text: &str, room: Rect, glyphs: Glyphs) -> Rect {
        let width = self.extent(text).min(room.width);
        let height = self.height.div_ceil(rows(glyphs)).min(room.height);
        Rect {
            x: room.x + (room.width - width) / 2,
            y: room.y + (room.height - height) / 2,
            width,
            height,
        }
    }

    /// Paints `text` in the middle of `room`.
    pub fn paint(self, buffer: &mut Buffer, text: &str, room: Rect, glyphs: Glyphs, style: Style) {
        let bounds = self.bounds(text, room, glyphs);
        let mut x = 0;
        for character in text.chars() {
            for bar in self.bars(character) {
                for (dx, y) in bar.pixels() {
                    light(buffer, bounds, (x + dx, y), glyphs, style);
                }
            }
            x += self.advance(character);
        }
    }

    /// The lit bars of one character.
    fn bars(self, character: char) -> Vec<Bar> {
        let Size { height, upright, lying, .. } = self;
        let dot = |y| Bar { x: 0, y, width: upright, height: lying };
        if let Some(digit) = character.to_digit(10).and_then(|digit| usize::try_from(digit).ok()) {
            let lit = SEGMENTS[digit];
            let segments = self.segments().into_iter().enumerate();
            return segments.filter(|(bit, _)| lit >> bit & 1 == 1).map(|(_, bar)| bar).collect();
        }
        match character {
            // The second dot mirrors the first.
            ':' => vec![dot(height / 4), dot(height - height / 4 - lying)],
            '.' => vec![dot(height - lying)],
            _ => Vec::new(),
        }
    }

    /// All seven bars, in the order of the bits of [`SEGMENTS`].
    fn segments(self) -> [Bar; 7] {
        let Size { height, width, upright, lying, .. } = self;
        let middle = (height - lying) / 2;
        let lying_at = |y| Bar { x: 0, y, width, height: lying };
        // Upper and lower bars both cover the middle one's ends: no notch in a 0 or a 1.
        let upper = |x| Bar { x, y: 0, width: upright, height: middle + lying };
        let lower = |x| Bar { x, y: middle, width: upright, height: height - middle };
        let right = width - upright;
        [
            lying_at(0),
            upper(right),
            lower(right),
            lying_at(height - lying),
            lower(0),
            upper(0),
            lying_at(middle),
        ]
    }
}

/// A filled rectangle, in pixels.
struct Bar {
    x: u16,
    y: u16,
    width: u16,
    height: u16,
}

impl Bar {
    fn pixels(&self) -> impl Iterator<Item = (u16, u16)> + use<> {
        let (left, right) = (self.x, self.x + self.width);
        (self.y..self.y + self.height).flat_map(move |y| (left..right).map(move |x| (x, y)))
    }
}

/// Pixels a cell is high.
fn rows(glyphs: Glyphs) -> u16 {
    match glyphs {
        Glyphs::Unicode => 2,
        Glyphs::Ascii => 1,
    }
}

/// Lights one pixel within `bounds`; in half blocks, beside the pixel already lit in that cell.
fn light(buffer: &mut Buffer, bounds: Rect, (x, y): (u16, u16), glyphs: Glyphs, style: Style) {
    let at = Position::new(bounds.x + x, bounds.y + y / rows(glyphs));
    if !bounds.contains(at) {
        return;
    }
    let Some(cell) = buffer.cell_mut(at) else {
        return;
    };
    let symbol = match (glyphs, cell.symbol(), y % 2) {
        (Glyphs::Ascii, ..) => "#",
        (Glyphs::Unicode, "█", _) | (Glyphs::Unicode, "▄", 0) | (Glyphs::Unicode, "▀", 1) => {
            "█"
        }
        (Glyphs::Unicode, _, 0) => "▀",
        (Glyphs::Unicode, ..) => "▄",
    };
    cell.set_symbol(symbol).set_style(style);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(text: &str, width: u16, height: u16, glyphs: Glyphs) -> Vec<String> {
        let room = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(room);
        let size = Size::fitting(text, room, glyphs).unwrap();
        size.paint(&mut buffer, text, room, glyphs, Style::new());
        (0..height).map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect()).collect()
    }

    #[test]
    fn the_least_digits_can_be_read() {
        assert_eq!(
            picture("1:23:45", 23, 3, Glyphs::Unicode),
            ["  █ ▄ ▀▀█ ▀▀█ ▄ █ █ █▀▀", "  █ ▄ █▀▀ ▀▀█ ▄ ▀▀█ ▀▀█", "  ▀   ▀▀▀ ▀▀▀     ▀ ▀▀▀",]
        );
        assert_eq!(
            picture("67:89", 18, 5, Glyphs::Ascii),
            [
                "### ###   ### ### ",
                "#     # # # # # # ",
                "###   #   ### ### ",
                "# #   # # # #   # ",
                "###   #   ### ### ",
            ]
        );
        assert_eq!(
            picture("0.0", 17, 3, Glyphs::Unicode),
            ["    █▀█   █▀█    ", "    █ █   █ █    ", "    ▀▀▀ ▀ ▀▀▀    "]
        );
    }

    #[test]
    fn room_too_small_has_no_digits() {
        for (width, height) in [(0, 0), (22, 3), (23, 2), (200, 2), (22, 60)] {
            let room = Rect::new(0, 0, width, height);
            assert_eq!(Size::fitting(WIDEST, room, Glyphs::Unicode), None, "{room}");
        }
        assert!(Size::fitting(WIDEST, Rect::new(0, 0, 23, 3), Glyphs::Unicode).is_some());
        assert!(Size::fitting(WIDEST, Rect::new(0, 0, 23, 4), Glyphs::Ascii).is_none());
    }

    #[test]
    fn digits_fill_the_room_and_stay_in_it() {
        for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
            for width in 1..120 {
                for height in 1..40 {
                    let room = Rect::new(3, 2, width, height);
                    for text in ["1:29:58", "10:00:00", "29:58", "9.9"] {
                        let Some(size) = Size::fitting(text, room, glyphs) else {
                            continue;
                        };
                        let bounds = size.bounds(text, room, glyphs);
                        assert_eq!(bounds.intersection(room), bounds);
                        assert_eq!(bounds.width, size.extent(text), "cut: {text} in {room}");
                        assert!(size.height <= room.height * rows(glyphs), "{text} in {room}");
                    }
                }
            }
        }
    }

    #[test]
    fn more_room_never_makes_smaller_digits() {
        let size = |width, height| {
            let room = Rect::new(0, 0, width, height);
            Size::fitting(WIDEST, room, Glyphs::Unicode).map(Size::surface)
        };
        for width in 1..150 {
            for height in 1..40 {
                assert!(size(width, height + 1) >= size(width, height), "{width}x{height}");
            }
        }
    }
}
