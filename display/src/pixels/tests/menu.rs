//! The page of the menu on usual screens, computed from the scenes.

use clock_dbus::{MenuButton, MenuHint, MenuPage, MenuState};
use clock_languages::Language;

use super::*;
use crate::pixels::font::{Typeface, capital_height};
use crate::pixels::scene::Element;

/// As in `docs/face.md`: a panel of seven inches is 154 × 86 mm.
pub const SEVEN_INCHES: [(u32, u32); 2] = [(800, 480), (1024, 600)];
pub const SCREENS: [(u32, u32); 9] = [
    (800, 480),
    (1024, 600),
    (1280, 400),
    (480, 800),
    (480, 320),
    (600, 1024),
    (1920, 1080),
    (3840, 2160),
    (1280, 800),
];
/// A line with the most characters.
const LONGEST: &str = "Black: press your button now";

fn page(lines: usize, chosen: Option<u32>) -> MenuPage {
    let hint = |button, action: &str| MenuHint { button: Some(button), action: action.to_owned() };
    MenuPage {
        state: MenuState::Open,
        title: LONGEST.into(),
        lines: vec![LONGEST.into(); lines],
        chosen,
        more_above: true,
        more_below: true,
        hints: vec![
            hint(MenuButton::White, "agree"),
            hint(MenuButton::Black, "next digit"),
            hint(MenuButton::Call, "next digit"),
            hint(MenuButton::CallHeld, "leave"),
        ],
        ..MenuPage::default()
    }
}

fn rocker() -> MenuPage {
    let hint = |button, action: &str| MenuHint { button: Some(button), action: action.to_owned() };
    let hints = vec![
        hint(MenuButton::Rocker, "next digit"),
        hint(MenuButton::Call, "next digit"),
        hint(MenuButton::CallHeld, "leave"),
    ];
    MenuPage { hints, ..page(6, Some(5)) }
}

/// A page of tiles.
fn tiles(with_call: bool) -> MenuPage {
    let hint = |button, action: &str| MenuHint { button: Some(button), action: action.to_owned() };
    let mut hints =
        vec![hint(MenuButton::White, "Sides exchanged"), hint(MenuButton::Black, "0-1 Black wins")];
    hints.extend(with_call.then(|| hint(MenuButton::Call, "Correct the clock")));
    hints.push(hint(MenuButton::CallHeld, "More"));
    MenuPage { hints, more_above: false, more_below: false, ..page(0, None) }
}

/// A page that shows a time on each half.
fn with_times() -> MenuPage {
    MenuPage { times: ("[4]:57".into(), "1:30:00".into()), ..page(6, Some(3)) }
}

/// A page on which only one button does anything.
fn code() -> MenuPage {
    let leave = MenuHint { button: Some(MenuButton::CallHeld), action: "leave".into() };
    MenuPage { hints: vec![leave], ..page(2, None) }
}

fn standing() -> Game {
    let mut game = game();
    game.white.mark = TurnMark::Stopped;
    game
}

pub fn elements(game: Game, page: &MenuPage, setup: &Setup) -> Vec<Element> {
    let content = Content::Game(Box::new(game)).with_menu(Some(page));
    Scene::of(&content, setup, &Font::new()).elements
}

/// The texts with their places and the heights of their capital letters.
pub fn texts(elements: &[Element]) -> Vec<(&str, Area, u32)> {
    let texts = elements.iter().filter_map(|element| match &element.look {
        Look::Text { text, size, .. } => Some((text.as_str(), element.area, capital_height(*size))),
        _ => None,
    });
    texts.collect()
}

