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
fn the_sign_of_the_first_flag_is_as_high_as_the_digits_and_only_on_the_first_side() {
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
            let [beside, ..] = digits[..] else { panic!("no digits: {setup:?}") };
            assert_eq!(height, beside.1, "{setup:?}");
            assert!(pixel.is_none_or(|pixel| f64::from(height) * pixel >= 15.0), "{setup:?}");
        }
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

/// The frame is not at the edge of the half, where it would lie beside the other half, and touches
/// no text.
#[test]
fn the_frame_has_the_ground_of_its_half_on_both_sides() {
    for (setup, _) in screens() {
        let half = setup.layout().halves[0];
        let layout = HalfLayout::of(half.area.size());
        let elements = elements(&game(), &setup, &Font::new());
        let ink = setup.theme.status(Urgency::Fault).ink;
        let frame: Vec<Area> = elements
            .iter()
            .filter(|element| element.look == Look::Plain(ink))
            .map(|element| element.area)
            .collect();
        assert_eq!(frame.len(), 4, "{setup:?}");
        for edge in frame {
            assert_eq!(edge.intersection(half.area.inset(layout.line)), Some(edge), "{setup:?}");
            for area in [layout.heading, layout.time, layout.notes] {
                let area = Area { x: area.x + half.area.x, y: area.y + half.area.y, ..area };
                assert_eq!(edge.intersection(area), None, "{setup:?}");
            }
            assert_eq!(edge.intersection(half.area.inset(2 * layout.line)), None, "{setup:?}");
        }
    }
}

#[test]
fn a_low_time_is_told_by_a_word_and_an_inverted_bar() {
    let font = Font::new();
    for mark in [TurnMark::Running, TurnMark::Waiting] {
        let white = SideDisplay { mark, time_level: TimeLevel::Low, ..side(Side::White, "0:47") };
        for (setup, _) in screens() {
            let elements = elements(&Game { white: white.clone(), ..game() }, &setup, &font);
            let of = |wanted: &str| {
                elements.iter().find_map(|element| match &element.look {
                    Look::Text { text, colours, .. } if text == wanted => Some(*colours),
                    _ => None,
                })
            };
            let (bar, time) = (of("low").unwrap(), of("7").unwrap());
            assert_eq!((bar.ground, bar.ink), (time.ink, time.ground), "{setup:?}");
        }
    }
}

/// The method is on every screen in every arrangement, also beside a low time or a delay.
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
            time_level: if kind == Method::Delay { TimeLevel::Ample } else { TimeLevel::Low },
            delay: (kind == Method::Delay).then_some(5),
            ..game().white
        };
        let black = SideDisplay { method, ..game().black };
        let game = Game { white, black, ..game() };
        for (setup, pixel) in screens() {
            let elements = elements(&game, &setup, &font);
            let shown = texts(&elements, |text| forms.iter().any(|form| text.ends_with(form)));
            assert_eq!(shown.len(), 2, "{kind:?}: {setup:?}");
            let note = if kind == Method::Delay { "delay 5" } else { "low" };
            assert_eq!(texts(&elements, |text| text == note).len(), 1, "{setup:?}");
            let Some(pixel) = pixel else { continue };
            for (_, height) in shown {
                assert!(f64::from(height) * pixel >= 5.0, "{kind:?}: {setup:?}");
            }
        }
    }
}

/// 5 mm can be read from 1 m, where the players sit.
#[test]
fn the_players_read_their_lines_and_their_colour() {
    let font = Font::new();
    let white = SideDisplay { delay: Some(9), ..game().white };
    let black = SideDisplay { player: "Efim Bogoljubow".into(), ..game().black };
    let game = Game { white, black, ..game() };
    for (setup, pixel) in screens() {
        let elements = elements(&game, &setup, &font);
        let digits = texts(&elements, |text| text == "9")[0].1;
        let discs: Vec<u32> = elements
            .iter()
            .filter(|element| matches!(element.look, Look::Disc { .. }))
            .map(|element| element.area.width.min(element.area.height))
            .collect();
        assert_eq!(discs.len(), 2, "{setup:?}");
        assert!(discs.iter().all(|disc| disc * 2 >= digits), "{discs:?} {digits}: {setup:?}");
        for (what, count) in
            [("Menchik", 1), ("Bogoljubow", 1), ("moves 12", 2), ("1/2", 2), ("delay 9", 1)]
        {
            let shown = texts(&elements, |text| text.contains(what));
            assert_eq!(shown.len(), count, "{what}: {setup:?}");
            let Some(pixel) = pixel else { continue };
            for (_, height) in shown {
                assert!(f64::from(height) * pixel >= 5.0, "{what}: {height} pixels: {setup:?}");
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
