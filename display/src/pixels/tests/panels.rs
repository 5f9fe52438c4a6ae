//! Sizes and distances on usual panels, computed from the scenes.

use super::*;
use crate::content::{FlagOrder, PlayedMethod};
use crate::pixels::area::Area;
use crate::pixels::font::capital_height;
use crate::pixels::layout::HalfLayout;
use crate::pixels::scene::Element;
use clock_dbus::Method;

/// Usual panels: the pixels, and the width and height in millimetres, as in `docs/face.md`.
const PANELS: [((u32, u32), (u32, u32)); 6] = [
    ((800, 480), (154, 86)),
    ((1024, 600), (154, 86)),
    ((1280, 800), (217, 136)),
    ((1280, 400), (190, 60)),
    ((1920, 1080), (344, 194)),
    ((1920, 1080), (531, 299)),
];
/// The least height of the letters of the small line in millimetres, which is read from 0.5 m.
const SMALL: f64 = 2.5;
/// Further screens, whose size in millimetres does not matter: two upright ones, a small one and a
/// large one.
const OTHERS: [(u32, u32); 4] = [(480, 800), (480, 320), (600, 1024), (3840, 2160)];

/// Every screen with every arrangement, and the height of a pixel in millimetres if it is known.
fn screens() -> Vec<(Setup, Option<f64>)> {
    let known = PANELS.map(|(size, mm)| (size, Some(f64::from(mm.1) / f64::from(size.1))));
    let screens = known.into_iter().chain(OTHERS.map(|size| (size, None)));
    let arranged = |(size, pixel): (_, Option<f64>)| {
        ARRANGEMENTS.map(|arrangement| (Setup { arrangement, ..setup(size) }, pixel))
    };
    screens.flat_map(arranged).collect()
}

fn elements(game: &Game, setup: &Setup, font: &Font) -> Vec<Element> {
    Scene::of(&Content::Game(Box::new(game.clone())), setup, font).elements
}

/// The place of each text that `wanted` accepts, with the height of its capital letters in pixels.
fn texts(elements: &[Element], wanted: impl Fn(&str) -> bool) -> Vec<(Area, u32)> {
    let found = |element: &Element| match &element.look {
        Look::Text { text, size, .. } if wanted(text) => {
            Some((element.area, capital_height(*size)))
        }
        _ => None,
    };
    elements.iter().filter_map(found).collect()
}

fn flagged(side: SideDisplay, order: FlagOrder) -> SideDisplay {
    let time_level = TimeLevel::Flagged { order, overrun: None };
    SideDisplay { time: "0.0".into(), time_level, mark: TurnMark::Waiting, ..side }
}

/// 15 mm can be read from 3 m.
#[test]
fn the_sign_of_the_first_flag_and_its_time_are_read_from_three_metres() {
    let font = Font::new();
    let one = Game { white: flagged(game().white, FlagOrder::Only), ..game() };
    let both = Game {
        white: flagged(game().white, FlagOrder::First),
        black: flagged(game().black, FlagOrder::Second),
        ..game()
    };
    for (setup, pixel) in screens() {
        for game in [&one, &both] {
            let elements = elements(game, &setup, &font);
            let [(sign, height)] = texts(&elements, |text| text == "⚑")[..] else {
                panic!("one sign: {setup:?}")
            };
            let first = setup.layout().halves[0].area;
            assert_eq!(sign.intersection(first), Some(sign), "{setup:?}");
            let digits = texts(&elements, |text| text == "0");
            let Some(pixel) = pixel else { continue };
            for height in digits.iter().map(|(_, height)| *height).chain([height]) {
                assert!(f64::from(height) * pixel >= 15.0, "{height}: {setup:?}");
            }
        }
    }
}

