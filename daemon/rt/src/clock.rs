//! Reads the system's clocks and the identifier of the boot. All stamps of the game are those of
//! CLOCK_MONOTONIC.

use clock_engine::{Instant, Span};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::sync::OnceLock;

/// The present instant on CLOCK_MONOTONIC.
pub fn monotonic_now() -> Instant {
    Instant::from_nanos(nanos(clock_gettime(ClockId::Monotonic)))
}

/// The present time on CLOCK_REALTIME, in nanoseconds since 1970. It is shown, recorded and used
/// for scheduled starts, and never measures a player's time.
pub fn realtime_now() -> u64 {
    nanos(clock_gettime(ClockId::Realtime))
}

/// The clocks of the machine, read right after one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockReadings {
    /// CLOCK_MONOTONIC.
    pub monotonic: Instant,
    /// CLOCK_MONOTONIC_RAW right before `monotonic`, in nanoseconds.
    pub raw_before_ns: u64,
    /// CLOCK_MONOTONIC_RAW right after `monotonic`, in nanoseconds. If it is much later than
    /// `raw_before_ns`, the thread was interrupted.
    pub raw_after_ns: u64,
    /// CLOCK_REALTIME, in nanoseconds since 1970.
    pub realtime_ns: u64,
    /// Whether `realtime_ns` is the right time. `false` on a machine without a battery-backed clock
    /// until a time service has set the wall clock.
    pub is_wall_time_known: bool,
}

impl ClockReadings {
    /// Reads the clocks.
    pub fn read() -> ClockReadings {
        let read = |clock| nanos(clock_gettime(clock));
        let raw_before_ns = read(ClockId::MonotonicRaw);
        let monotonic = monotonic_now();
        let raw_after_ns = read(ClockId::MonotonicRaw);
        let realtime_ns = realtime_now();
        let is_wall_time_known = clock_wall_time::is_known();
        ClockReadings { monotonic, raw_before_ns, raw_after_ns, realtime_ns, is_wall_time_known }
    }

    /// CLOCK_MONOTONIC_RAW at `monotonic`, in nanoseconds: the middle of its two readings.
    pub fn raw_ns(&self) -> u64 {
        self.raw_before_ns.midpoint(self.raw_after_ns)
    }

    /// The times on CLOCK_MONOTONIC_RAW and on the wall clock, in nanoseconds, at an earlier
    /// instant `at_ns` on CLOCK_MONOTONIC. The time on the wall clock is `None` if it is not known.
    pub fn raw_and_wall_at(&self, at_ns: u64) -> (u64, Option<i64>) {
        let ago = self.monotonic.as_nanos().saturating_sub(at_ns);
        let wall = self.is_wall_time_known.then(|| self.realtime_ns.saturating_sub(ago));
        (self.raw_ns().saturating_sub(ago), wall.and_then(|wall| i64::try_from(wall).ok()))
    }

    /// The instant at which the wall clock shows this time, given in nanoseconds since 1970. A time
    /// before the machine was started gives instant 0.
    pub fn instant_of(&self, realtime_ns: u64) -> Instant {
        let nanos = self.monotonic.as_nanos();
        Instant::from_nanos(match realtime_ns.checked_sub(self.realtime_ns) {
            Some(ahead) => nanos.saturating_add(ahead),
            None => nanos.saturating_sub(self.realtime_ns - realtime_ns),
        })
    }
}

/// The identifier of this boot, to which the instants of CLOCK_MONOTONIC belong. If it cannot be
/// read, a text that no other process has takes its place, so a restart of the daemon counts as a
/// power cut.
pub fn boot_id() -> &'static str {
    static BOOT_ID: OnceLock<String> = OnceLock::new();
    BOOT_ID.get_or_init(|| match std::fs::read_to_string("/proc/sys/kernel/random/boot_id") {
        Ok(text) => text.trim().to_owned(),
        Err(error) => {
            tracing::error!(%error, "the identifier of the boot cannot be read");
            format!("unknown-{}-{}", realtime_now(), std::process::id())
        }
    })
}

/// A span as the kernel's `timespec`.
pub(crate) fn timespec(span: Span) -> Timespec {
    let nanos = span.as_nanos();
    Timespec {
        tv_sec: i64::try_from(nanos / 1_000_000_000).unwrap_or(i64::MAX),
        tv_nsec: i64::try_from(nanos % 1_000_000_000).expect("less than a second"),
    }
}

fn nanos(time: Timespec) -> u64 {
    let part = |value: i64| u64::try_from(value).unwrap_or(0);
    part(time.tv_sec) * 1_000_000_000 + part(time.tv_nsec)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The date of a build of systemd, to which it sets a clock that has no battery.
    const APRIL_2026: u64 = 1_776_000_000_000_000_000;

    #[test]
    fn a_wall_time_that_is_not_known_is_not_recorded_whatever_the_year() {
        let readings = ClockReadings {
            monotonic: Instant::from_nanos(1_000),
            raw_before_ns: 900,
            raw_after_ns: 902,
            realtime_ns: APRIL_2026,
            is_wall_time_known: false,
        };
        assert_eq!(readings.raw_and_wall_at(990), (891, None));
        // The time of an earlier entry is known as soon as the present time is.
        let known = ClockReadings { is_wall_time_known: true, ..readings };
        let wall = i64::try_from(APRIL_2026 - 10).unwrap();
        assert_eq!(known.raw_and_wall_at(990), (891, Some(wall)));
    }
}
