//! The menu's part of the configuration.

use crate::code::ArbiterCode;
use crate::situation::Settings;
use clock_controls::{LoadError, NamedControl};
use clock_languages::Language;
use clockd_core::MenuOpening;

/// The name of the profile for two players without an arbiter.
pub const PLAYERS_AGREE: &str = "players-agree";
pub const MAX_FAVOURITES: usize = 24;
/// The shipped favourites, in the spoken notation.
const SHIPPED_CONTROLS: [&str; 12] = [
    "3+2",
    "5+3",
    "5+0",
    "10+0",
    "10+5",
    "15+10",
    "25+10",
    "G/30",
    "60+30",
    "90+30",
    "40/90, G/30, +30",
    "40/120, 20/60, G/30",
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    Off,
    BetweenGames,
    /// Between games, and also while both clocks stand in a game.
    #[default]
    Always,
}

impl When {
    /// Reads `off`, `between-games` or `always`.
    pub fn from_text(text: &str) -> Option<When> {
        match text {
            "off" => Some(When::Off),
            "between-games" => Some(When::BetweenGames),
            "always" => Some(When::Always),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct MenuConfig {
    pub when: When,
    pub code: Option<ArbiterCode>,
    /// The favourites, at most [`MAX_FAVOURITES`] of them.
    pub favourites: Vec<NamedControl>,
    pub opening: MenuOpening,
    /// The language of the pages until another one is chosen at the clock.
    pub language: Language,
}

/// The favourite of this notation. Its title is the notation as it is written: `5+0`, and not `G/5`.
///
/// # Errors
///
/// The text is no notation of a time control.
pub fn favourite(notation: &str) -> Result<NamedControl, LoadError> {
    let title = notation.trim().to_owned();
    NamedControl::from_notation(&title).map(|control| NamedControl { title, ..control })
}

impl Default for MenuConfig {
    fn default() -> MenuConfig {
        let read = |text| favourite(text).expect("the tests read the shipped favourites");
        MenuConfig {
            when: When::default(),
            code: None,
            favourites: SHIPPED_CONTROLS.map(read).into(),
            opening: MenuOpening::default(),
            language: Language::default(),
        }
    }
}

impl MenuConfig {
    /// The language of the pages and of the face with these settings.
    pub fn language(&self, settings: Settings) -> Language {
        settings.language.unwrap_or(self.language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_favourites_are_controls_and_fit_on_a_line() {
        let config = MenuConfig::default();
        assert_eq!(config.favourites.len(), SHIPPED_CONTROLS.len());
        for favourite in &config.favourites {
            assert_eq!(crate::page::cut(&favourite.title), favourite.title);
        }
        assert!(favourite("x").is_err());
    }
}
