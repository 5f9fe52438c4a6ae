//! The menu's part of the configuration.

use crate::code::ArbiterCode;
use crate::situation::Settings;
use clock_controls::{LoadError, NamedControl};
use clock_engine::Span;
use clock_languages::Language;
use clockd_core::MenuOpening;
use std::fmt;

/// The name of the profile for two players without an arbiter.
pub const PLAYERS_AGREE: &str = "players-agree";
/// The most favourites.
pub const MAX_FAVOURITES: usize = 24;
/// The shipped favourites, in the spoken notation.
pub const SHIPPED_CONTROLS: [&str; 12] = [
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

/// When the menu opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum When {
    /// Never.
    Off,
    /// Before a game and after it.
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

/// The configuration of the menu.
#[derive(Clone, Debug)]
pub struct MenuConfig {
    pub(crate) when: When,
    pub(crate) code: Option<ArbiterCode>,
    pub(crate) favourites: Vec<Favourite>,
    opening: MenuOpening,
    language: Language,
}

/// A favourite, with its notation as it stands in the configuration: `5+0`, and not `G/5`.
#[derive(Clone, Debug)]
pub(crate) struct Favourite {
    pub notation: String,
    pub control: NamedControl,
}

/// What is wrong with the configuration of the menu.
#[derive(Debug)]
pub enum ConfigError {
    /// There are more favourites than [`MAX_FAVOURITES`].
    TooManyControls(usize),
    /// A favourite is no notation of a time control.
    Control(LoadError),
    /// The hold of the press that opens the menu is not within [`MenuOpening::HOLDS`].
    Hold(Span),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::TooManyControls(given) => {
                write!(f, "{given} time controls in the menu; expected {MAX_FAVOURITES} at most")
            }
            ConfigError::Control(error) => error.fmt(f),
            ConfigError::Hold(given) => {
                let (shortest, longest) = MenuOpening::HOLDS;
                write!(f, "a hold of {given}; expected {shortest} to {longest}")
            }
        }
    }
}

impl std::error::Error for ConfigError {}

impl Default for MenuConfig {
    fn default() -> MenuConfig {
        let hold = MenuOpening::default().hold();
        MenuConfig::new(When::default(), None, &SHIPPED_CONTROLS, hold)
            .expect("the tests read the shipped favourites")
    }
}

impl MenuConfig {
    /// The configuration with these favourites, which are notations of time controls. `hold` is
    /// the time for which the press that opens the menu is held.
    ///
    /// # Errors
    ///
    /// A favourite is no notation, there are too many, or `hold` is not within
    /// [`MenuOpening::HOLDS`].
    pub fn new<T: AsRef<str>>(
        when: When,
        code: Option<ArbiterCode>,
        controls: &[T],
        hold: Span,
    ) -> Result<MenuConfig, ConfigError> {
        if controls.len() > MAX_FAVOURITES {
            return Err(ConfigError::TooManyControls(controls.len()));
        }
        let opening = MenuOpening::new(hold).ok_or(ConfigError::Hold(hold))?;
        let read = |text: &T| {
            let notation = text.as_ref().trim().to_owned();
            NamedControl::from_notation(&notation).map(|control| Favourite { notation, control })
        };
        let favourites = controls.iter().map(read).collect::<Result<_, _>>();
        Ok(MenuConfig {
            when,
            code,
            favourites: favourites.map_err(ConfigError::Control)?,
            opening,
            language: Language::default(),
        })
    }

    /// This configuration with this language. The pages have it until another one is chosen at the
    /// clock. Without this call, the language is English.
    pub fn with_language(self, language: Language) -> MenuConfig {
        MenuConfig { language, ..self }
    }

    /// The language of the pages and of the face with these settings.
    pub fn language(&self, settings: Settings) -> Language {
        settings.language.unwrap_or(self.language)
    }

    /// How the menu is opened.
    pub fn opening(&self) -> MenuOpening {
        self.opening
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
            assert_eq!(crate::page::cut(&favourite.notation), favourite.notation);
        }
    }

    #[test]
    fn what_is_wrong_is_refused_with_what_is_accepted() {
        let hold = Span::from_secs(3);
        let new = |controls: &[&str], hold| {
            MenuConfig::new(When::Always, None, controls, hold).map(|_| ()).unwrap_err().to_string()
        };
        assert!(new(&["3+2", "x"], hold).starts_with("the time control x: "));
        assert_eq!(new(&["3+2"; 25], hold), "25 time controls in the menu; expected 24 at most");
        let (shortest, longest) = MenuOpening::HOLDS;
        let said = format!("a hold of 0:00:00.5; expected {shortest} to {longest}");
        assert_eq!(new(&[], Span::from_nanos(500_000_000)), said);
        assert!(MenuConfig::new(When::Always, None, &["3+2"], longest).is_ok());
        assert!(new(&[], Span::from_secs(60)).starts_with("a hold of 0:01:00; "));
        assert_eq!(When::from_text("never"), None);
    }
}
