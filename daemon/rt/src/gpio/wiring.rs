//! How the buttons are wired to the lines of a GPIO chip.

use clock_wiring::LineName;
use clockd_core::{Button, LINES};

/// The chip and the lines of the buttons.
#[derive(Clone, Debug)]
pub struct Wiring {
    /// The labels of the chips to which the board can be connected; the first one that the machine
    /// has is used. A name or a path is accepted as well, but the number in it can change between
    /// kernels.
    pub chips: Vec<String>,
    /// Whether a pressed button pulls its line to ground.
    pub active_low: bool,
    /// Whether the pull-ups of the chip are switched on.
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
