//! When the time of a side is low.

use super::Clock;
use crate::{Method, Side, Span};

/// A time is low from a tenth of the time that the period has given.
const SHARE: u64 = 10;
/// [`Clock::low_time`] is at least this time and at most [`MOST`], but never more than half of the
/// period's time.
const LEAST: Span = Span::from_secs(10);
const MOST: Span = Span::from_secs(5 * 60);
const SECOND: u64 = 1_000_000_000;

impl Clock {
    /// The time left at which the time of this side becomes low: a tenth of the time that the time
    /// control gives for the present period of the side, in whole seconds, but at least 10 s, at
    /// most 5 minutes, and never more than half of that time.
    ///
    /// That time is the period's time without increments and without what was left of the period
    /// before; in overtime, the time of one overtime period; with a gong, the slice; if time is
    /// counted up, the limit. If the present period gives no time, the latest earlier period that
    /// gives some counts. A correction of the time left changes nothing here.
    ///
    /// Zero if the time is counted up without a limit: it never becomes low.
    pub fn low_time(&self, side: Side) -> Span {
        match self.time_of_period(side) {
            Some(given) if given.is_zero() => LEAST,
            Some(given) => {
                let share = given.as_nanos() / SHARE / SECOND * SECOND;
                Span::from_nanos(share).max(LEAST).min(MOST).min(half(given))
            }
            None => Span::ZERO,
        }
    }

    /// The time that the present period of this side has given; `None` without a limit.
    fn time_of_period(&self, side: Side) -> Option<Span> {
        let state = &self.sides[side];
        match self.method(side) {
            Method::CountUp { limit } => limit,
            Method::Gong(slice) => Some(slice),
            Method::Overtime(overtime) if state.overtime.is_some() => Some(overtime.time),
            _ => {
                let times = (1..=state.period.min(self.control.count())).rev();
                let mut times = times.map(|number| self.control.period(number).time[side]);
                Some(times.find(|time| !time.is_zero()).unwrap_or_default())
            }
        }
    }
}

/// Half of a span in whole seconds, or exactly half if it is shorter than 2 s.
fn half(span: Span) -> Span {
    match span.as_nanos() / 2 {
        nanos if nanos < SECOND => Span::from_nanos(nanos),
        nanos => Span::from_nanos(nanos / SECOND * SECOND),
    }
}
