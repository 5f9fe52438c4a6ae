//! Instants and spans: integer nanoseconds of one monotonic clock.

use core::fmt;
use serde::{Deserialize, Serialize};

/// The longest time that may be given to a side, and the largest amount of a method: 1,000 hours.
///
/// Sums of given times stay far below the 584 years a [`Span`] can hold.
pub const MAX_GIVEN: Span = Span(1_000 * 3_600 * 1_000_000_000);

/// An instant of the caller's monotonic clock, in nanoseconds since that clock's zero.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Instant(u64);

impl Instant {
    /// The zero of the caller's clock.
    pub const ZERO: Instant = Instant(0);

    /// The instant `nanos` nanoseconds after zero.
    pub const fn from_nanos(nanos: u64) -> Instant {
        Instant(nanos)
    }

    /// Nanoseconds since the zero of the caller's clock.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The time from `earlier` to this instant; zero if `earlier` is later.
    pub const fn since(self, earlier: Instant) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// The instant `span` after this one, or `None` if the number would overflow.
    pub const fn checked_add(self, span: Span) -> Option<Instant> {
        match self.0.checked_add(span.0) {
            Some(nanos) => Some(Instant(nanos)),
            None => None,
        }
    }
}

/// A length of time, in nanoseconds.
///
/// Sums stop at [`Span::MAX`] (584 years) instead of wrapping.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Span(u64);

impl Span {
    /// No time.
    pub const ZERO: Span = Span(0);
    /// The longest span.
    pub const MAX: Span = Span(u64::MAX);

    /// A span of `nanos` nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Span {
        Span(nanos)
    }

    /// A span of `secs` seconds.
    pub const fn from_secs(secs: u64) -> Span {
        Span(secs.saturating_mul(1_000_000_000))
    }

    /// The span in nanoseconds.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Whether the span is zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum of both spans.
    #[must_use]
    pub const fn plus(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }

    /// This span as a clock shows it while it is left: rounded up to tenths of a second, so that
    /// zero is shown only when the time is used up.
    pub const fn left(self) -> ShownTime {
        ShownTime { tenths: self.0.div_ceil(TENTH) }
    }

    /// This span as a clock shows it once it has passed, such as the time since a flag: rounded
    /// down to tenths of a second.
    pub const fn passed(self) -> ShownTime {
        ShownTime { tenths: self.0 / TENTH }
    }

    /// This span minus `other`, but not below zero.
    #[must_use]
    pub const fn minus(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

/// Writes the exact time: `h:mm:ss`, with decimals only if the span has a fraction of a second, and
/// without trailing zeros.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, mut nanos) = (self.0 / 1_000_000_000, self.0 % 1_000_000_000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{hours}:{minutes:02}:{seconds:02}")?;
        if nanos == 0 {
            return Ok(());
        }
        let mut width = 9;
        while nanos.is_multiple_of(10) {
            (nanos, width) = (nanos / 10, width - 1);
        }
        write!(f, ".{nanos:0width$}")
    }
}

const TENTH: u64 = 100_000_000;

/// A time in the form in which every text says what a clock shows: `h:mm:ss.t`. Hours and tenths of
/// a second are always there, so columns keep their width and the same reading is the same text
/// everywhere.
///
/// The display of a [`Span`] is the exact time, for a time that was given (an increment, an award)
/// or that has to be proven. docs/timing.md says which text has which form.
///
/// ```
/// use clock_engine::Span;
/// let reading = Span::from_nanos(2_470_250_000_001);
/// assert_eq!(reading.left().to_string(), "0:41:10.3");
/// assert_eq!(reading.passed().to_string(), "0:41:10.2");
/// assert_eq!(reading.to_string(), "0:41:10.250000001");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownTime {
    tenths: u64,
}

impl fmt::Display for ShownTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, tenth) = (self.tenths / 10, self.tenths % 10);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{hours}:{minutes:02}:{seconds:02}.{tenth}")
    }
}
