//! The places of the two halves of the picture and of the status line on a screen.

use super::area::{Area, Rotation};
use super::font::{Font, Typeface, capital_height};

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
    /// The line between the halves; empty if the status line is between them.
    pub border: Area,
    /// The parts for the status line: one, or in [`Arrangement::Facing`] one for each player.
    pub status: Vec<Part>,
}

/// The areas of the parts of a half, in the coordinates of the half before it is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfLayout {
    /// The room for the disc that has the colour of the side's pieces.
    pub disc: Area,
    /// Whether the disc is beside the time, and not beside the name.
    pub is_disc_beside_time: bool,
    pub name: Area,
    /// The height of a name on one line.
    pub band: u32,
    /// The mark of the side on move.
    pub mark: Area,
    /// The time, and beside it a sign as large as the digits if there is one.
    pub time: Area,
    /// The bar of a low time.
    pub bar: Area,
    /// The small line: the moves, the method, the period and the notes.
    pub small: Area,
}

/// In a half that is this many heights of capital letters wide, the digits leave room for the disc.
const WIDE: u32 = 24;
/// In a half that is at least this many times as wide as high, such as those of a bar with stacked
/// halves, lines above and below the time would have letters of 3.5 mm. There the lines are beside it.
const FLAT: u32 = 5;
/// The width of the lines beside the time, in hundredths of the width of the half.
const LINES_BESIDE: u32 = 48;
/// The height of the lines above and below the time: 3/2 of the height of their capital letters.
pub const BAND: (u32, u32) = (3, 2);

/// The widest time below 10 h.
const WIDEST: &str = "0:00:00";
/// Below a minute, the seconds are larger than the signs beside them, whose height is this part of
/// the height of the seconds.
const BESIDE_SECONDS: (u32, u32) = (1, 2);

impl Layout {
    /// The parts of a screen of this size. If `arrangement` is `None`, the halves of a screen that
    /// is wider than high are side by side, and those of another screen are stacked.
    pub fn of(size: (u32, u32), arrangement: Option<Arrangement>) -> Layout {
        let by_shape = match size.0 > size.1 {
            true => Arrangement::SideBySide,
            false => Arrangement::Stacked,
        };
        Layout::arranged(size, arrangement.unwrap_or(by_shape))
    }

