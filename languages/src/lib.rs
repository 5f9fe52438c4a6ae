//! The words of the face, of the menu and of the card, in one file a language.
//!
//! A language is a constant of the type [`Words`], so it does not compile before it has every word.
//! The words are in the program's file and need no memory of their own.
#![no_std]

pub mod card;
mod de;
mod en;
mod es;
mod face;
mod fr;
mod ga;
pub mod menu;
mod nl;
mod pl;

pub use card::Card;
pub use face::{Count, Face, Fault, Notes, Paused, Sides, Sign};
pub use menu::Menu;

/// All words of one language.
#[derive(Debug)]
pub struct Words {
    /// The name of the language in the language itself, as the menu lists it.
    pub name: &'static str,
    /// The words of the card for the clock's foot.
    pub card: Card,
    /// The words of the face.
    pub face: Face,
    /// The words of the menu at the clock.
    pub menu: Menu,
}

/// A language of the face and of the menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "dbus",
    derive(serde::Serialize, serde::Deserialize, zbus::Type),
    zbus(signature = "s")
)]
pub enum Language {
    #[default]
    #[cfg_attr(feature = "dbus", serde(rename = "en"))]
    English,
    #[cfg_attr(feature = "dbus", serde(rename = "de"))]
    German,
    #[cfg_attr(feature = "dbus", serde(rename = "fr"))]
    French,
    #[cfg_attr(feature = "dbus", serde(rename = "es"))]
    Spanish,
    #[cfg_attr(feature = "dbus", serde(rename = "nl"))]
    Dutch,
    #[cfg_attr(feature = "dbus", serde(rename = "pl"))]
    Polish,
    #[cfg_attr(feature = "dbus", serde(rename = "ga"))]
    Irish,
}

impl Language {
    pub const ALL: [Language; 7] = [
        Language::English,
        Language::German,
        Language::French,
        Language::Spanish,
        Language::Dutch,
        Language::Polish,
        Language::Irish,
    ];

    /// The code of ISO 639-1: `en`, `de`, `fr`, `es`, `nl`, `pl` or `ga`.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::French => "fr",
            Language::Spanish => "es",
            Language::Dutch => "nl",
            Language::Polish => "pl",
            Language::Irish => "ga",
        }
    }

    /// The language with this code. `None` if there is none.
    pub fn from_code(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    /// The words of the language.
    pub const fn words(self) -> &'static Words {
        match self {
            Language::English => &en::WORDS,
            Language::German => &de::WORDS,
            Language::French => &fr::WORDS,
            Language::Spanish => &es::WORDS,
            Language::Dutch => &nl::WORDS,
            Language::Polish => &pl::WORDS,
            Language::Irish => &ga::WORDS,
        }
    }
}
