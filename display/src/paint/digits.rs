//! Seven-segment digits that are scaled to the available room.
//!
//! The digits are drawn in pixels. With half blocks, a cell is two pixels high, so that a pixel is
//! about square. Otherwise a cell is one pixel. The size depends only on the number of digits and
//! separators in a text, so nothing moves while only the digits of a time change.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::content::FLAG_SIGN;
use crate::glyphs::{Glyphs, Pixels};

/// The dimensions of one digit, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    height: u16,
    width: u16,
    /// The width of a vertical segment.
    vertical: u16,
    /// The height of a horizontal segment.
    horizontal: u16,
    /// The space between two characters, and the width of a separator.
    gap: u16,
}

/// The widest time below 10 h. The layout is chosen for this text, whichever text is shown.
pub const WIDEST: &str = "0:00:00";
/// The text that determines the size of the digits of all times below one hour. So the digits of
/// 9:59 are as large as those of 10:00.
const WITHIN_HOUR: &str = "00:00";
/// The width and height of the smallest legible digit, in pixels.
const MIN_DIGIT: (u16, u16) = (3, 5);

/// The lit segments of each digit. The bits from the lowest to the highest are: top, upper right,
/// lower right, bottom, lower left, upper left, middle.
const SEGMENTS: [u8; 10] = [
    0b011_1111, 0b000_0110, 0b101_1011, 0b100_1111, 0b110_0110, 0b110_1101, 0b111_1101, 0b000_0111,
    0b111_1111, 0b110_1111,
];

impl Size {
    /// The largest size at which `text`, and every text with as many digits and separators, fits
    /// into `room`. For a text with at most one colon, the result is the largest size at which
    /// `WITHIN_HOUR` fits. Returns `None` if not even the smallest legible size fits.
    pub fn fitting(text: &str, room: Rect, glyphs: Glyphs) -> Option<Size> {
        let shape = if text.matches(':').count() > 1 { text } else { WITHIN_HOUR };
        let tall = room.height * glyphs.pixels.rows();
        (MIN_DIGIT.0..=room.width)
            .rev()
            .map(|width| Size::of_width(width, tall, glyphs))
            .find(|size| size.height <= tall && size.extent(shape) <= room.width)
    }

    /// Digits of this width. Their height is `tall`, the height of the room in pixels, if the
    /// proportions of digits allow it. Otherwise it is the nearest height that the proportions
    /// allow, which can be more than `tall`.
    fn of_width(width: u16, tall: u16, glyphs: Glyphs) -> Size {
        // A pixel that is a whole cell is twice as tall as it is wide, so a digit with the same
        // proportions has half as many pixels in its height.
        let (flattest, tallest) = match glyphs.pixels {
            Pixels::HalfBlocks => (width * 5 / 4, width * 3),
            Pixels::Cells(_) => (width * 5 / 8, width * 3 / 2),
        };
        let flattest = flattest.max(MIN_DIGIT.1);
        let height = tall.min(tallest).max(flattest);
        // The strokes of a flat digit are thin, so that its holes stay open.
        let vertical = ((width + 2) / 4).min(height / 6).max(1);
        let horizontal = match glyphs.pixels {
            Pixels::HalfBlocks => vertical,
            Pixels::Cells(_) => (vertical / 2).max(1),
        };
        Size {
            // The height is reduced by one pixel if that puts the middle segment exactly into the
            // middle.
            height: height - (height - horizontal) % 2,
            width,
            vertical,
            horizontal,
            gap: (width / 5).max(1),
        }
    }

    /// The width of a text, in cells.
    fn extent(self, text: &str) -> u16 {
        let widths: u16 = text.chars().map(|c| self.advance(c)).sum();
        widths.saturating_sub(self.gap)
    }

    fn advance(self, character: char) -> u16 {
        let is_wide = character.is_ascii_digit() || [FLAG_SIGN, '/'].contains(&character);
        let width = if is_wide { self.width } else { self.gap };
        width + self.gap
    }

