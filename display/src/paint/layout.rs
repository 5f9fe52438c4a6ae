//! The areas of the parts of the display.

use ratatui::layout::Rect;

use super::digits::{Size, WIDEST};
use crate::glyphs::Glyphs;

/// The smallest width and height of a display with digits, in columns and rows. A smaller display
/// has one line of text for each side.
pub const MIN_WITH_DIGITS: (u16, u16) = (40, 10);
/// A display with at least this many rows has an empty line above and below the status line.
const MIN_FOR_TALL_STATUS: u16 = 30;
/// The smallest width and height of a side with a frame, in columns and rows. On a side with fewer
/// rows, the digits need every row below the line of texts ([`SideLayout::Bare`]). On a side that
/// is high enough but too narrow, the digits are so small that a row below them is left for the
/// notes ([`SideLayout::Narrow`]).
const MIN_FRAMED: (u16, u16) = (30, 8);

/// The areas of both sides, in the order of `Game::in_wired_order`, and of the status below them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub sides: [Rect; 2],
    pub status: Rect,
}

/// The areas of the parts of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideLayout {
    /// Name, period and moves are in the frame. The notes, such as flag, overrun and delay, are
    /// below the digits after an empty line. If the digits leave no room for that empty line, the
    /// notes are in the last line.
    Framed { digits: Rect, last_line: Rect },
    /// Everything except the digits is in one line above them.
    Bare { line: Rect, digits: Rect },
    /// The side is too narrow for all texts in one line, so the notes and the moves are below the
    /// digits.
    Narrow { line: Rect, digits: Rect, last_line: Rect },
}

impl Layout {
    /// The sides are side by side if the area is wider than high, and if each side then has a frame
    /// and digits. A cell is about twice as high as wide. Otherwise the sides are stacked. The first
    /// side is on the left or on top.
    ///
    /// The digits are those of the text `WIDEST` and not of the shown time, so that the sides do not
    /// move when less than an hour is left.
    pub fn of(area: Rect, glyphs: Glyphs) -> Layout {
        let lines = if area.height >= MIN_FOR_TALL_STATUS { 3 } else { 1 };
        let (sides, status) = split_bottom(area, lines);
        let abreast = abreast(sides);
        let side = SideLayout::of(abreast[0]);
        let is_wide = area.width > 2 * area.height
            && matches!(side, SideLayout::Framed { .. })
            && Size::fitting(WIDEST, side.digits(), glyphs).is_some();
        let sides = if is_wide { abreast } else { stacked(sides) };
        Layout { sides, status }
    }
}

impl SideLayout {
    pub fn of(side: Rect) -> SideLayout {
        if side.width >= MIN_FRAMED.0 && side.height >= MIN_FRAMED.1 {
            let inner = side.inner(ratatui::layout::Margin::new(1, 1));
            let (digits, last_line) = split_bottom(inner, 1);
            return SideLayout::Framed { digits, last_line };
        }
        let (digits, line) = split_top(side, 1);
        if side.height < MIN_FRAMED.1 {
            return SideLayout::Bare { line, digits };
        }
        let (digits, last_line) = split_bottom(digits, 1);
        SideLayout::Narrow { line, digits, last_line }
    }

    pub fn digits(self) -> Rect {
        match self {
            SideLayout::Framed { digits, .. }
            | SideLayout::Bare { digits, .. }
            | SideLayout::Narrow { digits, .. } => digits,
        }
    }
}

/// The area without its last `lines` lines, and these lines.
pub fn split_bottom(area: Rect, lines: u16) -> (Rect, Rect) {
    let lines = lines.min(area.height);
    let rest = area.height - lines;
    (Rect { height: rest, ..area }, Rect { y: area.y + rest, height: lines, ..area })
}

/// The area without its first `lines` lines, and these lines.
pub fn split_top(area: Rect, lines: u16) -> (Rect, Rect) {
    let lines = lines.min(area.height);
    (
        Rect { y: area.y + lines, height: area.height - lines, ..area },
        Rect { height: lines, ..area },
    )
}

/// Two areas of equal width side by side. If the width is odd, a column between them stays free.
fn abreast(area: Rect) -> [Rect; 2] {
    let width = area.width / 2;
    let left = Rect { width, ..area };
    [left, Rect { x: area.right() - width, ..left }]
}

fn stacked(area: Rect) -> [Rect; 2] {
    let height = area.height / 2;
    let top = Rect { height, ..area };
    [top, Rect { y: area.bottom() - height, ..top }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(width: u16, height: u16) -> Layout {
        Layout::of(Rect::new(0, 0, width, height), Glyphs::UNICODE)
    }

    #[test]
    fn the_sides_of_a_wide_terminal_are_side_by_side() {
        for (width, height, is_stacked) in [
            (40, 10, true),
            (40, 40, true),
            (80, 24, false),
            (58, 20, true),
            (60, 20, false),
            (80, 8, true),
            (120, 20, false),
            (140, 30, false),
            (200, 50, false),
            (100, 60, true),
        ] {
            let [first, second] = layout(width, height).sides;
            assert_eq!(first.y < second.y, is_stacked, "{width}x{height}: {first} {second}");
            assert_eq!(first.x < second.x, !is_stacked, "{width}x{height}: {first} {second}");
        }
    }

    #[test]
    fn halves_are_equal_and_apart() {
        for width in 0..130 {
            for height in 0..50 {
                let Layout { sides: [first, second], status } = layout(width, height);
                assert_eq!((first.width, first.height), (second.width, second.height));
                assert!(first.intersection(second).is_empty());
                assert!(status.intersection(first.union(second)).is_empty());
            }
        }
    }
}
