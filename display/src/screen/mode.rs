//! Which mode a screen gets.

use std::io;

use clock_wiring::ScreenMode;
use drm::control::{Mode, ModeFlags, ModeTypeFlags, connector};
use drm_ffi::drm_mode_modeinfo;
use rustix::io::Errno;

/// If neither the user nor the screen names a mode, the face prefers modes with at most this number of
/// pixels: 1920 × 1200. A larger picture needs most of the graphics memory of a Raspberry Pi, and its
/// digits are not larger.
const ENOUGH: u32 = 1920 * 1200;

/// What a connector has for the face.
#[derive(Debug, PartialEq, Eq)]
pub enum Offer {
    /// The modes that can be used, the best one first.
    Modes(Vec<Mode>),
    /// A screen that has no mode which the card can show.
    WithoutMode,
    /// No screen tells that it is connected.
    NoScreen,
}

/// What a connector in this state, with these modes, has for the face.
pub fn offer(state: connector::State, modes: &[Mode], wanted: Option<ScreenMode>) -> Offer {
    let modes = best_first(modes, wanted);
    match state {
        connector::State::Connected if modes.is_empty() => Offer::WithoutMode,
        connector::State::Connected => Offer::Modes(modes),
        _ => Offer::NoScreen,
    }
}

/// The modes that can be used, the best one first.
///
/// `wanted` comes first: as the screen offers it, or else with computed timings. Then a mode from the kernel's command line (`video=`) comes first, then a mode that the screen
/// prefers, then the largest one of at most [`ENOUGH`] pixels; of equal ones that with more pictures in a
/// second.
pub fn best_first(offered: &[Mode], wanted: Option<ScreenMode>) -> Vec<Mode> {
    let is_wanted = |mode: &Mode| {
        wanted.is_some_and(|wanted| {
            mode.size() == (wanted.width, wanted.height)
                && mode.vrefresh() == u32::from(wanted.rate)
                && !mode.flags().contains(ModeFlags::INTERLACE)
        })
    };
    let mut modes = offered.to_vec();
    if !modes.iter().any(is_wanted) {
        modes.extend(wanted.map(computed));
    }
    modes.sort_by_key(|mode| {
        let forced = mode.mode_type().contains(ModeTypeFlags::USERDEF);
        let preferred = mode.mode_type().contains(ModeTypeFlags::PREFERRED);
        let pixels = pixels(mode);
        let order = (preferred, pixels <= ENOUGH, pixels, mode.vrefresh());
        std::cmp::Reverse((is_wanted(mode), forced, order))
    });
    modes
}

/// The mode after `mode`. It is used if the card cannot show `mode`.
pub fn next(modes: &[Mode], mode: &Mode) -> Option<Mode> {
    after(modes, mode).first().copied()
}

/// The first mode after `mode` that has fewer pixels. It is used if the card has not enough memory for
/// `mode`.
pub fn smaller(modes: &[Mode], mode: &Mode) -> Option<Mode> {
    after(modes, mode).iter().find(|other| pixels(other) < pixels(mode)).copied()
}

/// The modes after `mode`. An earlier one is never tried again: the card has refused it, or has not enough
/// memory for it.
fn after<'a>(modes: &'a [Mode], mode: &Mode) -> &'a [Mode] {
    let place = modes.iter().rposition(|other| other == mode);
    place.map_or(&[], |place| &modes[place + 1..])
}

