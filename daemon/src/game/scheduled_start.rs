//! The time at which White's clock is to be started (S0 6.5, Chess Organisers' Handbook).

use clock_engine::rules::Session;
use clock_engine::{Instant, Phase, Span};
use clockd_rt::clock::ClockReadings;

const HOUR: u64 = 3600 * 1_000_000_000;
/// How far in the past a given start may be, in nanoseconds.
const LONGEST_AGO: u64 = 24 * HOUR;
/// How far in the future a given start may be, in nanoseconds.
const LONGEST_AHEAD: u64 = 7 * 24 * HOUR;

/// A scheduled start of White's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledStart {
    /// The time of the start, in nanoseconds of CLOCK_REALTIME.
    pub realtime_nsec: u64,
    /// Whether the service starts White's clock at that time. `false` if the time had already
    /// passed when the arbiter gave it, or when the game was restored after a power cut.
    pub starts_clock: bool,
    /// Whether the scheduled time came while an earlier process ran, which could not start White's
    /// clock. White's clock is then started as soon as possible, and counts from that instant on.
    pub is_late: bool,
}

/// Why a start cannot be scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotScheduled {
    /// The machine does not know the wall time.
    TimeUnknown,
    /// The start is more than a day ago or more than a week ahead.
    OutOfRange {
        /// The present wall time, in nanoseconds of CLOCK_REALTIME.
        present: u64,
    },
}

impl ScheduledStart {
    /// A start at this wall time. Its `starts_clock` is `true` if the time is later than `now`.
    ///
    /// # Errors
    ///
    /// The time is more than a day ago or more than a week ahead, or the present time is not known.
    pub fn new(realtime_nsec: u64, now: ClockReadings) -> Result<ScheduledStart, NotScheduled> {
        if !now.is_wall_time_known {
            return Err(NotScheduled::TimeUnknown);
        }
        let present = now.realtime_ns;
        let range = present.saturating_sub(LONGEST_AGO)..=present.saturating_add(LONGEST_AHEAD);
        if !range.contains(&realtime_nsec) {
            return Err(NotScheduled::OutOfRange { present });
        }
        Ok(ScheduledStart { realtime_nsec, starts_clock: realtime_nsec > present, is_late: false })
    }

    /// Whether the service must still start White's clock if the game is in the phase `phase`.
    pub fn is_awaited(self, phase: Phase) -> bool {
        self.starts_clock && phase == Phase::Ready
    }

    /// The start of the session, from which lateness is counted (S0 6.7).
    pub fn session(self, now: ClockReadings) -> Session {
        let since_start = now.realtime_ns.saturating_sub(self.realtime_nsec);
        match since_start.checked_sub(now.monotonic.as_nanos()) {
            Some(before) if before > 0 => Session::BeforeZero(Span::from_nanos(before)),
            _ => Session::At(now.instant_of(self.realtime_nsec)),
        }
    }

    /// Returns the instant of the start if that instant has come. Returns `None` before that
    /// instant, while the wall time is not known, and at any time if `starts_clock` is `false`.
    pub fn due(self, now: ClockReadings) -> Option<Instant> {
        let has_come =
            self.starts_clock && now.is_wall_time_known && self.realtime_nsec <= now.realtime_ns;
        has_come.then(|| now.instant_of(self.realtime_nsec))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: ClockReadings = ClockReadings {
        monotonic: Instant::from_nanos(5 * HOUR),
        raw_before_ns: 0,
        raw_after_ns: 0,
        realtime_ns: 1000 * HOUR,
        is_wall_time_known: true,
    };

    #[test]
    fn a_start_is_from_a_day_ago_to_a_week_ahead() {
        for (hours, allowed) in
            [(975, false), (976, true), (1000, true), (1168, true), (1169, false), (0, false)]
        {
            assert_eq!(ScheduledStart::new(hours * HOUR, NOW).is_ok(), allowed, "{hours}");
        }
        assert!(ScheduledStart::new(u64::MAX, NOW).is_err());
    }

    #[test]
    fn while_the_wall_time_is_not_known_no_start_is_scheduled_and_none_is_due() {
        let unknown = ClockReadings { is_wall_time_known: false, ..NOW };
        let start = ScheduledStart::new(NOW.realtime_ns + 10, unknown);
        assert_eq!(start, Err(NotScheduled::TimeUnknown));
        // A start that was given before a power cut, on a clock that has no battery.
        let start = ScheduledStart::new(NOW.realtime_ns + 10, NOW).unwrap();
        let later = ClockReadings { realtime_ns: NOW.realtime_ns + HOUR, ..NOW };
        assert!(start.due(later).is_some());
        assert_eq!(start.due(ClockReadings { is_wall_time_known: false, ..later }), None);
    }

    #[test]
    fn a_start_is_due_from_its_very_nanosecond_on_and_at_its_own_instant() {
        let start = ScheduledStart::new(NOW.realtime_ns + 10, NOW).unwrap();
        let after = |nanos| ClockReadings {
            monotonic: Instant::from_nanos(5 * HOUR + nanos),
            realtime_ns: NOW.realtime_ns + nanos,
            ..NOW
        };
        assert_eq!(start.due(after(9)), None);
        assert_eq!(start.due(after(10)), Some(Instant::from_nanos(5 * HOUR + 10)));
        assert_eq!(start.due(after(1_000)), Some(Instant::from_nanos(5 * HOUR + 10)));
        // The time service has set the wall clock back in the meantime.
        let set_back = ClockReadings { realtime_ns: NOW.realtime_ns - 1, ..after(1_000) };
        assert_eq!(start.due(set_back), None);
    }

    #[test]
    fn a_session_that_began_before_starts_no_clock() {
        let past = ScheduledStart::new(NOW.realtime_ns - HOUR, NOW).unwrap();
        assert!(!past.starts_clock && past.due(NOW).is_none());
        assert_eq!(NOW.instant_of(past.realtime_nsec), Instant::from_nanos(4 * HOUR));
        // An instant before the boot of the machine becomes zero.
        assert_eq!(NOW.instant_of(NOW.realtime_ns - 9 * HOUR), Instant::ZERO);
        assert_eq!(past.session(NOW), Session::At(Instant::from_nanos(4 * HOUR)));
        let before_the_boot = ScheduledStart::new(NOW.realtime_ns - 9 * HOUR, NOW).unwrap();
        let four_hours = Span::from_nanos(4 * HOUR);
        assert_eq!(before_the_boot.session(NOW), Session::BeforeZero(four_hours));
    }
}
