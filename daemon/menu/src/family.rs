//! The families in which all time controls are listed.

use clock_engine::rules::{RateOfPlay, rate_of_play};
use clock_engine::{Control, Method};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// One period, of this rate of play.
    OnePeriod(RateOfPlay),
    Periods,
    /// The sides have different times, or a draw wins for one of them.
    Unequal,
    /// Overtime, hourglass, gong, or time that is counted up.
    Other,
}

impl Family {
    pub const ALL: [Family; 6] = [
        Family::OnePeriod(RateOfPlay::Blitz),
        Family::OnePeriod(RateOfPlay::Rapid),
        Family::OnePeriod(RateOfPlay::Standard),
        Family::Periods,
        Family::Unequal,
        Family::Other,
    ];

    pub fn of(control: &Control) -> Family {
        let periods = control.periods();
        let unequal = periods.iter().any(|period| {
            period.time.white != period.time.black || period.method.white != period.method.black
        });
        let other = periods.iter().any(|period| {
            matches!(
                period.method.white,
                Method::Overtime(_) | Method::Hourglass | Method::Gong(_) | Method::CountUp { .. }
            )
        });
        match () {
            () if unequal || control.terms().draw_odds.is_some() => Family::Unequal,
            () if other => Family::Other,
            () if periods.len() > 1 || control.terms().repeat => Family::Periods,
            () => Family::OnePeriod(rate_of_play(control)),
        }
    }
}
