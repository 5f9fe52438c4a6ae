//! What the kernel and the battery-backed clocks say about the wall time.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// The folder in sysfs with the battery-backed clocks.
const CLOCKS: &str = "/sys/class/rtc";
/// The most clocks that are read.
const MOST_CLOCKS: usize = 8;
/// By how many seconds a battery-backed clock and the wall clock may differ if one was set from the
/// other. A crystal drifts by a few seconds a day. Less than the smallest difference of time zones
/// (15 min), so that a battery-backed clock with local time does not agree.
const AGREE_S: u64 = 600;
/// The largest error of the wall clock for which the kernel takes it to be synchronised, in
/// microseconds (`NTP_PHASE_LIMIT`). A clock that was never set has this value.
const UNSYNCHRONIZED_US: libc::c_long = 16_000_000;

/// What a machine says about its wall clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The time on CLOCK_REALTIME, in seconds since 1970.
    pub realtime_s: u64,
    /// Whether a time service has told the kernel that the clock is right, within the last hours.
    pub is_synchronized: bool,
    /// The time that each battery-backed clock shows, in seconds since 1970. After its battery was
    /// empty, a clock shows no time, or one many years in the past.
    pub clocks_s: Vec<u64>,
}

impl Evidence {
    /// Whether the wall clock shows the right time: it is synchronised, or a battery-backed clock
    /// shows the same time. That a kernel has read such a clock at its start is not enough: after
    /// the battery was empty, systemd moves the wall clock away from what was read.
    pub fn shows_the_time(&self) -> bool {
        let agrees = |clock: &u64| clock.abs_diff(self.realtime_s) <= AGREE_S;
        self.is_synchronized || self.clocks_s.iter().any(agrees)
    }

    /// Reads what this machine says.
    pub fn read() -> Evidence {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let clocks_s = clocks(Path::new(CLOCKS));
        Evidence { realtime_s: now.as_secs(), is_synchronized: is_synchronized(), clocks_s }
    }
}

/// The times of the battery-backed clocks in a folder of sysfs.
fn clocks(folder: &Path) -> Vec<u64> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let times = entries.take(MOST_CLOCKS).filter_map(|entry| {
        let text = fs::read_to_string(entry.ok()?.path().join("since_epoch")).ok()?;
        text.trim().parse().ok()
    });
    times.collect()
}

/// What the kernel says about its wall clock, if the sandbox allows the question.
fn is_synchronized() -> bool {
    // SAFETY: a timex consists of integers, for which zeros are a value. With `modes` 0 the call only
    // writes into it.
    #[expect(unsafe_code, reason = "neither the standard library nor rustix has adjtimex")]
    let (result, timex) = unsafe {
        let mut timex: libc::timex = std::mem::zeroed();
        (libc::adjtimex(&raw mut timex), timex)
    };
    result >= 0 && says_synchronized(timex.status, timex.maxerror)
}

/// Whether the kernel's status or its largest error says that the clock is synchronised. chrony
/// without `rtcsync` never clears the status, because that would make the kernel set the
/// battery-backed clock, but it gives the error. systemd's `NTPSynchronized` is of the error, too.
fn says_synchronized(status: i32, largest_error_us: libc::c_long) -> bool {
    status & libc::STA_UNSYNC == 0 || largest_error_us < UNSYNCHRONIZED_US
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 24 November 2026, and the build of systemd in Debian 13, from which a clock without a battery
    /// starts.
    const NOW: u64 = 1_795_500_000;
    const BUILD: u64 = 1_776_000_000;

    #[test]
    fn a_time_after_2025_is_not_known_by_itself() {
        let evidence = |realtime_s, clocks_s: &[u64]| Evidence {
            realtime_s,
            is_synchronized: false,
            clocks_s: clocks_s.to_vec(),
        };
        for (realtime_s, clocks_s, is_known, why) in [
            (BUILD, &[] as &[u64], false, "no battery-backed clock"),
            (NOW, &[], false, "the time of the last shutdown"),
            (BUILD, &[30], false, "a battery-backed clock without its battery"),
            (NOW, &[NOW + 600], true, "a battery-backed clock"),
            (NOW, &[NOW - 600], true, "a battery-backed clock"),
            (NOW, &[NOW + 601], false, "a battery-backed clock that was not used"),
            (NOW, &[NOW - 3600], false, "a battery-backed clock with local time"),
            (NOW, &[30, NOW], true, "the second one has a battery"),
        ] {
            let evidence = evidence(realtime_s, clocks_s);
            assert_eq!(evidence.shows_the_time(), is_known, "{why}: {evidence:?}");
            assert!(Evidence { is_synchronized: true, ..evidence }.shows_the_time());
        }
    }

    #[test]
    fn the_kernel_says_it_with_the_status_or_with_the_error() {
        for (status, largest_error_us, wanted) in [
            (libc::STA_UNSYNC, 16_000_000, false),
            (libc::STA_UNSYNC | libc::STA_PLL, 20_000_000, false),
            (libc::STA_UNSYNC, 15_999_999, true),
            (libc::STA_PLL, 20_000, true),
            (0, 16_000_000, true),
        ] {
            let said = says_synchronized(status, largest_error_us);
            assert_eq!(said, wanted, "{status:#x} {largest_error_us}");
        }
    }

    #[test]
    fn the_battery_backed_clocks_are_read_from_sysfs() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("rtc0", Some("30\n")), ("rtc1", Some("1795500000\n")), ("rtc2", None)]
        {
            fs::create_dir(folder.path().join(name)).unwrap();
            if let Some(text) = text {
                fs::write(folder.path().join(name).join("since_epoch"), text).unwrap();
            }
        }
        let mut times = clocks(folder.path());
        times.sort_unstable();
        assert_eq!(times, [30, NOW]);
        assert_eq!(clocks(&folder.path().join("none")), []);
    }

    #[test]
    fn this_machine_can_be_asked() {
        let evidence = Evidence::read();
        assert!(evidence.realtime_s > BUILD, "{evidence:?}");
    }
}
