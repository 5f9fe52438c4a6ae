//! What the menu asks its caller to do.

use clock_controls::NamedControl;
use clock_engine::rules::GameCommand;

/// The most commands that are given together.
pub const MAX_COMMANDS: usize = 4;

/// What the caller does after a press or a timeout.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Show the page again.
    None,
    /// The menu is closed: presses go to the game again.
    Close,
    /// Give these commands, and then call [`Menu::answered`](crate::Menu::answered).
    Give(Box<Given>),
    /// Keep a control of the players' own in this place, from 0.
    Store {
        /// The place, below [`OWN_CONTROLS`](crate::OWN_CONTROLS).
        place: usize,
        /// The control.
        control: Box<NamedControl>,
    },
    /// Change a setting of the face.
    Set(Setting),
    /// A wrong code was entered. The record has the try, and not its presses.
    WrongCode {
        /// How many codes were wrong since the last right one.
        tries: u32,
    },
}

/// Commands, with what they need beside them.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The commands, 1 to [`MAX_COMMANDS`], in this order. A refused one ends them.
    pub commands: Vec<GameCommand>,
    /// The revision that the players saw, for the first command. Each later command is for the
    /// revision after the one before it.
    pub revision: u64,
    /// The reason for the record.
    pub reason: String,
    /// What the new game is, with a [`GameCommand::New`].
    pub new_game: Option<NewGame>,
}

/// The new game that a [`GameCommand::New`] sets up.
#[derive(Clone, Debug, PartialEq)]
pub struct NewGame {
    /// The control with its name.
    pub control: NamedControl,
    /// The rules with which it is set up.
    pub rules: NewRules,
    /// Whether the players' names change sides. The commands also exchange the buttons.
    pub exchange_sides: bool,
}

/// The rules of a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewRules {
    /// The shipped profile `players-agree`.
    PlayersAgree,
    /// The profile of the configuration.
    Configured,
    /// The rules of the game before.
    AsBefore,
}

/// A setting of the face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Sound on or off.
    Sound(bool),
    /// The brightness in percent, 10 to 100; `None`: as the day's schedule says.
    Brightness(Option<u8>),
}
