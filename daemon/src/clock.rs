//! Reading the system's clocks. All stamps are those of CLOCK_MONOTONIC.

use clock_engine::{Instant, Span};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::sync::OnceLock;

/// The present instant on CLOCK_MONOTONIC.
pub fn monotonic_now() -> Instant {
    Instant::from_nanos(nanos(clock_gettime(ClockId::Monotonic)))
}

/// The present time on CLOCK_REALTIME, in nanoseconds since 1970. It is only shown to people.
pub fn realtime_now() -> u64 {
    nanos(clock_gettime(ClockId::Realtime))
}

/// CLOCK_MONOTONIC, read between two readings of CLOCK_MONOTONIC_RAW. All are in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct ClockReading {
    /// CLOCK_MONOTONIC_RAW before.
    pub raw_before: u64,
    /// CLOCK_MONOTONIC.
    pub monotonic: u64,
    /// CLOCK_MONOTONIC_RAW after. If it is much later than before, the thread was interrupted.
    pub raw_after: u64,
}

/// Reads CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW.
pub fn read_both() -> ClockReading {
    let read = |clock| nanos(clock_gettime(clock));
    let raw_before = read(ClockId::MonotonicRaw);
    let monotonic = read(ClockId::Monotonic);
    ClockReading { raw_before, monotonic, raw_after: read(ClockId::MonotonicRaw) }
}

/// The identifier of this boot, to which the instants of CLOCK_MONOTONIC belong. If the kernel does not
/// say it, the identifier is one that no other process has, so a restart counts as a power cut.
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
pub fn timespec(span: Span) -> Timespec {
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
