//! What an arbiter tells the players while both clocks stand.

use core::fmt;

/// A text for the players, such as `lunch until 14:00`: a value of fixed size, because the engine
/// has no allocator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Announcement {
    bytes: [u8; Announcement::LIMIT],
    len: u8,
}

impl Announcement {
    /// The largest size of the text in bytes.
    pub const LIMIT: usize = 64;

    /// The announcement with this text. `None` if the text is empty, has more than
    /// [`Announcement::LIMIT`] bytes, or has a control character.
    pub fn new(text: &str) -> Option<Announcement> {
        let len = u8::try_from(text.len()).ok()?;
        let mut bytes = [0; Announcement::LIMIT];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        let is_usable = !text.is_empty() && !text.contains(char::is_control);
        is_usable.then_some(Announcement { bytes, len })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        let text = self.bytes.get(..self.len.into()).and_then(|text| str::from_utf8(text).ok());
        text.expect("only `new` makes an announcement, and it copies a whole text")
    }
}

impl fmt::Debug for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Announcement({:?})", self.as_str())
    }
}

mod serialization {
    use super::Announcement;
    use core::fmt;
    use serde::de::{Deserialize, Deserializer, Error, Visitor};
    use serde::ser::{Serialize, Serializer};

    impl Serialize for Announcement {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_str(self.as_str())
        }
    }

    struct Text;

    impl Visitor<'_> for Text {
        type Value = Announcement;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text of 1 to 64 bytes without control characters")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Announcement, E> {
            Announcement::new(text)
                .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
        }
    }

    impl<'de> Deserialize<'de> for Announcement {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Announcement, D::Error> {
            from.deserialize_str(Text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Announcement;

    #[test]
    fn an_announcement_has_1_to_64_bytes_and_no_control_character() {
        let longest = "ö".repeat(32);
        for text in ["x", "lunch until 14:00", &longest] {
            assert_eq!(Announcement::new(text).map(|it| it.as_str() == text), Some(true), "{text}");
        }
        for text in ["", &format!("{longest}x"), &"x".repeat(300), "a\nb", "\u{1b}[0m", "\u{85}"] {
            assert_eq!(Announcement::new(text), None, "{text:?}");
        }
    }
}
