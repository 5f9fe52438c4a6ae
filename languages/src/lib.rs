//! The words of the face, of the menu and of the card, in one file a language: `texts/en.toml` and so
//! on.
//!
//! `build.rs` checks the files against `structure.rs`, and makes constants of them. So a text that is
//! missing is a mistake in the build, the words are in the program's file, and they need no memory of
//! their own.
#![no_std]

extern crate alloc;

use alloc::string::String;
use core::fmt::{Display, Write};

include!("limits.rs");

/// Titles and lines of the menu: at most [`LINE_LENGTH`] characters.
type Line = &'static str;
/// What a button does: at most [`ACTION_LENGTH`] characters.
type Action = &'static str;
/// A part of a line of the menu. The menu's tests measure the lines that are made of it.
type Part = &'static str;
/// A text of any length, which the menu wraps. Each of its words fits on a line.
type Sentence = &'static str;
/// A text of the face or of the card. The tests of `clock-display` measure those of the face.
type Text = &'static str;
/// A text of the face that can be empty.
type Remedy = &'static str;
/// A text that can begin and end with a blank.
type Separator = &'static str;

/// A text with places for values.
macro_rules! With {
    ($($place:ident),+) => { crate::Template<{ [$(stringify!($place)),+].len() }> };
}

/// A text for White and one for Black.
macro_rules! Sides {
    ($kind:ident) => {
        crate::Sides
    };
}

/// Makes types of `structure.rs`.
macro_rules! structure {
    ($( mod $module:ident { $(
        $(#[$doc:meta])* $name:ident { $( $($field:ident)+: $kind:ty; )+ }
    )+ } )+) => { $(
        #[allow(missing_docs, reason = "the English file says what a text is")]
        pub mod $module {
            #[allow(unused_imports, reason = "no module has all kinds of texts")]
            use super::*;

            $(
                $(#[$doc])*
                #[derive(Clone, Copy, PartialEq, Eq)]
                pub struct $name { $( $( pub $field: $kind, )+ )+ }

                /// Shows only the name of the structure, because its texts are many.
                impl core::fmt::Debug for $name {
                    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        f.write_str(stringify!($name))
                    }
                }
            )+
        }
    )+ };
}
include!("structure.rs");

mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

pub use card::Card;
pub use face::{Face, Fault, Notes, Paused, Sign};
pub use menu::Menu;
pub use words::Words;

/// A text for White and one for Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    pub white: &'static str,
    pub black: &'static str,
}

/// A text with `N` places for values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template<const N: usize> {
    /// The text without its places.
    text: &'static str,
    /// For each place in the order of the text: where it is in `text`, and which value stands there.
    places: [(u8, u8); N],
}

impl<const N: usize> Template<N> {
    /// The text with these values, in the order in which `structure.rs` names the places.
    pub fn with(&self, values: [&dyn Display; N]) -> String {
        let (mut text, mut from) = (String::new(), 0);
        for (at, value) in self.places.map(|(at, value)| (usize::from(at), usize::from(value))) {
            write!(text, "{}{}", &self.text[from..at], values[value]).expect("a string grows");
            from = at;
        }
        text + &self.text[from..]
    }
}

/// A text with its place in the language file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedText {
    /// The key in the language file, as in `menu.keys.back`.
    pub key: &'static str,
    /// The kind that `structure.rs` names: `Line`, `Action`, `With` and so on.
    pub kind: &'static str,
    pub text: &'static str,
}

/// A language of the face and of the menu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "dbus",
    derive(serde::Serialize, serde::Deserialize, zbus::Type),
    zbus(signature = "s")
)]
pub enum Language {
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
    // A language that only a later version has is read as English. Serde requires that the variant with
    // `other` is the last one.
    #[default]
    #[cfg_attr(feature = "dbus", serde(rename = "en", other))]
    English,
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
            Language::English => &texts::EN,
            Language::German => &texts::DE,
            Language::French => &texts::FR,
            Language::Spanish => &texts::ES,
            Language::Dutch => &texts::NL,
            Language::Polish => &texts::PL,
            Language::Irish => &texts::GA,
        }
    }

    /// The words of the face in this language.
    pub const fn face(self) -> &'static Face {
        &self.words().face
    }

    /// All texts of the language. The order is the same for each language, except that English has no
    /// `menu.own`.
    pub const fn texts(self) -> &'static [NamedText] {
        match self {
            Language::English => texts::TEXTS_EN,
            Language::German => texts::TEXTS_DE,
            Language::French => texts::TEXTS_FR,
            Language::Spanish => texts::TEXTS_ES,
            Language::Dutch => texts::TEXTS_NL,
            Language::Polish => texts::TEXTS_PL,
            Language::Irish => texts::TEXTS_GA,
        }
    }
}
