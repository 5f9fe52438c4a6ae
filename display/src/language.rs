//! The language of the face.

use clock_languages::{Face, Language};
use serde::Deserialize;

/// The language of the face, as it is written in `display.toml` and on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LanguageChoice {
    /// The language of the menu, which the clock service publishes; English until it is known.
    #[default]
    Auto,
    /// English.
    En,
    /// German.
    De,
    /// French.
    Fr,
    /// Spanish.
    Es,
    /// Dutch.
    Nl,
    /// Polish.
    Pl,
    /// Irish.
    Ga,
}

impl LanguageChoice {
    /// The words of the face if the clock service publishes this language.
    pub fn words(self, published: clock_dbus::Language) -> &'static Face {
        let language = match self {
            LanguageChoice::Auto => Language::from_code(published.as_str()).unwrap_or_default(),
            LanguageChoice::En => Language::English,
            LanguageChoice::De => Language::German,
            LanguageChoice::Fr => Language::French,
            LanguageChoice::Es => Language::Spanish,
            LanguageChoice::Nl => Language::Dutch,
            LanguageChoice::Pl => Language::Polish,
            LanguageChoice::Ga => Language::Irish,
        };
        language.face()
    }
}

/// The words of most tests.
#[cfg(test)]
pub(crate) const EN: &Face = Language::English.face();

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn each_published_language_and_each_configured_one_has_its_words() {
        assert_eq!(clock_dbus::Language::ALL.len(), Language::ALL.len());
        for published in clock_dbus::Language::ALL.iter().copied() {
            let language = Language::from_code(published.as_str()).expect("the codes are the same");
            assert_eq!(LanguageChoice::Auto.words(published), language.face());
            let fixed = LanguageChoice::from_str(language.code(), false).expect("it has a value");
            for other in clock_dbus::Language::ALL.iter().copied() {
                assert_eq!(fixed.words(other), language.face());
            }
        }
    }
}
