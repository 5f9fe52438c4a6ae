//! The page and the language of the menu as they are on the bus.

use clock_dbus::{MenuButton, MenuHint, MenuPage, MenuState};
use clock_languages::Language;
use clockd_menu::{HintButton, Page};

/// The page as it is on the bus.
pub fn page(page: Page) -> MenuPage {
    let [first, second] = page.segments();
    let [white, black] = page.times;
    let hints = page.hints.iter().map(|hint| MenuHint {
        button: match hint.button {
            HintButton::White => MenuButton::White,
            HintButton::Black => MenuButton::Black,
            HintButton::Rocker => MenuButton::Rocker,
            HintButton::Call => MenuButton::Call,
            HintButton::CallHeld => MenuButton::CallHeld,
            HintButton::BothHeld => MenuButton::BothHeld,
        },
        action: hint.action.clone(),
    });
    MenuPage {
        state: MenuState::Open,
        number: page.number.into(),
        hints: hints.collect(),
        title: page.title,
        lines: page.lines,
        chosen: page.chosen.and_then(|index| u32::try_from(index).ok()),
        more_above: page.more_above,
        more_below: page.more_below,
        segments: (first, second),
        times: (white, black),
    }
}

/// The language as it is on the bus: the one with the same code.
pub fn language(language: Language) -> clock_dbus::Language {
    let is_same = |other: &&clock_dbus::Language| other.as_str() == language.code();
    clock_dbus::Language::ALL.iter().find(is_same).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bus_has_each_language() {
        let codes = Language::ALL.map(|value| language(value).as_str());
        assert_eq!(codes, Language::ALL.map(Language::code));
        assert_eq!(codes.len(), clock_dbus::Language::ALL.len());
    }
}
