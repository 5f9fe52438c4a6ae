//! How the buttons are wired to the lines of a GPIO chip.

use clock_board::LineName;
use clockd_core::{Button, LINES};

/// The chip and the lines of the buttons.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// The labels of the chips that the board can have, because a chip's number can change between
    /// kernels. A name or a path is accepted as well.
    pub chips: Vec<String>,
    /// Whether a pressed button pulls its line to ground.
    pub active_low: bool,
    /// Whether the chip's own pull-ups are switched on.
    pub pull_up: bool,
    /// The line of each button, by [`Button::index`]; `None` for a button that the board does not
    /// have.
    pub lines: [Option<LineName>; LINES],
}

impl Wiring {
    /// The buttons that are wired, with their lines.
    pub fn buttons(&self) -> impl Iterator<Item = (Button, &LineName)> {
        let wired = |button: Button| Some((button, self.lines[button.index()].as_ref()?));
        Button::ALL.into_iter().filter_map(wired)
    }
}
