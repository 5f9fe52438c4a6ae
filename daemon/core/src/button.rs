//! The buttons of the clock, and the kind of switch that the players use.

use clock_engine::Side;
use core::fmt;
use serde::{Deserialize, Serialize};

/// How many lines a board can have.
pub const LINES: usize = Button::ALL.len();

/// A button of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Button {
    /// A player's button.
    Player(Side),
    /// The button that calls the arbiter.
    Call,
}

impl Button {
    /// All buttons, in the order of their [`Button::index`].
    pub const ALL: [Button; 3] =
        [Button::Player(Side::White), Button::Player(Side::Black), Button::Call];

    /// The index of the button in an array with one element for each button, such as the array of
    /// the GPIO lines.
    pub const fn index(self) -> usize {
        match self {
            Button::Player(Side::White) => 0,
            Button::Player(Side::Black) => 1,
            Button::Call => 2,
        }
    }

    /// The name of the button in wiring files and on the simulated board.
    pub const fn as_str(self) -> &'static str {
        match self {
            Button::Player(side) => side.as_str(),
            Button::Call => "call",
        }
    }

    /// The button with this name, as [`Button::as_str`] returns it.
    pub fn from_text(text: &str) -> Option<Button> {
        Button::ALL.into_iter().find(|button| button.as_str() == text)
    }
}

impl fmt::Display for Button {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The kind of switch that the players use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputKind {
    /// One button for each player. Its contact opens when the player releases it.
    #[default]
    Buttons,
    /// One rocker between the players. It has a contact for each side; such a contact is called a
    /// throw. The throw of the side that pushed last stays closed.
    Rocker,
}