#[test]
fn lines_are_ten_millimetres_high_on_seven_inches() {
    for size in SEVEN_INCHES {
        for arrangement in ARRANGEMENTS {
            for page in [page(6, Some(3)), page(6, None), page(2, None), rocker()] {
                let elements = elements(standing(), &page, &Setup { arrangement, ..setup(size) });
                let lines = texts(&elements).into_iter().filter(|(text, ..)| *text == LONGEST);
                // The first one is the title.
                let heights: Vec<f64> = lines
                    .map(|(_, area, _)| f64::from(area.height) * 86.0 / f64::from(size.1))
                    .collect();
                let high = heights.iter().filter(|height| **height >= 10.0).count();
                let facing = arrangement == Some(Arrangement::Facing);
                let count = page.lines.len();
                let wanted = if facing { 2 * count } else { count + 1 };
                assert_eq!(high, wanted, "{size:?} {arrangement:?} {heights:?}");
            }
        }
    }
}

#[test]
fn no_text_of_a_page_is_cut_or_overlaps_another_one() {
    for size in SCREENS {
        for arrangement in ARRANGEMENTS {
            let others = [rocker(), code(), tiles(true), tiles(false), with_times()];
            let lists = [page(6, Some(3)), page(6, None), page(1, Some(0))];
            for page in lists.into_iter().chain(others) {
                let elements = elements(standing(), &page, &Setup { arrangement, ..setup(size) });
                let texts = texts(&elements);
                let place = format!("{size:?} {arrangement:?} {page:?}");
                for (at, (text, area, _)) in texts.iter().enumerate() {
                    assert!(!text.contains('…') && !text.is_empty(), "{text}: {place}");
                    for (other, other_area, _) in &texts[at + 1..] {
                        let common = area.intersection(*other_area);
                        assert_eq!(common, None, "{text} and {other}: {place}");
                    }
                }
            }
        }
    }
}

/// The title and the hints of a page keep the colour of a call, and the title names its reason. The
/// bands are above and below the lines or, on a bar, beside them; on seven inches they are at least
/// 5 mm high, as on the face of the clock.
#[test]
fn a_call_is_seen_from_ten_metres_while_the_menu_is_open() {
    let mut called = standing();
    called.status.call =
        ["ARBITER CALLED (White)", "SCHIEDSRICHTER GERUFEN", "GERUFEN"].map(Into::into).into();
    for size in SCREENS {
        for arrangement in ARRANGEMENTS {
            for page in [page(6, Some(3)), page(6, None), page(1, Some(0)), rocker(), code()] {
                let setup = Setup { arrangement, ..setup(size) };
                let call = setup.theme.status(Urgency::Call);
                let elements = elements(called.clone(), &page, &setup);
                let halves = if arrangement == Some(Arrangement::Facing) { 2 } else { 1 };
                let place = format!("{setup:?} {page:?}");
                let grounds: Vec<&Element> = elements
                    .iter()
                    .filter(|element| element.look == Look::Plain(call.ground))
                    .collect();
                let seen: u32 = grounds.iter().map(|it| it.area.width * it.area.height).sum();
                assert_eq!((grounds.len(), seen), (halves, size.0 * size.1), "{place}");
                let plain = setup.theme.status(Urgency::Normal).ground;
                let lines: Vec<Area> = elements
                    .iter()
                    .filter(|element| element.look == Look::Plain(plain))
                    .map(|element| element.area)
                    .collect();
                assert_eq!(lines.len(), halves, "{place}");
                let millimetres = |pixels: u32| f64::from(pixels) * 86.0 / f64::from(size.1);
                if SEVEN_INCHES.contains(&size) && halves == 1 {
                    let below = size.1 - lines[0].bottom();
                    assert!(millimetres(lines[0].y.min(below)) >= 5.0, "{place}");
                }
                let texts = texts(&elements);
                let named = texts
                    .iter()
                    .filter(|(text, ..)| called.status.call.iter().any(|it| it == text));
                assert_eq!(named.count(), halves, "{place}");
                for (at, (text, area, _)) in texts.iter().enumerate() {
                    assert!(!text.contains('…'), "{text}: {place}");
                    let others =
                        texts[at + 1..].iter().filter_map(|(_, it, _)| area.intersection(*it));
                    assert_eq!(others.count(), 0, "{text}: {place}");
                }
            }
        }
    }
}

