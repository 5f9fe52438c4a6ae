//! How high the digits on a screen are, and from which distance they can be read.

use std::fmt;

/// The height of the digits on a screen, in micrometres.
///
/// A digit can be read from a distance of 200 times its height; docs/face.md has the sources.
///
/// ```
/// use clock_dbus::DigitHeight;
/// let small = DigitHeight { micrometres: 12_070 };
/// assert_eq!(small.to_string(), "12.0 mm high, readable from 2.4 m");
/// assert!(small < DigitHeight::NEEDED);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DigitHeight {
    /// The height in micrometres: 15,000 is 15 mm.
    pub micrometres: u32,
}

impl DigitHeight {
    /// The smallest height that can be read from 3 m, the distance of the arbiter: 15 mm.
    pub const NEEDED: DigitHeight = DigitHeight { micrometres: 15_000 };

    /// The largest height that a display may report: 10 m.
    pub const LARGEST: DigitHeight = DigitHeight { micrometres: 10_000_000 };

    /// The warning for digits that are too small to be read from 3 m, in at most 200 bytes; `None`
    /// if they are large enough.
    pub fn warning(self) -> Option<String> {
        let small = self < DigitHeight::NEEDED;
        small.then(|| format!("the digits on the screen are {self}; 15 mm are needed for 3 m"))
    }
}

impl fmt::Display for DigitHeight {
    /// Writes the height in millimetres, and in metres the distance from which the digits can be
    /// read. Both are rounded down to one decimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.micrometres / 100;
        // 200 times the height, in tenths of a metre.
        let distance = self.micrometres / 500;
        write!(
            f,
            "{}.{} mm high, readable from {}.{} m",
            tenths / 10,
            tenths % 10,
            distance / 10,
            distance % 10
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_below_15_mm_are_warned_of() {
        let warning = |micrometres| DigitHeight { micrometres }.warning();
        let wanted = "the digits on the screen are 14.9 mm high, readable from 2.9 m; 15 mm are needed for 3 m";
        assert_eq!(warning(14_999).as_deref(), Some(wanted));
        assert_eq!(warning(15_000), None);
        assert!(warning(1).is_some_and(|text| text.len() <= 200));
    }

    #[test]
    fn any_height_can_be_written() {
        let largest = DigitHeight { micrometres: u32::MAX }.to_string();
        assert_eq!(largest, "4294967.2 mm high, readable from 858993.4 m");
    }
}
