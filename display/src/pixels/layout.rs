//! The places of the two halves of the picture and of the status line on a screen.

use super::area::{Area, Rotation};
use super::font::{Font, capital_height};

/// The arrangement of the two halves of the picture, one for each player. While the buttons are
/// exchanged, White's half and Black's change their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Arrangement {
    /// White on the left, Black on the right.
    SideBySide,
    /// White above Black.
    Stacked,
    /// Black above White, with Black's half upside down, for a screen that lies between the
    /// players.
    Facing,
}

/// A part of the screen, and how far its drawing is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub area: Area,
    pub rotation: Rotation,
}

/// The parts of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The parts for the halves, in the order of `Game::in_wired_order`.
    pub halves: [Part; 2],
    /// The parts for the status line: one, or in [`Arrangement::Facing`] one for each player.
    pub status: Vec<Part>,
}

/// The areas of the parts of a half, in the coordinates of the half before it is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfLayout {
    /// The width of the frame's lines. Between the frame and the edge of the half, and between the
    /// frame and the texts, as much of the ground is visible.
    pub line: u32,
    /// The line of the player's name; in a wide half also of the counts.
    pub heading: Area,
    /// A line of its own for the moves, in a half in which a name and the counts would not fit side
    /// by side. The period is then beside the notes.
    pub counts: Option<Area>,
    /// The room for the disc that has the colour of the side's pieces.
    pub disc: Area,
    /// The digits, without the disc.
    pub time: Area,
    pub notes: Area,
}

/// A name and the counts fit side by side in a half that is this many heights of capital letters
/// wide.
const SIDE_BY_SIDE: u32 = 24;
/// In a half that is at least this many times as wide as high, such as those of a bar with stacked
/// halves, lines above and below the time would have letters of 3.5 mm. There the lines are beside it.
const FLAT: u32 = 5;
/// The width of the lines beside the time, in hundredths of the width of the half.
const LINES_BESIDE: u32 = 46;
/// The height of the lines above and below the time: 3/2 of the height of their capital letters.
pub const BAND: (u32, u32) = (3, 2);

/// The widest time below one hour. All times below one hour have the size of this text.
const WITHIN_HOUR: &str = "00:00";
/// The widest time below 10 h. The arrangement is chosen for this text and not for the shown time,
/// so that the halves do not move when less than an hour is left.
const WIDEST: &str = "0:00:00";

impl Layout {
    /// The parts of a screen of this size. If `arrangement` is `None`, the halves are stacked if
    /// that gives larger digits, and side by side otherwise; [`Arrangement::Facing`] is never
    /// chosen.
    pub fn of(size: (u32, u32), arrangement: Option<Arrangement>, font: &Font) -> Layout {
        match arrangement {
            Some(arrangement) => Layout::arranged(size, arrangement),
            None => {
                let abreast = Layout::arranged(size, Arrangement::SideBySide);
                let stacked = Layout::arranged(size, Arrangement::Stacked);
                if stacked.digit_height(font) > abreast.digit_height(font) {
                    stacked
                } else {
                    abreast
                }
            }
        }
    }

    fn arranged(size: (u32, u32), arrangement: Arrangement) -> Layout {
        let screen = Area::of_size(size);
        let line = (screen.height.min(screen.width) / 10).max(1);
        let upright = |area| Part { area, rotation: Rotation::None };
        match arrangement {
            Arrangement::SideBySide | Arrangement::Stacked => {
                let (halves, status) = screen.split_top(screen.height.saturating_sub(line));
                let (first, second) = match arrangement {
                    Arrangement::SideBySide => halves.split_left(halves.width / 2),
                    _ => halves.split_top(halves.height / 2),
                };
                Layout { halves: [upright(first), upright(second)], status: vec![upright(status)] }
            }
            Arrangement::Facing => {
                let (far, rest) = screen.split_top(screen.height.saturating_sub(line) / 2);
                let (middle, near) = rest.split_top(rest.height.saturating_sub(far.height));
                let (left, right) = middle.split_left(middle.width / 2);
                let turned = |area| Part { area, rotation: Rotation::Half };
                Layout {
                    halves: [upright(near), turned(far)],
                    status: vec![turned(left), upright(right)],
                }
            }
        }
    }

    /// The height of the digits of a time such as `0:00:00`, in pixels.
    pub fn digit_height(&self, font: &Font) -> u32 {
        let time = HalfLayout::of(self.halves[0].area.size()).time;
        capital_height(time_size(WIDEST, time, font))
    }
}