/// While a button is held, a bar in the status line fills. Only its filled part is painted again.
#[test]
fn the_bar_of_a_hold_fills_and_is_painted_alone() {
    for language in Language::ALL {
        for size in SCREENS {
            for arrangement in ARRANGEMENTS {
                let setup = Setup { arrangement, ..setup(size) };
                let colours = setup.theme.status(Urgency::Notice);
                let held = |number| {
                    let page = MenuPage { state: MenuState::Hold, number, ..MenuPage::default() };
                    let game = Game { words: language.face(), ..standing() };
                    Content::Game(Box::new(game)).with_menu(Some(&page))
                };
                let mut painter = Painter::new(setup);
                let mut paint = |number| painter.paint(&held(number), &mut |_, _| ());
                paint(20);
                let bars = if arrangement == Some(Arrangement::Facing) { 2 } else { 1 };
                let (some, full) = (paint(27), paint(100));
                let place = format!("{} {setup:?}", language.code());
                assert_eq!((some.len(), full.len()), (bars, bars), "{place}");
                for (some, full) in some.iter().zip(&full) {
                    assert!(some.width > full.width / 5 && some.width < full.width / 3, "{place}");
                    // The bar is nearly as long as the status line.
                    let line = size.0 / u32::try_from(bars).unwrap();
                    assert!(full.width > line * 8 / 10 && full.height * 60 > size.1.min(size.0));
                }
                let elements = Scene::of(&held(60), &setup, &Font::new()).elements;
                let filled = elements.iter().filter(|it| it.look == Look::Plain(colours.ink));
                assert!(filled.count() >= 2 * bars, "{place}");
                let texts = texts(&elements);
                let said = texts.iter().filter(|(text, ..)| *text == language.face().hold);
                for (_, text, _) in said.clone() {
                    let on_text = full.iter().filter(|bar| bar.intersection(*text).is_some());
                    assert_eq!(on_text.count(), 0, "{place}");
                }
                assert_eq!(said.count(), bars, "{place}");
            }
        }
    }
}

/// The chosen line is seen without colours: it has a mark and a ground of its own.
#[test]
fn the_chosen_line_is_marked_by_its_shape_and_is_always_visible() {
    for size in SCREENS {
        for arrangement in ARRANGEMENTS {
            for chosen in 0..6 {
                let mut page = page(6, Some(chosen));
                page.lines[usize::try_from(chosen).unwrap()] = "this one".into();
                let setup = Setup { arrangement, ..setup(size) };
                let elements = elements(standing(), &page, &setup);
                let texts = texts(&elements);
                let halves = if arrangement == Some(Arrangement::Facing) { 2 } else { 1 };
                let count =
                    |wanted: &str| texts.iter().filter(|(text, ..)| *text == wanted).count();
                assert_eq!((count("→"), count("this one")), (halves, halves), "{setup:?}");
                let (_, line, _) = texts.iter().find(|(text, ..)| *text == "this one").unwrap();
                let ground = setup.theme.status(Urgency::Notice).ground;
                let is_ground = |element: &&Element| {
                    element.look == Look::Plain(ground)
                        && element.area.intersection(*line) == Some(*line)
                };
                assert_eq!(elements.iter().filter(is_ground).count(), 1, "{setup:?}");
            }
        }
    }
}

