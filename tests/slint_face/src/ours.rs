//! The clock's own painter.

use clock_dbus::{Language, Phase, State, Who};
use clock_display::content::Content;
use clock_display::language::LanguageChoice;
use clock_display::pixels::{Painter, Rotation, Setup, Theme, copy};
use clock_display::rules::Rules;

use crate::{PIXELS, Painted, SIZE};

const SECOND: u64 = 1_000_000_000;

pub struct Ours {
    painter: Painter,
    /// One content for each last digit of the seconds.
    contents: Vec<Content>,
    shown: usize,
    pixels: Vec<u32>,
}

impl Ours {
    pub fn new() -> Ours {
        let setup =
            Setup { size: SIZE, rotation: Rotation::None, arrangement: None, theme: Theme::DARK };
        let contents = (0..10).map(|seconds| content((5390 + seconds) * SECOND)).collect();
        let painter = Painter::new(setup);
        let mut ours = Ours { painter, contents, shown: 0, pixels: vec![0; PIXELS] };
        ours.show(7);
        ours
    }
}

impl Painted for Ours {
    fn show(&mut self, seconds: usize) {
        self.shown = seconds;
        let pixels = &mut self.pixels;
        self.painter.paint(&self.contents[seconds], &mut |area, painted| {
            copy(area, painted, pixels, SIZE.0 as usize);
        });
    }

    fn repaint(&mut self) {
        self.painter.forget();
        self.show(self.shown);
    }

    fn pixels(&self) -> Vec<u32> {
        self.pixels.clone()
    }
}

/// White's clock runs, and White has `white_remaining_nsec` left.
fn content(white_remaining_nsec: u64) -> Content {
    let state = State {
        phase: Phase::Running,
        running: Who::White,
        on_move: Who::White,
        periods: 2,
        white_period: 1,
        black_period: 1,
        white_moves: 12,
        black_moves: 11,
        time_control: "fide-classical".into(),
        white_player: "Vera Menchik".into(),
        black_player: "Efim Bogoljubow".into(),
        white_remaining_nsec,
        black_remaining_nsec: 5400 * SECOND,
        ..State::default()
    };
    Content::of(&state, Rules::NONE, LanguageChoice::En.words(Language::English))
}