    fn arranged(size: (u32, u32), arrangement: Arrangement) -> Layout {
        let screen = Area::of_size(size);
        let line = (screen.height.min(screen.width) / 10).max(1);
        let upright = |area| Part { area, rotation: Rotation::None };
        match arrangement {
            Arrangement::SideBySide | Arrangement::Stacked => {
                let (halves, status) = screen.split_top(screen.height.saturating_sub(line));
                let thin = (line / 16).max(1);
                let (first, second, border) = match arrangement {
                    Arrangement::SideBySide => {
                        let (left, right) = halves.split_left(halves.width / 2);
                        (left, right, right.split_left(thin).0)
                    }
                    _ => {
                        let (above, below) = halves.split_top(halves.height / 2);
                        (above, below, below.split_top(thin).0)
                    }
                };
                let halves = [upright(first), upright(second)];
                Layout { halves, border, status: vec![upright(status)] }
            }
            Arrangement::Facing => {
                let (far, rest) = screen.split_top(screen.height.saturating_sub(line) / 2);
                let (middle, near) = rest.split_top(rest.height.saturating_sub(far.height));
                let (left, right) = middle.split_left(middle.width / 2);
                let turned = |area| Part { area, rotation: Rotation::Half };
                Layout {
                    halves: [upright(near), turned(far)],
                    border: Area::of_size((0, 0)),
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
        let is_wide = width >= WIDE * capitals;
        // A half that is higher than wide has room for a name on two lines.
        let (heading, rest) = inner.split_top(if width < height { band * 3 / 2 } else { band });
        let (time, small) = rest.split_top(rest.height.saturating_sub(band));
        let (bar, small) = small.split_top((line * 3).div_ceil(2));
        let (name, mark) = heading.split_left(heading.width.saturating_sub(capitals * 3 / 2));
        if is_wide {
            // The widest time is 3.4 times as wide as its room is high. The disc has what the digits
            // do not need, but at least a seventh of the width and at most about their height.
            let spare = time.width.saturating_sub(time.height * 34 / 10);
            let side = spare.max(time.width / 7).min(time.height * 19 / 20);
            let (disc, time) = time.split_left(side);
            return HalfLayout {
                disc,
                is_disc_beside_time: true,
                name,
                band,
                mark,
                time,
                bar,
                small,
            };
        }
        let (disc, name) = name.split_left(name.height);
        let name = name.split_left(capitals / 3).1;
        HalfLayout { disc, is_disc_beside_time: false, name, band, mark, time, bar, small }
    }

    /// A half whose lines are on the left, the disc beside them, and the time on the right.
    fn flat(line: u32, inner: Area) -> HalfLayout {
        let (lines, rest) = inner.split_left(inner.width * LINES_BESIDE / 100);
        let (heading, small) = lines.split_top(lines.height * 2 / 3);
        let heading = heading.split_top(lines.height / 2).0;
        let (name, mark) = heading.split_left(heading.width.saturating_sub(heading.height));
        let band = heading.height;
        let (disc, time) = rest.split_left(inner.height * 6 / 10);
        let (bar, small) = small.split_top((line * 3).div_ceil(2));
        HalfLayout { disc, is_disc_beside_time: true, name, band, mark, time, bar, small }
    }
}

impl HalfLayout {
    /// The time and, if it is beside the time, the disc.
    pub fn around_time(&self) -> Area {
        let Area { x, y, width, height } = self.time;
        let left = if self.is_disc_beside_time { self.disc.x } else { x };
        Area { x: left, y, width: x + width - left, height }
    }
}

/// The areas of the sign beside a time, and of the time: one above the other in a room that is not
/// much wider than high, otherwise side by side.
pub fn with_sign(room: Area) -> (Area, Area) {
    match room.width < 2 * room.height {
        true => room.split_top(room.height * 68 / 100),
        false => {
            let (sign, rest) = room.split_left(room.width * 38 / 100);
            (sign, rest.split_left(room.width * 4 / 100).1)
        }
    }
}

/// The largest size of the font at which `time` fits into `room`. The size depends on the number of
/// digits, and not on which digits they are. All times below a minute have the same size.
pub fn time_size(time: &str, room: Area, font: &Font) -> u32 {
    let time = if let [_, b'.', _] = time.as_bytes() { "00.0" } else { time };
    let fits = |size: u32| {
        let height = capital_height(size);
        time_width(time, size, font) <= room.width
            && height + 2 * around_time(height) <= room.height
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

/// The width of a time in pixels. `size` is that of its largest signs. Every digit has one width.
pub fn time_width(time: &str, size: u32, font: &Font) -> u32 {
    signs(time, size).map(|(sign, size)| font.advance(Typeface::Time, sign, size)).sum()
}

/// The signs of a time with the size of each one, if the largest ones have the size `size`.
pub fn signs(time: &str, size: u32) -> impl Iterator<Item = (char, u32)> {
    // The minutes of `0:47` and the tenths of `19.9` are beside the seconds.
    let beside = match time.as_bytes() {
        [b'0', b':', _, _] => 0..2,
        [_, _, b'.', _] => 2..4,
        _ => 0..0,
    };
    let small = size * BESIDE_SECONDS.0 / BESIDE_SECONDS.1;
    let size_at = move |at| if beside.contains(&at) { small } else { size };
    time.chars().enumerate().map(move |(at, sign)| (sign, size_at(at)))
}

/// The distance from digits of this height to the edge of the box around the time. The distance is
/// needed because round digits are a little higher than the others, and must not be cut.
pub fn around_time(digit_height: u32) -> u32 {
    digit_height * 3 / 100 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREENS: [(u32, u32); 6] =
        [(800, 480), (1024, 600), (1280, 400), (1920, 1080), (480, 800), (3840, 2160)];

    #[test]
    fn the_halves_of_a_wide_screen_are_side_by_side() {
        for size in SCREENS {
            let upright = size == (480, 800);
            let wanted = if upright { Arrangement::Stacked } else { Arrangement::SideBySide };
            assert_eq!(Layout::of(size, None), Layout::arranged(size, wanted), "{size:?}");
        }
    }

    /// The heights of the digits of four times in pixels, and the least heights that are accepted.
    #[test]
    fn the_digits_are_as_high_as_on_a_clock_of_players() {
        let font = Font::new();
        for (size, least) in [
            ((800, 480), [105, 135, 180, 220]),
            ((1024, 600), [136, 172, 230, 280]),
            ((1280, 800), [171, 216, 288, 350]),
            ((1280, 400), [171, 175, 175, 175]),
            ((1920, 1080), [256, 324, 432, 525]),
        ] {
            let half = HalfLayout::of(Layout::of(size, None).halves[0].area.size());
            let times = ["1:30:00", "59:59", "3:02", "0:47"];
            let heights = times.map(|time| capital_height(time_size(time, half.time, &font)));
            println!("{size:?}: {times:?} {heights:?} pixels");
            let reached = heights.iter().zip(least).all(|(height, least)| *height >= least);
            assert!(reached, "{size:?}: {heights:?}; at least {least:?}");
        }
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
