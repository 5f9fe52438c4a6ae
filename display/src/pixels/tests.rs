use super::area::{Area, Rotation};
use super::font::Font;
use super::layout::Arrangement;
use super::painter::Painter;
use super::painter::{copy, pixels, write_png};
use super::scene::{Look, Scene, Setup};
use super::theme::Theme;
use crate::content::{
    Content, FlagOrder, Game, Overtime, PlayedPeriod, Side, SideDisplay, Status, TimeLevel,
    TurnMark, Urgency,
};
use crate::devices::test_content;
use crate::language::EN;

const SIZES: [(u32, u32); 4] = [(800, 480), (480, 800), (1280, 400), (1, 1)];
const TURNS: [Rotation; 4] =
    [Rotation::None, Rotation::Quarter, Rotation::Half, Rotation::ThreeQuarters];
const ARRANGEMENTS: [Option<Arrangement>; 4] =
    [None, Some(Arrangement::SideBySide), Some(Arrangement::Stacked), Some(Arrangement::Facing)];

fn setup(size: (u32, u32)) -> Setup {
    Setup { size, rotation: Rotation::None, arrangement: None, theme: Theme::DARK }
}

fn side(side: Side, time: &str) -> SideDisplay {
    let period = Some(PlayedPeriod { number: 1, of: Some(2) });
    let (player, time) = ("Vera Menchik".into(), time.into());
    SideDisplay { side, player, time, period, moves: Some(12), ..test_content::SIDE }
}

fn game() -> Game {
    let white = SideDisplay { mark: TurnMark::Running, ..side(Side::White, "1:29:58") };
    let content = test_content::game(white, side(Side::Black, "1:30:00"));
    let Content::Game(mut game) = content else { unreachable!("it is a game") };
    game.status.texts = vec!["fide-standard".into()];
    *game
}

/// Pseudo-random numbers, the same ones in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    /// Returns [`Content::NoService`], or `content` with another status or with one other property.
    /// If `content` has no game, the game that `game` returns is changed.
    fn change(&mut self, content: &Content) -> Content {
        let mut game = match content {
            Content::Game(game) => (**game).clone(),
            Content::Starting(_) | Content::NoService(_) => game(),
        };
        let changed = if self.below(2) == 0 { &mut game.white } else { &mut game.black };
        match self.below(11) {
            0 => return Content::NoService(EN),
            8 => changed.stale = !changed.stale,
            1 => {
                changed.time =
                    self.one_of(&["1:29:57", "1:29:56", "59:59", "0:00", "9.9", "10:00:00"]).into()
            }
            2 => {
                changed.mark =
                    self.one_of(&[TurnMark::Running, TurnMark::Stopped, TurnMark::Waiting])
            }
            3 => {
                let flagged =
                    TimeLevel::Flagged { order: FlagOrder::Only, overrun: Some("+0:12".into()) };
                changed.time_level = self.one_of(&[TimeLevel::Ample, TimeLevel::Low(500), flagged]);
            }
            4 => {
                changed.player = self
                    .one_of(&["", "Ян Непомнящий", "Rameshbabu Praggnanandhaa", "Ðỗ", "الله"])
                    .into()
            }
            5 => changed.delay = self.one_of(&[None, Some(9), Some(10)]),
            6 => {
                changed.overtime =
                    self.one_of(&[None, Some(Overtime { periods: 5, moves: Some(1) })])
            }
            9 => game.buttons_exchanged = !game.buttons_exchanged,
            7 => changed.moves = self.one_of(&[None, Some(1), Some(200)]),
            _ => {
                let texts = self.one_of(&[vec!["PAUSED".to_owned()], vec!["READY, and a text that is much longer than the display is wide, in every size".to_owned(), "READY".to_owned()]]);
                let urgency =
                    self.one_of(&[Urgency::Normal, Urgency::Notice, Urgency::Call, Urgency::Fault]);
                let call = self.one_of(&[vec![], vec!["ARBITER CALLED".to_owned()]]);
                let battery = self.one_of(&[None, Some("battery 7 h".to_owned())]);
                let hold = self.one_of(&[None, Some(20), Some(60)]);
                game.status = Status { texts, urgency, fault: None, call, battery, hold };
            }
        }
        Content::Game(Box::new(game))
    }
}

