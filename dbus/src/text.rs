//! How a time is written for people.

const SECOND: u64 = 1_000_000_000;
const TENTH: u64 = SECOND / 10;
/// Below this the face shows tenths of a second.
const TENTHS_BELOW: u64 = 20 * SECOND;

/// A remaining time as a face shows it: `1:29:59`, `4:05`, below twenty seconds `19.9`.
///
/// Rounded up, so that zero is shown only when the time is used up.
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