    /// The area that a text covers in the middle of `room`, in cells. It depends on the number of
    /// digits and separators in the text, and not on which digits these are.
    pub fn bounds(self, text: &str, room: Rect, glyphs: Glyphs) -> Rect {
        let width = self.extent(text).min(room.width);
        let height = self.height.div_ceil(glyphs.pixels.rows()).min(room.height);
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

    /// The rectangles of one character: the lit segments of a digit, or the dots of a separator.
    fn bars(self, character: char) -> Vec<Bar> {
        let Size { height, vertical, horizontal, gap, .. } = self;
        let dot = |y| Bar { x: 0, y, width: gap, height: horizontal };
        if let Some(digit) = character.to_digit(10).and_then(|digit| usize::try_from(digit).ok()) {
            let lit = SEGMENTS[digit];
            let segments = self.segments().into_iter().enumerate();
            return segments.filter(|(bit, _)| lit >> bit & 1 == 1).map(|(_, bar)| bar).collect();
        }
        match character {
            // The lower dot is as far from the bottom as the upper dot is from the top.
            ':' => vec![dot(height / 4), dot(height - height / 4 - horizontal)],
            '.' => vec![dot(height - horizontal)],
            '/' => {
                let across = self.width.saturating_sub(vertical);
                let step = |y| Bar {
                    x: across * (height - 1 - y) / height,
                    y,
                    width: vertical,
                    height: 1,
                };
                (0..height).map(step).collect()
            }
            // A pole, and a cloth at its upper half.
            FLAG_SIGN => vec![
                Bar { x: 0, y: 0, width: vertical, height },
                Bar { x: 0, y: 0, width: self.width, height: height.div_ceil(2) },
            ],
            _ => Vec::new(),
        }
    }

    /// All seven segments, in the order of the bits of [`SEGMENTS`].
    fn segments(self) -> [Bar; 7] {
        let Size { height, width, vertical, horizontal, .. } = self;
        let middle = (height - horizontal) / 2;
        let horizontal_at = |y| Bar { x: 0, y, width, height: horizontal };
        // The upper and the lower segments both cover the ends of the middle segment, so that a 0
        // or a 1 has no gap there.
        let upper = |x| Bar { x, y: 0, width: vertical, height: middle + horizontal };
        let lower = |x| Bar { x, y: middle, width: vertical, height: height - middle };
        let right = width - vertical;
        [
            horizontal_at(0),
            upper(right),
            lower(right),
            horizontal_at(height - horizontal),
            lower(0),
            upper(0),
            horizontal_at(middle),
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

/// Lights one pixel. `x` and `y` count from the upper left corner of `bounds`; a pixel outside
/// `bounds` is left out. With half blocks, the other pixel of the same cell stays lit if it is lit.
fn light(buffer: &mut Buffer, bounds: Rect, (x, y): (u16, u16), glyphs: Glyphs, style: Style) {
    let at = Position::new(bounds.x + x, bounds.y + y / glyphs.pixels.rows());
    if !bounds.contains(at) {
        return;
    }
    let Some(cell) = buffer.cell_mut(at) else {
        return;
    };
    let symbol = match (glyphs.pixels, cell.symbol(), y % 2) {
        (Pixels::Cells(lit), ..) => lit,
        (Pixels::HalfBlocks, "█", _)
        | (Pixels::HalfBlocks, "▄", 0)
        | (Pixels::HalfBlocks, "▀", 1) => "█",
        (Pixels::HalfBlocks, _, 0) => "▀",
        (Pixels::HalfBlocks, ..) => "▄",
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
            picture("1:23:45", 23, 3, Glyphs::UNICODE),
            ["  █ ▄ ▀▀█ ▀▀█ ▄ █ █ █▀▀", "  █ ▄ █▀▀ ▀▀█ ▄ ▀▀█ ▀▀█", "  ▀   ▀▀▀ ▀▀▀     ▀ ▀▀▀",]
        );
        assert_eq!(
            picture("67:89", 18, 5, Glyphs::ASCII),
            [
                "### ###   ### ### ",
                "#     # # # # # # ",
                "###   #   ### ### ",
                "# #   # # # #   # ",
                "###   #   ### ### ",
            ]
        );
        assert_eq!(
            picture("0.0", 17, 3, Glyphs::UNICODE),
            ["    █▀█   █▀█    ", "    █ █   █ █    ", "    ▀▀▀ ▀ ▀▀▀    "]
        );
        assert_eq!(
            picture("⚑0.0", 17, 3, Glyphs::UNICODE),
            ["  ███ █▀█   █▀█  ", "  █▀▀ █ █   █ █  ", "  ▀   ▀▀▀ ▀ ▀▀▀  "]
        );
    }

    #[test]
    fn room_too_small_has_no_digits() {
        for (width, height) in [(0, 0), (22, 3), (23, 2), (200, 2), (22, 60)] {
            let room = Rect::new(0, 0, width, height);
            assert_eq!(Size::fitting(WIDEST, room, Glyphs::UNICODE), None, "{room}");
        }
        assert!(Size::fitting(WIDEST, Rect::new(0, 0, 23, 3), Glyphs::UNICODE).is_some());
        assert!(Size::fitting(WIDEST, Rect::new(0, 0, 23, 4), Glyphs::ASCII).is_none());
    }

    #[test]
    fn digits_fill_the_room_and_stay_in_it() {
        for glyphs in [Glyphs::UNICODE, Glyphs::ASCII] {
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
                        assert!(
                            size.height <= room.height * glyphs.pixels.rows(),
                            "{text} in {room}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn more_room_never_makes_smaller_digits() {
        let size = |width, height| {
            let room = Rect::new(0, 0, width, height);
            Size::fitting(WIDEST, room, Glyphs::UNICODE).map(|size| size.height * size.width)
        };
        for width in 1..150 {
            for height in 1..40 {
                assert!(size(width, height + 1) >= size(width, height), "{width}x{height}");
            }
        }
    }
}
