//! Enumerations whose values are words in files, in scripts and on the bus.

/// An enumeration that has a word for each value.
pub trait Word: Copy + PartialEq + 'static {
    /// All values, in the order of their definition.
    const ALL: &'static [Self];

    /// The word of this value.
    fn as_str(self) -> &'static str;

    /// What the value means, for the help of a command line; `None` if the word says it.
    fn help(self) -> Option<&'static str> {
        None
    }

    /// The value with this word, if there is one.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.as_str() == word)
    }
}

/// Defines an enumeration with one word for each value, as `Value = "word"` or, with the help of a
/// command line, as `Value = "word" => "What it means"`. The crate that uses the macro needs serde; with
/// the feature `dbus`, it needs zbus, too.
#[macro_export]
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($values:tt)* }) => {
        $crate::words_without_display! { $(#[$doc])* $name { $($values)* } }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// As `words!`, for an enumeration whose values have another name in a sentence.
#[doc(hidden)]
#[macro_export]
macro_rules! words_without_display {
    (
        $(#[$doc:meta])*
        $name:ident {
            $( $(#[$value_doc:meta])* $value:ident = $word:literal $(=> $help:literal)? ),+ $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $(
                $(#[doc = concat!($help, ".")])?
                $(#[$value_doc])*
                #[doc = concat!("\n\nIts word is `", $word, "`.")]
                #[serde(rename = $word)]
                $value,
            )+
        }

        impl $name {
            /// All values, in the order of their definition.
            pub const ALL: &'static [$name] = &[$($name::$value),+];

            /// The word in files, in scripts and on the bus.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$value => $word),+ }
            }

            /// The value with this word, if there is one.
            pub fn from_word(word: &str) -> Option<$name> {
                <$name as $crate::Word>::from_word(word)
            }
        }

        impl $crate::Word for $name {
            const ALL: &'static [$name] = $name::ALL;

            fn as_str(self) -> &'static str {
                $name::as_str(self)
            }

            fn help(self) -> Option<&'static str> {
                match self { $($name::$value => None$(.or(Some($help)))?),+ }
            }
        }

        $crate::words_on_dbus! { $name }
    };
}

// What depends on a feature is a macro of its own with two definitions: a `cfg` inside a macro would
// ask for the features of the crate that uses it.

#[cfg(feature = "dbus")]
#[doc(hidden)]
#[macro_export]
macro_rules! words_on_dbus {
    ($name:ident) => {
        impl zbus::Type for $name {
            const SIGNATURE: &'static zbus::Signature = &zbus::Signature::Str;
        }
    };
}

#[cfg(not(feature = "dbus"))]
#[doc(hidden)]
#[macro_export]
macro_rules! words_on_dbus {
    ($name:ident) => {};
}

pub(crate) use {words, words_without_display};