/// Whether this error of setting a mode is about the mode, so that the card may accept another one. Other
/// errors are not: for example, another program has the card (`EACCES`, `EBUSY`), or the card or the connector
/// is gone (`ENODEV`, `ENOENT`).
pub fn is_of_mode(error: &io::Error) -> bool {
    let of_mode = [Errno::INVAL, Errno::NOSPC, Errno::RANGE, Errno::NOMEM];
    of_mode.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

fn pixels(mode: &Mode) -> u32 {
    let (width, height) = mode.size();
    u32::from(width) * u32::from(height)
}

/// The timings of the standard CTA-861 for televisions. For each mode: the pixel clock in kilohertz, the
/// horizontal values, and the vertical values, as [`with_timings`] takes them. The timings of VESA need a
/// pixel clock of 173 MHz for 1920 × 1080, and a Raspberry Pi 3 can make at most 162 MHz.
const OF_TELEVISIONS: [(ScreenMode, u32, [u16; 3], [u16; 3]); 4] = [
    (
        ScreenMode { width: 1920, height: 1080, rate: 60 },
        148_500,
        [2008, 2052, 2200],
        [1084, 1089, 1125],
    ),
    (
        ScreenMode { width: 1920, height: 1080, rate: 50 },
        148_500,
        [2448, 2492, 2640],
        [1084, 1089, 1125],
    ),
    (
        ScreenMode { width: 1280, height: 720, rate: 60 },
        74_250,
        [1390, 1430, 1650],
        [725, 730, 750],
    ),
    (
        ScreenMode { width: 1280, height: 720, rate: 50 },
        74_250,
        [1720, 1760, 1980],
        [725, 730, 750],
    ),
];

/// The wanted mode for a screen that does not offer it.
fn computed(wanted: ScreenMode) -> Mode {
    let Some((_, clock, horizontal, vertical)) =
        OF_TELEVISIONS.into_iter().find(|(mode, ..)| *mode == wanted)
    else {
        return coordinated(wanted);
    };
    with_timings(wanted, clock, horizontal, vertical, ModeFlags::PHSYNC | ModeFlags::PVSYNC)
}

/// A mode with these timings. `clock` is the pixel clock in kilohertz. The three values of an axis are the
/// start of the synchronization pulse, its end, and the total, in pixels or lines.
fn with_timings(
    ScreenMode { width, height, rate }: ScreenMode,
    clock: u32,
    horizontal: [u16; 3],
    vertical: [u16; 3],
    flags: ModeFlags,
) -> Mode {
    drm_mode_modeinfo {
        clock,
        hdisplay: width,
        hsync_start: horizontal[0],
        hsync_end: horizontal[1],
        htotal: horizontal[2],
        vdisplay: height,
        vsync_start: vertical[0],
        vsync_end: vertical[1],
        vtotal: vertical[2],
        vrefresh: rate.into(),
        flags: flags.bits(),
        type_: ModeTypeFlags::USERDEF.bits(),
        ..drm_mode_modeinfo::default()
    }
    .into()
}

/// The mode with the timings of VESA's *Coordinated Video Timings* 1.1, as the kernel computes them for
/// `video=` (`drm_cvt_mode`). Every horizontal value is even, which a Raspberry Pi 4 needs.
fn coordinated(wanted: ScreenMode) -> Mode {
    /// The smallest vertical porch in front of the synchronization, and behind it, in lines.
    const PORCH: u64 = 3;
    /// The shortest synchronization and porch behind it, in nanoseconds.
    const SYNC_AND_PORCH: u64 = 550_000;
    let ScreenMode { width, height, rate } = wanted;
    let (columns, lines, pictures) = (u64::from(width), u64::from(height), u64::from(rate));
    let is_shape = |across: u64, down: u64| lines % down == 0 && columns * down == lines * across;
    let sync = match () {
        () if is_shape(4, 3) => 4,
        () if is_shape(16, 9) => 5,
        () if is_shape(16, 10) => 6,
        () if is_shape(5, 4) || is_shape(15, 9) => 7,
        () => 10,
    };
    // The estimated length of a line, in nanoseconds.
    let line = (1_000_000_000 - SYNC_AND_PORCH * pictures) / ((lines + PORCH) * pictures);
    let sync_and_porch = (SYNC_AND_PORCH / line + 1).max(sync + PORCH);
    // The part of a line without pixels, in thousandths of a percent.
    let blank = 30_000_u64.saturating_sub(300 * line / 1000).max(20_000);
    let blank = columns * blank / (100_000 - blank) / 16 * 16;
    let total = columns + blank;
    let sync_end = columns + blank / 2;
    let sync_start = (sync_end - total * 8 / 100) / 8 * 8 + 8;
    let short = |value: u64| u16::try_from(value).unwrap_or(u16::MAX);
    // In kilohertz, a multiple of 250.
    let clock = u32::try_from(total * 1_000_000 / line / 250 * 250).unwrap_or(u32::MAX);
    let first = lines + PORCH;
    let horizontal = [sync_start, sync_end, total].map(short);
    let vertical = [first, first + sync, first + sync_and_porch].map(short);
    with_timings(wanted, clock, horizontal, vertical, ModeFlags::NHSYNC | ModeFlags::PVSYNC)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: ModeTypeFlags = ModeTypeFlags::empty();

    fn mode(width: u16, height: u16, rate: u32, kind: ModeTypeFlags) -> Mode {
        drm_mode_modeinfo {
            hdisplay: width,
            vdisplay: height,
            vrefresh: rate,
            type_: kind.bits(),
            ..drm_mode_modeinfo::default()
        }
        .into()
    }

    fn best(modes: &[Mode]) -> ((u16, u16), u32) {
        let best = best_first(modes, None)[0];
        (best.size(), best.vrefresh())
    }

    #[test]
    fn the_screen_decides_unless_the_command_line_does() {
        let modes = [
            mode(640, 480, 60, NONE),
            mode(3840, 2160, 30, ModeTypeFlags::PREFERRED),
            mode(1920, 1080, 60, NONE),
        ];
        assert_eq!(best(&modes), ((3840, 2160), 30));
        let forced = [modes[1], mode(800, 480, 60, ModeTypeFlags::USERDEF)];
        assert_eq!(best(&forced), ((800, 480), 60));
        assert_eq!(best_first(&[], None), []);
    }

    /// A television whose preferred mode, 2160p60, the card cannot show.
    #[test]
    fn without_a_preference_no_mode_is_larger_than_needed() {
        let modes = [
            mode(4096, 2160, 30, NONE),
            mode(3840, 2160, 30, NONE),
            mode(1920, 1080, 50, NONE),
            mode(1920, 1080, 60, NONE),
            mode(1280, 720, 60, NONE),
        ];
        assert_eq!(best(&modes), ((1920, 1080), 60));
        assert_eq!(best(&modes[..2]), ((4096, 2160), 30));
    }

    #[test]
    fn without_memory_the_next_smaller_mode_is_used() {
        let modes = [
            mode(1280, 720, 60, NONE),
            mode(3840, 2160, 30, ModeTypeFlags::PREFERRED),
            mode(1920, 1080, 60, NONE),
        ];
        let modes = best_first(&modes, None);
        let mut sizes = vec![modes[0].size()];
        let mut mode = modes[0];
        while let Some(next) = smaller(&modes, &mode) {
            sizes.push(next.size());
            mode = next;
        }
        assert_eq!(sizes, [(3840, 2160), (1920, 1080), (1280, 720)]);
    }

    /// The card cannot show the two modes for which it has memory.
    #[test]
    fn each_mode_is_tried_once_if_the_card_refuses_all() {
        let modes = [
            mode(3840, 2160, 30, NONE),
            mode(1280, 720, 60, NONE),
            mode(1920, 1080, 60, ModeTypeFlags::PREFERRED),
        ];
        let modes = best_first(&modes, None);
        let (preferred, small, large) = (modes[0], modes[1], modes[2]);
        assert_eq!(large.size(), (3840, 2160));
        assert_eq!(next(&modes, &preferred), Some(small));
        assert_eq!(next(&modes, &small), Some(large));
        assert_eq!((next(&modes, &large), smaller(&modes, &large)), (None, None));
    }

    #[test]
    fn another_mode_is_tried_only_after_an_error_of_the_mode() {
        for errno in [Errno::INVAL, Errno::NOSPC, Errno::RANGE, Errno::NOMEM] {
            assert!(is_of_mode(&errno.into()), "{errno}");
        }
        for errno in [Errno::ACCESS, Errno::BUSY, Errno::NOENT, Errno::NODEV, Errno::IO] {
            assert!(!is_of_mode(&errno.into()), "{errno}");
        }
    }

    #[test]
    fn a_screen_without_a_usable_mode_is_not_a_missing_one() {
        use connector::State::{Connected, Disconnected};
        let modes = [mode(1920, 1080, 60, NONE)];
        let wanted = "1024x600@60".parse().unwrap();
        assert_eq!(offer(Connected, &[], None), Offer::WithoutMode);
        assert_eq!(offer(Disconnected, &[], None), Offer::NoScreen);
        assert_eq!(offer(Connected, &modes, None), Offer::Modes(modes.to_vec()));
        assert_eq!(offer(Connected, &[], Some(wanted)), Offer::Modes(vec![computed(wanted)]));
    }

    #[test]
    fn a_wanted_mode_is_that_of_the_screen_or_is_computed() {
        let wanted = "1024x600@60".parse().unwrap();
        let offered = [mode(1920, 1080, 60, ModeTypeFlags::PREFERRED), mode(1024, 600, 60, NONE)];
        // If the card cannot show it, those of the screen come next.
        assert_eq!(best_first(&offered, Some(wanted)), [offered[1], offered[0]]);
        assert_eq!(best_first(&offered[..1], Some(wanted)), [computed(wanted), offered[0]]);
        assert_eq!(best_first(&[], Some(wanted)), [computed(wanted)]);
    }

    /// The values are those of the program `cvt`.
    #[test]
    fn the_timings_are_those_of_the_standard() {
        for (text, clock, horizontal, vertical) in TIMINGS {
            let mode = coordinated(text.parse().unwrap());
            let found = (mode.clock(), mode.hsync(), mode.vsync());
            assert_eq!(found, (clock, horizontal, vertical), "{text}");
        }
    }

    type Triple = (u16, u16, u16);
    const TIMINGS: [(&str, u32, Triple, Triple); 7] = [
        ("1024x600@60", 49_000, (1072, 1168, 1312), (603, 613, 624)),
        ("1280x400@60", 40_000, (1320, 1440, 1600), (403, 413, 417)),
        ("480x1920@60", 78_250, (520, 568, 656), (1923, 1933, 1989)),
        ("800x480@60", 29_500, (824, 896, 992), (483, 493, 500)),
        ("1280x720@50", 60_500, (1328, 1456, 1632), (723, 728, 744)),
        ("1920x1080@60", 173_000, (2048, 2248, 2576), (1083, 1088, 1120)),
        ("1280x1024@75", 138_750, (1368, 1504, 1728), (1027, 1034, 1072)),
    ];

    /// A Raspberry Pi 3 makes at most 162 MHz.
    #[test]
    fn the_modes_of_televisions_have_their_own_timings() {
        for (wanted, clock, ..) in OF_TELEVISIONS {
            let mode = computed(wanted);
            let (total, lines) = (u32::from(mode.hsync().2), u32::from(mode.vsync().2));
            assert_eq!(clock * 1000 / (total * lines), u32::from(wanted.rate), "{wanted}");
            let (start, end, _) = mode.hsync();
            assert!(clock < 162_000 && wanted.width < start && start < end && end < mode.hsync().2);
            assert!([start, end, mode.hsync().2].iter().all(|value| value % 2 == 0));
        }
        assert_eq!(computed("1024x600@60".parse().unwrap()).clock(), 49_000);
    }

    #[test]
    fn every_horizontal_value_is_even() {
        for width in (200..=4096).step_by(2) {
            for (height, rate) in [(200, 120), (480, 60), (600, 50), (1080, 60), (4096, 20)] {
                let mode = computed(ScreenMode { width, height, rate });
                let (start, end, total) = mode.hsync();
                let order = width <= start && start < end && end < total;
                assert!(order && (start | end | total) % 2 == 0, "{width}x{height}: {mode:?}");
                let (start, end, total) = mode.vsync();
                assert!(height < start && start < end && end <= total, "{mode:?}");
            }
        }
    }
}
