//! The keys of the menu, and which button is which key on each kind of board.

use clock_dbus::{MenuButton, MenuHint};
use clock_engine::{Instant, Side};
use clockd_core::{Button, InputKind, MenuPress, PressLength};

/// The sentence for the log if the board can work no menu.
pub const NO_MENU: &str = "a rocker without a call button works no menu: no line could be chosen";

/// What a press means in the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// To the line before, or a digit down.
    Back,
    /// To the next line, or a digit up.
    On,
    /// Choose the line, or go to the next digit.
    Choose,
    /// The hold that opened the menu. On most pages it closes the menu.
    Hold,
}

/// A press in the menu, with what it means on this board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Press {
    /// What it means; `None` if it means nothing.
    pub key: Option<Key>,
    /// The button that is wired as this player's; `None` for the call button.
    pub side: Option<Side>,
    pub at: Instant,
    /// The instant of its release, or of the end of the hold.
    pub end: Instant,
    /// Whether it is the repetition of a button that is held.
    pub is_repeated: bool,
}

/// The keys of one kind of board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    ButtonsAndCall,
    /// Two buttons. No key goes back.
    Buttons,
    /// A rocker and the call button. No key goes back.
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

    /// The keys of a menu that the buttons of both players have opened (`by_players`), or the call
    /// button. The call button of a board can be missing although it is configured, so whoever has
    /// opened the menu without it also works the menu without it.
    pub(crate) const fn opened(self, by_players: bool) -> Keys {
        match self {
            Keys::ButtonsAndCall if by_players => Keys::Buttons,
            keys => keys,
        }
    }

    pub(crate) fn press(self, press: &MenuPress) -> Press {
        let MenuPress { button, at, end, length } = *press;
        let side = match button {
            Button::Player(side) => Some(side),
            Button::Call => None,
        };
        Press { key: self.key(button, length), side, at, end, is_repeated: false }
    }

    /// A player's button that is held means nothing, because a hand may lie on it. A throw of a
    /// rocker stays closed, so its length does not matter.
    fn key(self, button: Button, length: PressLength) -> Option<Key> {
        let is_short = length == PressLength::Short;
        match (self, button) {
            (Keys::ButtonsAndCall | Keys::RockerAndCall, Button::Call) if is_short => {
                Some(Key::Choose)
            }
            (Keys::ButtonsAndCall | Keys::RockerAndCall, Button::Call) => Some(Key::Hold),
            (Keys::Buttons, Button::Call) => None,
            (Keys::RockerAndCall, Button::Player(_)) => Some(Key::On),
            (_, Button::Player(_)) if length == PressLength::LongTogether => Some(Key::Hold),
            (_, Button::Player(_)) if !is_short => None,
            (Keys::ButtonsAndCall, Button::Player(Side::White)) => Some(Key::Back),
            (Keys::ButtonsAndCall, Button::Player(Side::Black)) => Some(Key::On),
            (Keys::Buttons, Button::Player(Side::White)) => Some(Key::On),
            (Keys::Buttons, Button::Player(Side::Black)) => Some(Key::Choose),
        }
    }

    pub(crate) const fn has_call(self) -> bool {
        matches!(self, Keys::ButtonsAndCall | Keys::RockerAndCall)
    }

    /// Whether the board has a rocker, whose throws alternate.
    pub(crate) const fn is_rocker(self) -> bool {
        matches!(self, Keys::RockerAndCall)
    }

    /// The hints of a page, in the order of the wired buttons: what the keys back, on and choose
    /// do, and what the hold does. A key without an action has no hint.
    pub(crate) fn hints(
        self,
        buttons_exchanged: bool,
        [back, on, choose]: [&str; 3],
        hold: &'static str,
    ) -> Vec<MenuHint> {
        let hint = |button, action: &str| {
            let button = match (button, buttons_exchanged) {
                (MenuButton::White, true) => MenuButton::Black,
                (MenuButton::Black, true) => MenuButton::White,
                (button, _) => button,
            };
            MenuHint { button: Some(button), action: action.to_owned() }
        };
        let mut hints = match self {
            Keys::ButtonsAndCall => vec![
                hint(MenuButton::White, back),
                hint(MenuButton::Black, on),
                hint(MenuButton::Call, choose),
                hint(MenuButton::CallHeld, hold),
            ],
            Keys::Buttons => vec![
                hint(MenuButton::White, on),
                hint(MenuButton::Black, choose),
                hint(MenuButton::BothHeld, hold),
            ],
            Keys::RockerAndCall => vec![
                hint(MenuButton::Rocker, on),
                hint(MenuButton::Call, choose),
                hint(MenuButton::CallHeld, hold),
            ],
        };
        hints.retain(|hint| !hint.action.is_empty());
        hints
    }

    /// The hint for a short press of the call button, if there is one.
    pub(crate) fn call_hint(self, action: &'static str) -> Option<MenuHint> {
        self.has_call()
            .then(|| MenuHint { button: Some(MenuButton::Call), action: action.to_owned() })
    }

    pub(crate) fn hold_hint(self, action: &'static str) -> MenuHint {
        let button =
            if self == Keys::Buttons { MenuButton::BothHeld } else { MenuButton::CallHeld };
        MenuHint { button: Some(button), action: action.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PressLength::{Long, LongTogether, Short};

    const WHITE: Button = Button::Player(Side::White);
    const BLACK: Button = Button::Player(Side::Black);
    const CALL: Button = Button::Call;

    #[test]
    fn the_four_rows_of_the_table() {
        let keys = Keys::of(InputKind::Buttons, true).unwrap();
        assert_eq!(keys.key(WHITE, Short), Some(Key::Back));
        assert_eq!(keys.key(BLACK, Short), Some(Key::On));
        assert_eq!(keys.key(CALL, Short), Some(Key::Choose));
        assert_eq!(keys.key(CALL, Long), Some(Key::Hold));
        assert_eq!(keys.key(BLACK, LongTogether), Some(Key::Hold));
        for button in [WHITE, BLACK] {
            assert_eq!(keys.key(button, Long), None);
        }
        let keys = Keys::of(InputKind::Buttons, false).unwrap();
        assert_eq!(keys.key(WHITE, Short), Some(Key::On));
        assert_eq!(keys.key(BLACK, Short), Some(Key::Choose));
        for button in [WHITE, BLACK] {
            assert_eq!(keys.key(button, LongTogether), Some(Key::Hold));
        }
        for (button, length) in [(WHITE, Long), (BLACK, Long), (CALL, Short), (CALL, Long)] {
            assert_eq!(keys.key(button, length), None);
        }
        let keys = Keys::of(InputKind::Rocker, true).unwrap();
        for button in [WHITE, BLACK] {
            assert_eq!(keys.key(button, Short), Some(Key::On));
        }
        assert_eq!(keys.key(CALL, Short), Some(Key::Choose));
        assert_eq!(keys.key(CALL, Long), Some(Key::Hold));
        assert_eq!(Keys::of(InputKind::Rocker, false), None);
    }

    #[test]
    fn who_opens_the_menu_with_both_buttons_needs_no_call_button_in_it() {
        assert_eq!(Keys::ButtonsAndCall.opened(true), Keys::Buttons);
        for keys in [Keys::ButtonsAndCall, Keys::Buttons, Keys::RockerAndCall] {
            assert_eq!(keys.opened(false), keys);
        }
    }
}