impl HalfLayout {
    pub fn of((width, height): (u32, u32)) -> HalfLayout {
        let line = (width.min(height) / 96).max(1);
        let inner = Area::of_size((width, height)).inset(3 * line);
        if width >= FLAT * height {
            return HalfLayout::flat(line, inner);
        }
        // On a panel of seven inches the capital letters are 5 mm high, which can be read from 1 m.
        // The width limits them, too, so that names fit in a half that is higher than it is wide.
        let capitals = (height * 13 / 100).min(width * 7 / 100);
        let band = (capitals * BAND.0).div_ceil(BAND.1);
        let (heading, rest) = inner.split_top(band);
        if width >= SIDE_BY_SIDE * capitals {
            let (time, notes) = rest.split_top(rest.height.saturating_sub(band));
            // The widest time is 5.6 times as wide as its room is high. The disc has what the digits
            // do not need, but at least a seventh of the width and at most about their height.
            let spare = time.width.saturating_sub(time.height * 56 / 10);
            let side = spare.max(time.width / 7).min(time.height * 19 / 20);
            let (left, time) = time.split_left(side);
            return HalfLayout { line, heading, counts: None, disc: left, time, notes };
        }
        let (counts, rest) = rest.split_top(band);
        let (time, notes) = rest.split_top(rest.height.saturating_sub(band));
        let block = Area { height: heading.height + counts.height, ..heading };
        let right_of = |line: Area| line.split_left(block.height + capitals / 2).1;
        let (disc, _) = block.split_left(block.height);
        let (heading, counts) = (right_of(heading), Some(right_of(counts)));
        HalfLayout { line, heading, counts, disc, time, notes }
    }
}

impl HalfLayout {
    /// A half whose three lines are on the left, the disc beside them, and the time on the right.
    fn flat(line: u32, inner: Area) -> HalfLayout {
        let (lines, rest) = inner.split_left(inner.width * LINES_BESIDE / 100);
        let (heading, below) = lines.split_top(lines.height / 3);
        let (counts, notes) = below.split_top(lines.height / 3);
        let (disc, time) = rest.split_left(inner.height * 6 / 10);
        HalfLayout { line, heading, counts: Some(counts), disc, time, notes }
    }
}

/// The size of the font for `time` in `room`. There is one size for the times below one hour and one
/// for the others; only a time that is wider, or has the sign of a flag, can have a third one.
pub fn steady_size(time: &str, room: Area, font: &Font) -> u32 {
    let of_class = if time.matches(':').count() > 1 { WIDEST } else { WITHIN_HOUR };
    time_size(of_class, room, font).min(time_size(time, room, font))
}

/// Where the last digit of every time ends: at the right end of the widest time, which is in the
/// middle of `room`.
pub fn time_end(room: Area, font: &Font) -> u32 {
    let width = font.width(WIDEST, time_size(WIDEST, room, font));
    room.right() - room.width.saturating_sub(width) / 2
}

/// The largest size of the font at which `time` fits into `room`. The size depends on the number of
/// digits, and not on which digits they are.
pub fn time_size(time: &str, room: Area, font: &Font) -> u32 {
    let fits = |size: u32| {
        let width: u32 = time.chars().map(|sign| font.advance(widest_like(sign), size)).sum();
        let height = capital_height(size);
        width <= room.width && height + 2 * around_time(height) <= room.height
    };
    // Bisection between a size that fits and a size that does not fit.
    let (mut fitting, mut too_large) = (0, 2 * room.height + 2);
    while too_large - fitting > 1 {
        let middle = u32::midpoint(fitting, too_large);
        if fits(middle) {
            fitting = middle;
        } else {
            too_large = middle;
        }
    }
    fitting
}

/// The distance from digits of this height to the edge of the box around the time. The distance is
/// needed because round digits are a little higher than the others, and must not be cut.
pub fn around_time(digit_height: u32) -> u32 {
    digit_height * 3 / 100 + 1
}

fn widest_like(sign: char) -> char {
    if sign.is_ascii_digit() { '0' } else { sign }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREENS: [(u32, u32); 6] =
        [(800, 480), (1024, 600), (1280, 400), (1920, 1080), (480, 800), (3840, 2160)];

    #[test]
    fn the_arrangement_with_the_largest_digits_is_taken() {
        let font = Font::new();
        for size in SCREENS {
            let wide = size == (1280, 400);
            let wanted = if wide { Arrangement::SideBySide } else { Arrangement::Stacked };
            let taken = Layout::of(size, None, &font);
            assert_eq!(taken, Layout::arranged(size, wanted), "{size:?}");
        }
    }

    /// The digits must be at least 20 mm high on a panel of 7 inches with 800 × 480 pixels. Each
    /// pixel is 0.179 mm high. On this panel the halves are stacked.
    #[test]
    fn a_panel_of_seven_inches_is_read_from_three_metres() {
        let font = Font::new();
        let height = Layout::of((800, 480), None, &font).digit_height(&font);
        assert!(f64::from(height) * 0.179 >= 20.0, "{height} pixels");
    }

    #[test]
    fn the_parts_cover_the_screen_once() {
        for size in SCREENS.into_iter().chain([(1, 1), (2, 3), (33, 17)]) {
            for arrangement in [Arrangement::SideBySide, Arrangement::Stacked, Arrangement::Facing]
            {
                let layout = Layout::arranged(size, arrangement);
                let parts: Vec<Area> =
                    layout.halves.into_iter().chain(layout.status).map(|part| part.area).collect();
                let pixels: u32 = parts.iter().map(|area| area.width * area.height).sum();
                assert_eq!(pixels, size.0 * size.1, "{size:?} {arrangement:?}");
                for (at, part) in parts.iter().enumerate() {
                    assert!(part.right() <= size.0 && part.bottom() <= size.1);
                    for other in &parts[at + 1..] {
                        assert_eq!(part.intersection(*other), None, "{size:?} {arrangement:?}");
                    }
                }
            }
        }
    }
}
