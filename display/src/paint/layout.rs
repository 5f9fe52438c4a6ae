//! Where things stand on the face.

use ratatui::layout::Rect;

use super::digits::{Size, WIDEST};
use super::look::Glyphs;

/// The least size for the face with digits; below it everything is one line of text a side.
pub const NORMAL: (u16, u16) = (40, 10);
/// From this height on the status has room around it.
const ROOMY: u16 = 30;
/// A half from this size on has a frame. A lower one gives every row to the digits; in a narrower one
/// the digits are so small that a row is left below them.
const FRAMED: (u16, u16) = (30, 8);

/// The two halves and the line below them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub white: Rect,
    pub black: Rect,
    pub status: Rect,
}

/// The parts of one half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfLayout {
    /// Name, period and moves stand in the frame; flag, overrun and delay right below the digits,
    /// on the `lowest` line where the digits take all the room.
    Framed { digits: Rect, lowest: Rect },
    /// Everything but the digits stands in one line.
    Bare { line: Rect, digits: Rect },
    /// Too narrow to say everything in one line: the same notes as in a frame below the digits.
    Narrow { line: Rect, digits: Rect, lowest: Rect },
}

impl Layout {
    /// White on the left or on top, whichever gives the larger digits.
    ///
    /// Judged by the widest usual text, not by the one shown: the halves must not move when an
    /// hour has passed.
    pub fn of(area: Rect, glyphs: Glyphs) -> Layout {
        let lines = if area.height >= ROOMY { 3 } else { 1 };
        let (halves, status) = split_bottom(area, lines);
        let abreast = abreast(halves);
        let stacked = stacked(halves);
        let largest = |half| {
            let size = Size::fitting(WIDEST, HalfLayout::of(half).digits(), glyphs);
            size.map(Size::surface)
        };
        let (white, black) =
            if largest(stacked.0) > largest(abreast.0) { stacked } else { abreast };
        Layout { white, black, status }
    }
}

impl HalfLayout {
    pub fn of(half: Rect) -> HalfLayout {
        if half.width >= FRAMED.0 && half.height >= FRAMED.1 {
            let inner = half.inner(ratatui::layout::Margin::new(2, 1));
            let (digits, lowest) = split_bottom(inner, 1);
            return HalfLayout::Framed { digits, lowest };
        }
        let (digits, line) = split_top(half, 1);
        if half.height < FRAMED.1 {
            return HalfLayout::Bare { line, digits };
        }
        let (digits, lowest) = split_bottom(digits, 1);
        HalfLayout::Narrow { line, digits, lowest }
    }

    pub fn digits(self) -> Rect {
        match self {
            HalfLayout::Framed { digits, .. }
            | HalfLayout::Bare { digits, .. }
            | HalfLayout::Narrow { digits, .. } => digits,
        }
    }
}

/// What is left, and the lowest `lines` lines.
pub fn split_bottom(area: Rect, lines: u16) -> (Rect, Rect) {
    let lines = lines.min(area.height);
    let rest = area.height - lines;
    (Rect { height: rest, ..area }, Rect { y: area.y + rest, height: lines, ..area })
}

/// What is left, and the topmost `lines` lines.
fn split_top(area: Rect, lines: u16) -> (Rect, Rect) {
    let lines = lines.min(area.height);
    (
        Rect { y: area.y + lines, height: area.height - lines, ..area },
        Rect { height: lines, ..area },
    )
}

/// Two equal halves; an odd column is left free between them, so that both have equal digits.
fn abreast(area: Rect) -> (Rect, Rect) {
    let width = area.width / 2;
    let left = Rect { width, ..area };
    (left, Rect { x: area.right() - width, ..left })
}

fn stacked(area: Rect) -> (Rect, Rect) {
    let height = area.height / 2;
    let top = Rect { height, ..area };
    (top, Rect { y: area.bottom() - height, ..top })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(width: u16, height: u16) -> Layout {
        Layout::of(Rect::new(0, 0, width, height), Glyphs::Unicode)
    }

    #[test]
    fn the_layout_with_the_larger_digits_is_taken() {
        for (width, height, is_stacked) in [
            (40, 10, true),
            (40, 40, true),
            (80, 24, true),
            (60, 20, true),
            (120, 20, false),
            (140, 30, true),
            (160, 24, false),
            (200, 50, true),
            (300, 40, false),
            (100, 60, true),
        ] {
            let Layout { white, black, .. } = layout(width, height);
            assert_eq!(white.y < black.y, is_stacked, "{width}x{height}: {white} {black}");
            assert_eq!(white.x < black.x, !is_stacked, "{width}x{height}: {white} {black}");
        }
    }

    #[test]
    fn halves_are_equal_and_apart() {
        for width in 0..130 {
            for height in 0..50 {
                let Layout { white, black, status } = layout(width, height);
                assert_eq!((white.width, white.height), (black.width, black.height));
                assert!(white.intersection(black).is_empty());
                assert!(status.intersection(white.union(black)).is_empty());
            }
        }
    }
}