/// The half of the first flag has a colour of its own, which the half of the second flag has not.
#[test]
fn the_first_of_two_flags_has_the_colour_of_a_flag_alone() {
    let both = Game {
        white: flagged(game().white, FlagOrder::First),
        black: flagged(game().black, FlagOrder::Second),
        ..game()
    };
    for theme in [Theme::DARK, Theme::LIGHT, Theme::NIGHT, Theme::HIGH_CONTRAST] {
        let [first, second] = [&both.white, &both.black].map(|side| theme.side(side).half.ground);
        let others = [TurnMark::Running, TurnMark::Stopped, TurnMark::Waiting]
            .map(|mark| theme.side(&SideDisplay { mark, ..game().white }).half.ground);
        assert!(!others.contains(&first) && others.contains(&second), "{theme:?}");
    }
}

/// A call must be seen from 10 m, where a sign has to be 50 mm high (`docs/face.md`). The bands
/// above and below the times have a colour of their own, and together they cover the height and the
/// width of the screen. Each band is at least 5 mm high. At 10 m these are 1.7 minutes of arc, and
/// the eye separates lines of one minute. No other state looks like this.
#[test]
fn a_call_is_a_shape_of_its_own_that_is_seen_from_ten_metres() {
    let mut called = game();
    called.white.mark = TurnMark::Stopped;
    called.status.urgency = Urgency::Call;
    called.status.call = vec!["ARBITER CALLED".into()];
    for (setup, pixel) in screens() {
        let elements = elements(&called, &setup, &Font::new());
        let call = setup.theme.status(Urgency::Call).ground;
        let layout = setup.layout();
        for half in layout.halves {
            let plain = |element: &&Element| matches!(element.look, Look::Plain(_));
            let inside = |element: &&Element| element.area.intersection(half.area).is_some();
            let mut grounds = elements.iter().filter(plain).filter(inside);
            let (whole, time) = (grounds.next().unwrap(), grounds.next().unwrap());
            assert_eq!((whole.area, &whole.look), (half.area, &Look::Plain(call)), "{setup:?}");
            assert_ne!(time.look, Look::Plain(call));
            let (above, below) =
                (time.area.y - half.area.y, half.area.bottom() - time.area.bottom());
            let Some(pixel) = pixel else { continue };
            // In a flat half of a bar, the field beside the time is 50 mm wide and more.
            let before = time.area.x - half.area.x;
            let beside = before.max(half.area.right() - time.area.right());
            let is_seen =
                f64::from(above.min(below)) * pixel >= 5.0 || f64::from(beside) * pixel >= 50.0;
            assert!(is_seen, "{setup:?}");
            assert!(f64::from(setup.size.1) * pixel >= 50.0, "{setup:?}");
        }
    }
}

/// The bar of a low time is as long as the share of the time that is left, and is told without its
/// colour.
#[test]
fn the_bar_of_a_low_time_shrinks() {
    let font = Font::new();
    for mark in [TurnMark::Running, TurnMark::Waiting] {
        for (setup, _) in screens() {
            let bar = |share: u16| {
                let time_level = TimeLevel::Low(share);
                let white = SideDisplay { mark, time_level, ..side(Side::White, "0:47") };
                let ink = setup.theme.side(&white).half.ink;
                let half = setup.layout().halves[0];
                let full = HalfLayout::of(half.area.size()).bar.width;
                let elements = elements(&Game { white, ..game() }, &setup, &font);
                let bars = elements.into_iter().filter(|element| element.look == Look::Plain(ink));
                (bars.map(|element| element.area.width).collect::<Vec<u32>>(), full)
            };
            for (share, part) in [(1000, 1), (500, 2), (250, 4)] {
                let (found, full) = bar(share);
                assert_eq!(found, [full / part], "{share}: {setup:?}");
            }
        }
    }
}