#[test]
fn a_hint_is_at_the_side_of_its_button() {
    for exchanged in [false, true] {
        let mut game = standing();
        game.buttons_exchanged = exchanged;
        let content = Content::Game(Box::new(game)).with_menu(Some(&page(3, Some(0))));
        let scene = |arrangement, size| {
            let setup = Setup { arrangement, ..setup(size) };
            Scene::of(&content, &setup, &Font::new()).elements
        };
        let (near, far) = if exchanged { ("Black:", "White:") } else { ("White:", "Black:") };
        let place = |elements: &[Element], wanted: &str| {
            let texts = texts(elements);
            let found = texts.iter().filter(|(text, ..)| text.starts_with(wanted));
            let hint = found.filter(|(text, ..)| *text != LONGEST).map(|(_, area, _)| *area);
            hint.collect::<Vec<_>>()
        };
        for size in [(800, 480), (1280, 400), (480, 800)] {
            let elements = scene(Some(Arrangement::SideBySide), size);
            let (left, right) = (place(&elements, near), place(&elements, far));
            assert!(left[0].right() <= size.0 / 2 && right[0].x >= size.0 / 2, "{size:?}");
        }
        // The hint for a player's own button is at the edge of the screen in front of this player.
        let elements = scene(Some(Arrangement::Facing), (800, 480));
        assert!(place(&elements, near).iter().any(|area| area.bottom() == 480), "{exchanged}");
        assert!(place(&elements, far).iter().any(|area| area.y == 0), "{exchanged}");
    }
}

/// Each tile is a box over its button, larger than a line of a page, and no letter of it is cut.
#[test]
fn a_tile_is_over_its_button_and_larger_than_a_line() {
    for exchanged in [false, true] {
        let mut game = standing();
        game.buttons_exchanged = exchanged;
        for size in [(800, 480), (1024, 600), (1280, 400), (1920, 1080)] {
            for with_call in [true, false] {
                let setup = setup(size);
                let elements = elements(game.clone(), &tiles(with_call), &setup);
                let ground = setup.theme.status(Urgency::Notice).ground;
                let boxes: Vec<Area> = elements
                    .iter()
                    .filter(|element| element.look == Look::Plain(ground))
                    .map(|element| element.area)
                    // The rule below the title can have the same colour.
                    .filter(|area| area.height > size.1 / 8)
                    .collect();
                assert_eq!(boxes.len(), if with_call { 3 } else { 2 });
                assert!(boxes.iter().all(|tile| tile.height > size.1 / 2), "{boxes:?}");
                let texts = texts(&elements);
                let place = |wanted: &str| {
                    let found = texts.iter().find(|(text, ..)| *text == wanted);
                    found.map(|(_, area, _)| *area).unwrap()
                };
                let (left, right) = if exchanged { ("Black", "White") } else { ("White", "Black") };
                assert!(boxes[0].intersection(place(left)).is_some());
                assert!(boxes[boxes.len() - 1].intersection(place(right)).is_some());
                assert!(boxes[0].x < size.0 / 4 && boxes[boxes.len() - 1].right() > size.0 * 3 / 4);
            }
        }
    }
}

/// The times of a page are at least as high as a quarter of the screen's half is, and the part that the
/// buttons change is inverted.
#[test]
fn the_times_of_a_page_are_large_and_the_chosen_part_is_inverted() {
    for size in SEVEN_INCHES {
        let setup = setup(size);
        let elements = elements(standing(), &with_times(), &setup);
        let plain = setup.theme.status(Urgency::Normal);
        let digits: Vec<(&str, bool, u32)> = elements
            .iter()
            .filter_map(|element| match &element.look {
                Look::Text { text, size, typeface: Typeface::Time, colours, .. } => {
                    Some((text.as_str(), colours.ink == plain.ground, capital_height(*size)))
                }
                _ => None,
            })
            .collect();
        let said: String = digits.iter().map(|(text, ..)| *text).collect();
        assert_eq!(said, "4:571:30:00");
        let marked: String =
            digits.iter().filter(|(_, marked, _)| *marked).map(|(text, ..)| *text).collect();
        assert_eq!(marked, "4");
        // The letters of a line are 5 mm high on seven inches; these digits are at least 10 mm high.
        assert!(digits.iter().all(|(_, _, high)| high * 86 >= 10 * size.1), "{digits:?}");
    }
}
