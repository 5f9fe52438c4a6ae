//! Instants that can be before the zero of the clock's axis.
//!
//! `docs/laws.md` explains S0 to S4, FIDE and US, which are the sources of the cited clauses.

use crate::{Instant, Span};
use serde::{Deserialize, Serialize};

/// An instant in nanoseconds since the zero of the caller's clock; it can be negative. After a
/// power cut the caller's clock begins again at zero, but lateness is still counted from a start
/// that can be before this zero (S0 6.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct SignedInstant(i64);

impl SignedInstant {
    /// The instant `span` before zero, at most 292 years.
    pub fn before_zero(span: Span) -> SignedInstant {
        SignedInstant(0_i64.saturating_sub_unsigned(span.as_nanos()))
    }

    /// The instant `span` after this one, at most 292 years after zero.
    pub fn plus(self, span: Span) -> SignedInstant {
        SignedInstant(self.0.saturating_add_unsigned(span.as_nanos()))
    }

    /// The time from `earlier` to this instant; zero if `earlier` is later.
    pub fn since(self, earlier: SignedInstant) -> Span {
        let passed = i128::from(self.0) - i128::from(earlier.0);
        Span::from_nanos(u64::try_from(passed).unwrap_or(0))
    }

    /// This instant on another time axis: `from` on this axis is `to` on the other one.
    pub fn on_axis(self, from: Instant, to: Instant) -> SignedInstant {
        let moved = i128::from(self.0) + i128::from(to.as_nanos()) - i128::from(from.as_nanos());
        let limit = if moved < 0 { i64::MIN } else { i64::MAX };
        SignedInstant(i64::try_from(moved).unwrap_or(limit))
    }

    /// The same instant; zero if it is before zero.
    pub fn or_zero(self) -> Instant {
        Instant::from_nanos(u64::try_from(self.0).unwrap_or(0))
    }
}

impl From<Instant> for SignedInstant {
    fn from(at: Instant) -> SignedInstant {
        SignedInstant(i64::try_from(at.as_nanos()).unwrap_or(i64::MAX))
    }
}
