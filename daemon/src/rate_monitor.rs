//! Measures the rate of CLOCK_MONOTONIC, the clock of the game, against CLOCK_MONOTONIC_RAW.
//!
//! A time service that corrects the wall clock by slewing it changes the rate of CLOCK_MONOTONIC as
//! well, by up to 5 %, and makes the turn of the player on move longer or shorter.
//! CLOCK_MONOTONIC_RAW follows the hardware alone. The stamps of the game stay those of
//! CLOCK_MONOTONIC; a fault tells the arbiter that its rate is wrong.
//!
//! The measurement runs on the main thread. The clock loop is woken only if the fault begins or
//! ends.

use clockd_rt::channel::Notifier;
use clockd_rt::clock::ClockReadings;
use clockd_rt::{Health, Rate};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The interval between two readings. A change of the rate is detected after two intervals at the
/// latest.
const INTERVAL: Duration = Duration::from_secs(2);
/// How many times the clocks are read at most, until a reading was not interrupted.
const ATTEMPTS: usize = 5;

/// The longest time between the two readings of CLOCK_MONOTONIC_RAW, in nanoseconds. A longer time
/// means that the thread was interrupted between them, so the times of the two clocks belong to
/// different instants.
const MAX_READING: u64 = 20_000;
/// The shortest window, in nanoseconds of CLOCK_MONOTONIC_RAW. A window is the time between two
/// readings from which one rate is computed. The readings at its two ends have an error of at most
/// 10 µs each, so the rate of a window of one second has an error of 20 ppm at most.
const MIN_WINDOW: u64 = 1_000_000_000;
/// A deviation of the rate above this limit, in parts per billion, is a fault.
const FAULT: u64 = 200_000;
/// A fault ends when the deviation of the rate is at most this limit, in parts per billion. The
/// limit is less than [`FAULT`], so that a rate that stays close to [`FAULT`] is shown as one fault
/// and not as many. An error of the crystal of 100 ppm and a correction of 50 ppm, the largest that
/// the shipped configuration of chrony allows, are together not more than this limit.
const NORMAL: u64 = 150_000;

/// Returns `reading`, or `None` if the thread was interrupted between the two readings of
/// CLOCK_MONOTONIC_RAW.
fn uninterrupted(reading: ClockReadings) -> Option<ClockReadings> {
    let took = reading.raw_after_ns.checked_sub(reading.raw_before_ns)?;
    (took <= MAX_READING).then_some(reading)
}

/// Computes the rate from successive readings. It does not read the clocks itself.
#[derive(Debug, Default)]
struct RateMonitor {
    window_start: Option<ClockReadings>,
    rate: Rate,
}

impl RateMonitor {
    /// Takes the next reading. Returns the rate if this reading ends a window.
    fn take(&mut self, end: ClockReadings) -> Option<Rate> {
        let start = *self.window_start.get_or_insert(end);
        let raw = end.raw_ns().saturating_sub(start.raw_ns());
        if raw < MIN_WINDOW {
            return None;
        }
        self.window_start = Some(end);
        let deviation = i128::from(end.monotonic.as_nanos())
            - i128::from(start.monotonic.as_nanos())
            - i128::from(raw);
        let ppb = deviation * 1_000_000_000 / i128::from(raw);
        self.rate = following(self.rate, i64::try_from(ppb).unwrap_or(i64::MAX));
        Some(self.rate)
    }
}

/// The rate after a further window with the deviation `ppb`.
fn following(before: Rate, ppb: i64) -> Rate {
    let limit = if before.is_fault { NORMAL } else { FAULT };
    let is_worst = ppb.unsigned_abs() > before.worst_ppb.unsigned_abs();
    let worst_ppb = if is_worst { ppb } else { before.worst_ppb };
    Rate { ppb, worst_ppb, is_fault: ppb.unsigned_abs() > limit }
}

