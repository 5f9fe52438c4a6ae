//! Enumerations whose values are words in files, in scripts and on the bus.

/// An enumeration that has a word for each value.
pub trait Word: Copy + PartialEq + 'static {
    /// All values, in the order of their definition.
    const ALL: &'static [Self];

    /// The word of this value.
    fn as_str(self) -> &'static str;

    /// The value with this word, if there is one.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.as_str() == word)
    }
}

/// Defines an enumeration with one word for each value.
macro_rules! words {
    (
        $(#[$doc:meta])*
        $name:ident { $( $(#[$value_doc:meta])* $value:ident = $word:literal ),+ $(,)? }
    ) => {
        $crate::words::words_without_display! {
            $(#[$doc])*
            $name { $( $(#[$value_doc])* $value = $word ),+ }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// As `words!`, for an enumeration whose values have another name in a sentence.
macro_rules! words_without_display {
    (
        $(#[$doc:meta])*
        $name:ident { $( $(#[$value_doc:meta])* $value:ident = $word:literal ),+ $(,)? }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $name {
            $(
                $(#[$value_doc])*
                #[doc = concat!("\n\nIts word is `", $word, "`.")]
                #[cfg_attr(feature = "serde", serde(rename = $word))]
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
        }

        #[cfg(feature = "dbus")]
        impl zbus::Type for $name {
            const SIGNATURE: &'static zbus::Signature = &zbus::Signature::Str;
        }
    };
}
pub(crate) use {words, words_without_display};
