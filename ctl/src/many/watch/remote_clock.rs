//! The clock of another machine, as far as its messages tell it.

use std::time::{Duration, Instant};

/// For how long the best message of a window counts: at least this long, and less than twice as
/// long.
const WINDOW: Duration = Duration::from_secs(30);

/// Converts instants of this machine to those of the other machine's CLOCK_MONOTONIC.
///
/// Each message has an instant of the other machine. It was sent at that instant or later, and it
/// arrived later than it was sent. So the difference between arrival and instant is the offset of
/// the two clocks plus the age of the message, and the smallest difference is the best one.
///
/// Two clocks do not run at the same rate, and the other machine can be started again. So only the
/// messages of the last 30 to 60 s count. In 60 s, two clocks that differ by 40 ppm drift apart by
/// 2.4 ms.
#[derive(Clone, Copy, Debug, Default)]
pub struct RemoteClock {
    /// The window that the latest message belongs to.
    present: Option<Window>,
    /// The best message of the window before it, if it counts.
    before: Option<Message>,
}

/// A time of [`WINDOW`].
#[derive(Clone, Copy, Debug)]
struct Window {
    /// When its first message arrived.
    began: Instant,
    best: Message,
}

/// When a message arrived, and its instant of the other machine.
#[derive(Clone, Copy, Debug)]
struct Message {
    arrived: Instant,
    remote_nsec: u64,
}

impl RemoteClock {
    /// Notes that a message with the instant `remote_nsec` has arrived at `arrived`.
    pub fn note(&mut self, remote_nsec: u64, arrived: Instant) {
        let message = Message { arrived, remote_nsec };
        let age = |window: &Window| arrived.saturating_duration_since(window.began);
        match &mut self.present {
            Some(window) if age(window) < WINDOW => {
                if remote_nsec > window.best.at(arrived) {
                    window.best = message;
                }
            }
            ended => {
                let counts = |window: &Window| age(window) < 2 * WINDOW;
                self.before = ended.filter(counts).map(|window| window.best);
                *ended = Some(Window { began: arrived, best: message });
            }
        }
    }

    /// The instant of the other machine at `now`, in nanoseconds; 0 before the first message.
    pub fn at(&self, now: Instant) -> u64 {
        let best = [self.present.map(|window| window.best), self.before];
        best.into_iter().flatten().map(|message| message.at(now)).max().unwrap_or(0)
    }
}

impl Message {
    /// The latest instant of the other machine that can be present at `now`, as far as this message
    /// tells.
    fn at(&self, now: Instant) -> u64 {
        let nsec = |span: Duration| u64::try_from(span.as_nanos()).unwrap_or(u64::MAX);
        let later = nsec(now.saturating_duration_since(self.arrived));
        let earlier = nsec(self.arrived.saturating_duration_since(now));
        self.remote_nsec.saturating_add(later).saturating_sub(earlier)
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

    /// A message every 2 s for 8 hours, 2 ms on its way, from a clock whose rate differs from that of
    /// this machine by `ppm` parts in a million. After `step_at` seconds, the clock steps by `step`
    /// seconds. Returns the largest error in nanoseconds, ahead and behind, of the readings in the
    /// second before each message, except in the first minute after the step.
    fn errors(ppm: i128, step_at: u64, step: i128) -> (i128, i128) {
        const SECOND: i128 = 1_000_000_000;
        const START: i128 = 5_000_000_000_000;
        let origin = Instant::now();
        let remote = |nsec: i128| {
            let stepped = if nsec >= i128::from(step_at) * SECOND { step * SECOND } else { 0 };
            START + nsec + nsec * ppm / 1_000_000 + stepped
        };
        let local = |nsec: i128| origin + Duration::from_nanos(u64::try_from(nsec).unwrap());
        let mut clock = RemoteClock::default();
        let (mut ahead, mut behind) = (0, 0);
        for second in (0..8 * 3600).step_by(2) {
            let sent = i128::from(second) * SECOND;
            if second > 0 && !(step_at..step_at + 60).contains(&second) {
                for early in [0, SECOND / 2, SECOND] {
                    let error = i128::from(clock.at(local(sent - early))) - remote(sent - early);
                    // A reading of before the step is no reading of the clock after it.
                    if second != step_at + 60 || early == 0 {
                        ahead = ahead.max(error);
                        behind = behind.max(-error);
                    }
                }
            }
            clock.note(u64::try_from(remote(sent)).unwrap(), local(sent + 2_000_000));
        }
        (ahead, behind)
    }

    #[test]
    fn a_clock_that_is_slower_or_faster_is_followed_for_eight_hours() {
        for ppm in [-200, -40, 0, 40, 200] {
            let (ahead, behind) = errors(ppm, u64::MAX / 2, 0);
            // 60 s at the difference of the rates; the 2 ms of the way can only make it smaller.
            let drift = 60 * 1_000 * ppm.abs();
            assert!(ahead <= drift, "{ppm} ppm: {ahead} ns ahead");
            assert!(behind <= 2_000_000 + drift, "{ppm} ppm: {behind} ns behind");
        }
    }

    #[test]
    fn a_clock_that_steps_is_followed_within_a_minute_in_both_directions() {
        for step in [3600, 1, -1, -3600] {
            for ppm in [-40, 40] {
                let (ahead, behind) = errors(ppm, 4 * 3600, step);
                assert!(ahead <= 2_400_000, "{step} s at {ppm} ppm: {ahead} ns ahead");
                assert!(behind <= 4_400_000, "{step} s at {ppm} ppm: {behind} ns behind");
            }
        }
    }

    #[test]
    fn a_message_after_a_long_silence_decides_alone() {
        let start = Instant::now();
        let after = |secs| start + Duration::from_secs(secs);
        let mut clock = RemoteClock::default();
        clock.note(1_000_000_000, start);
        clock.note(500_000_000_000, after(600));
        assert_eq!(clock.at(after(600)), 500_000_000_000);
        // Before it, the only message counts however old it is.
        let mut clock = RemoteClock::default();
        clock.note(1_000_000_000, start);
        assert_eq!(clock.at(after(600)), 601_000_000_000);
    }
}
