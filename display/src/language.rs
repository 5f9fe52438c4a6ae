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
    pub fn words(self, published: Language) -> &'static Face {
        let language = match self {
            LanguageChoice::Auto => published,
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
        for language in Language::ALL {
            assert_eq!(LanguageChoice::Auto.words(language), language.face());
            let fixed = LanguageChoice::from_str(language.code(), false).expect("it has a value");
            for other in Language::ALL {
                assert_eq!(fixed.words(other), language.face());
            }
        }
    }
}
