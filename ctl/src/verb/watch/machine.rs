//! The machine that the clock service runs on: its boot, its name, and its clocks at the present
//! instant.

use std::{
    fs,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use clock_dbus::Timebase;
use clockctl::json::Sent;
use rustix::time::{ClockId, clock_gettime};

/// The files in which the kernel gives the boot id and the name of this machine.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";
const NAME: &str = "/proc/sys/kernel/hostname";

/// The clocks of the machine of the service, as they were read last.
pub struct Machine {
    timebase: Timebase,
    /// When the answer with the timebase came, on the clock of this machine.
    read_at: Instant,
    /// The name of the machine; `None` if it is another machine than that of `clockctl`.
    name: Option<String>,
}

impl Machine {
    /// The machine whose clocks were read just now.
    pub fn new(timebase: Timebase) -> Machine {
        let line = |path| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
        // Within one boot of the kernel, both processes read the same clocks.
        let is_own = line(BOOT_ID).is_some_and(|own| own == timebase.boot_id);
        let name = if is_own { line(NAME) } else { None };
        Machine { timebase, read_at: Instant::now(), name }
    }

    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn boot_id(&self) -> &str {
        &self.timebase.boot_id
    }

    /// The present instant on the clocks of the machine. On another machine, it is too early by the
    /// time that the answer with the timebase took.
    pub fn now(&self) -> Sent {
        if self.name.is_some() {
            return own_now();
        }
        let elapsed = nanos(self.read_at.elapsed().as_nanos());
        let realtime = Some(self.timebase.realtime_nsec).filter(|known| *known > 0);
        Sent {
            monotonic_nsec: self.timebase.monotonic_nsec.saturating_add(elapsed),
            realtime_nsec: realtime.map_or(0, |realtime| realtime.saturating_add(elapsed)),
        }
    }
}

/// The present instant on the clocks of this machine.
pub fn own_now() -> Sent {
    let monotonic = clock_gettime(ClockId::Monotonic);
    let monotonic = i128::from(monotonic.tv_sec) * 1_000_000_000 + i128::from(monotonic.tv_nsec);
    // A time that is not known is given as 0.
    let now = clock_wall_time::is_known().then(SystemTime::now);
    let since_1970 = now.and_then(|now| now.duration_since(UNIX_EPOCH).ok());
    let realtime = since_1970.unwrap_or_default();
    Sent {
        monotonic_nsec: nanos(monotonic.unsigned_abs()),
        realtime_nsec: nanos(realtime.as_nanos()),
    }
}

/// Nanoseconds as the bus has them; they last until the year 2554.
fn nanos(nanos: u128) -> u64 {
    u64::try_from(nanos).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_time_that_is_not_known_stays_0() {
        let now = |realtime_nsec| {
            let timebase = Timebase { realtime_nsec, ..Timebase::default() };
            Machine::new(timebase).now().realtime_nsec
        };
        assert_eq!(now(0), 0);
        assert!(now(1_795_500_000_000_000_000) >= 1_795_500_000_000_000_000);
    }
}
