//! Wall time in the zone of this machine.

use clockctl::record::wall_time::{WallTime, known_seconds};
use clockctl::times::passed;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A time zone.
pub struct Zone(TimeZone);

impl Zone {
    /// The zone in the variable TZ or, if it is not set, the zone of this machine. If neither is
    /// known, it is UTC.
    pub fn system() -> Zone {
        Zone(TimeZone::system())
    }

    /// How many seconds this zone is east of UTC at the instant `wall_ns`; 0 if the instant is not
    /// known.
    pub fn offset(&self, wall_ns: Option<i64>) -> i32 {
        let seconds = known_seconds(wall_ns).and_then(|seconds| i64::try_from(seconds).ok());
        let instant = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
        instant.map_or(0, |instant| self.0.to_offset(instant).seconds())
    }

    /// The wall time `wall_ns`, such as `2026-11-22 19:30:05`. If the machine did not know the wall
    /// time, it is `at_ns`, the time since the start of the machine, such as `boot +0:12:34.5`.
    pub fn text(&self, wall_ns: Option<i64>, at_ns: u64) -> String {
        match WallTime::new(wall_ns, self.offset(wall_ns)) {
            Some(WallTime { year, month, day, hour, minute, second, .. }) => {
                format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
            }
            None => format!("boot +{}", passed(at_ns)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Zone;
    use jiff::tz::TimeZone;

    #[test]
    fn the_offset_is_that_of_the_season() {
        let zone = Zone(TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap());
        let at = |seconds: i64| zone.text(Some(seconds * 1_000_000_000), 0);
        // Summer time begins on 29 March 2026 at 01:00 UTC and ends on 25 October at 01:00 UTC.
        assert_eq!(at(1_774_745_999), "2026-03-29 01:59:59");
        assert_eq!(at(1_774_746_000), "2026-03-29 03:00:00");
        assert_eq!(at(1_792_889_999), "2026-10-25 02:59:59");
        assert_eq!(at(1_792_890_000), "2026-10-25 02:00:00");
        assert_eq!(zone.offset(None), 0);
        // The latest instant that an `i64` of nanoseconds can hold is on 11 April 2262.
        assert_eq!(zone.offset(Some(i64::MAX)), 7200);
    }

    #[test]
    fn before_the_time_is_known_the_start_of_the_machine_counts() {
        let zone = Zone::system();
        assert_eq!(zone.text(None, 754_500_000_000), "boot +0:12:34.5");
        assert_eq!(zone.text(Some(-1), 199_999_999), "boot +0:00:00.1");
        assert!(zone.text(Some(1_795_375_800_000_000_000), 1).starts_with("2026-11-2"));
    }
}
