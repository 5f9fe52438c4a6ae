//! The clock of another machine, as far as its messages tell it.

use std::time::{Duration, Instant};

/// Converts instants of this machine to those of the other machine's CLOCK_MONOTONIC.
///
/// Each message has an instant of the other machine. It was sent at that instant or later, and it
/// arrived later than it was sent. So the difference between arrival and instant is the offset of
/// the two clocks plus the age of the message, and the smallest difference is the best one.
#[derive(Clone, Copy, Debug, Default)]
pub struct RemoteClock {
    /// An instant of this machine, and the latest instant of the other machine that can be present
    /// at it.
    known: Option<(Instant, u64)>,
}

impl RemoteClock {
    /// Notes that a message with the instant `remote_nsec` has arrived at `arrived`.
    pub fn note(&mut self, remote_nsec: u64, arrived: Instant) {
        if self.known.is_none() || remote_nsec > self.at(arrived) {
            self.known = Some((arrived, remote_nsec));
        }
    }

    /// The instant of the other machine at `now`, in nanoseconds; 0 before the first message.
    pub fn at(&self, now: Instant) -> u64 {
        let nsec = |span: Duration| u64::try_from(span.as_nanos()).unwrap_or(u64::MAX);
        self.known.map_or(0, |(at, remote)| {
            let later = nsec(now.saturating_duration_since(at));
            let earlier = nsec(at.saturating_duration_since(now));
            remote.saturating_add(later).saturating_sub(earlier)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::RemoteClock;
    use std::time::{Duration, Instant};

    #[test]
    fn the_message_that_took_the_shortest_time_decides() {
        let start = Instant::now();
        let after = |millis| start + Duration::from_millis(millis);
        let mut clock = RemoteClock::default();
        assert_eq!(clock.at(start), 0);
        // Sent at 1,000 ms of the other machine, 300 ms on its way.
        clock.note(1_000_000_000, after(300));
        assert_eq!(clock.at(after(400)), 1_100_000_000);
        // 20 ms on its way.
        clock.note(2_000_000_000, after(1_020));
        assert_eq!(clock.at(after(1_120)), 2_100_000_000);
        assert_eq!(clock.at(after(1_000)), 1_980_000_000);
        // 500 ms on its way: it says nothing new.
        clock.note(3_000_000_000, after(2_500));
        assert_eq!(clock.at(after(2_500)), 3_480_000_000);
    }
}
