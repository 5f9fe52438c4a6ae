//! How times, and texts from any source, are written for people.

const SECOND: u64 = 1_000_000_000;
const TENTH: u64 = SECOND / 10;
/// [`face_text`] shows tenths of a second if the time, rounded up to tenths, is below this time.
const TENTHS_BELOW: u64 = 20 * SECOND;

/// A remaining time as the players' display shows it: `1:29:59` or `4:05`, and below 20 s with
/// tenths, such as `19.9`.
///
/// The time is rounded up, so zero is shown only when the time is used up.
///
/// ```
/// use clock_dbus::face_text;
/// assert_eq!(face_text(90 * 60 * 1_000_000_000), "1:30:00");
/// assert_eq!(face_text(299_000_000_001), "5:00");
/// assert_eq!(face_text(1), "0.1");
/// assert_eq!(face_text(0), "0.0");
/// ```
pub fn face_text(nsec: u64) -> String {
    if nsec <= TENTHS_BELOW - TENTH {
        let tenths = nsec.div_ceil(TENTH);
        return format!("{}.{}", tenths / 10, tenths % 10);
    }
    let seconds = nsec.div_ceil(SECOND);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Returns a text from any source as one line, which cannot change how the text around it is shown.
///
/// Each run of white space and control characters becomes a single blank. Characters that reverse
/// the direction of what follows, or that have no width and so hide a difference, are left out.
///
/// ```
/// use clock_dbus::one_line;
/// assert_eq!(one_line(" Vera\n\tMenchik \u{1b}[31m"), "Vera Menchik [31m");
/// assert_eq!(one_line("\u{202e}kihcneM\u{202c}"), "kihcneM");
/// ```
pub fn one_line(text: &str) -> String {
    let visible: String = text
        .chars()
        .filter(|c| !is_invisible(*c))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the face has every letter of a name on a screen: those of the Latin, Greek, Cyrillic,
/// Armenian and Georgian scripts. It shows `White` or `Black` in place of a name with other letters,
/// because it can neither arrange Arabic and Hebrew from right to left nor join them, and its font
/// has no Chinese, Indian and other letters.
///
/// ```
/// use clock_dbus::face_has_letters;
/// assert!(face_has_letters("Gaprindashvili, Nona (ნონა)"));
/// assert!(!face_has_letters("丁立人"));
/// ```
pub fn face_has_letters(name: &str) -> bool {
    name.chars().filter(|c| c.is_alphabetic()).all(|c| {
        matches!(
            c,
            '\0'..='\u{2af}'
                | '\u{370}'..='\u{3ff}'
                | '\u{400}'..='\u{525}'
                | '\u{531}'..='\u{556}'
                | '\u{561}'..='\u{587}'
                | '\u{10d0}'..='\u{10fc}'
                | '\u{1e00}'..='\u{1efb}'
                | '\u{1f00}'..='\u{1fff}'
        )
    })
}

/// Whether a character sets the direction of text (marks, embeddings, overrides, isolates), or has
/// no width and is needed by no script. The joiners U+200C and U+200D are kept, because names in
/// Persian and in Indic scripts contain them.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}