/// A picture that was changed step by step must be equal, pixel by pixel, to the picture that is
/// painted on an empty screen.
#[test]
fn a_picture_that_was_changed_step_by_step_is_the_one_that_is_painted_at_once() {
    let mut numbers = Numbers(1);
    for round in 0..25 {
        let setup = Setup {
            size: numbers.one_of(&SIZES),
            rotation: numbers.one_of(&TURNS),
            arrangement: numbers.one_of(&ARRANGEMENTS),
            theme: numbers.one_of(&[Theme::DARK, Theme::LIGHT, Theme::NIGHT, Theme::HIGH_CONTRAST]),
        };
        let width = setup.size.0 as usize;
        let pitch = width + numbers.below(3);
        let mut screen = vec![0xFFFF_FFFF; pitch * setup.size.1 as usize];
        let mut painter = Painter::new(setup);
        let mut content = Content::Game(Box::new(game()));
        let mut shown = None;
        for step in 0..10 {
            let damage =
                painter.paint(&content, &mut |area, pixels| copy(area, pixels, &mut screen, pitch));
            assert!(damage.is_empty() || shown.as_ref() != Some(&content));
            let fresh = pixels(&content, &setup);
            for (row, wanted) in screen.chunks(pitch).zip(fresh.chunks(width)) {
                let same = row[..width] == *wanted;
                assert!(same, "round {round}, step {step}: {setup:?}\n{content:?}");
                assert!(row[width..].iter().all(|pixel| *pixel == 0xFFFF_FFFF));
            }
            shown = Some(content.clone());
            content = numbers.change(&content);
        }
    }
}

#[test]
fn a_digit_that_changes_is_painted_alone_and_nothing_while_nothing_changes() {
    let mut painter = Painter::new(setup((1920, 1080)));
    let mut game = game();
    let mut paint =
        |game: &Game| painter.paint(&Content::Game(Box::new(game.clone())), &mut |_, _| ());
    assert_eq!(paint(&game), [Area::of_size((1920, 1080))]);
    assert_eq!(paint(&game), []);
    game.white.time = "1:29:57".into();
    let damage = paint(&game);
    assert_eq!(damage.len(), 1);
    assert!(damage[0].width < 400 && damage[0].height < 500, "{damage:?}");
}

/// The places of the digits depend only on how many digits there are.
#[test]
fn nothing_moves_while_the_digits_change() {
    let font = Font::new();
    let cells = |time: &str| -> Vec<Area> {
        let content = Content::Game(Box::new(Game { white: side(Side::White, time), ..game() }));
        let scene = Scene::of(&content, &setup((800, 480)), &font);
        let digits = scene
            .elements
            .into_iter()
            .filter(|element| matches!(&element.look, Look::Text { text, .. } if text.len() == 1));
        digits.map(|element| element.area).collect()
    };
    assert_eq!(cells("1:11:11"), cells("0:58:49"));
    assert_ne!(cells("1:11:11"), cells("58:49"));
}

/// No rectangle reaches outside the screen, and no text is wider than its rectangle, whatever the
/// size of the screen.
#[test]
fn texts_fit_their_rectangles() {
    let font = Font::new();
    let mut numbers = Numbers(2);
    let mut content = Content::Game(Box::new(game()));
    for _ in 0..300 {
        let setup = Setup {
            rotation: numbers.one_of(&TURNS),
            arrangement: numbers.one_of(&ARRANGEMENTS),
            ..setup(numbers.one_of(&[
                (800, 480),
                (480, 800),
                (1280, 400),
                (320, 240),
                (3840, 2160),
            ]))
        };
        for element in Scene::of(&content, &setup, &font).elements {
            assert!(element.area.right() <= setup.size.0 && element.area.bottom() <= setup.size.1);
            if let Look::Text { text, size, typeface, .. } = element.look {
                let (width, _) = element.rotation.inverse().size(element.area.size());
                let taken: u32 = text.chars().map(|sign| font.advance(typeface, sign, size)).sum();
                assert!(taken <= width, "{text:?} in {:?}", element.area);
            }
        }
        content = numbers.change(&content);
    }
}

#[test]
fn a_picture_is_written_as_png() {
    let setup = setup((320, 200));
    let painted = pixels(&Content::NoService(EN), &setup);
    let mut file = Vec::new();
    write_png(&mut file, &painted, setup.size).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height, info.color_type), (320, 200, png::ColorType::Rgb));
    for (pixel, bytes) in painted.iter().zip(bytes.chunks(3)) {
        assert_eq!(pixel.to_be_bytes()[1..], *bytes);
    }
}

mod languages;
mod menu;
mod menu_languages;
mod panels;
