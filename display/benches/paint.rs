//! Measures how long the face takes to paint, for screens of several sizes.
//!
//! The targets are in docs/benchmarks.md: 0.1 ms for a digit and 15 ms for a whole picture, at
//! 1920 × 1080 pixels. The pixels are copied into a buffer of the size of the screen, as on a
//! graphics card.

use std::hint::black_box;

use clock_dbus::{Phase, SideState, State, Who};
use clock_display::content::Content;
use clock_display::pixels::{Painter, Rotation, Setup, Theme, copy};
use clock_display::rules::Rules;
use clock_languages::Language;
use criterion::{Criterion, criterion_group, criterion_main};

const SECOND: u64 = 1_000_000_000;

/// White's clock runs, and White has `remaining_nsec` left.
fn running(remaining_nsec: u64) -> Content {
    side_running(Who::White, remaining_nsec)
}

/// The clock of `who` runs. White has `remaining_nsec` left, and Black has 1:30:00.
fn side_running(who: Who, remaining_nsec: u64) -> Content {
    let state = State {
        phase: Phase::Running,
        running: who,
        on_move: who,
        periods: 2,
        time_control: "fide-classical".into(),
        white: SideState { player: "Vera Menchik".into(), remaining_nsec, ..SideState::default() },
        black: SideState {
            player: "Efim Bogoljubow".into(),
            remaining_nsec: 5400 * SECOND,
            ..SideState::default()
        },
        ..State::default()
    };
    Content::of(&state, Rules::NONE, Language::English.face())
}

struct Screen {
    painter: Painter,
    pixels: Vec<u32>,
}

impl Screen {
    fn new(size: (u32, u32)) -> Screen {
        let setup = Setup { size, rotation: Rotation::None, arrangement: None, theme: Theme::DARK };
        let pixels = vec![0; size.0 as usize * size.1 as usize];
        Screen { painter: Painter::new(setup), pixels }
    }

    /// Paints what has changed. Returns how many areas were painted.
    fn show(&mut self, content: &Content) -> usize {
        let pitch = self.painter.setup().size.0 as usize;
        let pixels = &mut self.pixels;
        self.painter.paint(content, &mut |area, painted| copy(area, painted, pixels, pitch)).len()
    }
}

fn paint(criterion: &mut Criterion) {
    for (name, size) in
        [("800x480", (800, 480)), ("1920x1080", (1920, 1080)), ("3840x2160", (3840, 2160))]
    {
        let mut group = criterion.benchmark_group(name);
        // The two times in the first row of this table differ only in the last digit of the
        // seconds. The two times in the second row differ only in the tenths.
        for (changed, one, other) in [
            ("one digit", 5_397 * SECOND, 5_396 * SECOND),
            ("one tenth", 9_400_000_000, 9_300_000_000),
        ] {
            let contents = [running(one), running(other)];
            let mut screen = Screen::new(size);
            screen.show(&contents[0]);
            assert_eq!(screen.show(&contents[1]), 1, "one area is painted");
            let mut turn = 0;
            group.bench_function(changed, |bencher| {
                bencher.iter(|| {
                    turn += 1;
                    black_box(screen.show(&contents[turn % 2]))
                });
            });
        }
        // Both halves change their colours, as at every press.
        let contents = [Who::White, Who::Black].map(|who| side_running(who, 5_397 * SECOND));
        let mut screen = Screen::new(size);
        let mut turn = 0;
        group.bench_function("a press", |bencher| {
            bencher.iter(|| {
                turn += 1;
                black_box(screen.show(&contents[turn % 2]))
            });
        });
        let content = running(5_397 * SECOND);
        let mut screen = Screen::new(size);
        screen.show(&content);
        group.bench_function("nothing changes", |bencher| {
            bencher.iter(|| black_box(screen.show(&content)));
        });
        group.bench_function("the whole picture", |bencher| {
            bencher.iter(|| {
                screen.painter.forget();
                black_box(screen.show(&content))
            });
        });
    }
}

criterion_group!(benches, paint);
criterion_main!(benches);
