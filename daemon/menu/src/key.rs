//! The keys of the menu, and which button is which key on each kind of board.

use crate::words;
use clock_engine::Side;
use clockd_core::{Button, InputKind};

/// The sentence for the log if the board can work no menu.
pub const NO_MENU: &str = words::NO_MENU;

/// What a press means in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// To the line before, or a digit down.
    Back,
    /// To the next line, or a digit up.
    On,
    /// Choose the line, or go to the next digit.
    Choose,
    /// Close the menu.
    Leave,
}

/// What was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// One button, or one throw of a rocker.
    One(Button),
    /// The buttons of both players at the same time.
    BothPlayers,
}

/// How long it was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// For less than `hold`.
    Short,
    /// For `hold` or longer.
    Held,
}

/// A press in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Press {
    /// What it means.
    pub key: Key,
    /// The button that is wired as this player's; `None` for the call button and for both buttons.
    pub button: Option<Side>,
}

/// A button and what it does, for the players to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The button. A player's button is that of the player who uses it.
    pub button: &'static str,
    /// What it does.
    pub does: &'static str,
}

/// The keys of one kind of board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Two buttons and the call button.
    ButtonsAndCall,
    /// Two buttons. There is no [`Key::Back`].
    Buttons,
    /// A rocker and the call button. There is no [`Key::Back`].
    RockerAndCall,
}

impl Keys {
    /// The keys of this board; `None` for a rocker alone, with which no line can be chosen. The log
    /// then has the sentence [`NO_MENU`].
    pub const fn of(kind: InputKind, has_call: bool) -> Option<Keys> {
        match (kind, has_call) {
            (InputKind::Buttons, true) => Some(Keys::ButtonsAndCall),
            (InputKind::Buttons, false) => Some(Keys::Buttons),
            (InputKind::Rocker, true) => Some(Keys::RockerAndCall),
            (InputKind::Rocker, false) => None,
        }
    }

    /// Whether this press opens the menu.
    pub fn opens(self, contact: Contact, length: Length) -> bool {
        self.press(contact, length).is_some_and(|press| press.key == Key::Leave)
    }

    /// What a press means while the menu is open; `None` if it means nothing.
    ///
    /// A player's button that is held means nothing, because a hand may lie on it. A throw of a
    /// rocker stays closed, so its length does not matter.
    pub fn press(self, contact: Contact, length: Length) -> Option<Press> {
        let (key, button) = match (self, contact, length) {
            (Keys::Buttons, Contact::BothPlayers, Length::Held)
            | (
                Keys::ButtonsAndCall | Keys::RockerAndCall,
                Contact::One(Button::Call),
                Length::Held,
            ) => (Key::Leave, None),
            (Keys::ButtonsAndCall | Keys::RockerAndCall, Contact::One(Button::Call), _) => {
                (Key::Choose, None)
            }
            (Keys::ButtonsAndCall, Contact::One(Button::Player(side)), Length::Short) => match side
            {
                Side::White => (Key::Back, Some(side)),
                Side::Black => (Key::On, Some(side)),
            },
            (Keys::Buttons, Contact::One(Button::Player(side)), Length::Short) => match side {
                Side::White => (Key::On, Some(side)),
                Side::Black => (Key::Choose, Some(side)),
            },
            (Keys::RockerAndCall, Contact::One(Button::Player(side)), _) => (Key::On, Some(side)),
            _ => return None,
        };
        Some(Press { key, button })
    }

    /// Whether the board has a rocker, whose throws alternate.
    pub(crate) const fn is_rocker(self) -> bool {
        matches!(self, Keys::RockerAndCall)
    }

    /// The hints of a page on which keys move and choose, in the order of the wired buttons.
    pub(crate) fn hints(self, buttons_exchanged: bool) -> Vec<Hint> {
        let hint = |button, does| {
            let button = match (button, buttons_exchanged) {
                (words::WHITES_BUTTON, true) => words::BLACKS_BUTTON,
                (words::BLACKS_BUTTON, true) => words::WHITES_BUTTON,
                (button, _) => button,
            };
            Hint { button, does }
        };
        match self {
            Keys::ButtonsAndCall => vec![
                hint(words::WHITES_BUTTON, words::KEY_BACK),
                hint(words::BLACKS_BUTTON, words::KEY_ON),
                hint(words::CALL, words::KEY_CHOOSE),
                hint(words::CALL_HELD, words::KEY_LEAVE),
            ],
            Keys::Buttons => vec![
                hint(words::WHITES_BUTTON, words::KEY_ON),
                hint(words::BLACKS_BUTTON, words::KEY_CHOOSE),
                hint(words::BOTH_HELD, words::KEY_LEAVE),
            ],
            Keys::RockerAndCall => vec![
                hint(words::ROCKER, words::KEY_ON),
                hint(words::CALL, words::KEY_CHOOSE),
                hint(words::CALL_HELD, words::KEY_LEAVE),
            ],
        }
    }

    /// The hint for the key that leaves.
    pub(crate) fn leave_hint(self) -> Hint {
        let button = if self == Keys::Buttons { words::BOTH_HELD } else { words::CALL_HELD };
        Hint { button, does: words::KEY_LEAVE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: Contact = Contact::One(Button::Player(Side::White));
    const BLACK: Contact = Contact::One(Button::Player(Side::Black));
    const CALL: Contact = Contact::One(Button::Call);

    fn key(keys: Keys, contact: Contact, length: Length) -> Option<Key> {
        keys.press(contact, length).map(|press| press.key)
    }

    #[test]
    fn the_four_rows_of_the_table() {
        use Length::{Held, Short};
        let keys = Keys::of(InputKind::Buttons, true).unwrap();
        assert_eq!(key(keys, WHITE, Short), Some(Key::Back));
        assert_eq!(key(keys, BLACK, Short), Some(Key::On));
        assert_eq!(key(keys, CALL, Short), Some(Key::Choose));
        assert_eq!(key(keys, CALL, Held), Some(Key::Leave));
        for (contact, length) in [(WHITE, Held), (BLACK, Held), (Contact::BothPlayers, Held)] {
            assert_eq!(key(keys, contact, length), None);
        }
        let keys = Keys::of(InputKind::Buttons, false).unwrap();
        assert_eq!(key(keys, WHITE, Short), Some(Key::On));
        assert_eq!(key(keys, BLACK, Short), Some(Key::Choose));
        assert_eq!(key(keys, Contact::BothPlayers, Held), Some(Key::Leave));
        for (contact, length) in [(WHITE, Held), (CALL, Short), (Contact::BothPlayers, Short)] {
            assert_eq!(key(keys, contact, length), None);
        }
        let keys = Keys::of(InputKind::Rocker, true).unwrap();
        for (contact, length) in [(WHITE, Short), (BLACK, Short), (WHITE, Held), (BLACK, Held)] {
            assert_eq!(key(keys, contact, length), Some(Key::On));
        }
        assert_eq!(key(keys, CALL, Short), Some(Key::Choose));
        assert_eq!(key(keys, CALL, Held), Some(Key::Leave));
        assert_eq!(Keys::of(InputKind::Rocker, false), None);
    }

    #[test]
    fn what_opens_the_menu_leaves_it() {
        use Length::{Held, Short};
        for (keys, opens) in [
            (Keys::ButtonsAndCall, CALL),
            (Keys::Buttons, Contact::BothPlayers),
            (Keys::RockerAndCall, CALL),
        ] {
            for contact in [WHITE, BLACK, CALL, Contact::BothPlayers] {
                assert_eq!(keys.opens(contact, Held), contact == opens);
                assert!(!keys.opens(contact, Short));
            }
        }
    }
}
