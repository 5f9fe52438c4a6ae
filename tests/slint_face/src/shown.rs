//! The picture that both renderers show. The build script includes this file, too: it makes the
//! markup for Slint from the same picture.

use clock_dbus::{Language, Phase, SideState, State, Who};
use clock_display::content::Content;
use clock_display::language::LanguageChoice;
use clock_display::pixels::{Rotation, Setup, Theme};
use clock_display::rules::Rules;

/// The size of the picture in pixels.
pub const SIZE: (u32, u32) = (1920, 1080);

const SECOND: u64 = 1_000_000_000;

pub fn setup() -> Setup {
    Setup { size: SIZE, rotation: Rotation::None, arrangement: None, theme: Theme::DARK }
}

/// White's clock runs and is at 1:29:5x, where x is the digit `seconds`.
pub fn content(seconds: u64) -> Content {
    let state = State {
        phase: Phase::Running,
        running: Who::White,
        on_move: Who::White,
        periods: 2,
        white: SideState {
            period: 1,
            moves: 12,
            player: "Vera Menchik".into(),
            remaining_nsec: (5390 + seconds) * SECOND,
            ..SideState::default()
        },
        black: SideState {
            period: 1,
            moves: 11,
            player: "Efim Bogoljubow".into(),
            remaining_nsec: 5400 * SECOND,
            ..SideState::default()
        },
        time_control: "fide-classical".into(),
        ..State::default()
    };
    Content::of(&state, Rules::NONE, LanguageChoice::En.words(Language::English))
}