/// Measures for ever. Notifies `clock_loop` when the fault of the clock's rate begins or ends, so
/// that even an idle loop publishes the change at once. Otherwise it does not wake the loop up.
pub async fn serve(health: Arc<Health>, clock_loop: Notifier) -> Infallible {
    let mut monitor = RateMonitor::default();
    loop {
        let mut readings = std::iter::repeat_with(ClockReadings::read).take(ATTEMPTS);
        let rate = readings.find_map(uninterrupted).and_then(|reading| monitor.take(reading));
        if rate.is_some_and(|rate| health.clock_rate.publish(rate)) {
            clock_loop.notify();
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clock_engine::Instant;

    /// The times on both clocks, in virtual time.
    struct Clocks {
        monotonic: u64,
        raw: u64,
    }

    impl Clocks {
        /// The two clocks show different times, as the real ones do.
        const START: Clocks = Clocks { monotonic: 5_000_000_000, raw: 4_000_000_000 };

        /// Lets `millis` milliseconds pass, in which the rate of CLOCK_MONOTONIC is off by `ppb`.
        fn pass(&mut self, millis: u64, ppb: i64) {
            let nanos = i64::try_from(millis * 1_000_000).unwrap();
            self.raw = self.raw.checked_add_signed(nanos).unwrap();
            let elapsed = nanos + nanos / 1_000_000 * ppb / 1_000;
            self.monotonic = self.monotonic.checked_add_signed(elapsed).unwrap();
        }

        /// A reading that takes 200 ns.
        fn reading(&self) -> ClockReadings {
            ClockReadings {
                monotonic: Instant::from_nanos(self.monotonic),
                raw_before_ns: self.raw - 100,
                raw_after_ns: self.raw + 100,
                realtime_ns: 0,
                is_wall_time_known: false,
            }
        }

        fn read(&self) -> ClockReadings {
            uninterrupted(self.reading()).expect("nothing interrupted it")
        }
    }

    /// The rates that the monitor finds in windows of two seconds. For each window, `ppm` says by
    /// how many ppm CLOCK_MONOTONIC is off.
    fn rates(ppm: &[i64]) -> Vec<Rate> {
        let (mut clocks, mut monitor) = (Clocks::START, RateMonitor::default());
        assert_eq!(monitor.take(clocks.read()), None, "one reading is no window");
        let window = |ppm: &i64| {
            clocks.pass(2_000, ppm * 1_000);
            monitor.take(clocks.read()).expect("a window has ended")
        };
        ppm.iter().map(window).collect()
    }

    #[test]
    fn the_rate_and_its_sign_are_found_to_the_part_per_billion() {
        let found = rates(&[0, 17, -17, 50_000, -50_000]);
        let ppb: Vec<i64> = found.iter().map(|rate| rate.ppb).collect();
        assert_eq!(ppb, [0, 17_000, -17_000, 50_000_000, -50_000_000]);
    }

    #[test]
    fn the_worst_rate_is_kept_with_its_sign() {
        let worst: Vec<i64> = rates(&[3, -8, 8, 5]).iter().map(|rate| rate.worst_ppb).collect();
        assert_eq!(worst, [3_000, -8_000, -8_000, -8_000]);
    }

    #[test]
    fn a_fault_begins_above_200_ppm_and_ends_within_150_ppm() {
        for sign in [1, -1] {
            let faults = |ppm: &[i64]| -> Vec<bool> {
                let ppm: Vec<i64> = ppm.iter().map(|ppm| sign * ppm).collect();
                rates(&ppm).iter().map(|rate| rate.is_fault).collect()
            };
            assert_eq!(faults(&[199, 200, 201]), [false, false, true]);
            // A rate that varies around the limit is one fault.
            assert_eq!(faults(&[500, 190, 210, 151, 150]), [true, true, true, true, false]);
            assert_eq!(faults(&[500, 0, 190]), [true, false, false]);
            assert_eq!(faults(&[500, -500]), [true, true]);
        }
    }

    #[test]
    fn an_interrupted_reading_is_discarded() {
        let reading = Clocks::START.reading();
        let pair = |reading: ClockReadings| (reading.monotonic.as_nanos(), reading.raw_ns());
        assert_eq!(uninterrupted(reading).map(pair), Some((5_000_000_000, 4_000_000_000)));
        let raw_after_ns = reading.raw_before_ns + MAX_READING;
        assert!(uninterrupted(ClockReadings { raw_after_ns, ..reading }).is_some());
        let longer = ClockReadings { raw_after_ns: raw_after_ns + 1, ..reading };
        assert_eq!(uninterrupted(longer), None);
        let backwards = ClockReadings { raw_after_ns: reading.raw_before_ns - 1, ..reading };
        assert_eq!(uninterrupted(backwards), None);
    }

    #[test]
    fn a_short_window_is_lengthened_and_a_long_one_is_averaged() {
        let (mut clocks, mut monitor) = (Clocks::START, RateMonitor::default());
        monitor.take(clocks.read());
        clocks.pass(999, 100_000);
        assert_eq!(monitor.take(clocks.read()), None);
        clocks.pass(1_001, 100_000);
        assert_eq!(monitor.take(clocks.read()).map(|rate| rate.ppb), Some(100_000));
        // An hour without a valid reading: all readings were interrupted, or the main thread did
        // not run.
        clocks.pass(3_600_000, -40_000);
        assert_eq!(monitor.take(clocks.read()).map(|rate| rate.ppb), Some(-40_000));
    }

    #[test]
    fn the_real_clocks_can_be_read_together() {
        let readings = std::iter::repeat_with(ClockReadings::read).take(1_000);
        assert!(readings.filter_map(uninterrupted).next().is_some());
    }
}
