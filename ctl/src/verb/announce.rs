//! What the players read while both clocks stand.

use clock_dbus::one_line;
use clock_engine::rules::Announcement;

/// Reads a text for the players; the empty one takes an announcement back.
pub fn text_or_nothing(text: &str) -> Result<String, String> {
    if text.is_empty() { Ok(String::new()) } else { announcement(text) }
}

/// Checks a text before a command is sent, so that `pause` does not stop the clocks for a text that
/// the service then refuses.
pub fn announcement(text: &str) -> Result<String, String> {
    let is_one_line = one_line(text) == text;
    Announcement::new(text).filter(|_| is_one_line).map(|_| text.to_owned()).ok_or_else(|| {
        format!(
            "{} bytes; expected one line of 1 to {} bytes, with single blanks and without control characters",
            text.len(),
            Announcement::LIMIT
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_the_service_would_refuse_is_refused() {
        for text in ["lunch until 14:00", &"ö".repeat(32)] {
            assert_eq!(announcement(text).as_deref(), Ok(text));
        }
        for text in ["", &"x".repeat(65), "a\nb", "a  b", " a", "\u{202e}a", "\u{1b}[31m"] {
            assert!(announcement(text).unwrap_err().contains("expected one line"), "{text:?}");
        }
        assert_eq!(text_or_nothing("").as_deref(), Ok(""));
    }
}