/// The method is on every screen in every arrangement, also beside a low time. While a delay is left,
/// its note takes the place of the method.
#[test]
fn the_method_in_play_is_always_visible() {
    let font = Font::new();
    for (kind, seconds, forms) in [
        (Method::Increment, 30, ["+30", "+30"]),
        (Method::Delay, 5, ["d5", "d5"]),
        (Method::Bronstein, 3, ["Bronstein 3 s", "b3"]),
    ] {
        let method = Some(PlayedMethod { method: kind, nsec: seconds * 1_000_000_000 });
        let white = SideDisplay {
            method,
            time_level: if kind == Method::Delay { TimeLevel::Ample } else { TimeLevel::Low(500) },
            delay: (kind == Method::Delay).then_some(5),
            ..game().white
        };
        let black = SideDisplay { method, ..game().black };
        let game = Game { white, black, ..game() };
        for (setup, pixel) in screens() {
            let elements = elements(&game, &setup, &font);
            let has_form = |text: &str| {
                text.split(" · ").any(|part| forms.contains(&part) || part == "delay 5")
            };
            let shown = texts(&elements, has_form);
            assert_eq!(shown.len(), 2, "{kind:?}: {setup:?}");
            let Some(pixel) = pixel else { continue };
            for (_, height) in shown {
                assert!(f64::from(height) * pixel >= SMALL, "{kind:?}: {setup:?}");
            }
        }
    }
}

/// 5 mm can be read from 1 m, where the players sit, and the small line from half a metre. A disc
/// is at least 8 mm high.
#[test]
fn the_players_read_their_lines_and_their_colour() {
    let font = Font::new();
    let white = SideDisplay { delay: Some(9), ..game().white };
    let black = SideDisplay { player: "Efim Bogoljubow".into(), ..game().black };
    let game = Game { white, black, ..game() };
    for (setup, pixel) in screens() {
        let elements = elements(&game, &setup, &font);
        let discs: Vec<u32> = elements
            .iter()
            .filter(|element| matches!(element.look, Look::Disc { .. }))
            .map(|element| element.area.width.min(element.area.height))
            .collect();
        assert_eq!(discs.len(), 2, "{setup:?}");
        let is_seen = |disc: &u32| pixel.is_none_or(|pixel| f64::from(*disc) * pixel >= 8.0);
        assert!(discs.iter().all(is_seen), "{discs:?}: {setup:?}");
        for (what, count, least) in [
            (["Menchik"; 2], 1, 5.0),
            (["Bogoljubow"; 2], 1, 5.0),
            (["move 12"; 2], 2, SMALL),
            (["period 1 of 2", "P1/2"], 2, SMALL),
            (["delay 9"; 2], 1, SMALL),
        ] {
            let shown = texts(&elements, |text| what.iter().any(|form| text.contains(form)));
            assert_eq!(shown.len(), count, "{what:?}: {setup:?}");
            let Some(pixel) = pixel else { continue };
            for (_, height) in shown {
                assert!(f64::from(height) * pixel >= least, "{what:?}: {height} pixels: {setup:?}");
            }
        }
    }
}

/// Nothing moves while a time counts: all times with equally many digits have their signs at the
/// same places. The time is in the middle of its room, and has at most two sizes.
#[test]
fn the_digits_have_two_sizes_and_the_last_one_stays() {
    let font = Font::new();
    for (setup, _) in screens() {
        let half = setup.layout().halves[0];
        let places = |time: &str| -> Vec<(Area, u32)> {
            let game = Game { white: side(Side::White, time), ..game() };
            texts(&elements(&game, &setup, &font), |text| text.chars().count() == 1)
                .into_iter()
                .filter(|(area, _)| area.intersection(half.area).is_some())
                .collect()
        };
        for times in [
            &["9:59:59", "1:00:00"][..],
            &["59:59", "10:00"],
            &["9:59", "1:00"],
            &["0:59", "0:20"],
            &["19.9", "10.0"],
            &["9.9", "0.0"],
        ] {
            let first = places(times[0]);
            assert_eq!(first.len(), times[0].len(), "{setup:?}");
            assert!(times.iter().all(|time| places(time) == first), "{times:?}: {setup:?}");
            let mut sizes: Vec<u32> = first.iter().map(|(_, height)| *height).collect();
            sizes.dedup();
            assert!(sizes.len() <= 2, "{sizes:?}: {setup:?}");
        }
    }
}
